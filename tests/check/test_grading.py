"""`check` says what is wrong with an answer, and outlives whatever it does."""

import json
import math
import os
import time

import numpy as np
import pytest

from autograd_book.check import AnswerLimits, Mutant, attempt, check, judge
from autograd_book.compare import engines

BOTH = {"a": 2.0, "b": None}


@pytest.fixture
def toy(asked):
    return asked(
        reference=lambda T: {"a": T.tensor(2.0), "b": None},
        mutants=(Mutant("Zero for None", "They differ.", rows={"b": 0.0}),),
    )


def doubled(function, T, rng):
    x = round(rng.uniform(1.0, 2.0), 2)
    return {f"f({x})": function(x)}


@pytest.fixture
def drawn(asked):
    """The answer doubles a number, which is drawn; one belief squares it, another one raises."""
    return doubling(asked, AnswerLimits(megabytes=500))


def doubling(asked, limits):
    return asked(
        reference=lambda T: lambda x: T.tensor(2 * x, dtype=T.float64),
        rows=doubled,
        mutants=(
            Mutant("A square", "It is not the double.", lambda x: x**2),
            Mutant("A root of a negative", "It has none.", lambda x: math.sqrt(-x)),
        ),
        limits=limits,
    )


def test_a_right_answer_shows_no_hint(toy):
    verdict = check("99.toy", BOTH)
    assert verdict
    assert "Hint" not in str(verdict)


def test_a_wrong_answer_names_the_row_the_belief_and_the_next_hint(toy):
    first, second, third = (check("99.toy", {"a": 2.0, "b": 0.0}) for _ in range(3))
    assert not first
    assert first.label == "Zero for None"
    assert [(row.name, row.yours, row.reference, row.agrees) for row in first.rows] == [
        ("a", "2", "2", True),
        ("b", "0", "None", False),
    ]
    assert first.notes == ["Zero for None: They differ.", "Hint: look"]
    assert second.notes[-1] == third.notes[-1] == "Hint: look again"
    assert "<td>differs</td>" in first._repr_html_()


def test_a_table_is_given_away_only_when_the_hints_are_used_up(toy):
    for reveals in (False, False, True):
        verdict = check("99.toy", {"a": 2.0, "b": 0.0})
        assert ("reference  " in str(verdict)) is reveals
        assert ("<td>None</td>" in verdict._repr_html_()) is reveals


def test_missing_and_unknown_rows(toy):
    assert check("99.toy", {"a": 2.0}).rows[1].yours == "missing"
    assert "does not ask for c" in str(check("99.toy", {**BOTH, "c": 1}))
    assert "does not ask for 3" in str(check("99.toy", {**BOTH, 3: 1}))


def test_a_bare_value_where_rows_are_asked_for(toy):
    assert check("99.toy", 2.0).notes == ["Answer with a dictionary that has the rows a, b.", "Hint: look"]


@pytest.mark.parametrize("open_row", [..., [True, ...], (..., 1), {"inner": [...]}])
def test_an_answer_that_still_holds_dots_is_not_answered_yet(toy, open_row):
    verdict = check("99.toy", {"a": open_row, "b": None})
    assert not verdict
    assert str(verdict) == "99.toy: not answered yet\nStill open: a."
    assert str(check("99.toy", [1.0, ...])) == str(check("99.toy", ...)) == "99.toy: not answered yet"
    assert check("99.toy", {"a": 3.0, "b": None}).notes == ["Hint: look"]  # no hint was spent on an open answer


def body_of_dots(x): ...


def dots_and_words(x):
    """Double it."""


def a_part_left_out(x):
    factor = ...
    return factor * x


def a_part_inside(x):
    def inner():
        return ...

    return inner() * x


def several_parts_left_out(x):
    return len([..., ..., ...])


def a_part_beside_an_index(x):
    return [..., np.ones(2)[0]]


STUBS = [
    body_of_dots,
    dots_and_words,
    a_part_left_out,
    a_part_inside,
    several_parts_left_out,
    a_part_beside_an_index,
    lambda x: ...,
    lambda x: (..., x)[1],
    lambda x: x(...),
    lambda x: {"a": x, "b": ...},
    lambda x: None,
]


@pytest.mark.parametrize("stub", STUBS)
def test_a_function_with_dots_in_it_is_not_answered_yet(drawn, stub):
    assert check("99.toy", stub).judgment == "open"


