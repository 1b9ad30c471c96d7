"""A Sphinx extension that takes out of a page what this book does not use, and adds what a search engine reads.

Jupyter Book loads sphinx-thebe, whose script asks another host for a library, and sphinx-togglebutton, whose work the
details elements of HTML do. The icon font of the theme and the script behind it are left out by the template
`book/_templates/static/webpack-macros.html`; `book/_static/icons.css` draws the icons. The other scripts wait until the
page is read, so that the text shows first.
"""

import re
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from autograd_book.wording import translate as _

UNUSED = re.compile("THEBE_JS_URL|sphinx-thebe|toggle(Hint|Open|button)")
MATH = re.compile(r'[(\[“‘]*<span class="math notranslate nohighlight">[^<]*</span>[.,;:?!)\]”’…，。；：？！）、」]*')
ROW = re.compile(r'<th scope="row">.*?</th>', re.DOTALL)
LONG = re.compile(r"[^\s<>]{12,}(?![^<]*>)")  # a word of many letters, and no part of a tag
PART = re.compile(r"(?<=\w[._(])(?=[A-Za-z])")
SCROLLS = 'class="pst-scrollable-table-container" tabindex="0"'
DESCRIPTION = 155  # characters that a search engine shows


def is_unused(file: Any) -> bool:
    return bool(UNUSED.search(f"{file.filename or ''} {file.attributes.get('body') or ''}"))


def deferred(file: Any) -> Any:
    """The script, put off until the page is read; not so one written into the page, or one the theme needs at once."""
    if not file.filename or "documentation_options" in file.filename:
        return file
    return type(file)(file.filename, priority=file.priority, **file.attributes | {"defer": "defer"})


def first_words(doctree: nodes.document) -> str:
    """The beginning of a page's first paragraph, cut after a whole word."""
    paragraphs = (each.astext() for each in doctree.findall(nodes.paragraph) if isinstance(each.parent, nodes.section))
    text = " ".join(next(paragraphs, "").split())
    return text if len(text) <= DESCRIPTION else text[:DESCRIPTION].rsplit(" ", 1)[0] + " …"


def mended(body: str) -> str:
    """The page with wide tables in reach of the keyboard, and without a name that a summary does not need.

    A formula keeps the marks around it on its line, and the long name of a row breaks between its parts.
    """
    body = body.replace(' aria-label="Toggle hidden content"', "")
    body = MATH.sub(r'<span class="unbroken">\g<0></span>', body)
    body = ROW.sub(lambda row: LONG.sub(lambda word: PART.sub("<wbr>", word[0]), row[0]), body)
    return body.replace('<div class="pst-scrollable-table-container">', f"<div {SCROLLS}>")


def named_toggles(generate: Callable[..., Any]) -> Callable[..., str]:
    """The theme's tree of pages, whose toggles have no names of their own."""
    name = escape(_("Show or hide the pages below"))

    def generated(*arguments: Any, **options: Any) -> str:
        return str(generate(*arguments, **options)).replace("<summary>", f'<summary aria-label="{name}">')

    return generated


def prepare(app: Sphinx, page: str, template: str, context: dict, doctree: nodes.document | None) -> None:
    kinds = ("script_files", "css_files")
    scripts, sheets = ([file for file in context[kind] if not is_unused(file)] for kind in kinds)
    if page != "search":  # whose own script needs the others at once
        scripts = [deferred(file) for file in scripts]
    context.update(script_files=scripts, css_files=sheets)
    if "body" in context:
        context["body"] = mended(context["body"])
    if "generate_toctree_html" in context:
        context["generate_toctree_html"] = named_toggles(context["generate_toctree_html"])
    if doctree and (text := first_words(doctree)):
        context["metatags"] += f'<meta name="description" content="{escape(text)}">'


def setup(app: Sphinx) -> dict[str, bool]:
    app.config.templates_path.append(str(Path(__file__).parent.parent / "book" / "_templates"))
    app.connect("html-page-context", prepare, priority=900)  # after those that add the files
    return {"parallel_read_safe": True, "parallel_write_safe": True}
