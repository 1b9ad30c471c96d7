"""A Sphinx extension that says what a result of the search quotes, and how results are ordered."""

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config

SCRIPTS = Path(__file__).parent.parent / "book" / "_static" / "search"


def set_order(app: Sphinx, config: Config) -> None:
    config.html_search_scorer = str(SCRIPTS / "order.js")


def add_script(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    if page == "search":
        app.add_js_file(None, body=(SCRIPTS / "quote.mjs").read_text("utf-8"), type="module")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("config-inited", set_order)
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
