"""A Sphinx extension: the directives `status-versions` and `status-chapters`, which say what this site was made from.

The table of chapters is filled in when pages are written. By then every chapter has been read, and one that fails has
stopped the build.
"""

import platform
import sys
from importlib.metadata import version
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from jupyter_cache import get_cache
from jupyter_cache.cache.db import NbCacheRecord
from myst_nb.core.read import myst_nb_reader_plugin
from sphinx.application import Sphinx

from autograd_book.wording import translate as _

PACKAGES = {"NumPy": "numpy", "PyTorch": "torch", "JAX": "jax", "autograd_core": "autograd-core"}


class Chapters(nodes.General, nodes.Element):
    """The place of the table of chapters."""


class StatusChapters(Directive):
    def run(self) -> list[nodes.Node]:
        return [Chapters()]


class StatusVersions(Directive):
    def run(self) -> list[nodes.Node]:
        found = {"Python": sys.version.split()[0], **{name: version(package) for name, package in PACKAGES.items()}}
        rows = [*found.items(), (_("machine"), f"{platform.system()}, {platform.machine()}")]
        return [table([_("what"), _("version")], [[text(cell) for cell in row] for row in rows])]


def text(words: str) -> nodes.paragraph:
    return nodes.paragraph(words, words)


def table(header: list[str], rows: list[list[nodes.Node]]) -> nodes.table:
    """A table of docutils, from cells that are nodes already."""
    group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _name in header), cols=len(header))
    for kind, lines in ((nodes.thead, [[text(name) for name in header]]), (nodes.tbody, rows)):
        group += kind("", *(nodes.row("", *(nodes.entry("", cell) for cell in line)) for line in lines))
    return nodes.table("", group)


def records(app: Sphinx) -> dict[str, NbCacheRecord]:
    """What the cache says of each page with cells, in the order of their names."""
    cache = get_cache(app.env.mystnb_config.execution_cache_path)
    found = {}
    for page in sorted(app.env.found_docs):
        path = Path(app.env.doc2path(page))
        if path.suffix == ".md" and "\nkernelspec:" in path.read_text("utf-8"):
            found[page] = cache.match_cache_notebook(myst_nb_reader_plugin(str(path)))
    return found


def chapters(app: Sphinx, page: str) -> nodes.table:
    """A row for each page with cells, and a last one with the sums."""
    rows, sums = [], [0.0, 0.0, 0.0]
    for name, record in records(app).items():
        counts = [record.data.get(count, 0) for count in ("execution_seconds", "asserts", "rows")]
        sums = [total + count for total, count in zip(sums, counts, strict=True)]
        title = nodes.reference("", app.env.titles[name].astext(), refuri=app.builder.get_relative_uri(page, name))
        rows.append([nodes.paragraph("", "", title), text(f"{record.created:%Y-%m-%d %H:%M}"), *numbers(*counts)])
    rows.append([text(_("all")), text(""), *numbers(*sums)])
    return table([_("page"), _("executed (UTC)"), _("seconds"), _("asserts"), _("rows")], rows)


def numbers(seconds: float, asserts: float, rows: float) -> list[nodes.paragraph]:
    return [text(f"{seconds:.1f}"), text(f"{asserts:.0f}"), text(f"{rows:.0f}")]


def fill_in(app: Sphinx, doctree: nodes.document, page: str) -> None:
    for place in list(doctree.findall(Chapters)):
        place.replace_self(chapters(app, page))


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_node(Chapters)
    app.add_directive("status-versions", StatusVersions)
    app.add_directive("status-chapters", StatusChapters)
    app.connect("doctree-resolved", fill_in)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
