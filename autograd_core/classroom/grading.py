"""Looking an exercise up, computing its reference, and judging an answer."""

import importlib
import os
import pkgutil
from collections import Counter
from functools import cache
from typing import Any

from ..testing import engines
from ..testing.table import html_table, text_table
from ..testing.values import agree, show, snapshot
from . import exercises as chapters
from .exercise import Exercise

_wrong_answers: Counter[str] = Counter()  # how often in this session, so that each one earns the next hint


class Verdict:
    """The judgement of one answer: true when it is right; shown as a table with what was misunderstood and a hint.

    ``rows`` holds ``(name, yours, reference, agrees)`` for each row, ``notes`` the sentences below the table.
    """

    def __init__(self, exercise: Exercise, headline: str, rows: list[tuple[str, str, str, bool]], notes: list[str]):
        self.exercise = exercise
        self.headline = headline
        self.rows = rows
        self.notes = notes

    def __bool__(self) -> bool:
        return self.headline == "right"

    def _table(self) -> tuple[list[str], list[list[str]]]:
        rows = [[name, yours, reference, "" if agrees else "differs"] for name, yours, reference, agrees in self.rows]
        return ["", "yours", "reference", ""], rows

    def __repr__(self) -> str:
        table = [text_table(*self._table())] if self.rows else []
        return "\n".join([f"{self.exercise.id}: {self.headline}", *table, *self.notes])

    def _repr_html_(self) -> str:
        return html_table(*self._table(), [f"{self.exercise.id}: {self.headline}", *self.notes])


def exercises(chapter: str = "") -> list[Exercise]:
    """Return the exercises in the order of the book, all or those of one chapter (``"02"``)."""
    return [exercise for exercise in _registry().values() if exercise.id.startswith(chapter)]


def check(id: str, answer: Any) -> Verdict:
    """Judge an answer to the exercise ``id``.

    An answer that is still ``...`` is "not answered yet", which is false but not a mistake.

    Raises `KeyError` when there is no such exercise, and `AssertionError` for an answer that is not right when the
    environment says ``AUTOGRAD_CORE_GRADING=1``.

    >>> check("00.warm_up", {"L": 75.0, "w.grad": 30.0})
    00.warm_up: right
            yours  reference
    L       75     75
    w.grad  30     30
    """
    registry = _registry()
    if id not in registry:
        raise KeyError(f"no exercise is called {id!r}; there are {', '.join(registry)}")
    verdict = _judge(registry[id], answer)
    if not verdict and os.environ.get("AUTOGRAD_CORE_GRADING") == "1":
        raise AssertionError(str(verdict))
    return verdict


@cache
def _registry() -> dict[str, Exercise]:
    names = sorted(module.name for module in pkgutil.iter_modules(chapters.__path__))
    modules = [importlib.import_module(f"{chapters.__name__}.{name}") for name in names]
    found = [exercise for module in modules for exercise in module.EXERCISES]
    registry = {exercise.id: exercise for exercise in found}
    if len(registry) != len(found):
        twice = [id for id, count in Counter(exercise.id for exercise in found).items() if count > 1]
        raise ValueError(f"two exercises share an id: {', '.join(twice)}")
    return registry


def _judge(exercise: Exercise, answer: Any) -> Verdict:
    if answer is ...:
        return Verdict(exercise, "not answered yet", [], [])
    reference = _reference(exercise)
    try:
        yours = snapshot(exercise.rows(answer))
    except Exception as error:  # the answer is the reader's code
        return _wrong(exercise, [], [f"Your answer raised {type(error).__name__}: {error}"])
    rows = [
        (
            row,
            show(yours[row]) if row in yours else "missing",
            show(value),
            row in yours and agree(yours[row], value, atol=exercise.tolerance, rtol=exercise.tolerance),
        )
        for row, value in reference.items()
    ]
    unknown = [row for row in yours if row not in reference]
    if unknown:
        return _wrong(exercise, rows, [f"The exercise does not ask for {', '.join(unknown)}."])
    if all(agrees for *_, agrees in rows):
        return Verdict(exercise, "right", rows, [])
    recognised = [m for m in exercise.mistakes if m.explains(yours, exercise.tolerance)]
    return _wrong(exercise, rows, [f"{m.label}: {m.message}" for m in recognised[:1]])


def _wrong(exercise: Exercise, rows: list[tuple[str, str, str, bool]], notes: list[str]) -> Verdict:
    hint = exercise.hints[min(_wrong_answers[exercise.id], len(exercise.hints) - 1)]
    _wrong_answers[exercise.id] += 1
    return Verdict(exercise, "not right yet", rows, [*notes, f"Hint: {hint}"])


def _reference(exercise: Exercise) -> dict[str, Any]:
    """The reference answer by autograd_core; where PyTorch is installed, it must give the same."""
    ours = snapshot(exercise.rows(exercise.reference(engines.load("autograd_core"))))
    try:
        torch = engines.load("PyTorch")
    except ModuleNotFoundError:
        return ours
    theirs = snapshot(exercise.rows(exercise.reference(torch)))
    differing = [row for row in ours if not agree(ours[row], theirs.get(row), atol=exercise.tolerance)]
    if differing:
        raise RuntimeError(f"autograd_core and PyTorch disagree about the reference of {exercise.id}: {differing}")
    return ours
