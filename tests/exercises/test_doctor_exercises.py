"""The twelve patients of chapter 21: each has one fault."""

import pytest
import torch

import autograd_core as ac
from autograd_book.check import check, exercises
from autograd_book.exercises import ch21
from autograd_core import explain

PROGRAMS = [exercise.id.removeprefix("21.") for exercise in exercises("21")]
TO_MEND = ["by_hand", "keep", "order", "ledger", "stranger"]


def test_there_are_twelve():
    assert len(PROGRAMS) == 12


@pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_doctor_finds_one_fault_in_every_program(name, T):
    with explain.watch():
        found = explain.checklist(*ch21.shown(name)(T))
    assert found.step is not None
    assert len(found.kinds) == 1


@pytest.mark.parametrize("name", TO_MEND)
def test_a_program_as_it_stands_is_not_mended(name):
    verdict = check(f"21.{name}", ch21.shown(name))
    assert not verdict
    assert "first step with the answer no" in str(verdict)


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in TO_MEND])
def test_the_cause_is_among_the_choices(name):
    assert ch21._cause(name, ac) in ch21.CAUSES


def test_a_word_that_is_no_choice_is_answered_with_the_choices():
    assert "choose one of loss-is-leaf" in str(check("21.flag", "the loss"))
