"""What an exercise is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..testing.values import agree, snapshot


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that many people give, and what they believed.

    Parameters:
        label: the belief in a few words.
        message: why the belief is tempting and where it fails.
        rows: the answer that follows from the belief; only the rows that betray it.
    """

    label: str
    message: str
    rows: Mapping[str, Any]

    def explains(self, yours: Mapping[str, Any], tolerance: float) -> bool:
        """Whether every row of the mistake is a row of ``yours`` with the same value."""
        return all(
            row in yours and agree(yours[row], value, atol=tolerance, rtol=tolerance)
            for row, value in snapshot(self.rows).items()
        )


def _as_rows(answer: Any) -> Mapping[str, Any]:
    return answer if isinstance(answer, Mapping) else {"answer": answer}


@dataclass(frozen=True)
class Exercise:
    """A task with a reference answer that is computed.

    Parameters:
        id: ``"NN.name"``, where NN is the chapter.
        title: the heading in the chapter.
        reference: called as ``reference(T)`` with ``T = autograd_core``, and with ``T = torch`` where that is
            installed; returns an answer of the kind that the reader gives.
        hints: two, the second more explicit than the first.
        mistakes: wrong answers to recognize, the most telling first.
        rows: turns an answer into a dictionary from the name of a row (an input, a question) to its value. By default a
            dictionary stands for itself and anything else is the one row ``"answer"``. When the answer is a function,
            this is where it is called.
        tolerance: absolute and relative tolerance for numbers.
    """

    id: str
    title: str
    reference: Callable[[Any], Any]
    hints: tuple[str, str]
    mistakes: tuple[Mistake, ...] = field(default=())
    rows: Callable[[Any], Mapping[str, Any]] = _as_rows
    tolerance: float = 1e-6

    def __str__(self) -> str:
        return f"{self.id}  {self.title}"
