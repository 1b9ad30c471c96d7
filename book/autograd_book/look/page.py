"""Figures as self-contained HTML: the picture, its style sheet and its script, with nothing to load."""

from collections.abc import Iterable
from importlib.resources import files
from uuid import uuid4


def fresh_id() -> str:
    """A new id for every display: one figure may stand on a page twice."""
    return f"ac-{uuid4().hex[:10]}"


def source(name: str) -> str:
    """The text of a script or style sheet of this package."""
    return files(__package__).joinpath(name).read_text("utf-8")


def figure(body: str, ident: str, sheets: Iterable[str] = ()) -> str:
    """`body` with the style sheet of all figures, and after it `sheets` of its own."""
    own = "".join(map(source, sheets))
    return f'<div class="ac-viz"><style>{source("viz.css")}{own}</style><div id="{ident}">{body}</div></div>'


def wide_or_narrow(ident: str, least: float) -> str:
    """A style sheet that shows what is of class `wide` where it has `least` pixels, else what is of class `narrow`."""
    return (
        f"<style>#{ident} .narrow {{ display: none }} @container (max-width: {least:.0f}px) "
        f"{{ #{ident} .wide {{ display: none }} #{ident} .narrow {{ display: block }} }}</style>"
    )


def page(body: str, ident: str, script: str, state: str, sheets: Iterable[str] = ()) -> str:
    """A figure, and the module `script` that brings it to life with the values in `state` (JSON)."""
    state = state.replace("<", r"\u003c")  # no text in it can end the script element
    return (
        f"{figure(body, ident, sheets)}\n"
        f'<script type="module">\n{source("model.js")}\n{source(script)}\n'
        f'render({{ model: pageModel({state}), el: document.getElementById("{ident}") }});\n</script>'
    )
