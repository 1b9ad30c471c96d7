"""Results as CSV, and as one HTML page with a histogram of misconceptions for each exercise."""

import csv
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment

from autograd_book.check.catalog import exercises

from ..bank import QUESTIONS
from .one import Graded

COLUMNS = ["student", "notebook", "exercise", "outcome", "misconception", "detail", "reference", "failure"]
OUTCOMES = ["right", "wrong", "open", "missing", "failed"]


def write_csv(results: Sequence[Graded], path: Path) -> None:
    """One line for each answer, and one for each notebook without any."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for graded in results:
            answers = [[a.exercise, a.outcome, a.misconception, a.detail, a.reference] for a in graded.answers]
            for answer in answers or [[""] * 5]:
                writer.writerow(map(_harmless, [graded.student, graded.notebook, *answer, graded.failure]))


def _harmless(cell: str) -> str:
    """Text that a spreadsheet does not take for a formula.

    >>> _harmless("=1+1"), _harmless("ann")
    ("'=1+1", 'ann')
    """
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell


def write_html(results: Sequence[Graded], seed: int, path: Path) -> None:
    """The page: totals, a histogram for each exercise, each student, and every notebook that failed."""
    template = files(__package__).joinpath("report.html.jinja").read_text("utf-8")
    page = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(template)
    path.write_text(
        page.render(
            seed=seed,
            outcomes=OUTCOMES,
            notebooks=len(results),
            students=_students(results),
            exercises=_exercises(results),
            failures=[graded for graded in results if graded.failure],
        ),
        encoding="utf-8",
    )


def _students(results: Sequence[Graded]) -> list[tuple[str, Counter]]:
    """Each student's number of exercises with each outcome: the best, where two notebooks answer the same."""
    best: dict[str, dict[str, str]] = {}
    for graded in results:
        outcomes = best.setdefault(graded.student, {})
        for answer in graded.answers:
            tried = outcomes.get(answer.exercise, answer.outcome)
            outcomes[answer.exercise] = min(tried, answer.outcome, key=OUTCOMES.index)
    return sorted((student, Counter(outcomes.values())) for student, outcomes in best.items())


def _exercises(results: Sequence[Graded]) -> list[dict]:
    """For each exercise its outcomes, and how many answers agree with each of its mutants."""
    answers = [answer for graded in results for answer in graded.answers]
    titles = {asked.id: asked.title for asked in (*exercises(), *QUESTIONS)}
    found = []
    for id in sorted({answer.exercise for answer in answers}):
        of_this = [answer for answer in answers if answer.exercise == id]
        outcomes = Counter(answer.outcome for answer in of_this)
        labels = Counter(answer.misconception for answer in of_this if answer.misconception)
        unknown = outcomes["wrong"] - labels.total()
        if unknown:
            labels["wrong in another way"] = unknown
        bars = [(label, count, round(100 * count / len(of_this))) for label, count in labels.most_common()]
        found.append({"id": id, "title": titles.get(id, ""), "outcomes": outcomes, "bars": bars})
    return found
