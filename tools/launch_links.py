"""A Sphinx extension that lets a reader open a chapter as a notebook.

The notebooks lie beside the pages, and below its title a chapter links to its own, and to the services that the setting
`launch` names.
"""

from html import escape
from posixpath import dirname, relpath

from docutils import nodes
from sphinx.application import Sphinx

import make_notebooks
from autograd_book.wording import translate as _
from launch import Launch

FOLDER = "notebooks"


def row_of_links(page: str, launch: Launch) -> str:
    """The links of one chapter as HTML."""
    chapter = make_notebooks.BOOK / f"{page.rpartition('/')[2]}.md"
    notebook = f"{chapter.stem}.ipynb"
    links = {_("Notebook"): relpath(f"{FOLDER}/{notebook}", dirname(page))}
    links |= launch.links(notebook, make_notebooks.files_read(chapter))
    items = (f'<li><a href="{escape(address)}">{escape(name)}</a></li>' for name, address in links.items())
    label = escape(_("Run this chapter"))
    seen = f'<span aria-hidden="true">{label}:</span>'  # the name of the landmark says it already
    return f'<nav class="launch" aria-label="{label}">{seen}<ul>{"".join(items)}</ul></nav>'


def link(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Put the links below the title of a chapter."""
    if app.builder.name == "html" and page in {f"book/{path.stem}" for path in make_notebooks.chapters()}:
        heading = next(doctree.findall(nodes.title))
        row = nodes.raw("", row_of_links(page, Launch.from_config()), format="html")
        heading.parent.insert(heading.parent.index(heading) + 1, row)


def write_notebooks(app: Sphinx, failure: Exception | None) -> None:
    """Write the notebooks of the pages that were rendered, and the files that any of them reads."""
    if failure is None and app.builder.name == "html":
        launch, folder = Launch.from_config(), app.outdir / FOLDER
        for chapter in make_notebooks.chapters():
            if (page := f"book/{chapter.stem}") in app.env.found_docs:
                if page in app.rendered:
                    make_notebooks.add(folder, chapter, launch, launch.requirement)
                make_notebooks.add_files(folder, chapter)


def setup(app: Sphinx) -> dict[str, bool]:
    app.setup_extension("fresh_pages")
    app.add_config_value("launch", {}, "env")
    app.add_css_file("launch.css")
    app.connect("doctree-resolved", link)
    app.connect("build-finished", write_notebooks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
