"""`listing` prints the source that is running, by the name of the object."""

import inspect

import pytest

from autograd_book import sixty_lines
from autograd_book.look import listing
from autograd_core.core import engine, graph
from autograd_core.ops.shapes import slices


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


def test_an_unknown_name_is_refused():
    with pytest.raises(LookupError, match="Tensor defines no backwards"):
        listing(sixty_lines.Tensor, "backwards")


def test_more_than_a_screen_is_refused():
    with pytest.raises(ValueError, match="a screen 60"):
        listing(engine)
