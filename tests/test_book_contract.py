"""What every chapter promises its reader, checked in the sources: a question, its answers, hints, explained words."""

import re
from pathlib import Path

import pytest

BOOK = Path(__file__).parents[1] / "book"
CHAPTERS = sorted(BOOK.glob("[0-9][0-9]_*.md"))
GLOSSARY = (BOOK / "glossary.md").read_text("utf-8")


@pytest.fixture(params=CHAPTERS, ids=lambda path: path.stem)
def chapter(request):
    return request.param.read_text("utf-8")


def words(text):
    """The words and numbers of a text: `4.0` and 4 are the same, and so are $10^{-3}$ and 10^{-3}."""
    text = re.sub(r"(\d)\.0\b", r"\1", text.lower())
    return set(re.findall(r"\d+(?:\.\d+)?|[a-z]+", text)) - {"the", "a", "an", "of", "is", "in", "and"}


def options(chapter):
    """The number of the right option, and the options."""
    ((right, box),) = re.findall(r":class: predict answer-(\d+)\n(.*?)\n:::\n", chapter, re.DOTALL)
    return int(right), re.findall(r"^- (.*)$", box, re.MULTILINE)


def test_a_chapter_asks_one_question_and_explains_each_wrong_answer(chapter):
    right, offered = options(chapter)
    wrong = offered[: right - 1] + offered[right:]
    explained = re.findall(r"^:::\{dropdown\} Why (.*) tempts$", chapter, re.MULTILINE)
    assert len(explained) == len(wrong)
    for option, title in zip(wrong, explained):
        assert words(title) & words(option), f"'Why {title} tempts' stands where {option!r} is to be explained"


def test_a_chapter_ends_with_what_to_remember_and_where_it_stands_in_the_code(chapter):
    *_, last = chapter.split("\n## ")
    assert last.startswith("What to remember\n") and re.search(r"^\*In the (engine|repository): ", last, re.MULTILINE)


def test_hints_come_in_pairs(chapter):
    titles = re.findall(r"^:::\{dropdown\} (Hint|Second hint)$", chapter, re.MULTILINE)
    assert titles == ["Hint", "Second hint"] * (len(titles) // 2)


def test_tabs_are_executed_cells_with_a_neighbor(chapter):
    cell = r"^```\{code-cell\} python\n:tab: (.*)\n(?:.*\n)*?```\n(?=\n(?:```\{code-cell\} python\n)?(.*))"
    labels = re.findall(cell, chapter, re.MULTILINE)
    assert chapter.count("\n:tab: ") == len(labels)
    groups = "".join("+" if follower.startswith(":tab:") else "." for _, follower in labels)
    assert re.fullmatch(r"(\++\.)*", groups), "a tab stands alone"


def test_the_glossary_says_each_word_in_a_sentence_and_where_it_is_taught():
    heads = re.findall(r"^(\S.*)\n  ", GLOSSARY, re.MULTILINE)
    chapters = re.findall(r"^  See \[\]\((.*)\)$", GLOSSARY, re.MULTILINE)
    assert 40 <= len(heads) <= 60
    assert len(chapters) == len(heads)
    assert {BOOK / name for name in chapters} <= set(CHAPTERS)


def test_every_work_in_the_bibliography_is_cited():
    works = set(re.findall(r"^@\w+\{(\w+),", (BOOK / "references.bib").read_text("utf-8"), re.MULTILINE))
    cited = re.findall(r"\{cite:[pt]\}`([^`]+)`", "".join(path.read_text("utf-8") for path in BOOK.glob("*.md")))
    assert works == set(",".join(cited).split(","))
