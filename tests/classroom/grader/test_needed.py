"""Which cells a notebook's answers need."""

import pytest

from autograd_core.classroom.grader.needed import checked, needed, parse


def run(*cells):
    return needed([parse(cell, "<cell>") for cell in cells])


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["import torch", "check('04.x', 1)"], [1]),
        (["import numpy as np", "check('04.x', np.ones(2))"], [0, 1]),
        (["a = 1", "b = a", "check('04.x', b)"], [0, 1, 2]),
        (["a = 1", "a = 2", "check('04.x', a)"], [0, 1, 2]),
        (["a = []", "a.append(1)", "print(a)", "check('04.x', a)"], [0, 1, 3]),
        (["w = make()", "w.grad = None", "check('04.x', w)"], [0, 1, 2]),
        (["def f(): return g()", "def g(): return 1", "check('04.x', f)"], [0, 1, 2]),
        (["class A: pass", "for k in range(3): pass", "check('04.x', A)"], [0, 2]),
        (["check('04.x', 1)", "a = 1"], [0]),
    ],
)
def test_a_cell_runs_when_an_answer_needs_a_name_of_it(cells, numbers):
    assert run(*cells) == numbers


def test_a_name_may_be_bound_below_the_function_that_uses_it():
    assert run("def f(): return g()", "check('04.x', f)", "g = 1") == [0, 1]


@pytest.mark.parametrize("call", ["check('04.x', 1)", "assert check('04.x', 1)", "classroom.check('04.x', f(2))"])
def test_a_check_is_found_in_all_its_forms(call):
    assert len(checked(parse(call, "<cell>"))) == 1


@pytest.mark.parametrize("call", ["check(name, 1)", "check('04.x')", "other('04.x', 1)", "'check(\"04.x\", 1)'"])
def test_what_is_no_check_is_not_taken_for_one(call):
    assert checked(parse(call, "<cell>")) == []


def test_lines_for_ipython_are_left_out():
    assert run("%matplotlib inline\n!pip list\na = 1", "check('04.x', a)") == [0, 1]
