"""A Sphinx extension that makes a bibliography a list of list items.

Docutils writes a list whose entries have the role `doc-biblioentry`, which the standard has deprecated: a screen reader
would find a list without items.
"""

from typing import Any

from sphinx.application import Sphinx


def _name_items(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    if "body" in context:
        context["body"] = context["body"].replace('role="doc-biblioentry"', 'role="listitem"')


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", _name_items)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
