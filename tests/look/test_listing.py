"""`listing` prints the source that is running, by the name of the object."""

import inspect
from pathlib import Path

import pytest

import autograd_core as ac
from autograd_book import sixty_lines
from autograd_book.look import listing
from autograd_book.look.listing import place
from autograd_core.core import engine, graph
from autograd_core.ops.shapes import slices

ROOT = Path(__file__).parents[2]


def test_a_whole_function():
    text = listing(graph.schedule).text
    assert text == inspect.getsource(graph.schedule).rstrip()


def test_a_method_is_dedented():
    assert listing(graph.Node, "name").text.startswith("def name(self) -> str:\n    ")


def test_a_decorator_belongs_to_the_method():
    assert listing(graph.Node, "position").text.startswith("@property\ndef position")


def test_names_come_in_the_order_of_the_file():
    text = listing(slices, "copy_slices", "_with_slices").text
    assert text.startswith("def _with_slices") and "\n\ncopy_slices = linear(" in text


def test_the_place_is_a_path_in_the_repository():
    shown = listing(engine, "fit")
    assert shown.place == "autograd_core/core/engine.py"
    assert repr(shown).startswith("# autograd_core/core/engine.py\ndef fit(")
    assert shown._repr_markdown_().startswith("`autograd_core/core/engine.py`\n\n```python\ndef fit(")


def test_the_text_of_an_op_is_the_one_that_runs():
    shown = listing(ac.mul)
    ac.mul(ac.ones(1), 2.0)
    assert shown.text == inspect.getsource(ac.mul).rstrip() and shown.text.startswith(
        "def mul(input, other, *, out=None):"
    )
    assert shown.place == "ac.mul.source, written by autograd_core/core/text.py"


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("autograd_core.core.graph:schedule", "def schedule("),
        ("autograd_core.core.graph:Node.name", "    def name("),
        ("autograd_core.core.table:elementwise", "def elementwise("),
        ("autograd_book.look.listing:SCREEN", "SCREEN = "),
    ],
)
def test_a_place_is_the_line_that_defines_the_name(name, begins):
    file, line = place(name)
    assert (ROOT / file).read_text("utf-8").splitlines()[line - 1].startswith(begins)


def test_a_place_that_is_not_there_is_refused():
    with pytest.raises(LookupError, match=r"graph defines no Node\.nothing"):
        place("autograd_core.core.graph:Node.nothing")
    with pytest.raises(LookupError, match="no module"):
        place("autograd_core.nothing:at_all")


def test_the_kit_of_the_book_lies_in_the_book():
    assert listing(sixty_lines, "clock").place == "book/autograd_book/sixty_lines.py"


def test_an_unknown_name_is_refused():
    with pytest.raises(LookupError, match="Tensor defines no backwards"):
        listing(sixty_lines.Tensor, "backwards")


def test_more_than_a_screen_is_refused():
    with pytest.raises(ValueError, match="a screen 60"):
        listing(engine)
