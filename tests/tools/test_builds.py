"""Three builds from one source: what the stub and its solution share, and that no solution reaches a student."""

import ast
import re
import sys
from pathlib import Path

import jupytext
import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import make_builds  # noqa: E402
import make_notebooks  # noqa: E402
from autograd_book.check import exercises  # noqa: E402
from launch import Launch  # noqa: E402
from make_notebooks import chapters, notebook  # noqa: E402

ID = re.compile(r"check\(\s*[\"']([\w.]+)[\"']")


def cells(tag):
    """The sources of the cells with a tag, by the id of their exercise."""
    found = {}
    for chapter in chapters():
        for cell in jupytext.read(chapter).cells:
            if cell.cell_type == "code" and tag in cell.metadata.get("tags", ()):
                found[ID.search(cell.source)[1]] = cell.source
    return found


STUBS, SOLUTIONS = cells("stub"), cells("solution")


def is_dots(node):
    return isinstance(node, ast.Constant) and node.value is ...


def is_gap(statement):
    """A statement that the reader replaces: `...` alone, or `name = ...`."""
    return isinstance(statement, ast.Expr | ast.Assign) and is_dots(statement.value)


def fits(stub, solution):
    """Whether a solution is the stub with its gaps filled."""
    if is_dots(stub):
        return True
    if isinstance(stub, list):
        return statements_fit(stub, solution) if stub and isinstance(stub[0], ast.stmt) else all_fit(stub, solution)
    if isinstance(stub, ast.AST):
        return type(stub) is type(solution) and all(
            fits(value, getattr(solution, name, None)) for name, value in ast.iter_fields(stub)
        )
    return stub == solution


def all_fit(stub, solution):
    return isinstance(solution, list) and len(stub) == len(solution) and all(map(fits, stub, solution))


def statements_fit(stub, solution):
    """Match two bodies; a gap takes any number of statements."""
    if not stub:
        return not solution
    if is_gap(stub[0]):
        return any(statements_fit(stub[1:], solution[taken:]) for taken in range(len(solution) + 1))
    return bool(solution) and fits(*map(unnamed, (stub[0], solution[0]))) and statements_fit(stub[1:], solution[1:])


def unnamed(statement):
    """What is assigned, whatever it is called: `answer` in a stub is `solution` in the solution."""
    simple = isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
    return statement.value if simple else statement


def core(source):
    """The statements of a cell but for its imports and the check."""
    body = [statement for statement in ast.parse(source).body if not isinstance(statement, ast.Import | ast.ImportFrom)]
    return [statement for statement in body if not ID.search(ast.unparse(statement))]


def signatures(body):
    return [(node.name, ast.unparse(node.args)) for node in body if isinstance(node, ast.FunctionDef)]


def has_gaps(source):
    return any(map(is_dots, ast.walk(ast.parse(source))))


def test_every_exercise_has_a_stub_and_a_solution():
    ids = {exercise.id for exercise in exercises()}
    assert set(STUBS) == set(SOLUTIONS) == ids


@pytest.mark.parametrize("id", sorted(STUBS))
def test_a_solution_is_the_stub_with_its_gaps_filled(id):
    stub, solution = core(STUBS[id]), core(SOLUTIONS[id])
    assert ID.search(STUBS[id])[1] == ID.search(SOLUTIONS[id])[1] == id
    if has_gaps(STUBS[id]):
        assert fits(stub, solution)
    else:  # a program to mend: what changes is the inside of its functions
        assert signatures(stub) == signatures(solution) != []


def test_a_changed_signature_is_no_solution_of_the_stub():
    stub = core("def f(T, w):\n    x = 1\n    return ...")
    assert fits(stub, core("def f(T, w):\n    x = 1\n    return x + w"))
    assert not fits(stub, core("def f(T, v):\n    x = 1\n    return x"))
    assert not fits(stub, core("def f(T, w):\n    x = 2\n    return x"))


@pytest.fixture(scope="module")
def student():
    made = {}
    for chapter in chapters():
        cells = make_builds.without_solutions(notebook(chapter, Launch.from_config(), "").cells)
        made[chapter.name[:2]] = [cell.source for cell in cells]
    return made


@pytest.mark.parametrize("id", sorted(SOLUTIONS))
def test_no_solution_reaches_a_student(student, id):
    text = "\n".join(student[id[:2]])
    assert SOLUTIONS[id] not in text
    assert STUBS[id] in text
    # A line that a solution shares with the chapter's own code is no secret; one of its own would be.
    own = {line.strip() for line in SOLUTIONS[id].splitlines()} - {line.strip() for line in STUBS[id].splitlines()}
    kept = [line for line in own if line.startswith("assert check(") and line in text]
    assert kept == []


def test_the_files_that_a_chapter_reads_lie_beside_its_notebook(tmp_path):
    (tmp_path / "left from before.ipynb").touch()
    (gallery,) = (chapter for chapter in chapters() if chapter.name.startswith("22"))
    make_notebooks.write(tmp_path, Launch.from_config(), "", [gallery], make_builds.without_solutions)
    assert {path.name for path in tmp_path.iterdir()} == {f"{gallery.stem}.ipynb", "_static"}
    assert (tmp_path / "_static" / "filter_table.mjs").exists()


def test_the_key_says_what_each_wrong_answer_means():
    (ledger,) = [entry for entry in make_builds.key() if entry["id"] == "04.ledger"]
    assert ledger["rows"] == {"a": "4", "b": "7", "c": "3", "d": "None", "e": "7"}
    assert "None is not zero" in ledger["mutants"]
