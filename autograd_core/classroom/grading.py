"""Looking an exercise up, computing its reference, and judging an answer."""

import importlib
import os
import pkgutil
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

from ..testing import engines
from ..testing.table import html_table, text_table
from ..testing.values import agree, show, snapshot
from . import exercises as chapters
from .exercise import Exercise

_wrong_answers: Counter[str] = Counter()  # how often in this session, so that each one earns the next hint


class Verdict:
    """The judgment of one answer: true when it is right; shown as a table with what was misunderstood and a hint.

    ``rows`` holds ``(name, yours, reference, agrees)`` for each row, ``notes`` the sentences below the table. The table
    shows the references of a right answer, and of a wrong one only with ``reveals``, which is set when the hints are
    used up.
    """

    def __init__(
        self,
        exercise: Exercise,
        headline: str,
        rows: list[tuple[str, str, str, bool]],
        notes: list[str],
        reveals: bool = False,
    ):
        self.exercise = exercise
        self.headline = headline
        self.rows = rows
        self.notes = notes
        self.reveals = reveals

    def __bool__(self) -> bool:
        return self.headline == "right"

    def _table(self) -> tuple[list[str], list[list[str]]]:
        shown = bool(self) or self.reveals
        rows = [
            [name, yours, *([reference] if shown else []), "agrees" if agrees else "differs"]
            for name, yours, reference, agrees in self.rows
        ]
        return ["", "yours", *(["reference"] if shown else []), ""], rows

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

    An answer that is ``...``, or still holds a ``...``, is "not answered yet", which is false but not a mistake.

    Raises `KeyError` when there is no such exercise, and `AssertionError` for an answer that is not right when the
    environment says ``AUTOGRAD_CORE_GRADING=1``.

    >>> check("00.warm_up", {"L": 75.0, "w.grad": 30.0})
    00.warm_up: right
            yours  reference
    L       75     75         agrees
    w.grad  30     30         agrees
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
    if _is_open(answer):
        open_rows = [str(k) for k, value in answer.items() if _is_open(value)] if isinstance(answer, Mapping) else []
        return Verdict(exercise, "not answered yet", [], [f"Still open: {', '.join(open_rows)}."] if open_rows else [])
    reference = _reference(exercise)
    try:
        given = exercise.rows(answer)
        if not isinstance(given, Mapping):
            raise TypeError(f"it returned {given!r}, not a dictionary with the rows {', '.join(reference)}")
        yours = snapshot(given)
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
    unknown = [str(row) for row in yours if row not in reference]
    if unknown == ["answer"]:
        return _wrong(exercise, [], [f"Answer with a dictionary that has the rows {', '.join(reference)}."])
    if unknown:
        return _wrong(exercise, rows, [f"The exercise does not ask for {', '.join(unknown)}."])
    if all(agrees for *_, agrees in rows):
        return Verdict(exercise, "right", rows, [])
    recognized = [m for m in exercise.mistakes if m.explains(yours, exercise.tolerance)]
    return _wrong(exercise, rows, [f"{m.label}: {m.message}" for m in recognized[:1]])


def _is_open(answer: Any) -> bool:
    """Whether the ``...`` of a stub is still in an answer, at any depth."""
    if isinstance(answer, Mapping):
        answer = list(answer.values())
    return any(map(_is_open, answer)) if isinstance(answer, list | tuple) else answer is ...


def _wrong(exercise: Exercise, rows: list[tuple[str, str, str, bool]], notes: list[str]) -> Verdict:
    used = _wrong_answers[exercise.id]
    _wrong_answers[exercise.id] += 1
    hint = exercise.hints[min(used, len(exercise.hints) - 1)]
    return Verdict(exercise, "not right yet", rows, [*notes, f"Hint: {hint}"], reveals=used >= len(exercise.hints))


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
