"""A Sphinx extension for pages that answer: predictions, hints in two stages, tabs in step, a glossary at hand.

Every page gets the scripts of what it holds, inside the page: a browser that opened the book from a folder would not
load a module from a file. Without scripts a page reads from top to bottom with everything in it.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

import code_tabs
import glossary_hover
import predict
from autograd_book.wording import translate as _

SCRIPTS = Path(__file__).parent.parent / "book" / "_static" / "reading"
IMPORT = re.compile(r'^import .* from "\./(\w+)\.mjs";\n', re.MULTILINE)


def predict_words() -> dict[str, str]:
    return {
        "said": _("You said {choice}. Read on and see; your answer is taken up {below}."),
        "below": _("further down"),
        "right": _("You said {choice}, and so it is."),
        "wrong": _("You said {choice}. What happens: {right}."),
    }


def hint_words() -> dict[str, str]:
    return {"locked": _("(open the first one first)")}


def tab_words() -> dict[str, str]:
    return {"group": _("The program in each system")}


def panel_words() -> dict[str, str]:
    return {
        "save": _("Save to a file"),
        "load": _("Read from a file"),
        "clear": _("Clear"),
        "file": _("my-predictions.json"),
        "saved": _("Predictions saved: {number}."),
        "loaded": _("Predictions read: {number}."),
        "refused": _("Nothing was read: that file does not hold predictions saved by this book."),
        "cleared": _("Cleared: nothing is kept."),
    }


def calls(app: Sphinx, page: str, doctree: nodes.document) -> dict[str, tuple]:
    """The scripts that a page needs, each with the arguments of its function."""
    found: dict[str, tuple] = {}
    classes = {name for node in doctree.findall(nodes.Element) for name in node.get("classes", ())}
    for box in doctree.findall(nodes.admonition):
        if "predict" in box["classes"]:
            found["predict"] = (page, predict.answer(box), predict_words())
    if "second-hint" in classes:
        found["hints"] = (hint_words(),)
    if "sd-tab-set" in classes:
        found["tabs"] = (tab_words(),)
    if "kept" in classes:
        found["panel"] = (panel_words(),)
    if shown := glossary_hover.shown_on(app, doctree):
        found["hover"] = (shown,)
    return found


def bundle(modules: Iterable[str]) -> str:
    """The texts of modules, each after those that it imports and without its imports."""
    order: dict[str, str] = {}

    def add(name: str) -> None:
        text = (SCRIPTS / f"{name}.mjs").read_text("utf-8")
        for imported in IMPORT.findall(text):
            add(imported)
        order.setdefault(name, IMPORT.sub("", text))

    for name in modules:
        add(name)
    return "\n".join(order.values())


def call(name: str, arguments: tuple) -> str:
    """A line of JavaScript; no text in it can end the script element."""
    literals = (json.dumps(each).replace("<", r"\u003c") for each in arguments)
    return f"{name}({', '.join(literals)});"


def add_scripts(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    needed = calls(app, page, doctree) if doctree else {}
    if not needed:
        return
    lines = [call(name, arguments) for name, arguments in needed.items()]
    app.add_js_file(None, body="\n".join([bundle(needed), *lines]), type="module")
    for name in needed:
        app.add_css_file(f"reading/{name}.css")


def setup(app: Sphinx) -> dict[str, bool]:
    app.setup_extension("fresh_pages")
    app.setup_extension("sphinx_design")
    app.add_transform(predict.MarkBoxes)
    app.add_transform(code_tabs.GatherTabs)
    app.connect("env-updated", glossary_hover.after_other_definitions)
    app.connect("doctree-resolved", glossary_hover.link_first_uses)
    app.connect("html-page-context", add_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
