"""A Sphinx extension by which Next and Previous lead from one chapter to the next, past the pages below a chapter."""

from typing import Any

from sphinx.application import Sphinx

import contents


def name_neighbors(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    chapters = [name for _caption, pages in contents.parts(app) for name in pages]
    if page not in chapters:
        return
    place = chapters.index(page)
    for side, found in (("prev", chapters[:place][-1:]), ("next", chapters[place + 1 :][:1])):
        for neighbor in found:
            title = app.builder.render_partial(app.env.titles[neighbor])["title"]
            context[side] = {"link": context["pathto"](neighbor), "title": title}


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", name_neighbors)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
