"""What an exercise is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, Literal

import numpy as np

from ..wording import translate as _
from .answer_limits import AnswerLimits
from .chapters import asked
from .solution import answer_in

Kind = Literal["worked", "faded", "blank", "break"]
Rows = Mapping[str, Any]
RowsOf = Callable[[Any, Any, np.random.Generator], Rows]


@dataclass(frozen=True)
class Mutant:
    """A wrong answer that many people give, and what they believed.

    Parameters:
        label: the belief in a few words.
        message: why the belief is tempting and where it fails.
        answer: the wrong answer, of the kind that the reader gives; it is run through the exercise's ``rows``. An
            answer belongs to it that has the same value in every row where the mutant is wrong, or fails with the same
            error.
        rows: in place of ``answer``: the rows that betray the belief, when they are known without a run. An answer
            belongs to it that has all of them.
        instead: in place of ``answer``: what the belief writes where the chapter's solution is right, as a dictionary
            from the right words to the wrong ones.

    Raises `TypeError` unless exactly one of ``answer``, ``rows`` and ``instead`` is given.
    """

    label: str
    message: str
    answer: Any = None
    rows: Rows | None = None
    instead: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        if [self.answer, self.rows, self.instead].count(None) != 2:
            raise TypeError(f"mutant {self.label!r} needs one of answer=, rows= and instead=")

    def of(self, solution: str) -> "Mutant":
        """The mutant with the answer that it makes of a solution."""
        return self if self.instead is None else replace(self, answer=answer_in(solution, self.instead), instead=None)


def table(answer: Any, T: Any, rng: np.random.Generator) -> Rows:
    """The rows of an answer that needs no run: a dictionary as it is, anything else as the one row ``"answer"``."""
    return answer if isinstance(answer, Mapping) else {"answer": answer}


class Unfit(TypeError):
    """An answer that is not of the kind that is asked for; the message says what to give."""


def of_dictionary(*names: str) -> Callable[[RowsOf], RowsOf]:
    """Decorate the ``rows`` of an exercise whose answer is a dictionary: one that lacks a name is `Unfit`."""

    def decorate(rows: RowsOf) -> RowsOf:
        @wraps(rows)
        def checked(answer: Any, T: Any, rng: np.random.Generator) -> Rows:
            if not isinstance(answer, Mapping) or not answer.keys() >= {*names}:
                raise Unfit(_("Answer with a dictionary that has the rows {rows}.").format(rows=", ".join(names)))
            return rows(answer, T, rng)

        return checked

    return decorate


@dataclass(frozen=True)
class Exercise:
    """A task with a reference answer that is computed.

    Parameters:
        id: ``"NN.name"``, where NN is the chapter.
        title: the heading in the chapter.
        kind: ``"worked"`` (the solution of a like task is shown first; the reader changes one thing or says what comes
            next), ``"faded"`` (a stub with parts left out), ``"blank"`` (the signature alone) or ``"break"`` (the
            reader makes something fail in a stated way).
        minutes: that a reader needs.
        reference: called as ``reference(T)`` with an engine; returns a right answer of the kind that the reader gives.
        hints: two, the second more explicit than the first.
        mutants: wrong answers to recognize.
        rows: called as ``rows(answer, T, rng)``; turns an answer into a dictionary from the name of a row (an input, a
            question) to its value. When the answer is a function, this is where it is called, with the engine ``T``
            and inputs drawn from ``rng``. The reader's answer meets autograd_core, the reference PyTorch. Where the
            answer is a dictionary, `of_dictionary` says which names it needs.
        tolerance: absolute and relative tolerance for numbers.
        limits: of time, memory and depth for one run of ``rows``.
        torch: called as ``torch(T, rng)`` with PyTorch; returns the rows, where ``rows(reference(T), T, rng)`` cannot
            run there. Draws from ``rng`` what ``rows`` draws.
        jax: called as ``jax(module, rng)`` with JAX; returns the rows, for a machine without PyTorch.
        differences: called as ``differences(rng)``; returns the rows, by finite differences in NumPy.
        stated: the rows themselves, for a question about this package's own machinery, which no other engine answers.
    """

    id: str
    title: str
    kind: Kind
    minutes: int
    reference: Callable[[Any], Any]
    hints: tuple[str, str]
    mutants: tuple[Mutant, ...] = ()
    rows: RowsOf = table
    tolerance: float = 1e-6
    limits: AnswerLimits = field(default=AnswerLimits())
    torch: Callable[[Any, np.random.Generator], Rows] | None = None
    jax: Callable[[Any, np.random.Generator], Rows] | None = None
    differences: Callable[[np.random.Generator], Rows] | None = None
    stated: Rows | None = None

    def __str__(self) -> str:
        return f"{self.id}  {self.title}"


def from_chapter(
    id: str,
    *,
    reference: Callable[[Any], Any] | None = None,
    mutants: tuple[Mutant, ...] = (),
    **fields: Any,
) -> Exercise:
    """An exercise whose title, hints and solution stand in its chapter; the other fields are those of `Exercise`.

    Without a ``reference`` the solution is the reference, and ``rows`` has to run it, or run PyTorch on it.

    Raises `LookupError` when no chapter asks the exercise, and `TypeError` for rows that would be right because they
    were typed.
    """
    if reference is None and fields.get("rows", table) is table:
        raise TypeError(f"{id} takes its rows as they were typed, so it needs reference=, which computes them")
    here = asked(id)
    first, second = here.hints
    return Exercise(
        id=id,
        title=here.title,
        hints=(first, second),
        reference=reference or (lambda T: answer_in(here.solution)),
        mutants=tuple(mutant.of(here.solution) for mutant in mutants),
        **fields,
    )