def test_a_function_without_a_body_returns_nothing(drawn):
    assert "or it returns nothing" in str(check("99.toy", lambda x: None))


def written_through_an_index(x):
    given = np.zeros((2, 2))
    given[...] = x
    for k in range(2):
        given[..., k] += 1
    return given[0, ..., :1].sum()


INDICES = [
    written_through_an_index,
    lambda x: np.ones(2)[..., 0],
    lambda x: np.ones(2)[...].sum(),
    lambda x: np.ones((2, 2))[..., int(x)].sum(),
    lambda x: sum(np.ones((2, 2))[None, ..., k].sum() for k in range(2)),
]


@pytest.mark.parametrize("wrong", INDICES)
def test_dots_of_an_index_are_no_dots_of_a_stub(drawn, wrong):
    verdict = check("99.toy", wrong)
    assert verdict.judgment == "wrong"
    assert verdict.notes[-1] == "Hint: look"


def test_a_function_with_dots_in_it_may_be_right(drawn):
    def through_a_slice(x):
        twice = np.empty(())
        twice[...] = 2 * x
        return twice

    assert check("99.toy", through_a_slice)


@pytest.mark.parametrize("wrong", [lambda x: 0.0, lambda x: x, lambda x: [][0]])
def test_a_short_function_is_answered_all_the_same(drawn, wrong):
    assert check("99.toy", wrong).judgment == "wrong"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("30", "a: a string, where a number is asked for."),
        ([1.0], "a: a list of shape [1], where a number is asked for."),
        (True, "a: True or False, where a number is asked for."),
    ],
)
def test_a_value_of_another_kind_is_named(toy, given, said):
    assert said in str(check("99.toy", {**BOTH, "a": given}))


def test_a_value_where_a_function_is_asked_for_is_named(drawn):
    verdict = check("99.toy", 3)
    assert verdict.judgment == "wrong" and verdict.notes[0] == "Answer with a function."


def test_what_cannot_be_compared_was_not_raised(toy):
    notes = check("99.toy", {**BOTH, "a": 1j}).notes
    assert notes[0].startswith("row 'a' is a complex (complex128); give")


def test_an_answer_that_failed_spends_no_hint(drawn):
    hints = {check("99.toy", lambda x: [][0]).notes[-1] for _ in range(3)}
    assert len(hints) == 1


def test_the_seed_that_drew_the_inputs_is_printed_and_draws_them_again(drawn):
    first = check("99.toy", lambda x: x**2)
    second = check("99.toy", lambda x: x**2)
    assert first.rows != second.rows
    assert f'check("99.toy", answer, seed={first.seed})' in str(first)
    assert check("99.toy", lambda x: x**2, seed=first.seed).rows == first.rows


def test_no_seed_is_printed_where_nothing_is_drawn(toy):
    verdict = check("99.toy", BOTH, seed=5)
    assert verdict.seed is None
    assert "seed" not in str(verdict)


def test_values_at_drawn_inputs_are_shown_beside_the_reference_at_once(drawn):
    assert "reference  " in str(check("99.toy", lambda x: x**2))


def test_a_function_is_recognized_by_what_it_computes_or_raises(drawn):
    assert check("99.toy", lambda x: x * x).label == "A square"
    assert check("99.toy", lambda x: math.sqrt(-1 * x)).label == "A root of a negative"
    assert check("99.toy", lambda x: x**3).label is None


def test_of_two_beliefs_the_one_that_explains_more_is_named(asked):
    asked(
        reference=lambda T: {"a": 1, "b": 2},
        mutants=(Mutant("little", "", rows={"a": 0}), Mutant("much", "", {"a": 0, "b": 0})),
    )
    assert check("99.toy", {"a": 0, "b": 0}).label == "much"
    assert check("99.toy", {"a": 0, "b": 2}).label == "little"


@pytest.mark.parametrize("fields", [{}, {"answer": 1, "rows": {"a": 1}}])
def test_a_mutant_is_an_answer_or_its_rows(fields):
    with pytest.raises(TypeError, match=r"mutant 'x' needs one of answer=, rows= and instead="):
        Mutant("x", "y", **fields)


def forever(x):
    while True:
        pass


def asleep(x):
    time.sleep(60)


def stubborn(x):
    while True:
        try:
            x += 1
        except Exception:
            continue


def without_an_end(x):
    return without_an_end(x)


def everything(x):
    return [0] * 10**9


def leaves(x):
    raise SystemExit(0)


