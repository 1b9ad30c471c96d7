"""Running an answer: what comes of it, whatever it does."""

import dis
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from ..compare.values import snapshot
from ..wording import translate as _
from .answer_limits import LimitExceeded, limited
from .exercise import Exercise, Unfit, table


@dataclass(frozen=True)
class Attempt:
    """What came of an answer. It holds no code, so a process may send it to another, which judges it.

    Parameters:
        rows: as `autograd_book.compare.values.snapshot` gives them; none when it failed.
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

    def recording() -> Attempt:
        with T.enable_grad():  # whatever mode the reader left on; and whatever the answer leaves on ends here
            return run(exercise, answer, T, seed)

    try:
        return limited(recording, exercise.limits)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # the answer is somebody else's code, and may raise anything
        return Attempt(failure=_failure(error), open=_holds_dots(answer))


def run(exercise: Exercise, answer: Any, T: Any, seed: int) -> Attempt:
    """Run an answer that can be trusted, such as a reference: without limits, and what it raises is raised."""
    if _is_open(answer):
        open_rows = tuple(str(row) for row, v in answer.items() if _is_open(v)) if isinstance(answer, Mapping) else ()
        return Attempt(open=True, open_rows=open_rows)
    _require_kind(exercise, answer, T)
    rng = np.random.default_rng(seed)
    untouched = rng.bit_generator.state
    given = exercise.rows(answer, T, rng)
    if not isinstance(given, Mapping):
        raise TypeError(_("it returned {value!r}, not a dictionary of rows").format(value=given))
    drawn = rng.bit_generator.state != untouched
    if any(map(_is_open, given.values())):
        return Attempt(open=True, drawn=drawn)
    try:
        rows = snapshot(given)
    except TypeError as error:
        raise Unfit(str(error)) from error
    return Attempt({str(row): value for row, value in rows.items()}, open=_holds_dots(answer), drawn=drawn)


def _require_kind(exercise: Exercise, answer: Any, T: Any) -> None:
    """Raise `Unfit` for a value where a function is asked for."""
    if exercise.rows is table:
        return
    expected = exercise.reference(T)
    if isinstance(expected, tuple) and all(map(callable, expected)):
        if not (isinstance(answer, tuple) and len(answer) == len(expected) and all(map(callable, answer))):
            raise Unfit(_("Answer with {number} functions, as a tuple.").format(number=len(expected)))
    elif isinstance(expected, type) and not isinstance(answer, type):
        raise Unfit(_("Answer with a class."))
    elif callable(expected) and not callable(answer):
        raise Unfit(_("Answer with a function."))


def _failure(error: BaseException) -> str:
    if isinstance(error, LimitExceeded | Unfit):
        return str(error)
    if isinstance(error, SystemExit):
        return _("Your answer called sys.exit, which ends a program. An answer returns.")
    return _("Your answer raised {error}").format(error=described(error))


def described(error: BaseException) -> str:
    """The type and the message of an exception. The message may be somebody else's code, and raise another.

    >>> described(ValueError("no"))
    'ValueError: no'
    """
    name = type(error).__name__
    try:
        return f"{name}: {error}"
    except BaseException:
        return _("{error}, which cannot be shown.").format(error=name)


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
    steps = list(dis.get_instructions(code))
    loads = [number for number, step in enumerate(steps) if step.opcode in dis.hasconst and _is_open(step.argval)]
    inner = [const for const in code.co_consts if isinstance(const, CodeType)]
    return any(not _is_index(steps[number + 1 :]) for number in loads) or any(map(_has_dots, inner))


def _is_index(steps: list[dis.Instruction]) -> bool:
    """Whether the value that is now on top of the stack comes between brackets, as in `x[..., 0]`."""
    above = 0  # how many values lie on top of it, or of the tuple that it has become part of
    for step in steps:
        if above == 0 and step.opname in ("BINARY_SUBSCR", "STORE_SUBSCR", "DELETE_SUBSCR"):
            return True
        if step.opname == "COPY" and step.arg == above + 1:  # as in `x[..., 0] += 1`
            above = -1
        above += dis.stack_effect(step.opcode, step.arg)
        if above < 0 and step.opname != "BUILD_TUPLE":
            return False
        above = max(above, 0)
    return False


def _nothing() -> None: ...


def _does_nothing(function: FunctionType) -> bool:
    """Whether its body is ``...`` or ``pass``, apart from a docstring: the compiler leaves no trace of the dots."""
    code, opcodes = function.__code__, slice(None, None, 2)
    same = code.co_code[opcodes] == _nothing.__code__.co_code[opcodes]
    return same and code.co_consts in ((None,), (function.__doc__, None))
