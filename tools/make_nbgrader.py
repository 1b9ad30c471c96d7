"""Write the exercises as an nbgrader course into `_build/nbgrader`.

    python tools/make_nbgrader.py

Each chapter with exercises is an assignment, `source/NN_slug/NN_slug.ipynb`. An exercise becomes two cells: the answer,
whose solution nbgrader takes out of what students get, and a locked cell that checks it and carries the points, one for
each minute that the exercise takes.
"""

import ast
import re
import shutil
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from autograd_book.check import exercises, find
from autograd_teaching.grader.needed import checked
from launch import Launch
from make_notebooks import chapters, notebook

OUT = Path(__file__).resolve().parent.parent / "_build" / "nbgrader"
CONFIGURATION = """c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "autograd"
c.IncludeHeaderFooter.header = ""
c.ClearSolutions.code_stub = {"python": ""}  # the cell begins with the exercise's own stub
c.ExecutePreprocessor.timeout = 120
"""


def metadata(grade_id: str, **more: bool | int) -> dict:
    """What nbgrader keeps of a cell."""
    plain = {
        "grade": False,
        "grade_id": grade_id,
        "locked": False,
        "schema_version": 3,
        "solution": False,
        "task": False,
    }
    return {"nbgrader": plain | more}


def split(source: str) -> tuple[str, str]:
    """A stub or a solution, whose last line checks it, as code that binds `answer`, and the id of the exercise."""
    tree = ast.parse(source)
    (call,) = checked(tree)
    code = "\n".join(source.splitlines()[: tree.body[-1].lineno - 1]).rstrip()
    answer = ast.unparse(call.args[1])
    return code if answer == "answer" else f"{code}\n\n\nanswer = {answer}", call.args[0].value


def graded(stub: NotebookNode, solution: NotebookNode) -> list[NotebookNode]:
    """The two cells of an exercise."""
    (given, id), (wanted, _) = split(stub.source), split(solution.source)
    name = re.sub(r"\W", "-", id)
    lines = [given, "### BEGIN SOLUTION", wanted, "### END SOLUTION"]
    test = f'from autograd_book.check import check\n\nverdict = check("{id}", answer)\nassert verdict, verdict'
    return [
        new_code_cell("\n".join(lines), metadata=metadata(name, solution=True)),
        new_code_cell(test, metadata=metadata(f"{name}-check", grade=True, locked=True, points=find(id).minutes)),
    ]


def assignment(chapter: Path) -> NotebookNode:
    """A chapter with its exercises as nbgrader wants them. The cells of the text stay as they are."""
    made = notebook(chapter, Launch.from_config(), "")
    cells, stub = [], None
    for cell in made.cells:
        tags = cell.metadata.get("tags", ())
        if "stub" in tags:
            stub = cell
        else:
            cells += graded(stub, cell) if "solution" in tags else [cell]
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number}"
    made.cells = cells
    return made


def main() -> None:
    shutil.rmtree(OUT, ignore_errors=True)
    for chapter in chapters():
        if exercises(chapter.name[:2]):
            folder = OUT / "source" / chapter.stem
            folder.mkdir(parents=True)
            nbformat.write(assignment(chapter), folder / f"{chapter.stem}.ipynb")
    (OUT / "nbgrader_config.py").write_text(CONFIGURATION)
    print(f"The course is in {OUT.relative_to(OUT.parent.parent)}; the instructor's guide says how to go on.")


if __name__ == "__main__":
    main()
