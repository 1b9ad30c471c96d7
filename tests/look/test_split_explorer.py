"""The explorer of a split batch: its numbers are the engine's, and every split is on the page without a script."""

import re
from xml.etree import ElementTree

import pytest

from autograd_book.look import split_explorer


def test_the_means_come_from_the_engine():
    explorer = split_explorer()
    assert [explorer.mean_of_means(split) for split in (2, 4, 7)] == pytest.approx([12.0, 16.0, 28.0])
    assert explorer.gradient(explorer.batch) == 16.0
    assert explorer.w.grad is None
    assert str(explorer).startswith("6 + 2: the means are 8.667 and 38. Their mean is 23.33.")


def test_every_split_is_on_the_page():
    html = split_explorer()._repr_html_()
    assert [int(k) for k in re.findall(r"<li>(\d) \+", html)] == [1, 2, 3, 4, 5, 6, 7]
    assert len(re.findall("<label>", html)) == len(re.findall("<input", html)) == 1
    assert "http" not in html


@pytest.mark.parametrize("split", range(1, 8))
def test_the_names_of_the_two_lines_do_not_collide(split):
    picture = ElementTree.fromstring(split_explorer().picture(split))
    high, low = sorted(float(text.attrib["y"]) for text in picture.iter("text"))
    assert low - high >= 20


def test_a_bar_is_as_high_as_its_gradient():
    picture = ElementTree.fromstring(split_explorer().picture(3))
    heights = [float(rect.attrib["height"]) for rect in picture.iter("rect")]
    assert [height / heights[0] for height in heights] == [1, 1, 2, 2, 3, 4, 8, 11]


def test_under_ipywidgets_each_split_is_computed():
    pytest.importorskip("ipywidgets", reason="the widget form needs ipywidgets")
    box = split_explorer().widget()
    slider, figure = box.children[:2]
    slider.value = 7
    assert "7 + 1: the means are 12 and 44. Their mean is 28." in figure.value
    assert slider.description
