"""Judging an answer: `check` in a notebook, `judge` for an answer that ran in another process."""

import os
from collections import Counter
from typing import Any

from ..compare import engines
from ..compare.values import show, snapshot
from ..wording import translate as _
from .attempt import Attempt, attempt
from .catalog import find
from .exercise import Exercise, Mutant, Rows
from .reference import SEED, Reference, agrees, answers_any_seed, disagreements, reference
from .verdict import Row, Verdict, difference, kind

_wrong_answers: Counter[str] = Counter()  # how often in this session: each one that ran earns the next hint


def check(id: str, answer: Any, seed: int | None = None) -> Verdict:
    """Judge an answer to the exercise ``id``.

    An answer that is ``...``, or still holds a ``...``, is "not answered yet", which is false but not a mistake.
    The answer runs under limits of time, memory and depth (`AnswerLimits`): one that never ends is stopped and judged.

    Parameters:
        id: of the exercise, such as ``"04.halves"``.
        answer: what the exercise asks for: a value, a dictionary, a function.
        seed: that draws the inputs, where an exercise draws them; by default each attempt of a session meets new ones.

    Raises `KeyError` when there is no such exercise, `LookupError` when this machine has no reference for the seed, and
    `AssertionError` for an answer that is not right when the environment says ``AUTOGRAD_CORE_GRADING=1``.

    >>> check("00.warm_up", {"L": 75.0, "w.grad": 30.0})
    00.warm_up: right
            yours  reference  difference
    L       75     75         0           agrees
    w.grad  30     30         0           agrees
    Reference: ...
    """
    exercise = find(id)
    tries = _wrong_answers[id]
    if seed is None:
        seed = SEED + tries if answers_any_seed(exercise) else SEED
    attempted = attempt(exercise, answer, engines.load("autograd_core"), seed)
    verdict = judge(exercise, attempted, seed, tries)
    _wrong_answers[id] += verdict.judgment == "wrong" and not attempted.failure
    if not verdict and os.environ.get("AUTOGRAD_CORE_GRADING") == "1":
        raise AssertionError(str(verdict))
    return verdict


def judge(exercise: Exercise, attempted: Attempt, seed: int, tries: int = 0) -> Verdict:
    """Judge what came of an answer.

    Parameters:
        exercise: that was answered.
        attempted: what `attempt` returned for the answer, here or in another process.
        seed: that `attempt` was given.
        tries: wrong answers before this one; each earns the next hint, and after the last the reference is shown.
    """
    if attempted.open and not attempted.rows and not attempted.failure:
        return _not_answered(exercise, attempted)
    right = reference(exercise, seed)
    yours = attempted.rows
    drawn_with = seed if right.drawn else None
    if not attempted.failure and not disagreements(exercise, yours, right.rows):
        return Verdict(exercise, "right", _compared(exercise, yours, right.rows), [], None, drawn_with, right.source)
    if attempted.open:
        return _not_answered(exercise, attempted)
    mutant = recognize(exercise, attempted, right, seed)
    return Verdict(
        exercise,
        "wrong",
        [] if attempted.failure or _is_bare(yours, right.rows) else _compared(exercise, yours, right.rows),
        [
            *_complaints(attempted, right.rows),
            *([f"{_(mutant.label)}: {_(mutant.message)}"] if mutant else []),
            _("Hint: {hint}").format(hint=_(exercise.hints[min(tries, len(exercise.hints) - 1)])),
        ],
        mutant.label if mutant else None,
        drawn_with,
        right.source,
        reveals=right.drawn or tries >= len(exercise.hints),  # the values at drawn inputs do not give a function away
    )


def recognize(exercise: Exercise, attempted: Attempt, right: Reference, seed: int) -> Mutant | None:
    """The mutant that a wrong answer is: of several that fit, the one that explains the most rows."""
    fits = [(_explained(exercise, mutant, attempted, right, seed), mutant) for mutant in exercise.mutants]
    rows, best = max(fits, key=lambda fit: fit[0], default=(0, None))
    return best if rows else None


def _explained(exercise: Exercise, mutant: Mutant, attempted: Attempt, right: Reference, seed: int) -> int:
    """How many rows of an answer the mutant explains; 0 unless the answer has all that betray the mutant."""
    if mutant.rows is not None:
        betraying = snapshot(mutant.rows)
    else:
        its = attempt(exercise, mutant.answer, engines.load("autograd_core"), seed)
        if its.failure or attempted.failure:
            return int(its.failure == attempted.failure)
        wrong = disagreements(exercise, its.rows, right.rows)
        betraying = {row: its.rows[row] for row in wrong if row in its.rows}
    yours = attempted.rows
    fits = all(row in yours and agrees(exercise, yours[row], value) for row, value in betraying.items())
    return len(betraying) if fits else 0


def _not_answered(exercise: Exercise, attempted: Attempt) -> Verdict:
    if attempted.open_rows:
        return Verdict(exercise, "open", [], [_("Still open: {rows}.").format(rows=", ".join(attempted.open_rows))])
    is_function = attempted.rows or attempted.failure
    return Verdict(
        exercise, "open", [], [_("A ... of the stub is still in it, or it returns nothing.")] if is_function else []
    )


def _compared(exercise: Exercise, yours: Rows, right: Rows) -> list[Row]:
    missing = _("missing")
    return [
        Row(
            name,
            show(yours[name]) if name in yours else missing,
            show(value),
            difference(yours[name], value) if name in yours else "",
            name in yours and agrees(exercise, yours[name], value),
        )
        for name, value in right.items()
    ]


def _is_bare(yours: Rows, right: Rows) -> bool:
    """Whether a single value was given where several rows are asked for."""
    return [*yours] == ["answer"] != [*right]


def _complaints(attempted: Attempt, right: Rows) -> list[str]:
    if attempted.failure:
        return [attempted.failure]
    if _is_bare(attempted.rows, right):
        return [_("Answer with a dictionary that has the rows {rows}.").format(rows=", ".join(right))]
    unknown = ", ".join(row for row in attempted.rows if row not in right)
    complaints = [_("The exercise does not ask for {rows}.").format(rows=unknown)] if unknown else []
    for row in (row for row in right if row in attempted.rows):
        given, asked = kind(attempted.rows[row]), kind(right[row])
        if given and asked and given != asked:
            complaints.append(
                _("{row}: {given}, where {asked} is asked for.").format(row=row, given=given, asked=asked)
            )
    return complaints
