"""The twelve patients of chapter 21: it shows the programs that are judged, and each has one fault."""

import ast
import inspect
from pathlib import Path

import jupytext
import pytest
import torch

import autograd_core as ac
from autograd_book.check import check, exercises
from autograd_book.exercises import ch21
from autograd_core import explain

CHAPTER = Path(__file__).parents[2] / "book" / "21_when_grad_is_none.md"
PROGRAMS = [exercise.id.removeprefix("21.") for exercise in exercises("21")]
TO_MEND = ["by_hand", "keep", "order", "ledger", "stranger"]


def shown_in_the_chapter():
    cells = [cell.source for cell in jupytext.read(CHAPTER).cells if cell.cell_type == "code"]
    functions = (node for cell in cells for node in ast.parse(cell).body if isinstance(node, ast.FunctionDef))
    return {function.name: ast.unparse(function) for function in functions}


def test_there_are_twelve():
    assert len(PROGRAMS) == 12


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_chapter_shows_the_program_that_is_judged(name):
    assert shown_in_the_chapter()[name] == ast.unparse(ast.parse(inspect.getsource(getattr(ch21, name))))


@pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_doctor_finds_one_fault_in_every_program(name, T):
    with explain.watch():
        found = explain.checklist(*getattr(ch21, name)(T))
    assert found.step is not None
    assert len(found.kinds) == 1


@pytest.mark.parametrize("name", TO_MEND)
def test_a_program_as_it_stands_is_not_mended(name):
    verdict = check(f"21.{name}", getattr(ch21, name))
    assert not verdict
    assert "first step with the answer no" in str(verdict)


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in TO_MEND])
def test_the_cause_is_among_the_choices(name):
    assert ch21._cause_of(getattr(ch21, name))(ac) in ch21.CAUSES


def test_a_word_that_is_no_choice_is_answered_with_the_choices():
    assert "choose one of loss-is-leaf" in str(check("21.flag", "the loss"))
