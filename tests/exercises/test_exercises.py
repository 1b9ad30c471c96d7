"""What every exercise of the book must do: reject its stub, accept its solution, recognize its wrong answers."""

import ast
import contextlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import jupytext
import pytest

import autograd_core as ac
from autograd_book.check import attempt, check, exercises, grading, judge
from autograd_book.check.reference import disagreements, reference
from autograd_book.compare.values import snapshot
from autograd_teaching.grader.needed import checked, needed, parse

BOOK = Path(__file__).parents[2] / "book"
SEEDS = (1, 2, 3)
KINDS = {"worked", "faded", "blank", "break"}

pytestmark = pytest.mark.skipif(not BOOK.is_dir(), reason="the chapters are not installed with the package")

ALL = [pytest.param(exercise, id=exercise.id) for exercise in exercises()]
MUTANTS = [
    pytest.param(exercise, mutant, id=f"{exercise.id}-{mutant.label}")
    for exercise in exercises()
    for mutant in exercise.mutants
]


@cache
def cells(chapter):
    (path,) = BOOK.glob(f"{chapter}_*.md")
    return jupytext.read(path).cells


def tags(cell):
    return set(cell.metadata.get("tags", ()))


def cells_of(exercise):
    """The number of the Markdown cell with the task, and of the stub, the hints and the solution after it."""
    found = cells(exercise.id[:2])
    heading = re.compile(rf"^### {re.escape(exercise.title)}$", re.MULTILINE)
    task = next(n for n, cell in enumerate(found) if cell.cell_type == "markdown" and heading.search(cell.source))
    after = [n for n in range(task + 1, len(found)) if "exercise" in tags(found[n])]
    return task, *after[:3]


def answered(exercise, number):
    """The verdict on what a cell of the chapter answers, after the earlier cells that bind the names it needs."""
    found = cells(exercise.id[:2])
    before = [cell for cell in found[:number] if cell.cell_type == "code" and "exercise" not in tags(cell)]
    trees = [parse(cell.source, exercise.id) for cell in [*before, found[number]]]
    (call,) = checked(trees[-1])
    assert call.args[0].value == exercise.id
    numbers = needed(trees)
    verdicts = []

    def judged(id, answer):
        verdicts.append(check(id, answer))
        return verdicts[0]

    call.func = ast.Name("_judged", ast.Load())
    names = {"__name__": "__main__", "_judged": judged}
    for n in numbers[:-1]:
        with contextlib.suppress(Exception):  # what an experiment lacks here, the answer may not need
            run(trees[n], names)
    with contextlib.suppress(AssertionError):  # `assert check(...)`, whose verdict says more
        run(trees[-1], names)
    return verdicts[0]


def run(tree, names):
    exec(compile(ast.fix_missing_locations(tree), "<cell>", "exec"), names)


def letters(text):
    """A text without markup, quotes and line ends."""
    return re.sub(r"\\[a-z]+|[^a-z0-9]", "", text.lower())


def once(function):
    """A function that runs once for the same arguments, which are kept so that no others have their ids."""
    known = {}

    def remembered(exercise, *arguments):
        key = (exercise.id, *map(id, arguments))
        if key not in known:
            known[key] = function(exercise, *arguments), arguments
        return known[key][0]

    return remembered


reference_once, attempt_once = once(reference), once(attempt)


@pytest.fixture
def computed_once(monkeypatch):
    """The reference and the mutants of an exercise are run once for a seed, however many answers meet them."""
    monkeypatch.setattr(grading, "reference", reference_once)
    monkeypatch.setattr(grading, "attempt", attempt_once)


@pytest.mark.parametrize("exercise", ALL)
def test_the_reference_is_right_and_another_than_this_package_says_so(exercise, computed_once):
    for seed in SEEDS:
        verdict = check(exercise.id, exercise.reference(ac), seed)
        assert verdict, str(verdict)
        assert verdict.source.startswith("PyTorch") or exercise.stated is not None


