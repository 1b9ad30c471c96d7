"""Which pages are rendered after a change. A small site is built by Sphinx; what its cells show is made up."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("myst_nb", reason="the site is built by Sphinx with myst-nb")
pytestmark = pytest.mark.slow
TOOLS = Path(__file__).parents[2] / "tools"

CONF = """\
extensions = ["sphinx_external_toc", "myst_nb", "reading", "fresh_pages", "status_page"]
project = "A book"
master_doc = root_doc = "index"
nb_execution_mode = "cache"
nb_execution_cache_path = "{cache}"
exclude_patterns = ["cache", "html", "jupyter_execute"]
"""
TOC = "root: index\nentries:\n  - glob: book/*\n"
CHAPTER = """\
---
jupytext: {text_representation: {extension: .md, format_name: myst}}
kernelspec: {name: python3, display_name: Python 3}
---

# Chapter one

A leaf.

```{code-cell} python
1 + 1
```
"""
PAGES = {
    "index.md": "# Start\n",
    "book/01_one.md": CHAPTER,
    "book/02_two.md": "# Chapter two\n\nIt follows [](01_one.md).\n\n(a-place)=\n## A part\n\nWords.\n",
    "book/glossary.md": "# Glossary\n\n```{glossary}\nleaf\n  What was made by hand.\n```\n",
    "book/status.md": "# Status\n\n```{status-chapters}\n```\n",
}
KEEP = """\
import sys
import chapters
from jupyter_cache.base import CacheBundleIn
from nbformat.v4 import new_output
from pathlib import Path
book, shown, seconds = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
(chapter,) = chapters.chapters(book / "book", book)
notebook = chapter.notebook
notebook.metadata.language_info = {"name": "python", "pygments_lexer": "ipython3"}
for cell in notebook.cells:
    if cell.cell_type == "code":
        cell.outputs = [new_output("stream", text=shown)]
data = {"used": {}, "made": [], "shown": chapters.shown(notebook), "execution_seconds": seconds}
bundle = CacheBundleIn(notebook, str(chapter.path), data=data)
chapters.opened(book / "cache").cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
"""
ALL = {"index", "book/01_one", "book/02_two", "book/glossary", "book/status"}


class Site:
    def __init__(self, root):
        self.root = root
        for name, text in PAGES.items():
            self.write(name, text)
        self.write("_toc.yml", TOC)
        self.write("conf.py", CONF.format(cache=root / "cache"))
        self.keep("2")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")

    def change(self, name, old, new):
        text = (self.root / name).read_text("utf-8")
        assert old in text
        self.write(name, text.replace(old, new))

    def keep(self, shown, seconds=1):
        """Put into the cache what the cell of the chapter shows."""
        self.python("-c", KEEP, self.root, shown, seconds)

    def render(self, warns=False):
        """Build the site; return the pages that were rendered."""
        done = self.python("-m", "sphinx", "-q", "-n", "-W", "--keep-going",
                           "-b", "html", self.root, self.root / "html", check=False)  # fmt: skip
        assert bool(done.returncode) is warns, done.stderr
        if not warns:
            (self.root / "html" / ".doctrees" / "rendered.json").unlink(missing_ok=True)
        told = re.search(r"rendered \d+ of \d+ pages(?:: (.*))?", done.stdout)
        return set(told[1].split(", ")) if told[1] else set()

    def python(self, *arguments, check=True):
        command = [sys.executable, *map(str, arguments)]
        given = {**os.environ, "PYTHONPATH": str(TOOLS)}
        return subprocess.run(command, check=check, capture_output=True, text=True, timeout=120, env=given)

    def text(self, page):
        return (self.root / "html" / f"{page}.html").read_text("utf-8")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    made = Site(tmp_path_factory.mktemp("built"))
    assert made.render() == ALL
    return made


@pytest.fixture
def site(built):
    """The site as it was built, at the place where it was built."""
    copy = built.root.with_name("copy")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(built.root, copy)
    yield built
    shutil.rmtree(built.root)
    shutil.copytree(copy, built.root)


def test_nothing_is_rendered_where_nothing_changed(site):
    assert site.render() == set()


@pytest.mark.parametrize(
    ("name", "old", "new", "rendered"),
    [
        ("book/02_two.md", "Words.", "Other words.", {"book/02_two"}),
        ("book/02_two.md", "a-place", "another-place", ALL),
        ("book/01_one.md", "# Chapter one", "# Chapter the first", ALL),
        ("book/glossary.md", "by hand", "by somebody", {"book/glossary", "book/01_one", "book/02_two"}),
    ],
)
def test_a_page_is_rendered_with_those_that_show_something_of_it(site, name, old, new, rendered):
    site.change(name, old, new)
    assert site.render() - {"index"} == rendered - {"index"}  # Sphinx adds the page with the table of contents
    assert site.render() == set()
    if "Chapter the first" in new:
        assert "Chapter the first" in site.text("book/02_two")


def test_a_page_is_rendered_when_its_cells_show_something_else(site):
    site.keep("two")
    assert site.render() - {"index"} == {"book/01_one", "book/status"}
    assert "two" in site.text("book/01_one")
    site.keep("two", seconds=7)
    assert site.render() - {"index"} == {"book/status"}
    assert "7.0" in site.text("book/status")


def test_a_page_that_failed_fails_until_it_is_mended(site):
    site.change("book/02_two.md", "Words.", "Words, and [more](nowhere.md).")
    site.render(warns=True)
    site.render(warns=True)
    site.change("book/02_two.md", "nowhere.md", "01_one.md")
    assert "book/02_two" in site.render()


def test_one_page_is_rendered_alone_and_the_others_are_not_forgotten(site):
    site.change("book/01_one.md", "# Chapter one", "# Chapter the first")
    site.change("book/02_two.md", "Words.", "Other words.")
    only = site.python("-m", "sphinx", "-q", "-D", "only_page=book/02_two", "-b", "html", site.root,
                       site.root / "html", site.root / "book/02_two.md")  # fmt: skip
    assert "book/02_two" in only.stdout and "book/01_one" not in only.stdout
    assert "Other words." in site.text("book/02_two")
    assert site.render() - {"index"} == ALL - {"index"}
    assert "Chapter the first" in site.text("book/02_two")
