"""Every test of exercises begins with a fresh session that nobody grades."""

import pytest

from autograd_book.check import catalog, grading
from autograd_book.check.exercise import Exercise
from autograd_book.compare import engines


@pytest.fixture(autouse=True)
def fresh_session(monkeypatch):
    monkeypatch.delenv("AUTOGRAD_CORE_GRADING", raising=False)
    grading._wrong_answers.clear()


@pytest.fixture
def asked(monkeypatch):
    """`asked(reference=..., ...)` makes an exercise 99.toy, the only one of the book."""

    def ask(**fields):
        given = {"kind": "blank", "minutes": 1, "hints": ("look", "look again"), **fields}
        exercise = Exercise(id="99.toy", title="Toy", **given)
        monkeypatch.setattr(catalog, "_of_chapter", lambda number: {exercise.id: exercise} if number == "99" else {})
        return exercise

    return ask


@pytest.fixture
def hidden(monkeypatch):
    """`hidden("PyTorch")` makes an engine look as if it were not installed."""
    load, absent = engines.load, set()

    def installed(engine):
        if engine in absent:
            raise ModuleNotFoundError(engine)
        return load(engine)

    monkeypatch.setattr(engines, "load", installed)
    return absent.add
