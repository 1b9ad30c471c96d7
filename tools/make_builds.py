"""Write the notebooks of a course: for students without solutions, for their teachers with all of them and a key.

    python tools/make_builds.py student       # _build/student
    python tools/make_builds.py instructor    # _build/instructor

Both come from the chapters that the site is made from. A cell says by its tags what it is: `stub`, `hint`, `solution`.
"""

import json
import sys
from pathlib import Path

from nbformat import NotebookNode

import make_notebooks
from autograd_book.check import exercises
from autograd_book.check.reference import SEED, reference
from autograd_book.compare.values import show
from launch import Launch
from make_notebooks import Change, chapters

BUILD = Path(__file__).resolve().parent.parent / "_build"


def without_solutions(cells: list[NotebookNode]) -> list[NotebookNode]:
    """The cells that a student gets."""
    return [cell for cell in cells if "solution" not in cell.metadata.get("tags", ())]


def unfolded(cells: list[NotebookNode]) -> list[NotebookNode]:
    """The cells with the solutions open to see."""
    for cell in cells:
        if "solution" in cell.metadata.get("tags", ()):
            cell.metadata.pop("jupyter", None)
    return cells


def write(folder: Path, change: Change) -> None:
    launch = Launch.from_config()
    make_notebooks.write(folder, launch, launch.requirement, chapters(), change)


def key() -> list[dict]:
    """What a teacher wants to know of each exercise: the right rows, and what each wrong answer means."""
    return [
        {
            "id": exercise.id,
            "title": exercise.title,
            "kind": exercise.kind,
            "minutes": exercise.minutes,
            "seed": SEED,
            "rows": {name: show(value) for name, value in reference(exercise, SEED).rows.items()},
            "hints": exercise.hints,
            "mutants": {mutant.label: mutant.message for mutant in exercise.mutants},
        }
        for exercise in exercises()
    ]


def student() -> None:
    write(BUILD / "student", without_solutions)


def instructor() -> None:
    write(BUILD / "instructor", unfolded)
    text = json.dumps(key(), indent=2, ensure_ascii=False)
    (BUILD / "instructor" / "key.json").write_text(text, encoding="utf-8")


BUILDS = {"student": student, "instructor": instructor}

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in BUILDS:
        sys.exit(f"Say which: {' or '.join(BUILDS)}.")
    BUILDS[sys.argv[1]]()
    print(f"The notebooks are in {(BUILD / sys.argv[1]).relative_to(BUILD.parent)}.")
