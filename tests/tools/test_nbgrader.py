"""An nbgrader course from the book, from the first assignment to the grades."""

import ast
import csv
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import make_nbgrader  # noqa: E402
from autograd_book.check import exercises  # noqa: E402
from make_notebooks import chapters  # noqa: E402

ENVIRONMENT = ROOT / "_build" / "nbgrader-venv"
CHAPTER = "04_accumulation"


@pytest.mark.parametrize("chapter", [c for c in chapters() if exercises(c.name[:2])], ids=lambda path: path.stem)
def test_every_exercise_is_an_answer_and_a_check_with_points(chapter):
    cells = [cell for cell in make_nbgrader.assignment(chapter).cells if "nbgrader" in cell.metadata]
    marks = [cell.metadata.nbgrader for cell in cells]
    points = {mark.grade_id: mark.points for mark in marks if mark.grade}
    assert points == {f"{e.id.replace('.', '-')}-check": e.minutes for e in exercises(chapter.name[:2])}
    assert [mark.solution for mark in marks] == [True, False] * len(exercises(chapter.name[:2]))
    for cell in cells[::2]:
        given, begin, rest = cell.source.partition("\n### BEGIN SOLUTION\n")
        assert begin and rest.endswith("\n### END SOLUTION")
        assert ("..." in given or "def " in given) and re.search("^answer = ", given, re.MULTILINE)
        ast.parse(given)


@pytest.fixture(scope="module")
def nbgrader():
    """Runs the commands of nbgrader, in an environment of its own."""
    python = ENVIRONMENT / "bin" / "python"
    wanted = (ROOT / "requirements-teach.txt").read_text()
    stamp = ENVIRONMENT / "installed.txt"
    if not stamp.exists() or stamp.read_text() != wanted:
        shutil.rmtree(ENVIRONMENT, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)
        command = [python, "-m", "pip", "install", "--quiet", "-r", ROOT / "requirements-teach.txt", "-e", ROOT]
        if subprocess.run(command).returncode:
            pytest.skip("nbgrader could not be installed")
        stamp.write_text(wanted)
    path = f"{ENVIRONMENT / 'bin'}{os.pathsep}{os.environ['PATH']}"

    def run(folder, *arguments):
        done = subprocess.run(
            [python, "-m", "nbgrader", *arguments],
            cwd=folder,
            env=os.environ | {"PATH": path},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr[-3000:]

    return run


def answered(notebook, answers):
    """A student's notebook with answers in place of the stubs; cells that need other engines are left out."""
    cells = []
    for cell in notebook["cells"]:
        mark = cell["metadata"].get("nbgrader")
        if cell["cell_type"] == "code" and not mark:
            continue
        if mark and mark["solution"]:
            cell["source"] = answers.get(mark["grade_id"], "answer = ...")
        cells.append(cell)
    return notebook | {"cells": cells}


@pytest.mark.slow
def test_from_the_assignment_to_the_grades(tmp_path, nbgrader):
    source = tmp_path / "source" / CHAPTER
    source.mkdir(parents=True)
    (tmp_path / "nbgrader_config.py").write_text(make_nbgrader.CONFIGURATION)
    chapter = next(each for each in chapters() if each.stem == CHAPTER)
    made = make_nbgrader.assignment(chapter)
    (source / f"{CHAPTER}.ipynb").write_text(json.dumps(made))
    nbgrader(tmp_path, "generate_assignment", CHAPTER)

    released = (tmp_path / "release" / CHAPTER / f"{CHAPTER}.ipynb").read_text()
    assert "BEGIN SOLUTION" not in released
    assert '# {\\"a\\": ..., ' in released and "def halves(T, w, x):" in released

    solutions = {
        cell.metadata.nbgrader.grade_id: re.sub(r"### \w+ SOLUTION\n?", "", cell.source)
        for cell in made.cells
        if cell.metadata.get("nbgrader", {}).get("solution")
    }
    wrong = 'answer = {"a": 4.0, "b": 3.0, "c": 3.0, "d": None, "e": 7.0}'
    for student, answers in {"ann": solutions, "bob": {"04-ledger": wrong}}.items():
        folder = tmp_path / "submitted" / student / CHAPTER
        folder.mkdir(parents=True)
        (folder / f"{CHAPTER}.ipynb").write_text(json.dumps(answered(json.loads(released), answers)))
    nbgrader(tmp_path, "autograde", CHAPTER)
    nbgrader(tmp_path, "generate_feedback", CHAPTER)
    nbgrader(tmp_path, "export")

    with (tmp_path / "grades.csv").open() as file:
        scores = {row["student_id"]: (float(row["score"]), float(row["max_score"])) for row in csv.DictReader(file)}
    most = sum(exercise.minutes for exercise in exercises("04"))
    assert scores == {"ann": (most, most), "bob": (0, most)}
    feedback = (tmp_path / "feedback" / "bob" / CHAPTER / f"{CHAPTER}.html").read_text()
    assert "backward() does not overwrite" in feedback
