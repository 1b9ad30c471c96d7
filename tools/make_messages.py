"""Collect the sentences of figures, widgets, verdicts and pages for translators.

    python tools/make_messages.py

Most stand in the code as `_("...")` or `ngettext("...", "...", n)`; the exercises hold their own, and so does what
`edition` translates. `book/autograd_book/locale/autograd_core.pot` lists all. A translation is a copy of it,
`LANGUAGE/LC_MESSAGES/autograd_core.po`, and this script also brings those up to date and compiles them.
"""

import ast
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import jupytext
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import edition
from autograd_book.check import Exercise, exercises

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "book" / "autograd_book" / "locale"
TEMPLATE = LOCALE / "autograd_core.pot"
SOURCES = ("autograd_core", "book/autograd_book", "book/autograd_teaching", "tools", "book/_static/live")


def sentences(source: str) -> Iterator[str | tuple[str, str]]:
    """The sentences of a program: what it gives to `_`, and the pairs for one and for many that it gives to `ngettext`.

    Python's own parser finds them in f-strings too, where Babel's does so from Python 3.12 on only.
    """
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id="_"), args=[ast.Constant(value=str(sentence))]):
                yield sentence
            case ast.Call(
                func=ast.Name(id="ngettext"), args=[ast.Constant(value=str(one)), ast.Constant(value=str(many)), _]
            ):
                yield one, many


def programs() -> Iterator[tuple[Path, str]]:
    """The files of the package, of the tools and of live cells, and the cells of the chapters."""
    for path in sorted(path for folder in SOURCES for path in (ROOT / folder).rglob("*.py")):
        yield path, path.read_text("utf-8")
    for path in sorted((ROOT / "book").glob("[0-9]*.md")):
        yield from ((path, cell.source) for cell in jupytext.read(path).cells if cell.cell_type == "code")


def words_of(exercise: Exercise) -> Iterator[tuple[str, Path]]:
    """What a reader sees of an exercise, and where it stands: a verdict translates it when it is shown."""
    number = exercise.id[:2]
    (chapter,) = (ROOT / "book").glob(f"{number}_*.md")
    definition = ROOT / "book" / "autograd_book" / "exercises" / f"ch{number}.py"
    for sentence in (exercise.title, *exercise.hints):
        yield sentence, chapter
    yield exercise.kind, definition
    for mutant in exercise.mutants:
        yield mutant.label, definition
        yield mutant.message, definition


def template() -> Catalog:
    """All sentences of the package, of the tools that make the pages and of the chapters' tables, and their files."""
    catalog = Catalog(project="autograd_core", charset="utf-8")
    for path, program in programs():
        for sentence in sentences(program):
            catalog.add(sentence, locations=[(path.relative_to(ROOT).as_posix(), None)])
    for exercise in exercises():
        for sentence, path in words_of(exercise):
            catalog.add(sentence, locations=[(path.relative_to(ROOT).as_posix(), None)])
    for sentence, file in edition.words():
        catalog.add(sentence, locations=[(file, None)])
    return catalog


def text(catalog: Catalog) -> str:
    """A catalog as a file: without dates and line numbers, so that it changes when a sentence does."""
    file = BytesIO()
    write_po(file, catalog, width=120, omit_header=True, sort_output=True, include_lineno=False)
    return file.getvalue().decode()


def main() -> None:
    found = template()
    LOCALE.mkdir(exist_ok=True)
    TEMPLATE.write_text(text(found), encoding="utf-8")
    for path in sorted(LOCALE.glob("*/LC_MESSAGES/autograd_core.po")):
        with path.open("rb") as file:
            translation = read_po(file, locale=path.parts[-3])
        translation.update(found)
        with path.open("wb") as file:
            write_po(file, translation, width=120, sort_output=True, include_lineno=False)
        with path.with_suffix(".mo").open("wb") as file:
            write_mo(file, translation)
    print(f"{len(found)} sentences are in {TEMPLATE.relative_to(ROOT)}.")


if __name__ == "__main__":
    main()
