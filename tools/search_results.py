"""A Sphinx extension that gives the page of the search a script of this book: what a result quotes, and their order."""

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

SCRIPT = Path(__file__).parent.parent / "book" / "_static" / "search" / "results.mjs"


def add_script(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    if page == "search":
        app.add_js_file(None, body=SCRIPT.read_text("utf-8"), type="module")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
