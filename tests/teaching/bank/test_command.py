"""The commands by which a teacher makes a course's questions for marks, and the key to them."""

import csv
import json
import subprocess
import sys

import pytest

import autograd_core as ac
from autograd_book.compare.values import show, snapshot
from autograd_teaching.bank import QUESTIONS, Secret
from autograd_teaching.bank.notebooks import variant

SECRET = Secret("a secret for these tests")


def run(*arguments, **environment):
    command = [sys.executable, "-m", "autograd_teaching", *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


@pytest.fixture
def secret(tmp_path):
    file = tmp_path / "secret"
    file.write_text(SECRET.text + "\n")
    return file


def test_a_notebook_is_written_for_each_student(tmp_path, secret):
    out, names = tmp_path / "new" / "variants", tmp_path / "names.txt"
    names.write_text("ann\n\nZoë O'Neil\n", "utf-8")
    assert run("variant", "--students", names, "--out", out, "--secret", secret).returncode == 0
    assert {path.name for path in out.iterdir()} == {"ann.ipynb", "Zoë O'Neil.ipynb"}
    assert json.loads((out / "ann.ipynb").read_text()) == variant("ann", SECRET)
    assert run("variant", "--student", "bob", "eve", "--out", out, AUTOGRAD_CORE_SECRET=SECRET.text).returncode == 0
    assert json.loads((out / "eve.ipynb").read_text()) == variant("eve", SECRET)


def test_a_notebook_that_is_there_is_not_overwritten(tmp_path, secret):
    (tmp_path / "ann.ipynb").write_text("answers")
    done = run("variant", "--student", "bob", "ann", "--out", tmp_path, "--secret", secret)
    assert done.returncode == 2 and "ann.ipynb is there" in done.stderr
    assert (tmp_path / "ann.ipynb").read_text() == "answers" and not (tmp_path / "bob.ipynb").exists()


@pytest.mark.parametrize("name", ["", "..", "../eve", "a/b", "a\nb"])
def test_a_name_that_no_submission_could_have_is_refused(tmp_path, secret, name):
    done = run("variant", "--student", name, "--out", tmp_path / "out", "--secret", secret)
    assert done.returncode == 2 and repr(name) in done.stderr
    assert not (tmp_path / "out").exists()


def test_the_key_holds_every_student_s_right_answers(tmp_path, secret):
    out = tmp_path / "key.csv"
    assert run("key", "--student", "ann", "bob", "--out", out, "--secret", secret).returncode == 0
    with out.open(encoding="utf-8", newline="") as file:
        rows = [tuple(row.values()) for row in csv.DictReader(file)]
    expected = {
        (student, question.id, row, show(value))
        for student in ("ann", "bob")
        for question in QUESTIONS
        for row, value in snapshot(question.answer(ac, SECRET.drawn(question, student))).items()
    }
    assert len(rows) == len(expected) and set(rows) == expected


@pytest.mark.parametrize("command", ["variant", "key"])
def test_what_is_missing_is_named(tmp_path, command):
    assert "--secret" in run(command, "--student", "ann", "--out", tmp_path / "x").stderr
    assert "nowhere" in run(command, "--student", "ann", "--out", tmp_path / "x", "--secret", "nowhere").stderr
    no_folder = tmp_path / "file"
    no_folder.touch()
    done = run(command, "--student", "ann", "--out", no_folder / "x", AUTOGRAD_CORE_SECRET=SECRET.text)
    assert done.returncode == 2 and str(no_folder) in done.stderr and "Traceback" not in done.stderr
