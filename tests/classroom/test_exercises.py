"""Every exercise accepts its reference, and `check` says what is wrong with other answers."""

import math
from pathlib import Path

import pytest

import autograd_core as ac
from autograd_core.classroom import check, exercises, grading
from autograd_core.classroom.exercise import Exercise, Mistake, _as_rows
from autograd_core.testing.values import snapshot

BOOK = Path(__file__).parents[2] / "book"
ALL = [pytest.param(exercise, id=exercise.id) for exercise in exercises()]
TABLES = [
    pytest.param(exercise, mistake, id=f"{exercise.id}-{mistake.label}")
    for exercise in exercises()
    if exercise.rows is _as_rows
    for mistake in exercise.mistakes
]


@pytest.fixture(autouse=True)
def fresh_session(monkeypatch):
    monkeypatch.delenv("AUTOGRAD_CORE_GRADING", raising=False)
    grading._wrong_answers.clear()


@pytest.fixture
def toy(monkeypatch):
    exercise = Exercise(
        id="99.toy",
        title="Toy",
        reference=lambda T: {"a": T.tensor(2.0), "b": None},
        hints=("look", "look again"),
        mistakes=(Mistake("Zero for None", "They differ.", {"b": 0.0}),),
    )
    monkeypatch.setattr(grading, "_registry", lambda: {exercise.id: exercise})
    return exercise


@pytest.mark.parametrize("exercise", ALL)
def test_the_reference_is_right(exercise):
    assert check(exercise.id, exercise.reference(ac))


@pytest.mark.parametrize("exercise", ALL)
def test_two_hints_and_a_chapter(exercise):
    assert len(exercise.hints) == 2
    assert exercise.id[:2].isdigit() and exercise.id[2] == "."


@pytest.mark.parametrize("exercise", ALL)
def test_no_mistake_explains_the_reference(exercise):
    reference = snapshot(exercise.rows(exercise.reference(ac)))
    for mistake in exercise.mistakes:
        assert mistake.rows.keys() <= reference.keys()
        assert not mistake.explains(reference, exercise.tolerance), mistake.label


@pytest.mark.parametrize(("exercise", "mistake"), TABLES)
def test_a_mistake_is_recognized(exercise, mistake):
    verdict = check(exercise.id, {**exercise.rows(exercise.reference(ac)), **mistake.rows})
    assert not verdict
    assert mistake.message in str(verdict)


def nobody_walks_back(T):
    w = T.tensor(2.0, requires_grad=True)
    return {"L": w**3, "w.grad": w.grad, "w": w}


def squared(T):
    w = T.tensor(2.0, requires_grad=True)
    L = w**2
    L.backward()
    return {"L": L, "w.grad": w.grad, "w": w}


def all_rows_in_one(T, f, x):
    return T.autograd.grad(f(x), x, T.ones(3))[0]


def transposed(T, f, x):
    y = f(x)
    return T.stack([T.autograd.grad(y, x, seed, retain_graph=True)[0] for seed in T.eye(3)]).T


def running_sums(T, f, x):
    y, rows = f(x), []
    for seed in T.eye(3):
        y.backward(seed, retain_graph=True)
        rows.append(x.grad.clone())
    return T.stack(rows)


def not_scaled(T, w, x):
    for part in (x[:2], x[2:]):
        ((w * part) ** 2).mean().backward()


def cleared_between(T, w, x):
    for part in (x[:2], x[2:]):
        w.grad = None
        (((w * part) ** 2).mean() / 2).backward()


def sum_for_mean(T, w, x):
    ((w * x) ** 2).sum().backward()


def without_a_slot(T):
    w = T.tensor(2.0, requires_grad=True)
    a = w.square()
    b = 3 * a
    (b + 1).backward()
    return {"w.grad": w.grad, "a.grad": None, "b is a leaf": b.is_leaf}


@pytest.mark.parametrize(
    ("id", "answer", "label"),
    [
        ("00.experiment", nobody_walks_back, "Nobody walked back"),
        ("00.experiment", squared, "A square is not a cube"),
        ("01.vjp", lambda w, L_bar: 3 * L_bar * math.cos(w**2), "left out"),
        ("01.vjp", lambda w, L_bar: 2 * w * 3 * L_bar * math.cos(w), "looks at w"),
        ("01.vjp", lambda w, L_bar: 2 * w * 3 * math.cos(w**2), "not used"),
        ("02.keep", without_a_slot, "too late"),
        ("03.jacobian", all_rows_in_one, "All rows in one"),
        ("03.jacobian", transposed, "transpose"),
        ("03.jacobian", running_sums, "Running sums"),
        ("04.halves", not_scaled, "Twice the gradient"),
        ("04.halves", cleared_between, "Only the last half"),
        ("04.halves", sum_for_mean, "A sum, not a mean"),
    ],
)
def test_a_wrong_function_is_recognized(id, answer, label):
    verdict = check(id, answer)
    assert not verdict
    assert label in str(verdict)


