"""A Sphinx extension that takes sphinx-thebe's scripts and styles out of the pages.

Jupyter Book always loads sphinx-thebe. Its script asks another host for a library that this book does not use, and it
is written into every page twice, which the browser reports as an error.
"""

from typing import Any

from sphinx.application import Sphinx


def _is_thebe(file: Any) -> bool:
    body = file.attributes.get("body") or ""
    return "THEBE_JS_URL" in body or "sphinx-thebe" in str(file.filename or "")


def _drop(app: Sphinx, page: str, template: str, context: dict, doctree: Any) -> None:
    for kind in ("script_files", "css_files"):
        context[kind] = [file for file in context[kind] if not _is_thebe(file)]


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", _drop, priority=900)  # after those that add the files
    return {"parallel_read_safe": True, "parallel_write_safe": True}
