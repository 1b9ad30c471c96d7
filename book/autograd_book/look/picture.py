"""A matplotlib figure as part of the page: text stays text, and its colors follow the page's color scheme."""

import re
from dataclasses import dataclass
from html import escape
from io import StringIO
from typing import TYPE_CHECKING

from .page import figure, fresh_id, source

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PAIR = re.compile(r"--(\w+): light-dark\((#[0-9a-f]{6}), #[0-9a-f]{6}\)")
_PLOTTED_BLACK = {"#000000": "ink"}


def palette() -> dict[str, str]:
    """The custom property that each light color of `viz.css` belongs to."""
    return {color: name for name, color in _PAIR.findall(source("viz.css"))} | _PLOTTED_BLACK


@dataclass(frozen=True)
class Picture:
    """A drawn figure. It shows as HTML; `svg` is the drawing alone."""

    svg: str
    ident: str

    def _repr_html_(self) -> str:
        return figure(f'<div class="ac-plot">{self.svg}</div>', self.ident)


def picture(drawn: "Figure", *, alt: str) -> Picture:
    """Show a matplotlib figure in the light and in the dark, at the width of a phone and in print.

    Colors of the book's style turn with the color scheme; others stay as they are. The figure is closed, so that a
    notebook does not show it a second time.

    Args:
        drawn: what `plt.subplots` or `plt.figure` returned.
        alt: what the figure shows, in a sentence or two, for those who do not see it.

    Returns:
        What a notebook shows when it is the last value of a cell.

    Raises:
        ValueError: `alt` is empty.

    >>> import matplotlib.pyplot as plt
    >>> plt.style.use("autograd_book.look.book")
    >>> fig, ax = plt.subplots()
    >>> _ = ax.plot([0, 1, 2], [0, 3, 12])
    >>> "var(--value)" in picture(fig, alt="A line through (0, 0), (1, 3) and (2, 12).").svg
    True
    """
    if not alt.strip():
        raise ValueError("alt is empty: say in a sentence what the figure shows, for a reader who does not see it")
    import matplotlib.pyplot as plt

    ident, text = fresh_id(), StringIO()
    with plt.rc_context({"svg.fonttype": "none"}):
        drawn.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    plt.close(drawn)
    return Picture(_for_the_page(text.getvalue(), ident, alt), ident)


def _for_the_page(svg: str, ident: str, alt: str) -> str:
    """The drawing without what is for a file of its own, with ids that no other drawing has."""
    left, top, width, height = re.search(r'viewBox="(\S+) (\S+) (\S+) (\S+)"', svg).groups()  # type: ignore[union-attr]
    svg = svg[svg.index(">", svg.index("<svg")) + 1 :]
    svg = re.sub(r"<metadata>.*?</metadata>|<defs>\s*<style.*?</style>\s*</defs>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{ident}-", svg).replace("xlink:href", "href")
    svg = re.sub(r"font-family: [^;\"]*;? ?", "", svg)
    for color, name in palette().items():
        svg = svg.replace(color, f"var(--{name})")
    svg = re.sub(r"\s*\n\s*", " ", svg)  # a blank line would end the HTML in some notebooks
    return (
        f'<svg viewBox="{left} {top} {width} {height}" role="img" aria-label="{escape(alt)}" fill="var(--ink)" '
        f'stroke-linejoin="round" style="max-width: {float(width) * 1.4:.0f}px">{svg}'
    )
