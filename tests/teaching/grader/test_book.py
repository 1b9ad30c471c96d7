"""The notebooks of the book, graded as students hand them in."""

import sys
from pathlib import Path

import jupytext
import nbformat
import pytest

pytest.importorskip("distributed", reason="grading needs the extra autograd-core[grading]")

from autograd_book.check import exercises
from autograd_teaching.grader.limits import Limits
from autograd_teaching.grader.one import Graded, Job, grade

BOOK = Path(__file__).parents[3] / "book"
LIMITS = Limits(seconds=1200)  # a chapter takes up to twenty
USES_JAX = ("00", "10", "14")  # in cells that answers need

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="grading needs Linux"),
    pytest.mark.skipif(not BOOK.is_dir(), reason="the chapters are not installed with the package"),
]


def graded(chapter: str, without: str) -> Graded:
    """A chapter, without its stubs or without its solutions."""
    (path,) = BOOK.glob(f"{chapter}_*.md")
    made = jupytext.read(path)
    made.cells = [cell for cell in made.cells if without not in cell.metadata.get("tags", ())]
    return grade(Job("ann", f"{path.stem}.ipynb", nbformat.writes(made).encode(), 1, 1, LIMITS))


@pytest.mark.parametrize(
    "chapter",
    [
        pytest.param(chapter, marks=[] if chapter in USES_JAX else pytest.mark.slow)
        for chapter in sorted({exercise.id[:2] for exercise in exercises()})
    ],
)
def test_the_solutions_of_a_chapter_are_right(chapter):
    done = graded(chapter, "stub")
    assert done.failure == ""
    wrong = [answer for answer in done.answers if answer.outcome != "right"]
    assert wrong == []
    assert len(done.answers) == len(exercises(chapter))


def test_the_chapter_on_grading_answers_nothing():
    assert graded("23", "solution").answers == ()
