"""Which page a name means, what all pages stand on, and which pages of the catalogue are written."""

import json
import os
import sys
from pathlib import Path

import pytest

pytest.importorskip("jupyter_book", reason="the book is built by Jupyter Book")
sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

import build_book
import make_catalogue
import page_frame
import used_files


@pytest.mark.parametrize(
    ("name", "page"), [("08", "08_in_place"), ("8", "08_in_place"), ("08_in_place", "08_in_place"), ("0", "00_how_to")]
)
def test_a_chapter_has_a_number_and_a_name(name, page):
    assert build_book.find(name).stem == page


@pytest.mark.parametrize("name", ["99", "", "in_place"])
def test_another_name_is_answered_with_those_that_there_are(name):
    with pytest.raises(SystemExit, match=f"no chapter '{name}'(.|\n)*08_in_place(.|\n)*glossary"):
        build_book.main(name)


def test_the_frame_of_a_page_has_the_extensions_with_what_they_import_and_not_the_engine():
    found = {path.relative_to(page_frame.ROOT).as_posix() for path in page_frame.extensions()}
    assert {"tools/reading.py", "tools/code_tabs.py", "tools/contents.py", "tools/book_wheel.py"} <= found
    assert any(name.endswith("/wording.py") for name in found)
    assert not any(name.endswith(("/engine.py", "/__init__.py", "tools/make_pdf.py")) for name in found)


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A project with nothing but a page and its frame."""
    for name in ("_config.yml", "_toc.yml", "book/01_one.md", "book/_static/look.css", "tools/ours.py", "tools/its.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", "utf-8")
    (tmp_path / "_config.yml").write_text("sphinx: {local_extensions: {ours: tools}}\n", "utf-8")
    monkeypatch.setattr(page_frame, "ROOT", tmp_path)
    monkeypatch.setattr(page_frame, "TOOLS", tmp_path / "tools")
    monkeypatch.setattr(page_frame, "PINS", [tmp_path / "requirements.txt"])
    monkeypatch.setattr(page_frame, "EXECUTION", [])
    return tmp_path


@pytest.mark.parametrize(
    ("name", "frames"),
    [
        ("_toc.yml", True),
        ("book/_static/look.css", True),
        ("book/references.bib", True),
        ("book/02_two.md", True),  # each page lists all
        ("tools/ours.py", True),
        ("requirements.txt", True),
        ("book/01_one.md", False),
        ("tools/its.py", False),
    ],
)
def test_all_pages_are_rendered_when_their_frame_changes(root, name, frames):
    before = page_frame.frame()
    (root / name).write_text("# other\n", "utf-8")
    assert (page_frame.frame() != before) is frames


def test_a_language_is_an_environment_of_its_own(root, monkeypatch):
    before = page_frame.environment()
    monkeypatch.setenv("AUTOGRAD_CORE_LANGUAGE", "de")
    assert page_frame.environment() != before


def test_a_page_of_the_catalogue_that_says_the_same_is_left_as_it_is(tmp_path):
    make_catalogue.write({"same.md": "1", "other.md": "1", "gone.md": "1"}, tmp_path)
    for path in tmp_path.iterdir():
        os.utime(path, (0, 0))
    make_catalogue.write({"same.md": "1", "other.md": "2", "new.md": "1"}, tmp_path)
    assert {path.name: path.stat().st_mtime > 0 for path in tmp_path.iterdir()} == {
        "same.md": False,
        "other.md": True,
        "new.md": True,
    }


@pytest.mark.parametrize(
    ("name", "again"),
    [("engine.py", True), ("book/catalogue/page.md", True), ("book/catalogue/new.md", True), ("x", False)],
)
def test_the_catalogue_is_made_again_when_its_sources_or_its_pages_changed(tmp_path, monkeypatch, name, again):
    catalogue = tmp_path / "book/catalogue"
    catalogue.mkdir(parents=True)
    (tmp_path / "engine.py").write_text("1")
    made = []

    def make(command):
        made.append(command)
        (catalogue / "page.md").write_text("1")
        Path(command[2]).write_text(json.dumps({"used": ["engine.py", "book/catalogue/page.md"], "made": []}))
        return type("Done", (), {"returncode": 0})

    monkeypatch.setattr(build_book.subprocess, "run", make)
    for constant, value in {"ROOT": tmp_path, "BUILD": tmp_path}.items():
        monkeypatch.setattr(build_book, constant, value)
    monkeypatch.setattr(build_book, "states", lambda names, since=float("inf"): used_files.states(names, tmp_path))
    monkeypatch.setattr(build_book, "unchanged", lambda then: used_files.unchanged(then, tmp_path))
    build_book.write("catalogue")
    build_book.write("catalogue")
    assert len(made) == 1
    (tmp_path / name).write_text("2")
    build_book.write("catalogue")
    assert len(made) == 1 + again
