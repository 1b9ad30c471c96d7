"""The book's plots and pages share their colors; a plot shows in both color schemes and does without color."""

import re
from pathlib import Path
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import pytest

from autograd_book import look
from autograd_book.look import picture, split_explorer, version_scrubber
from autograd_book.look.page import source
from autograd_book.look.picture import palette

STYLE = "autograd_book.look.book"
STATIC = Path(__file__).parents[2] / "book" / "_static"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def book_style():
    plt.switch_backend("agg")
    with plt.style.context(STYLE):
        yield
    plt.close("all")


def lines(alt="Two lines."):
    fig, ax = plt.subplots()
    ax.plot([0, 1], [0, 3], "o-", label="values")
    ax.plot([0, 1], [3, 0], label="cotangents")
    ax.plot(0.5, 1, "s", color="black")
    ax.legend()
    return fig, picture(fig, alt=alt)


def luminance(color):
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def colors(sheet):
    """The pairs of colors, for the light and for the dark, that a style sheet gives to its names."""
    return dict(re.findall(r"--(\w+): light-dark\((#\w+, #\w+)\);", sheet))


def test_the_site_and_the_figures_have_the_same_colors():
    figures, site = colors(source("viz.css")), colors((STATIC / "look.css").read_text("utf-8"))
    shared = site.keys() & figures.keys()
    assert {name: site[name] for name in shared} == {name: figures[name] for name in shared}
    assert shared >= {"ink", "quiet", "line", "paper", "page", "value", "cotangent", "green", "purple", "pink", "teal"}


def test_no_rule_stands_in_two_style_sheets():
    named = Path(look.__path__[0]).rglob("*.css")
    sheets = "".join(path.read_text("utf-8") for path in named)
    rules = re.findall(r"^\.ac-viz ([^{}\n]+) \{([^{}]*)\}", sheets, re.MULTILINE)
    selectors = [selector for selector, _ in rules]
    long = [" ".join(block.split()) for _, block in rules if len(block) > 80]
    assert len(rules) > 100 and len(long) > 5
    assert len(set(selectors)) == len(selectors)
    assert len(set(long)) == len(long)


def test_the_pointer_tells_what_can_be_dragged_and_nothing_else():
    """A style sheet rules the whole page: that of a scene must not reach into the other figures."""
    selectors = re.findall(r"^(.*) \{.*ew-resize", "".join(map(source, version_scrubber().sheets)), re.MULTILINE)
    assert selectors == [".ac-viz .ac-alive .ac-scene svg"]
    assert "ac-scene" in version_scrubber()._repr_html_()
    assert "ac-scene" not in split_explorer()._repr_html_()


@pytest.mark.parametrize("name", ["chain.svg", "two_directions.svg"])
def test_a_drawing_takes_its_colors_from_the_figures(name):
    known = set(re.findall(r"#[0-9a-f]{6}\b", source("viz.css")))
    used = re.findall(r"#[0-9a-f]{6}\b", (STATIC / name).read_text("utf-8"))
    assert used and set(used) <= known


@pytest.mark.parametrize("name", ["ink", "quiet", "value", "cotangent", "green", "purple", "pink", "teal"])
def test_text_in_a_color_is_legible_on_what_is_behind_it(name):
    given = {name: pair.split(", ") for name, pair in colors(source("viz.css")).items()}
    for scheme in (0, 1):
        for behind in ("page", "paper"):
            assert contrast(given[name][scheme], given[behind][scheme]) >= 4.5, (name, behind, scheme)


def test_the_style_has_no_color_without_a_partner_in_the_dark():
    used = set(re.findall(r"\b[0-9a-f]{6}\b", source("book.mplstyle")))
    assert {f"#{color}" for color in used} <= palette().keys()


def test_series_differ_by_their_dashes_where_they_might_be_taken_for_each_other():
    cycle = list(plt.rcParams["axes.prop_cycle"])
    assert len({(each["color"], each["linestyle"]) for each in cycle}) == len(cycle)
    assert len({each["linestyle"] for each in cycle[:4]}) == 4


def test_a_picture_has_colors_of_both_schemes_and_no_other():
    _, shown = lines()
    assert "var(--value)" in shown.svg and "var(--cotangent)" in shown.svg and "var(--ink)" in shown.svg
    assert re.findall(r"#[0-9a-f]{6}\b", shown.svg) == []


def test_text_stays_text_in_the_font_of_the_page():
    _, shown = lines()
    texts = ["".join(each.itertext()).strip() for each in ElementTree.fromstring(shown.svg).iter("text")]
    assert "values" in texts and "cotangents" in texts
    assert "font-family" not in shown.svg


def test_a_picture_says_what_it_shows():
    _, shown = lines(alt='Values rise & "cotangents" fall.')
    picture_element = ElementTree.fromstring(shown.svg)
    assert picture_element.attrib["role"] == "img"
    assert picture_element.attrib["aria-label"] == 'Values rise & "cotangents" fall.'


def test_a_picture_without_words_is_refused():
    fig, _ = plt.subplots()
    with pytest.raises(ValueError, match="alt is empty: say in a sentence what the figure shows"):
        picture(fig, alt=" ")


def test_pictures_on_one_page_leave_each_other_alone():
    one, two = lines()[1]._repr_html_(), lines()[1]._repr_html_()
    ids = [re.findall(r'\bid="([^"]+)"', html) for html in (one, two)]
    assert len(ids[0]) == len(set(ids[0])) and not set(ids[0]) & set(ids[1])
    for html, own in zip((one, two), ids, strict=True):
        assert set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', html)[0]) - {""} <= set(own)
        assert "*{" not in html, "a rule for everything on the page"


def test_a_picture_is_shown_once():
    fig, _ = lines()
    assert not plt.fignum_exists(fig.number)
