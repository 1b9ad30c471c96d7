"""A translated edition of the book, made with the pretended translation: what of a page is not translated is known."""

import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import edition  # noqa: E402
import make_messages  # noqa: E402
import pseudo  # noqa: E402

CHAPTERS = ["02_chain", "04_accumulation"]

# The theme and Sphinx translate these themselves, into the languages that they have.
OF_THE_THEME = {
    "Back to top", "By The autograd_core authors", "Contents", "Ctrl", "K", "Print to PDF", "Search",
    "Skip to main content", "next", "previous", ".md", ".pdf",
}  # fmt: skip


def test_titles_and_captions_are_found_at_every_depth():
    contents = {
        "parts": [{"caption": "One", "chapters": [{"file": "a", "title": "Two", "sections": [{"title": "Three"}]}]}]
    }
    assert list(edition.titles(contents)) == ["One", "Two", "Three"]


def test_the_words_on_cells_and_tabs_are_found():
    found = {word for word, file in edition.words() if file.startswith("book/")}
    assert {"PyTorch and autograd_core", "Show the code of the figure"} <= found


VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
LEFT_OUT = {"script", "style", "code", "pre", "svg", "head", "template"}


class Prose(HTMLParser):
    """The text of a page outside of code and of what cells print, without what stands in brackets."""

    def __init__(self):
        super().__init__()
        self.open, self.depth, self.outside = [], 0, []

    def handle_starttag(self, tag, attributes):
        classes = dict(attributes).get("class") or ""
        left_out = tag in LEFT_OUT or re.search(r"\b(cell_output|math|headerlink)\b", classes)
        if tag not in VOID:
            self.open.append((tag, bool(left_out)))

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if any(left_out for _, left_out in self.open):
            return
        outside = ""
        for letter in data:
            self.depth += (letter == "⟦") - (letter == "⟧")
            outside += letter if self.depth == 0 and letter != "⟧" else ""
        if re.search("[A-Za-z]", outside):
            self.outside.append(" ".join(outside.split()))


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Two chapters and the glossary, built in the pretended language."""
    book = tmp_path_factory.mktemp("edition")
    for name in ("book", "tools", "autograd_core", "benchmarks"):
        shutil.copytree(ROOT / name, book / name, ignore=shutil.ignore_patterns("__pycache__", "catalogue"))
    for name in ("_config.yml", "pyproject.toml", "README.md", "LICENSE", "requirements.txt", "constraints.txt"):
        shutil.copy(ROOT / name, book)
    listed = [{"file": f"book/{name}", "title": f"Chapter {name}"} for name in CHAPTERS]
    listed += [{"file": "book/glossary"}, {"file": "book/bibliography"}]
    contents = {"format": "jb-book", "root": "book/index", "parts": [{"caption": "A part", "chapters": listed}]}
    (book / "_toc.yml").write_text(yaml.safe_dump(contents, sort_keys=False))

    paths = os.pathsep.join([str(book), str(book / "book"), str(book / "tools")])
    environment = {**os.environ, "PYTHONPATH": paths, "AUTOGRAD_CORE_LANGUAGE": pseudo.LANGUAGE}
    jupyter_book = [Path(sys.executable).with_name("jupyter-book"), "build", "--quiet", book, "--path-output"]

    def build(*arguments):
        done = subprocess.run([*jupyter_book, *arguments], cwd=book, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-3000:]

    build("gettext", "--builder", "custom", "--custom-builder", "gettext")
    templates = book / "gettext" / "_build" / "gettext"
    for path in templates.rglob("*.pot"):
        domain = path.relative_to(templates).with_suffix("").as_posix()
        pseudo.write(path, pseudo.catalog_path(book / "locale", domain))
    extra = make_messages.template()
    for title in edition.titles(contents):
        extra.add(title)
    everything = book / "autograd_core.pot"
    everything.write_text(make_messages.text(extra), "utf-8")
    pseudo.write(everything, pseudo.catalog_path(book / "book" / "autograd_book" / "locale", "autograd_core"))

    config = yaml.safe_load((book / "_config.yml").read_text())
    config["sphinx"]["config"]["language"] = pseudo.LANGUAGE
    (book / "_config.yml").write_text(yaml.safe_dump(config, sort_keys=False))
    build("site")
    return book / "site" / "_build" / "html" / "book"


@pytest.mark.slow
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_translated_page_shows_no_english_of_ours(chapter, pages):
    prose = Prose()
    prose.feed((pages / f"{chapter}.html").read_text("utf-8"))
    assert set(prose.outside) <= OF_THE_THEME
