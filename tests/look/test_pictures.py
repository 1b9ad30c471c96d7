"""The HTML of a microscope and of the seed explorer: complete without a script, well formed, repeatable on a page."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

import autograd_core as ac
from autograd_book.look import microscope, seed_explorer
from autograd_book.look.drawing import style_for
from autograd_book.look.layout import in_columns

FORWARD_DONE = 3  # the step at which the picture of the chain opens


def chain():
    w = ac.tensor(2.0, requires_grad=True)
    h = w.square()
    L = 3 * h
    return microscope(L)


def pictures(html):
    return [ElementTree.fromstring(svg) for svg in re.findall(r'<svg role="img".*?</svg>', html, re.DOTALL)]


def visible_text(picture, step):
    """The texts of a picture that show in a step."""
    found = []

    def walk(element, on):
        if "data-from" in element.attrib:
            on = on and int(element.attrib["data-from"]) <= step < int(element.attrib["data-to"])
        if on and element.tag == "text":
            found.append("".join(element.itertext()))
        for child in element:
            walk(child, on)

    walk(picture, True)
    return found


def test_first_frame_is_complete_without_a_script():
    html = chain()._repr_html_()
    wide, narrow = pictures(html)
    for picture in (wide, narrow):
        assert picture.attrib["role"] == "img"
        assert picture.find("title").text and picture.find("desc").text.startswith("Forward")
        for group in picture.iter("g"):
            if "data-from" in group.attrib:
                shows = int(group.attrib["data-from"]) <= FORWARD_DONE < int(group.attrib["data-to"])
                assert (group.get("display") == "none") != shows
    assert visible_text(wide, FORWARD_DONE) == [
        "w leaf",
        "2",
        "w.grad = None",
        "h square",
        "4",
        "saved w = 2",
        "L mul",
        "12",
        "saved other = 3",
    ]


def test_every_sentence_is_on_the_page_without_a_script():
    m = chain()
    html = m._repr_html_()
    assert len(re.findall("<li>", html)) == len(m.captions) == 10


def test_a_cotangent_is_shown_in_transit_and_then_forgotten():
    wide = pictures(chain()._repr_html_())[0]
    shown = [step for step in range(10) if "∂L/∂h = 3" in visible_text(wide, step)]
    assert shown == [5, 6, 7]
    assert [text for text in visible_text(wide, 9) if "grad" in text] == ["w.grad = 12"]


def test_a_value_is_not_shown_before_it_is_computed():
    wide = pictures(chain()._repr_html_())[0]
    assert [step for step in range(10) if "12" in visible_text(wide, step)] == list(range(2, 10))
    assert "saved w = 2" not in visible_text(wide, 0)


def test_arithmetic_stands_on_the_edge_while_the_cotangent_travels():
    for picture in pictures(chain()._repr_html_()):
        assert [step for step in range(10) if "3 · 2w = 12" in visible_text(picture, step)] == [7]


def test_a_saved_value_is_struck_through_once_it_is_released():
    wide = pictures(chain()._repr_html_())[0]
    struck = [group for group in wide.iter("g") if "ac-gone" in group[0].get("class", "")]
    assert {("".join(group.itertext()), group.get("data-from")) for group in struck} == {
        ("saved other = 3", "6"),
        ("saved w = 2", "8"),
    }
    assert all(visible_text(wide, step).count("saved w = 2") == 1 for step in range(1, 10))


def test_what_arrives_second_is_added_where_it_arrives():
    x = ac.tensor(3.0, requires_grad=True)
    a = x * 2
    L = a * a
    wide = pictures(microscope(L)._repr_html_())[0]
    assert [step for step in range(11) if "∂L/∂a = 6 + 6 = 12" in visible_text(wide, step)] == [6]


def test_a_stale_value_is_marked_by_words():
    w = ac.tensor(2.0, requires_grad=True)
    h = w.square()
    with ac.no_grad():
        w.mul_(2)
    assert "saved w, v0; now v1: stale" in visible_text(pictures(microscope(h)._repr_html_())[0], 2)


def test_two_displays_share_no_id():
    m = chain()
    first, second = (set(re.findall(r'\bid="([^"]+)"', m._repr_html_())) for _ in range(2))
    assert first and not first & second


def test_names_are_escaped():
    w = ac.tensor(2.0, requires_grad=True)
    html = microscope(w.square(), {"<b>&": w})._repr_html_()
    assert "<b>" not in html
    pictures(html)


class Stack(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        if tag not in ("input", "path", "rect", "circle"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("make", [chain, seed_explorer])
def test_html_is_balanced_and_loads_nothing(make):
    html = make()._repr_html_()
    parser = Stack()
    parser.feed(html)
    assert parser.open == []
    assert "http" not in html


def test_boxes_of_a_deep_and_wide_graph_do_not_overlap():
    x = ac.tensor(1.0, requires_grad=True)
    branches = [x.sin(), x.cos().exp(), x * x]
    trace = microscope(branches[0] + branches[1] * branches[2] + x).trace
    layout = in_columns(trace, style_for(trace))
    corners = layout.boxes
    for i, (x0, y0) in enumerate(corners):
        for x1, y1 in corners[:i]:
            assert abs(x0 - x1) >= layout.style.box_width or abs(y0 - y1) >= layout.style.box_height
    assert all(corners[edge["from"]][0] < corners[edge["to"]][0] for edge in trace["edges"])


def test_seed_explorer_products_come_from_the_engine():
    explorer = seed_explorer()
    assert explorer.jacobian == (4.0, 3.0)
    assert explorer.vjp(1.0, 2.0) == 10.0
    assert explorer.w.grad is None
    html = explorer._repr_html_()
    assert "v = (1, 2): vᵀJ = 1 × 4 + 2 × 3 = 10" in html
    assert "v = (-3, 0.5): vᵀJ = (-3) × 4 + 0.5 × 3 = -10.5" in html
    assert len(re.findall("<label>", html)) == len(re.findall("<input", html)) == 2


def test_seed_explorer_under_ipywidgets_recomputes():
    pytest.importorskip("ipywidgets", reason="the widget form needs ipywidgets")
    box = seed_explorer().widget()
    v1, v2, figure = box.children[:3]
    v1.value, v2.value = -1.0, 0.5
    assert "= -2.5" in figure.value
    assert v1.description and v2.description


def test_without_ipywidgets_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ipywidgets", None)
    with pytest.raises(ImportError, match="pip install ipywidgets"):
        seed_explorer().widget()


def test_outside_a_notebook_the_bundle_has_no_dead_widget():
    bundle = seed_explorer()._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