class Unspeakable(Exception):
    def __str__(self):
        raise ValueError


def unspeakable(x):
    raise Unspeakable


class Leaving(Exception):
    def __str__(self):
        raise SystemExit


def leaves_when_shown(x):
    raise Leaving


class Endless(dict):
    def values(self):
        forever(self)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (without_an_end, "more than 1000 calls inside each other"),
        (leaves, "called sys.exit"),
        (lambda x: 1 / 0, "raised ZeroDivisionError: division by zero"),
        (unspeakable, "raised Unspeakable, which cannot be shown"),
        (leaves_when_shown, "raised Leaving, which cannot be shown"),
        (lambda x: object(), "row "),
    ],
)
def test_an_answer_that_would_stop_the_session_is_judged(drawn, answer, said):
    verdict = check("99.toy", answer)
    assert verdict.judgment == "wrong"
    assert said in str(verdict)
    assert check("99.toy", lambda x: 2 * x)


@pytest.mark.parametrize("answer", [forever, asleep, stubborn, Endless(a=1)])
def test_an_answer_that_never_ends_is_stopped(asked, answer):
    doubling(asked, AnswerLimits(seconds=0.5))
    verdict = check("99.toy", answer)
    assert verdict.judgment == "wrong"
    assert "stopped after 0.5 seconds" in str(verdict)
    doubling(asked, AnswerLimits())
    assert check("99.toy", lambda x: 2 * x)


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="only Linux limits the memory of one process")
def test_an_answer_that_wants_all_memory_is_judged(drawn):
    assert "needed more than 500 MB" in str(check("99.toy", everything))
    assert check("99.toy", lambda x: 2 * x)


def test_a_list_that_holds_itself_is_judged(toy):
    ring = []
    ring.append(ring)
    assert "calls inside each other" in str(check("99.toy", ring))


def test_the_reader_may_interrupt(drawn):
    def interrupted(x):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check("99.toy", interrupted)


def test_rows_that_are_no_dictionary(asked):
    asked(reference=lambda T: lambda: {}, rows=lambda program, T, rng: program())
    assert "returned None, not a dictionary" in str(check("99.toy", lambda: [].sort()))


def test_grading_fails_the_cell(monkeypatch, toy):
    monkeypatch.setenv("AUTOGRAD_CORE_GRADING", "1")
    assert check("99.toy", BOTH)
    with pytest.raises(AssertionError, match="not right yet"):
        check("99.toy", {"a": 3.0, "b": None})
    with pytest.raises(AssertionError, match="not answered yet"):
        check("99.toy", ...)


def test_a_verdict_is_data_for_a_grader(drawn):
    data = json.loads(json.dumps(check("99.toy", lambda x: x**2).to_dict()))
    assert [data[key] for key in ("id", "verdict", "label", "seed")] == ["99.toy", "wrong", "A square", 1]
    assert data["reference"].startswith("PyTorch")
    assert data["rows"][0].keys() == {"name", "yours", "reference", "difference", "agrees"}


def test_an_attempt_is_judged_without_the_answer(drawn):
    made = attempt(drawn, lambda x: x**2, engines.load("autograd_core"), 7)
    verdict = judge(drawn, made, 7)
    assert (verdict.judgment, verdict.label, verdict.seed) == ("wrong", "A square", 7)


def test_a_gradient_mode_that_the_reader_left_off_spoils_no_reference(asked):
    def slope(T):
        x = T.tensor(3.0, requires_grad=True)
        return {"slope": T.autograd.grad(x * x, x)[0]}

    asked(reference=slope)
    with engines.load("autograd_core").no_grad():
        assert check("99.toy", {"slope": 6.0})


def test_a_gradient_mode_that_the_reader_left_off_spoils_no_answer(asked):
    T = engines.load("autograd_core")
    asked(reference=lambda T: lambda x: x * x, rows=lambda square, T, rng: {"graph": square(leaf(T)).requires_grad})
    with T.no_grad():
        assert check("99.toy", lambda x: x * x)
        assert not T.is_grad_enabled()


def leaf(T):
    return T.tensor(3.0, requires_grad=True)


def test_a_gradient_mode_that_an_answer_leaves_off_ends_with_it(asked):
    T = engines.load("autograd_core")
    asked(reference=lambda T: lambda: 1, rows=lambda switch, T, rng: {"a": switch()})
    assert not check("99.toy", lambda: T.set_grad_enabled(False) and 2)
    assert T.is_grad_enabled()
