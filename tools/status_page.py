"""A Sphinx extension: the directives `status-versions` and `status-chapters`, which say what this site was made from.

The table of chapters is filled in when pages are written. By then every chapter has been read, and one that fails has
stopped the build.
"""

import platform
import sys
from importlib.metadata import version

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from autograd_book.wording import translate as _
from fresh_pages import differs, results

PACKAGES = {"NumPy": "numpy", "PyTorch": "torch", "JAX": "jax", "autograd_core": "autograd-core"}
SHOWS = "status-chapters"  # among the metadata of a page that has the table


class Chapters(nodes.General, nodes.Element):
    """The place of the table of chapters."""


class StatusChapters(SphinxDirective):
    def run(self) -> list[nodes.Node]:
        self.env.metadata[self.env.docname][SHOWS] = "yes"
        return [Chapters()]


class StatusVersions(SphinxDirective):
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


def chapters(app: Sphinx, page: str) -> nodes.table:
    """A row for each page with cells, and a last one with the sums."""
    rows, sums = [], [0.0, 0.0, 0.0]
    for name, record in results(app).items():
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


def after_an_execution(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """The pages that have the table, where a row of it changed."""
    rows = [(page, result.created, result.data) for page, result in results(app).items()]
    return [page for page in env.found_docs if SHOWS in env.metadata[page]] if differs(app, SHOWS, repr(rows)) else []


def setup(app: Sphinx) -> dict[str, bool]:
    app.setup_extension("fresh_pages")
    app.add_node(Chapters)
    app.add_directive("status-versions", StatusVersions)
    app.add_directive("status-chapters", StatusChapters)
    app.connect("env-updated", after_an_execution)
    app.connect("doctree-resolved", fill_in)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
