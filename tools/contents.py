"""The table of contents as Sphinx has read it: parts, and in each the pages with the titles that the sidebar shows."""

from collections.abc import Iterator

from sphinx.application import Sphinx


def parts(app: Sphinx) -> Iterator[tuple[str, dict[str, str]]]:
    """The caption of each part, and its pages: from the name of a page to its title."""
    site = app.env.external_site_map
    for tree in site.root.subtrees:
        pages = [str(item) for item in tree.items if str(item) in app.env.titles]
        yield tree.caption or "", {page: site[page].title or app.env.titles[page].astext() for page in pages}


def numbered_title(app: Sphinx, page: str) -> tuple[str, str]:
    """The number and the title of a chapter; the number of another page is empty."""
    for _caption, pages in parts(app):
        if page in pages:
            number, dot, title = pages[page].partition(" · ")
            return (number, title) if dot else ("", number)
    return "", app.env.titles[page].astext()
