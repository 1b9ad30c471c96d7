"""A Sphinx extension for pages that are shown elsewhere: what a link to one says, and the picture that goes with it.

Every page gets the tags of the Open Graph protocol. A picture needs a whole address, so the cards are
drawn only where `html: baseurl` says what the site's is. A card that was drawn before is not drawn again.
"""

import hashlib
import textwrap
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from contents import numbered_title
from lean_pages import first_words

CARDS = "_images/cards"
SIZE = 1200, 630  # pixels, which is what the services ask for
INK, QUIET, VALUE, COTANGENT = "#1f2328", "#5b6470", "#0b5cad", "#b04a00"  # those of the figures


def draw(book: str, number: str, title: str, file: Path) -> None:
    """Draw a card: the number and the title, and below them the chain with a gradient on its way back."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(SIZE[0] / 100, SIZE[1] / 100), dpi=100)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, SIZE[0]), ylim=(0, SIZE[1]), frame_on=False, xticks=[], yticks=[])
    axes.text(80, 530, number, fontsize=34, color=COTANGENT, weight="bold")
    axes.text(80, 495, textwrap.fill(title, 28), fontsize=44, color=INK, weight="bold", va="top", linespacing=1.25)
    axes.text(80, 60, book, fontsize=19, color=QUIET)
    places = {"w": 720, "h": 900, "L": 1080}
    for name, x in places.items():
        axes.text(x, 190, name, fontsize=30, color=VALUE, style="italic", ha="center", va="center")
        axes.scatter(x, 190, s=3600, facecolors="none", edgecolors=VALUE, linewidths=2.5)
    for start, end in (("w", "h"), ("h", "L")):
        arrow = {"arrowstyle": "-|>", "linewidth": 3, "mutation_scale": 24, "shrinkA": 44, "shrinkB": 44}
        for there, back, color, bend in ((start, end, QUIET, -0.25), (end, start, COTANGENT, -0.25)):
            way = {**arrow, "color": color, "connectionstyle": f"arc3,rad={bend}"}
            axes.annotate("", (places[back], 190), (places[there], 190), arrowprops=way)
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, metadata={"Software": None})


def card(app: Sphinx, page: str) -> str:
    """The path of a chapter's card in the site; pages that are no chapters share the card of the book."""
    book = app.config.html_title or app.config.project
    number, title = numbered_title(app, page)
    if not number:
        title = book
    shown = hashlib.sha256(f"{book}\n{number}\n{title}\n".encode() + Path(__file__).read_bytes()).hexdigest()[:12]
    path = f"{CARDS}/{number or 'book'}-{shown}.png"
    if not (Path(app.outdir) / path).exists():
        draw("" if title == book else book, number, title, Path(app.outdir) / path)
    return path


def tags(app: Sphinx, page: str, doctree: nodes.document) -> dict[str, str]:
    """The properties of a page, by their names."""
    number, title = numbered_title(app, page)
    found = {
        "og:type": "article" if number else "website",
        "og:title": f"{number} · {title}" if number else title,
        "og:site_name": app.config.html_title or app.config.project,
        "og:description": first_words(doctree),
    }
    if site := app.config.html_baseurl.rstrip("/"):
        found |= {
            "og:url": f"{site}/{app.builder.get_target_uri(page)}",
            "og:image": f"{site}/{card(app, page)}",
            "og:image:width": str(SIZE[0]),
            "og:image:height": str(SIZE[1]),
            "og:image:alt": found["og:title"],
        }
    return {name: value for name, value in found.items() if value}


def add_tags(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    if doctree is None:
        return
    properties = tags(app, page, doctree)
    lines = [f'<meta property="{name}" content="{escape(value)}" />' for name, value in properties.items()]
    if "og:image" in properties:
        lines.append('<meta name="twitter:card" content="summary_large_image" />')
    context["metatags"] += "\n".join(lines)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", add_tags)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
