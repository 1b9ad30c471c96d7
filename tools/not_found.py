"""A Sphinx extension that writes 404.html, which a server shows for an address that the book does not have.

The page can be asked for at any depth, so it loads nothing, and its links start at the root of the site: at the path of
`html: baseurl`, or at / where that is not set.
"""

from pathlib import Path
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader
from sphinx.application import Sphinx

from autograd_book.wording import translate as _
from contents import parts

TEMPLATES = Path(__file__).parent.parent / "book" / "_templates"


def words() -> dict[str, str]:
    return {
        "title": _("This page is not in the book"),
        "explanation": _("The address may be misspelled, or the page has moved. The search finds what the book says."),
        "search": _("Search this book"),
        "go": _("Search"),
        "first": _("Go to the first page"),
        "contents": _("What the book has"),
    }


def root(address: str) -> str:
    """The path of a site's address, with a slash at both ends."""
    return f"/{urlsplit(address).path.strip('/')}/".replace("//", "/")


def write(app: Sphinx, failure: Exception | None) -> None:
    if failure or app.builder.name != "html":
        return
    page = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True).get_template("404.html")
    html = page.render(
        language=app.config.language,
        book=app.config.html_title or app.config.project,
        root=root(app.config.html_baseurl),
        first=app.config.root_doc,
        parts=list(parts(app)),
        words=words(),
    )
    (Path(app.outdir) / "404.html").write_text(html, "utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
