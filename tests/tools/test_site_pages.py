"""The pages that the build adds to a site: status, 404, and what a link shows elsewhere. A small site is built."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytest.importorskip("myst_nb", reason="the site is built by Sphinx with myst-nb")
TOOLS = Path(__file__).parents[2] / "tools"
pytestmark = pytest.mark.slow

CHAPTER = """\
---
jupytext: {text_representation: {extension: .md, format_name: myst}}
kernelspec: {name: python3, display_name: Python 3}
---

# A chapter

The first words of the chapter.

```{code-cell} python
from autograd_book.compare import compare, contrast


def check(x):
    assert x > 0


for k in range(3):
    check(k + 1)
assert not dir().count("ast")
words = open("read.txt").read()
compared = compare(lambda T: {"one": T.tensor(1.0), "two": T.tensor(2.0)})
contrast({"a": lambda: {"x": 1, "y": 2}}, {"a": {"x": 1}})
```
"""
CONF = """\
extensions = ["sphinx_external_toc", "myst_nb", "not_found", "social_cards", "status_page"]
project = "A < book"
master_doc = root_doc = "index"
nb_execution_mode = "cache"
nb_execution_cache_path = "{cache}"
html_baseurl = "{address}"
"""
TOC = """\
root: index
subtrees:
  - caption: One part
    entries:
      - {file: 07_chapter, title: "07 · Chapter seven"}
      - {file: status}
"""


class Page(HTMLParser):
    """The links and the properties of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.properties = [], {}
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.links += [given[key] for key in ("href", "src", "action") if given.get(key)]
        if tag == "meta" and "property" in given:
            self.properties[given["property"]] = given["content"]


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """A book of three pages whose chapter was executed as `make book` does it."""
    root = tmp_path_factory.mktemp("root")
    book = root / "book"
    book.mkdir()
    (book / "_toc.yml").write_text(TOC, "utf-8")
    (book / "index.md").write_text("# Start\n", "utf-8")
    (book / "status.md").write_text("# Status\n\n```{status-versions}\n```\n\n```{status-chapters}\n```\n", "utf-8")
    (book / "07_chapter.md").write_text(CHAPTER, "utf-8")
    (book / "read.txt").write_text("read by the chapter", "utf-8")
    script = (
        "import sys; from chapters import chapters, execute; from pathlib import Path\n"
        "root = Path(sys.argv[1])\n"
        "executed, failed = execute(chapters(root / 'book', root), root / '.jupyter_cache')\n"
        "sys.exit(bool(failed))"
    )
    run("-c", script, root)
    return book


def run(*arguments):
    subprocess.run([sys.executable, *arguments], check=True, timeout=120, env={**os.environ, "PYTHONPATH": str(TOOLS)})


@pytest.fixture(scope="module")
def site(source):
    """Build the site for an address; once for each."""
    made = {}

    def build(address):
        if address not in made:
            (source / "conf.py").write_text(
                CONF.format(address=address, cache=source.parent / ".jupyter_cache"), "utf-8"
            )
            made[address] = source.parent / f"html{len(made)}"
            run("-m", "sphinx", "-q", "-E", "-b", "html", source, made[address])
        return made[address]

    return build


def test_the_status_counts_what_was_checked(site):
    html = (site("") / "status.html").read_text("utf-8")
    rows = [re.findall(r"<p>(.*?)</p>", row) for row in re.findall(r"<tr.*?</tr>", html, re.DOTALL)]
    (chapter,) = (row for row in rows if "07_chapter.html" in row[0])
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", chapter[1])
    assert float(chapter[2]) > 0
    assert chapter[3:] == ["4", "3"]  # three passes of check and the last assert; two rows compared, one contrasted
    assert rows[-1][0] == "all" and rows[-1][3:] == ["4", "3"]
    assert ["Python", sys.version.split()[0]] in rows


def test_counting_leaves_no_trace_in_the_outputs(source):
    import jupyter_cache

    cache = jupyter_cache.get_cache(source.parent / ".jupyter_cache")
    (record,) = cache.list_cache_records()
    cells = cache.get_cache_bundle(record.pk).nb.cells
    assert "_checks" not in str(cells)
    assert len(cells) == 1  # the cache keeps the code cells


def test_a_result_is_kept_with_the_files_that_it_was_made_from(source):
    import jupyter_cache

    (record,) = jupyter_cache.get_cache(source.parent / ".jupyter_cache").list_cache_records()
    existing = {name for name in record.data["used"] if (source.parent / name).exists()}
    assert existing == {"book/read.txt"}  # the package lies outside of this book
    assert record.data["made"] == []


@pytest.mark.parametrize(("address", "root"), [("", "/"), ("https://example.org/a/book/", "/a/book/")])
def test_the_page_for_a_wrong_address_works_at_any_depth(site, address, root):
    page = Page(site(address) / "404.html")
    assert {f"{root}07_chapter.html", f"{root}search.html", f"{root}index.html"} <= set(page.links)
    assert all(link.startswith((root, "data:")) for link in page.links)
    text = (site(address) / "404.html").read_text("utf-8")
    assert "07 · Chapter seven" in text and "A &lt; book" in text


def test_with_an_address_each_page_has_a_card(site):
    html = site("https://example.org/a/book/")
    chapter, start = Page(html / "07_chapter.html").properties, Page(html / "index.html").properties
    assert chapter["og:title"] == "07 · Chapter seven" and chapter["og:type"] == "article"
    assert chapter["og:description"] == "The first words of the chapter."
    assert chapter["og:url"] == "https://example.org/a/book/07_chapter.html"
    assert chapter["og:image"] != start["og:image"] == Page(html / "status.html").properties["og:image"]
    for properties in (chapter, start):
        file = html / properties["og:image"].removeprefix("https://example.org/a/book/")
        head = file.read_bytes()[:24]
        assert head[:8] == b"\x89PNG\r\n\x1a\n"
        size = int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")
        assert size == (int(properties["og:image:width"]), int(properties["og:image:height"]))


def test_without_an_address_there_is_no_picture(site):
    html = site("")
    assert "og:image" not in Page(html / "07_chapter.html").properties
    assert Page(html / "07_chapter.html").properties["og:title"] == "07 · Chapter seven"
    assert not (html / "_images").exists()


def test_a_card_is_drawn_once(site, source):
    html = site("https://example.org/a/book/")
    drawn = {card: card.stat().st_mtime_ns for card in (html / "_images" / "cards").iterdir()}
    run("-m", "sphinx", "-q", "-E", "-b", "html", source, html)
    assert {card: card.stat().st_mtime_ns for card in (html / "_images" / "cards").iterdir()} == drawn
