"""The exercises are found by id, and listed with what a reader needs to choose."""

import ast
import subprocess
import sys

import pytest

from autograd_book.check import catalog, check, exercises
from autograd_book.exercises import ch04


def test_a_chapter_lists_its_own():
    assert {exercise.id[:2] for exercise in exercises("04")} == {"04"}
    assert len(exercises("04")) < len(exercises())


def test_the_list_is_a_table_with_kinds_and_minutes():
    (first, *_) = exercises("04")
    line = next(line for line in repr(exercises("04")).splitlines() if line.startswith("04.ledger"))
    assert line.split() == ["04.ledger", *first.title.split(), first.kind, str(first.minutes)]
    assert '<th scope="row">04.ledger</th>' in exercises("04")._repr_html_()


def test_an_unknown_id_is_answered_with_its_neighbors():
    with pytest.raises(KeyError, match=r"no exercise is called '04\.ledgr'; did you mean 04\.ledger"):
        check("04.ledgr", 1)
    with pytest.raises(KeyError, match=r"exercises\(\) lists those there are"):
        check("xyz", 1)


def test_two_exercises_do_not_share_an_id(monkeypatch):
    twice = [*exercises("04"), exercises("04")[0]]
    monkeypatch.setattr(ch04, "EXERCISES", twice)
    with pytest.raises(ValueError, match=r"two exercises share an id: 04\.ledger"):
        catalog._of_chapter.__wrapped__("04")


def test_an_exercise_is_defined_in_its_own_chapter(monkeypatch):
    monkeypatch.setattr(ch04, "EXERCISES", exercises("05"))
    with pytest.raises(ValueError, match=r"ch04\.py defines exercises of another chapter: 05\.parts"):
        catalog._of_chapter.__wrapped__("04")


def test_one_exercise_reads_one_chapter():
    code = """
import sys
opened = []
sys.addaudithook(lambda event, arguments: event == "open" and opened.append(str(arguments[0])))
from autograd_book.check import check
check("04.ledger", ...)
print([path for path in opened if path.endswith(".md")])
print([name for name in sys.modules if name.startswith("autograd_book.exercises.")])"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    (page,), definitions = map(ast.literal_eval, done.stdout.splitlines()[-2:])
    assert page.endswith("04_accumulation.md")
    assert definitions == ["autograd_book.exercises.ch04"]