@pytest.mark.parametrize("exercise", ALL)
def test_a_stub_is_not_answered_yet(exercise):
    verdict = check(exercise.id, ...)
    assert not verdict
    assert str(verdict) == f"{exercise.id}: not answered yet"


@pytest.mark.parametrize("open_row", [..., [True, ...], (..., 1), {"inner": [...]}])
def test_an_answer_that_still_holds_dots_is_not_answered_yet(toy, open_row):
    verdict = check("99.toy", {"a": open_row, "b": None})
    assert not verdict
    assert str(verdict) == "99.toy: not answered yet\nStill open: a."
    assert str(check("99.toy", [1.0, ...])) == "99.toy: not answered yet"
    assert check("99.toy", {"a": 3.0, "b": None}).notes == ["Hint: look"]  # no hint was spent on an open answer


@pytest.mark.skipif(not BOOK.is_dir(), reason="the chapters are not installed with the package")
@pytest.mark.parametrize("exercise", ALL)
def test_the_chapter_asks_it_with_a_stub_two_hints_and_a_solution(exercise):
    (chapter,) = BOOK.glob(f"{exercise.id[:2]}_*.md")
    _, _, after = chapter.read_text("utf-8").partition(f"### {exercise.title}\n")
    task, _, rest = after.partition(":tags: [exercise, stub]")
    assert task.strip()
    stub, hint, rest = rest.partition('+++ {"tags": ["exercise", "hint"]}')
    assert hint
    assert f'answer = ...\ncheck("{exercise.id}", answer)' in stub
    hints, _, rest = rest.partition(":tags: [exercise, solution, hide-cell]")
    assert hints.count(":::{dropdown}") == 2
    assert f'assert check("{exercise.id}", ' in rest.partition("```\n")[0]


def test_a_right_answer_shows_no_hint(toy):
    verdict = check("99.toy", {"a": 2.0, "b": None})
    assert verdict
    assert "Hint" not in str(verdict)


def test_a_wrong_answer_names_the_row_the_belief_and_the_next_hint(toy):
    first, second, third = (check("99.toy", {"a": 2.0, "b": 0.0}) for _ in range(3))
    assert not first
    assert first.rows == [("a", "2", "2", True), ("b", "0", "None", False)]
    assert first.notes == ["Zero for None: They differ.", "Hint: look"]
    for verdict, reveals in ((first, False), (second, False), (third, True)):
        assert ("reference" in str(verdict)) is reveals
        assert ("<td>None</td>" in verdict._repr_html_()) is reveals
    assert second.notes[-1] == third.notes[-1] == "Hint: look again"
    assert "<td>differs</td>" in first._repr_html_()


def test_missing_and_unknown_rows(toy):
    assert check("99.toy", {"a": 2.0}).rows[1] == ("b", "missing", "None", False)
    verdict = check("99.toy", {"a": 2.0, "b": None, "c": 1})
    assert not verdict
    assert "does not ask for c" in str(verdict)
    assert "does not ask for 3" in str(check("99.toy", {"a": 2.0, "b": None, 3: 1}))


def test_a_bare_value_where_rows_are_asked_for(toy):
    assert check("99.toy", 2.0).notes == ["Answer with a dictionary that has the rows a, b.", "Hint: look"]


def test_an_answer_that_is_a_function_is_called():
    assert not check("01.vjp", lambda w, L_bar: 0.0)
    verdict = check("01.vjp", lambda w, L_bar: 1 / 0)
    assert not verdict
    assert "ZeroDivisionError" in str(verdict)
    assert "returned None, not a dictionary with the rows w.grad" in str(check("02.keep", lambda T: None))


def test_grading_fails_the_cell(monkeypatch, toy):
    monkeypatch.setenv("AUTOGRAD_CORE_GRADING", "1")
    assert check("99.toy", {"a": 2.0, "b": None})
    with pytest.raises(AssertionError, match="not right yet"):
        check("99.toy", {"a": 3.0, "b": None})
    with pytest.raises(AssertionError, match="not answered yet"):
        check("99.toy", ...)


def test_an_id_that_nobody_knows():
    with pytest.raises(KeyError, match="no exercise is called"):
        check("02.nothing", 1)


def test_engines_that_disagree_about_a_reference_stop_the_check(monkeypatch):
    pytest.importorskip("torch")
    split = Exercise("99.split", "Split", lambda T: float(T is ac), hints=("", ""))
    monkeypatch.setattr(grading, "_registry", lambda: {split.id: split})
    with pytest.raises(RuntimeError, match=r"disagree about the reference of 99\.split"):
        check("99.split", 1.0)
