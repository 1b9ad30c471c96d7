"""Running an answer: what comes of it, whatever it does."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from ..testing.values import snapshot
from ..wording import translate as _
from .exercise import Exercise
from .limits import LimitExceeded, limited


@dataclass(frozen=True)
class Attempt:
    """What came of an answer. It holds no code, so a process may send it to another, which judges it.

    Parameters:
        rows: as `autograd_core.testing.values.snapshot` gives them; none when it failed.
        failure: a sentence that says what it raised or which limit it met; empty when it has rows.
        open: whether a ``...`` of the stub still stands in it.
        open_rows: the names of the rows that still hold one.
        drawn: whether its inputs were drawn at random.
    """

    rows: Mapping[str, Any] = field(default_factory=dict)
    failure: str = ""
    open: bool = False
    open_rows: tuple[str, ...] = ()
    drawn: bool = False


def attempt(exercise: Exercise, answer: Any, T: Any, seed: int) -> Attempt:
    """Run an answer with the engine ``T`` on the inputs that ``seed`` draws, under the exercise's limits.

    Never raises for what the answer does, with one exception: `KeyboardInterrupt` belongs to the reader.
    """
    try:
        return limited(lambda: run(exercise, answer, T, seed), exercise.limits)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # the answer is somebody else's code, and may raise anything
        return Attempt(failure=_described(error), open=_holds_dots(answer))


def run(exercise: Exercise, answer: Any, T: Any, seed: int) -> Attempt:
    """Run an answer that can be trusted, such as a reference: without limits, and what it raises is raised."""
    if _is_open(answer):
        open_rows = tuple(str(row) for row, v in answer.items() if _is_open(v)) if isinstance(answer, Mapping) else ()
        return Attempt(open=True, open_rows=open_rows)
    rng = np.random.default_rng(seed)
    untouched = rng.bit_generator.state
    given = exercise.rows(answer, T, rng)
    if not isinstance(given, Mapping):
        raise TypeError(_("it returned {value!r}, not a dictionary of rows").format(value=given))
    drawn = rng.bit_generator.state != untouched
    if any(map(_is_open, given.values())):
        return Attempt(open=True, drawn=drawn)
    return Attempt({str(row): value for row, value in snapshot(given).items()}, open=_holds_dots(answer), drawn=drawn)


def _described(error: BaseException) -> str:
    if isinstance(error, LimitExceeded):
        return str(error)
    if isinstance(error, SystemExit):
        return _("Your answer called sys.exit, which ends a program. An answer returns.")
    try:
        return _("Your answer raised {error}: {message}").format(error=type(error).__name__, message=error)
    except Exception:  # the message of an exception may be somebody else's code too
        return _("Your answer raised {error}, which cannot be shown.").format(error=type(error).__name__)


def _is_open(answer: Any) -> bool:
    """Whether the ``...`` of a stub is still in an answer, at any depth."""
    if isinstance(answer, Mapping):
        answer = list(answer.values())
    return any(map(_is_open, answer)) if isinstance(answer, list | tuple) else answer is ...


def _holds_dots(answer: Any) -> bool:
    """Whether a function, or one of a class or a tuple, has ``...`` for a body or in place of a value."""
    if isinstance(answer, staticmethod | classmethod):
        answer = answer.__func__
    if isinstance(answer, FunctionType):
        return _does_nothing(answer) or _has_dots(answer.__code__)
    if isinstance(answer, type):
        return any(map(_holds_dots, vars(answer).values()))
    return isinstance(answer, tuple) and any(map(_holds_dots, answer))


def _has_dots(code: CodeType) -> bool:
    return any(_is_open(const) or (isinstance(const, CodeType) and _has_dots(const)) for const in code.co_consts)


def _nothing() -> None: ...


def _does_nothing(function: FunctionType) -> bool:
    """Whether its body is ``...`` or ``pass``, apart from a docstring: the compiler leaves no trace of the dots."""
    code, opcodes = function.__code__, slice(None, None, 2)
    same = code.co_code[opcodes] == _nothing.__code__.co_code[opcodes]
    return same and code.co_consts in ((None,), (function.__doc__, None))
