"""Which cells a notebook's answers need."""

import pytest

from autograd_teaching.grader.needed import asked, checked, needed, parse


def run(*cells):
    return needed([parse(cell, "<cell>") for cell in cells])


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["import torch", "check('04.x', 1)"], [1]),
        (["import numpy as np", "check('04.x', np.ones(2))"], [0, 1]),
        (["a = 1", "b = a", "check('04.x', b)"], [0, 1, 2]),
        (["a = 1", "a = 2", "check('04.x', a)"], [0, 1, 2]),
        (["a = []", "a.append(1)", "print(0)", "check('04.x', a)"], [0, 1, 3]),
        (["w = make()", "(3 * w.square()).backward()", "check('04.x', w.grad)"], [0, 1, 2]),
        (["w = make()", "L = 3 * w", "L.backward()", "check('04.x', w.grad)"], [0, 1, 2, 3]),
        (["d = {}", "def fill(d): d[1] = 2", "fill(d)", "check('04.x', d)"], [0, 1, 2, 3]),
        (["d = []", "def add(): d.append(1)", "add()", "check('04.x', d)"], [0, 1, 2, 3]),
        (["d = []", "last = d.pop()", "check('04.x', d)"], [0, 1, 2]),
        (["def add(x, to=[]): to.append(x); return to", "add(1)", "check('04.x', add(2))"], [0, 1, 2]),
        (["def f(x): return x", "print(f(1))", "check('04.x', f)"], [0, 2]),
        (["from math import *", "check('04.x', sqrt(4))"], [0, 1]),
        (["import numpy as np", "np.random.seed(0)", "x = np.ones(2)", "check('04.x', np.random.rand())"], [0, 1, 3]),
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


CHECKS = [
    "check('04.x', 1)",
    "assert check('04.x', 1)",
    "classroom.check('04.x', f(2))",
    "check('04.x', 1, seed=1)",
    "check('04.x', 1, 1)",
    "check('04.x', answer=1)",
    "check(answer=1, id='04.x')",
]


@pytest.mark.parametrize("call", CHECKS)
def test_a_check_is_found_in_all_its_forms(call):
    assert [asked(found) for found in checked(parse(call, "<cell>"))] == ["04.x"]


@pytest.mark.parametrize("call", ["check(name, 1)", "check('04.x')", "other('04.x', 1)", "'check(\"04.x\", 1)'"])
def test_what_is_no_check_is_not_taken_for_one(call):
    assert checked(parse(call, "<cell>")) == []


def test_lines_for_ipython_are_left_out():
    assert run(
        "%matplotlib inline\n!pip list 'x\ncheck?\n??check\nif 1:\n    %time f()\na = 1", "check('04.x', a)"
    ) == [0, 1]
    assert run("%%time\na = 1", "check('04.x', a)") == [0, 1]


def test_what_only_looks_like_a_line_for_ipython_stays():
    names = {}
    source = '%pylab\nk = (7\n% 4)\ntext = """\n% done\n! now\nwhy?"""'
    exec(compile(parse(source, "<cell>"), "<cell>", "exec"), names)
    assert (names["k"], names["text"]) == (3, "\n% done\n! now\nwhy?")


@pytest.mark.parametrize("cell", ["def f(x, x): pass", "x = 1 +  # why?", "%time f(\ng = )", "def f(:\n    %x"])
def test_what_is_no_python_is_refused(cell):
    with pytest.raises(SyntaxError):
        parse(cell, "<cell>")