@pytest.mark.parametrize(("exercise", "mutant"), MUTANTS)
def test_a_mutant_is_rejected_with_its_own_label(exercise, mutant, computed_once):
    for seed in SEEDS:
        right = reference_once(exercise, seed)
        if mutant.rows is None:
            made = attempt_once(exercise, mutant.answer, ac, seed)
        else:
            made = attempt(exercise, exercise.reference(ac), ac, seed)
            assert mutant.rows.keys() <= made.rows.keys()
            made.rows.update(snapshot(mutant.rows))
        verdict = judge(exercise, made, seed)
        assert verdict.judgment == "wrong", f"seed {seed}: {verdict}"
        assert verdict.label == mutant.label, f"seed {seed}: {verdict}"
        assert mutant.message in str(verdict)
        assert made.failure or disagreements(exercise, made.rows, right.rows)


@pytest.mark.parametrize("exercise", ALL)
def test_its_chapter_asks_it_in_four_cells(exercise):
    task, stub, hints, solution = cells_of(exercise)
    found = cells(exercise.id[:2])
    assert found[task].source.partition(exercise.title)[2].strip(), "no text for the task"
    assert [tags(found[n]) for n in (stub, hints, solution)] == [
        {"exercise", "stub"},
        {"exercise", "hint"},
        {"exercise", "solution", "hide-cell"},
    ]


@pytest.mark.parametrize("exercise", ALL)
def test_its_stub_is_rejected(exercise):
    _, stub, _, _ = cells_of(exercise)
    assert not answered(exercise, stub)


@pytest.mark.parametrize("exercise", ALL)
def test_its_solution_is_accepted(exercise):
    *_, solution = cells_of(exercise)
    verdict = answered(exercise, solution)
    assert verdict, str(verdict)


@pytest.mark.parametrize("exercise", ALL)
def test_a_dictionary_that_is_asked_for_is_asked_for_in_words(exercise):
    right = exercise.reference(ac)
    if isinstance(right, Mapping):
        named = f"Answer with a dictionary that has the rows {', '.join(right)}."
        assert check(exercise.id, 2.0).notes[0] == check(exercise.id, [2.0]).notes[0] == named
        first, *others = right
        verdict = check(exercise.id, {name: right[name] for name in others})
        assert verdict.notes[0] == named or [row.name for row in verdict.rows if row.yours == "missing"] == [first]


def test_a_title_and_a_hint_stand_once():
    chapters = "\n".join(path.read_text("utf-8") for path in BOOK.glob("*.md"))
    definitions = "\n".join(path.read_text("utf-8") for path in (BOOK / "autograd_book" / "exercises").glob("*.py"))
    everything = letters(chapters) + letters(definitions)
    hints = re.findall(r"^:::\{dropdown\} (?:Hint|Second hint)\n(.*?)^:::", chapters, re.MULTILINE | re.DOTALL)
    assert len(hints) == 2 * len(ALL)
    assert [hint for hint in hints if everything.count(letters(hint)) != 1] == []
    assert [exercise.id for exercise in exercises() if f'"{exercise.title}"' in definitions] == []


def lacking(chapter):
    """What a chapter's exercises lack, as a list of complaints."""
    found = exercises(chapter)
    complaints = [f"{e.id} has {len(e.mutants)} mutants" for e in found if not 3 <= len(e.mutants) <= 8]
    if 1 <= int(chapter) <= 14:
        complaints += [f"no exercise is {kind}" for kind in sorted(KINDS - {e.kind for e in found})]
    elif 15 <= int(chapter) <= 20 and len(found) < 2:
        complaints.append("it has fewer than two exercises")
    return complaints


@pytest.mark.parametrize("chapter", [f"{n:02}" for n in range(22)])
def test_a_chapter_has_the_exercises_it_needs(chapter):
    assert lacking(chapter) == []


def test_the_reference_chapters_ask_nothing():
    assert all(int(exercise.id[:2]) <= 21 for exercise in exercises())


@pytest.mark.parametrize("exercise", ALL)
def test_its_fields_say_what_they_should(exercise):
    assert re.fullmatch(r"\d\d\.\w+", exercise.id)
    assert exercise.kind in KINDS
    assert 1 <= exercise.minutes <= 15
    assert len({mutant.label for mutant in exercise.mutants}) == len(exercise.mutants)
