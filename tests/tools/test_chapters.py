"""When a chapter is executed again. No kernel runs: a chapter's execution is made up, and says what it used."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("myst_nb", reason="chapters are executed where the book is built")
sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from jupyter_cache.base import CacheBundleIn

import chapters
from used_files import states

PAGE = """\
---
jupytext: {{text_representation: {{extension: .md, format_name: myst}}}}
kernelspec: {{name: python3, display_name: Python 3}}
---

# A chapter

{text}

```{{code-cell}} python
{cell}
```
"""
USED = {"01_one": ["engine/core.py", "engine/nn.py"], "02_two": ["engine/core.py", "engine/optim.py", "book"]}


class Book:
    """A small book of two chapters and a page without cells."""

    def __init__(self, root, monkeypatch):
        self.root, self.executed, self.failing = root, [], set()
        for name in {name for names in USED.values() for name in names if name.endswith(".py")}:
            self.write(name, name)
        for stem in USED:
            self.write(f"book/{stem}.md", PAGE.format(text="Text.", cell=f"print('{stem}')"))
        self.write("book/words.md", "# Words\n")
        monkeypatch.setattr(chapters.Chapter, "execute", self.execute)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")

    def execute(self, chapter):
        stem = chapter.path.stem
        self.executed.append(stem)
        if stem in self.failing:
            return None, "NameError: it failed"
        answer = f"records/{stem}.json"
        self.write(answer, "{}")
        data = {"used": states(USED[stem], self.root), "made": [answer]}
        return CacheBundleIn(chapter.notebook, str(chapter.path), data=data), ""

    def run(self):
        """Execute what has to be; return what was, and what failed."""
        self.executed = []
        _, failed = chapters.execute(self.all(), self.root / "cache")
        return sorted(self.executed), failed

    def all(self):
        return list(chapters.chapters(self.root / "book", self.root))


@pytest.fixture
def book(tmp_path, monkeypatch):
    made = Book(tmp_path, monkeypatch)
    assert made.run() == (["01_one", "02_two"], [])
    return made


def test_a_chapter_is_not_executed_again_while_nothing_changed(book):
    assert book.run() == ([], [])


@pytest.mark.parametrize(
    ("name", "text", "executed"),
    [
        ("engine/nn.py", "changed", ["01_one"]),
        ("engine/optim.py", "changed", ["02_two"]),
        ("engine/core.py", "changed", ["01_one", "02_two"]),
        ("engine/other.py", "new", []),
        ("book/03_three.txt", "in a folder that a chapter lists", ["02_two"]),
        ("book/01_one.md", PAGE.format(text="Other text.", cell="print('01_one')"), []),
        ("book/01_one.md", PAGE.format(text="Text.", cell="print('other')"), ["01_one"]),
    ],
)
def test_a_chapter_is_executed_again_when_what_it_used_changed(book, name, text, executed):
    book.write(name, text)
    assert book.run() == (executed, [])
    assert book.run() == ([], [])


def test_what_is_put_back_as_it_was_needs_no_execution_while_its_answers_are_kept(book):
    before = (book.root / "book/01_one.md").read_text("utf-8")
    book.write("book/01_one.md", PAGE.format(text="Text.", cell="print('other')"))
    assert book.run() == (["01_one"], [])
    book.write("book/01_one.md", before)
    assert book.run() == ([], [])


def test_a_chapter_that_failed_is_named_and_executed_again(book, capsys):
    book.failing = {"02_two"}
    book.write("engine/core.py", "changed")
    assert book.run() == (["01_one", "02_two"], ["02_two.md"])
    assert "NameError: it failed" in capsys.readouterr().err
    assert book.run() == (["02_two"], ["02_two.md"])


def test_recorded_answers_are_renewed_where_they_are_missing_and_forgotten_where_no_chapter_asks(book):
    records = book.root / "records"
    (records / "01_one.json").unlink()
    assert book.run() == (["01_one"], [])
    book.write("records/asked_long_ago.json", "{}")
    chapters.forget_other_answers(book.all(), book.root / "cache", records)
    assert {path.name for path in records.iterdir()} == {"01_one.json", "02_two.json"}
