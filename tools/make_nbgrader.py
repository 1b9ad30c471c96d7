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
from launch import Launch
from make_notebooks import chapters, notebook
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from autograd_core.classroom import exercises, find

OUT = Path(__file__).resolve().parent.parent / "_build" / "nbgrader"
CONFIGURATION = """c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "autograd"
c.IncludeHeaderFooter.header = ""
c.ClearSolutions.code_stub = {"python": "answer = ...  # your answer"}
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


def split(solution: str) -> tuple[str, str, str]:
    """A solution cell as the code of the answer, the expression that is checked, and the id of the exercise."""
    *body, last = ast.parse(solution).body
    checks = [node for node in ast.walk(ast.Module([*body, last], [])) if _is_check(node)]
    (call,) = checks
    kept = [ast.get_source_segment(solution, node) for node in [*body, last] if call not in ast.walk(node)]
    return "\n".join(filter(None, kept)), ast.unparse(call.args[1]), call.args[0].value


def _is_check(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "check"


def graded(cell: NotebookNode) -> list[NotebookNode]:
    """The two cells of an exercise, from its solution."""
    code, answer, id = split(cell.source)
    name = re.sub(r"\W", "-", id)
    lines = ["### BEGIN SOLUTION", code, f"answer = {answer}", "### END SOLUTION"]
    test = f'from autograd_core.classroom import check\n\nverdict = check("{id}", answer)\nassert verdict, verdict'
    return [
        new_code_cell("\n".join(lines), metadata=metadata(name, solution=True)),
        new_code_cell(test, metadata=metadata(f"{name}-check", grade=True, locked=True, points=find(id).minutes)),
    ]


def assignment(chapter: Path) -> NotebookNode:
    """A chapter with its exercises as nbgrader wants them. The cells of the text stay as they are."""
    made = notebook(chapter, Launch.from_config(), "")
    cells = []
    for cell in made.cells:
        tags = cell.metadata.get("tags", ())
        cells += graded(cell) if "solution" in tags else [] if "stub" in tags else [cell]
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
