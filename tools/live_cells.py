"""A Sphinx extension that gives code cells buttons: the reader's own browser runs them, with no server.

`live_analysis` decides which cells, and one that says `:live: false` among its options is left out. The files in
`book/_static/live` do the work. A page carries one short script and loads nothing else before the first click. Beside
the scripts lie the archives of `live_archives` and what other engines answered while the book was executed;
`place.json` says what is where, and where Python comes from.
"""

import json
import os
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

import live_archives
from autograd_book.compare import records
from autograd_book.wording import translate as _
from live_analysis import live

BOOT = Path(__file__).parent.parent / "book" / "_static" / "live" / "boot.js"
PYODIDE = "https://cdn.jsdelivr.net/pyodide/v0.27.7/full/"


def words() -> dict[str, str]:
    return {
        "group": _("This cell"),
        "run": _("Run"),
        "stop": _("Stop"),
        "edit": _("Edit"),
        "reset": _("Reset"),
        "editor": _("Code of this cell. Shift+Enter runs it, Escape leaves it."),
        "figure": _("Figure made by this cell"),
        "loading": _("Loading Python from {host} …"),
        "above": _("Running the cells above, {k} of {n} …"),
        "running": _("Running …"),
        "done": _("Done in {seconds} s."),
        "raised": _("{error} was raised."),
        "failedAbove": _("A cell above raised an error, which is shown there."),
        "interrupted": _("Stopped. What the cells computed is kept."),
        "stopped": _("Stopped. What the cells computed is lost; the next run starts anew."),
        "restored": _("Restored."),
        "cut": _("… The rest of what this cell prints is too long to be shown."),
        "busy": _("Another cell is running. Stop it, or wait for it."),
        "itself": _("This cell is running. Stop it, or wait for it."),
        "broken": _(
            "Python could not be loaded ({error}). It is loaded from the network once: connect and run again, or use "
            "the offline copy of this book."
        ),
        "file": _(
            "A browser runs Python only on a page that comes from a server. In the folder of this book, start "
            "“python -m http.server” and open the address that it names."
        ),
        "printed": _("What is printed below is from the book."),
    }


def mark(app: Sphinx, doctree: nodes.document) -> None:
    """Give live cells the class `live`."""
    cells = [node for node in doctree.findall(nodes.container) if node.get("nb_element") == "cell_code"]
    shown = [cell for cell in cells if any(cell.findall(_is_source))]
    programs = [(next(cell.findall(_is_source)).astext(), cell["cell_metadata"]) for cell in shown]
    for cell, runs in zip(shown, live(programs), strict=True):
        if runs:
            cell["classes"].append("live")


def _is_source(node: nodes.Node) -> bool:
    return isinstance(node, nodes.literal_block) and node.parent.get("nb_element") == "cell_code_source"


def add_script(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    if doctree and any("live" in node["classes"] for node in doctree.findall(nodes.container)):
        folder = context["pathto"]("_static/live/", resource=True)
        given = json.dumps(words(), ensure_ascii=False).replace("<", r"\u003c")
        call = f"liveCells(new URL({json.dumps(folder)}, location.href).href, {given});"
        app.add_js_file(None, body=f"{BOOT.read_text('utf-8')}\n{call}", type="module")
        app.add_css_file("live/live.css")


def add_library(app: Sphinx, error: Exception | None) -> None:
    """Put the archives and the records beside the scripts; a page that is rendered alone takes those of the site."""
    folder = Path(app.outdir, "_static", "live")
    if error or app.config.only_page or app.builder.format != "html" or not folder.exists():
        return
    for old in folder.glob("*.tar.bz2"):
        old.unlink()
    parts = live_archives.write(folder)
    kept = os.environ.get("AUTOGRAD_CORE_RECORD")
    (folder / "records.json").write_text(records.gather(Path(kept)) if kept else "{}", "utf-8")
    place = {
        "pyodide": PYODIDE,
        "library": parts.pop(live_archives.LIBRARY),
        "parts": parts,
        "records": "records.json",
        "modules": ["session.py", "figures.py", "parts.py"],
    }
    (folder / "place.json").write_text(json.dumps(place), "utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.setup_extension("fresh_pages")
    app.connect("doctree-read", mark)
    app.connect("html-page-context", add_script)
    app.connect("build-finished", add_library)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
