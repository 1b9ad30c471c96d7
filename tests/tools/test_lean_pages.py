"""What is mended in the HTML of a page."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx", reason="the pages are mended by an extension of Sphinx")
sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

import lean_pages

MATH = r'<span class="math notranslate nohighlight">\(x &lt; 0\)</span>'


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        (f"<p>If {MATH}, all is well.</p>", f"{MATH},"),
        (f"<p>(For {MATH}.)</p>", f"{MATH}.)"),
        (f"<p>“{MATH}” it says</p>", f"“{MATH}”"),
        (f"<p>{MATH}<em>, so</em></p>", MATH),
        (f"<p>设{MATH}，则</p>", f"{MATH}，"),
        (f"<p>0&lt;{MATH}&gt;0</p>", MATH),
        (f"<p>&quot;{MATH}&quot;</p>", MATH),
    ],
)
def test_a_formula_stays_with_the_marks_around_it(text, whole):
    assert lean_pages.mended(text) == text.replace(whole, f'<span class="unbroken">{whole}</span>')


@pytest.mark.parametrize(
    ("name", "mended"),
    [
        ("nn.ctc_loss", "nn.ctc_loss"),
        ("functional.ctc_loss", "functional.<wbr>ctc_<wbr>loss"),
        ("rt.grad(engine, loss)", "rt.<wbr>grad(<wbr>engine, loss)"),
        ('<a href="catalogue/nn.html#ctc_loss">nn</a>', '<a href="catalogue/nn.html#ctc_loss">nn</a>'),
        ("tolerance=1.52e-100", "tolerance=1.52e-100"),
    ],
)
def test_a_long_name_of_a_row_breaks_between_its_parts(name, mended):
    row = '<tr><th scope="row">{}</th><td>functional.ctc_loss</td></tr>'
    assert lean_pages.mended(row.format(name)) == row.format(mended)
