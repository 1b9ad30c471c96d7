"""The box above a long table, in a browser: what finds a row, and what it says when nothing does."""

import ast
import json
import re
import sys
from html import escape
from pathlib import Path

import jupytext
import pytest

from autograd_book.gallery import GALLERY

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import pseudo  # noqa: E402

SCRIPT = (ROOT / "book" / "_static" / "filter_table.mjs").read_text("utf-8")
WORDS = {
    "label": "Find:",
    "found": "{found} of {all} rows",
    "ignored": "{found} of {all} rows; in no row, and ignored: {words}",
    "none": "0 of {all} rows. Nothing. <code>elsewhere</code>",
}


@pytest.fixture
def page(browser):
    with browser.new_page() as page:
        yield page


@pytest.fixture
def find(page):
    """Set a table of (id, text, attributes) into the page; type into its box, and read what is left."""

    def table(rows, words=WORDS):
        body = "".join(f'<tr id="{i}" {more}><td>{escape(text)}</td></tr>' for i, text, more in rows)
        page.set_content(
            f"<div><table id='t'><tbody>{body}</tbody></table></div><script type='module'>{SCRIPT}\n"
            f"filterTable(document.getElementById('t'), {json.dumps(words)});</script>"
        )

        def typed(text):
            page.get_by_label(words["label"]).fill(text)
            return page.eval_on_selector_all("tr:not([hidden])", "rows => rows.map(row => row.id)")

        return typed

    return table


@pytest.fixture
def functions(find):
    return find(
        [
            ("relu", "relu pass", 'data-words="ac.relu torch.relu ac.Tensor.relu"'),
            ("conv", "conv2d excused", 'data-words="ac.conv2d ac.nn.functional.conv2d"'),
            ("sin", "sin pass", 'data-words="ac.sin torch.sin ac.Tensor.sin_"'),
        ]
    )


@pytest.mark.parametrize(
    ("typed", "rows"),
    [
        ("", ["relu", "conv", "sin"]),
        ("  .,: ", ["relu", "conv", "sin"]),
        ("PASS", ["relu", "sin"]),
        ("pass sin", ["sin"]),
        ("(torch.sin)", ["sin"]),
        ("sin_", ["sin"]),
        ("nn.functional.conv2d(", ["conv"]),
        ("Tensor.relu", ["relu"]),
        ("conv2d pass", []),
        ("floop", []),
    ],
)
def test_words_find_rows(functions, typed, rows):
    assert functions(typed) == rows


def test_words_of_no_row_are_ignored_by_name(page, functions):
    assert functions("relu, at train.py (2x3)") == ["relu"]
    said = page.locator("output").inner_text()
    assert said == "1 of 3 rows; in no row, and ignored: at, train.py, 2x3"


@pytest.mark.parametrize("typed", ["conv2d pass", "<b>floop</b>"])
def test_nothing_found_says_so(page, functions, typed):
    functions(typed)
    assert page.locator("output").inner_text() == "0 of 3 rows. Nothing. elsewhere"
    assert page.locator("output b").count() == 0


def test_a_whole_message_finds_the_row_of_its_longest_phrase(find):
    typed = find([(e.key, e.says[0], f'data-phrases="{escape(chr(10).join(e.says))}"') for e in GALLERY])
    assert typed("RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)") == ["inner-sizes"]
    overwritten = (
        "one of the variables needed for gradient computation has been modified by an inplace  operation: "
        "[torch.FloatTensor [2]], which is output 0 of ExpBackward0, is at version 1; expected version 0 instead."
    )
    assert typed(overwritten) == ["overwritten"]
    view = "a view of a leaf Variable that requires grad is being used in an in-place operation."
    assert typed(view) == ["leaf-view-in-place"]
    for entry in GALLERY:
        assert entry.key in typed(f"{entry.error}: {entry.says[0]} (train.py, line 3)")


def translated(chapter):
    """The words that a chapter gives to its box, in the pretended language."""
    (cell,) = (cell.source for cell in jupytext.read(ROOT / "book" / chapter).cells if "filterTable" in cell.source)
    (words,) = (node.value for node in ast.parse(cell).body if ast.unparse(node).startswith("words ="))
    return eval(ast.unparse(words), {"_": pseudo.pseudo})


@pytest.mark.parametrize("chapter", ["22_error_gallery.md", "24_catalogue.md"])
@pytest.mark.parametrize("typed", ["", "one floop", "floop"])
def test_all_that_the_box_of_a_chapter_says_is_translated(page, find, chapter, typed):
    find([("row", "one", "")], translated(chapter))(typed)
    shown = page.locator(".table-filter").inner_text()
    assert shown.count("⟦") == 2 and re.sub("⟦[^⟦⟧]*⟧", "", shown).strip() == ""
