"""A Sphinx extension that translates what stands in no paragraph of a chapter.

Titles of the table of contents, the book's own title and footer, and what is written on folded cells and on tabs are
not seen by Sphinx's translation. They are part of the package's catalog, which AUTOGRAD_CORE_LANGUAGE chooses.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.config import Config

from autograd_book.wording import translate

ROOT = Path(__file__).resolve().parent.parent
ON_A_CELL = re.compile(r"^ *:?(?:(?:nb_)?code_prompt_(?:show|hide)|tab): ([^#\n]*[^#\s])", re.MULTILINE)


def words() -> Iterator[tuple[str, str]]:
    """Each sentence that this extension and `code_tabs` translate, with the file that holds it."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    yield config["title"], "_config.yml"
    yield config["html"]["extra_footer"], "_config.yml"
    for title in titles(yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))):
        yield title, "_toc.yml"
    for path in [ROOT / "_config.yml", *sorted((ROOT / "book").glob("*.md"))]:
        for label in ON_A_CELL.findall(path.read_text("utf-8")):
            yield label, path.relative_to(ROOT).as_posix()


def titles(contents: Any) -> Iterator[str]:
    """Every title and caption in a table of contents."""
    if isinstance(contents, list):
        for item in contents:
            yield from titles(item)
    elif isinstance(contents, dict):
        yield from (contents[key] for key in ("caption", "title") if key in contents)
        yield from titles(list(contents.values()))


def translate_config(app: Sphinx, config: Config) -> None:
    config.html_title = translate(config.html_title)
    config.html_theme_options["extra_footer"] = translate(config.html_theme_options["extra_footer"])


def translate_contents(app: Sphinx, doctree: nodes.document) -> None:
    for toctree in doctree.findall(addnodes.toctree):
        toctree["caption"] = toctree["caption"] and translate(toctree["caption"])
        toctree["entries"] = [(title and translate(title), page) for title, page in toctree["entries"]]


def translate_prompts(app: Sphinx, doctree: nodes.document, page: str) -> None:
    for cell in doctree.findall(HideCodeCellNode):
        for name in ("prompt_show", "prompt_hide"):
            cell[name] = translate(cell[name])


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("config-inited", translate_config)
    app.connect("doctree-read", translate_contents, priority=400)  # before Sphinx collects the titles
    app.connect("doctree-resolved", translate_prompts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
