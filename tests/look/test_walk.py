"""`walk` follows a program through the code: which functions, in which order, and where a call leaves its file."""

import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

import autograd_core as ac
from autograd_book.look import walk as module
from autograd_book.look.walk import TEXTS, walk

ROOT = Path(__file__).parents[2]


def chain():
    w = ac.tensor(2.0, requires_grad=True)
    loss = 3 * (w * w)
    loss.backward()
    return w.grad


def test_functions_come_in_the_order_of_their_first_calls():
    names = [step.name for step in walk(chain).steps]
    stops = ["tensor", "Leaf.__init__", "mul", "new_node", "schedule", "_Pass._prepare", "_Pass._visit", "deposit"]
    assert [name for name in names if name in stops] == stops
    assert len(names) == len({step.place + step.name for step in walk(chain).steps})


def test_each_place_is_the_line_on_which_the_function_begins():
    for step in walk(chain).steps:
        if step.file != TEXTS:
            lines = (ROOT / step.file).read_text("utf-8").splitlines()[step.line - 1 :][: step.lines]
            name = step.name.rpartition(".")[2]
            assert "lambda" in lines[0] if name == "<lambda>" else any(f"def {name}(" in line for line in lines)


def test_the_text_of_an_op_is_a_step_and_all_texts_are_one_file():
    x = ac.tensor([1.0, 2.0], requires_grad=True)
    way = walk(lambda: ac.exp(x) * x)
    assert [step.place for step in way.steps if step.file == TEXTS] == ["ac.exp.source", "ac.mul.source"]
    assert way.files[TEXTS] == len((ac.exp.source + ac.mul.source).splitlines())
    assert way.lines == sum(step.lines for step in way.steps)


def test_a_move_is_a_call_into_another_file():
    x = ac.tensor(2.0, requires_grad=True)
    assert walk(lambda: x.dim()).moves == 0  # what the program itself calls is no move
    assert walk(lambda: x * x).moves == 2  # to the tensor and to the node


@pytest.fixture
def a_file_of_the_project(tmp_path, monkeypatch):
    """A function that makes functions out of text in a file that counts as the project's."""
    monkeypatch.setitem(module.PLACES, tmp_path, "elsewhere")
    module._belongs.cache_clear()
    module._shown.cache_clear()

    def made(name, text, **names):
        file = tmp_path / f"{name}.py"
        file.write_text(text)
        exec(compile(text, str(file), "exec"), names)
        return names[name]

    yield made
    module._belongs.cache_clear()
    module._shown.cache_clear()


def test_a_comprehension_is_part_of_its_function(a_file_of_the_project):
    text = "def listed():\n    return sum([k for k in range(3)] + [*(k for k in 'ab' if 0)])\n"
    listed = a_file_of_the_project("listed", text)
    way = walk(listed)
    assert [step.name for step in way.steps] == ["listed"] and way.lines == 2


def test_a_call_through_a_library_counts_as_direct(a_file_of_the_project):
    inner = a_file_of_the_project("inner", "def inner():\n    yield\n")
    text = "def outer():\n    with inner():\n        pass\n"
    outer = a_file_of_the_project("outer", text, inner=contextmanager(inner))
    assert walk(outer).moves == 2  # in, and in again to leave


def test_what_makes_the_argument_is_not_watched():
    way = walk(lambda x: x.dim(), lambda: ac.ones(2) * 3)
    assert [step.name for step in way.steps] == ["Tensor.dim"]


def test_a_program_that_raises_leaves_nothing_watching():
    with pytest.raises(RuntimeError, match="does not require grad"):
        walk(lambda: ac.ones(1).backward())
    assert sys.getprofile() is None


def test_it_says_in_one_line_what_there_is_to_read():
    way = walk(chain)
    assert repr(way) == (
        f"{len(way.steps)} functions, {way.lines} lines, in {len(way.files)} files of {sum(way.files.values()):,} lines"
    )
    assert len(way.stops().rows) == len(way.steps)
