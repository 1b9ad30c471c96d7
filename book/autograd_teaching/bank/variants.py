"""The variant of a student: drawn from the secret and the name, by a keyed hash.

Whoever does not know the secret can neither draw a student's numbers nor, from the numbers, another student's.
"""

import hmac
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograd_book.check.exercise import Exercise
from autograd_book.compare import engines

from .questions import QUESTIONS, Drawn, Question

LEAST = 16  # characters of a secret: a shorter one could be found by trying
HINTS = ("Run the program in your head, one line at a time.", "Write down what arrives at each tensor, from the end.")


@dataclass(frozen=True, repr=False)
class Secret:
    """The secret of a course. Raises ValueError for one that is shorter than 16 characters."""

    text: str

    def __post_init__(self) -> None:
        if len(self.text) < LEAST:
            raise ValueError(
                f"the course's secret has {len(self.text)} characters and needs {LEAST} or more; "
                'python -c "import secrets; print(secrets.token_hex(16))" makes one'
            )

    def digest(self, *words: str) -> bytes:
        """A keyed hash of some words."""
        message = "".join(f"{len(word)}:{word}" for word in words)  # so that no two lists of words are alike
        return hmac.digest(self.text.encode(), message.encode(), "sha256")

    @property
    def fingerprint(self) -> str:
        """What tells two secrets apart and does not give them away."""
        return self.digest("fingerprint").hex()[:16]

    def drawn(self, question: Question, student: str) -> Drawn:
        """The numbers of a question for a student."""
        return question.draw(np.random.default_rng(int.from_bytes(self.digest(question.id, student), "big")))


def question(id: str) -> Question:
    """The question with this id. Raises KeyError if there is none."""
    for each in QUESTIONS:
        if each.id == id:
            return each
    raise KeyError(f"no question of the bank is called {id!r}; there are {', '.join(each.id for each in QUESTIONS)}")


def rows_of(asked: Question) -> list[str]:
    """The names of what a question asks for, which no number changes."""
    return [*asked.answer(engines.load("autograd_core"), asked.draw(np.random.default_rng(0)))]


def unkeyed(id: str) -> Exercise:
    """A question as an exercise that can be answered but not judged: what a student's process has of it."""

    def unknown(T: Any) -> Any:
        raise LookupError(f"the answer to {id} takes the course's secret")

    asked = question(id)
    return Exercise(id, asked.title, "blank", asked.minutes, unknown, HINTS)


def keyed(id: str, student: str, secret: Secret) -> Exercise:
    """A question as the exercise of one student, with its reference.

    >>> exercise = keyed("bank.chain", "ann", Secret("a secret for a test"))
    >>> sorted(exercise.reference(__import__("autograd_core")))
    ['L', 'h.grad', 'w.grad']
    """
    asked = question(id)
    drawn = secret.drawn(asked, student)
    return Exercise(
        id, asked.title, "blank", asked.minutes, lambda T: asked.answer(T, drawn), HINTS, mutants=asked.mutants(drawn)
    )
