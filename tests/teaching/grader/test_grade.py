"""Grading a course: every submission gets a verdict or a named failure, and none disturbs another."""

import csv
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="grading needs the extra autograd-core[grading]")

from autograd_teaching.grader import one
from autograd_teaching.grader.limits import Limits
from autograd_teaching.grader.one import Job, grade
from autograd_teaching.grader.process import Run
from autograd_teaching.grader.store import opened
from autograd_teaching.grader.submissions import Unreadable, find, read
from tests.teaching.grader.submissions import HONEST, HOSTILE, IMPORT, LEDGER, notebook, write, write_honest
from tests.teaching.grader.test_process import forks, survivors

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="grading needs Linux")

SECONDS = 300  # for a notebook: a few, and for an endless answer, which has a verdict, the 10 that one answer may take
# What becomes of a hostile submission: the outcome of 04.ledger and of 04.halves, and words of the failure.
EXPECTED = {
    "corrupt JSON": (None, None, "not JSON"),
    "no JSON": (None, None, "not JSON"),
    "deep JSON": (None, None, "not JSON"),
    "another JSON": (None, None, "not a notebook"),
    "empty file": (None, None, "not JSON"),
    "endless loop": ("right", "missing", ""),  # no answer needs the cell with the loop
    "endless answer": ("right", "wrong", ""),
    "catches everything": ("right", "wrong", ""),
    "recursion": ("right", "wrong", ""),
    "memory bomb": ("missing", "missing", ""),
    "gigabyte of output": ("failed", "failed", "it printed more than 65536 bytes"),
    "gigabyte on disk": ("missing", "missing", ""),
    "gigabyte of rows": ("failed", "missing", ""),
    "fork bomb": ("failed", "failed", f"it ran longer than {SECONDS} seconds"),
    "hidden child": ("right", "right", ""),
    "edits the checker": ("wrong", "wrong", ""),
    "speaks for itself": ("failed", "failed", "it wrote to the grader's channel"),
    "looks for secrets": ("right", "right", ""),
    "sys.exit": ("missing", "right", ""),
    "crash": ("failed", "failed", "it was killed by SIGSEGV"),
    "a signal without a name": ("failed", "failed", "it was killed by signal 40"),
    "unspeakable error": ("missing", "right", ""),
    "lone surrogates": ("wrong", "missing", ""),
    "syntax error": ("right", "missing", ""),
    "missing cells": (None, None, "it answers no exercise"),
    "duplicated cells": ("right", "right", ""),
    "no exercise": (None, None, ""),
    "symbolic link": (None, None, "a symbolic link, which is not followed"),
    "link to a folder": (None, None, "a symbolic link, which is not followed"),
    "named pipe": (None, None, "not a plain file"),
    "empty folder": (None, None, "no notebook in this folder"),
    "strange name": ("right", "right", ""),
}


@pytest.fixture(scope="module")
def bounded():
    """Fork bombs go off only where ten forks have met the limit."""
    if forks() == 10:
        pytest.skip("this system does not limit processes: ten forks went through, so no bomb is set off")


ENVIRONMENT = os.environ | {"COURSE_SECRET": "hunter2"}  # which one of the hostile looks for


def command(submissions: Path, out: Path) -> list[str]:
    arguments = [submissions, "--out", out, "--workers", 2, "--seconds", SECONDS]
    return [sys.executable, "-m", "autograd_teaching", "grade", *map(str, arguments)]


def run(submissions: Path, out: Path) -> list[dict[str, str]]:
    """Grade a folder; return the lines of the table."""
    subprocess.run(command(submissions, out), check=True, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
    with (out / "results.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def by_student(lines: list[dict[str, str]]) -> dict[str, dict[str, str]]:
    outcomes = defaultdict(dict)
    for line in lines:
        outcomes[line["student"]] |= {line["exercise"]: line["outcome"], "failure": line["failure"]}
    return outcomes


def check_all(kinds: dict[str, str], lines: list[dict[str, str]]) -> None:
    """Every submission has the outcome of its kind, and what a kind does shows in no other."""
    outcomes = by_student(lines)
    for name, kind in kinds.items():
        found = next(rows for student, rows in outcomes.items() if student.startswith(name))
        if kind in HONEST:
            ledger, halves, words = *HONEST[kind][1], ""
        else:
            ledger, halves, words = EXPECTED[kind]
        assert (found.get("04.ledger"), found.get("04.halves")) == (ledger, halves), (name, kind, found)
        assert words in found["failure"], (name, kind, found)
        assert bool(words) == bool(found["failure"]), (name, kind, found)


def rows(out: Path) -> list[tuple]:
    """The submissions that have been graded; none before there is a table of them."""
    try:
        with closing(sqlite3.connect(f"file:{out / 'results.sqlite'}?mode=ro", uri=True)) as database:
            return database.execute("SELECT id, student, seconds FROM submission ORDER BY id").fetchall()
    except sqlite3.OperationalError:
        return []


@dataclass(frozen=True)
class Course:
    """A course that was graded three times: by a grader that was killed, to its end, and after a notebook changed.

    Parameters:
        kinds: of the submissions, by their names; the bomb, which takes all its time, is not among them.
        killed, ended, again: the rows of the store after each grader.
        lines, later: of the table after the second grader and after the third.
        page: of the second grader.
        changed: the submission that is right since.
    """

    kinds: dict[str, str]
    killed: list[tuple]
    ended: list[tuple]
    again: list[tuple]
    lines: list[dict[str, str]]
    later: list[dict[str, str]]
    page: str
    changed: str


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Course:
    folder = tmp_path_factory.mktemp("course")
    submissions, out = folder / "submissions", folder / "out"
    submissions.mkdir()
    kinds = {f"{kind}!": kind for kind in [*HONEST, *HOSTILE] if kind != "fork bomb"}
    for name, kind in kinds.items():
        write_honest(submissions / name, kind) if kind in HONEST else HOSTILE[kind](submissions / name)
    killed = killed_grader(submissions, out)
    lines, ended, page = run(submissions, out), rows(out), (out / "report.html").read_text()
    changed = submissions / "overwrites!" / "04_accumulation.ipynb"
    changed.write_bytes(notebook([IMPORT, LEDGER]))
    later = run(submissions, out)
    return Course(kinds, killed, ended, rows(out), lines, later, page, "overwrites!")


def killed_grader(submissions: Path, out: Path) -> list[tuple]:
    """The rows of a grader that was killed when it had run a notebook."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command(submissions, out), env=ENVIRONMENT, **quiet) as grader:
        while not [seconds for _, _, seconds in rows(out) if seconds]:
            assert grader.poll() is None, "the grader ended before it was killed"
            time.sleep(0.02)
        os.kill(grader.pid, signal.SIGKILL)
    return rows(out)


def test_every_hostile_kind_has_its_outcome_and_the_honest_ones_theirs(course):
    check_all(course.kinds, course.lines)
    labels = {(line["student"], line["exercise"]): line["misconception"] for line in course.lines}
    assert labels["overwrites!", "04.ledger"] == labels["edits the checker!", "04.ledger"] != ""
    assert "<b>" not in course.page
    assert labels["overwrites!", "04.ledger"] in unescape(course.page)


def test_a_grader_that_is_killed_goes_on_where_it_was(course):
    assert 0 < len(course.killed) < len(course.kinds)
    assert course.ended[: len(course.killed)] == course.killed, "something was graded twice"
    assert len(course.ended) == len(by_student(course.lines)) == len(course.kinds)


def test_only_what_changed_is_graded_again(course):
    assert course.again[: len(course.ended)] == course.ended
    assert [student for _, student, _ in course.again[len(course.ended) :]] == [course.changed]
    before, after = by_student(course.lines), by_student(course.later)
    assert before.pop(course.changed)["04.ledger"] == "wrong"
    assert after.pop(course.changed)["04.ledger"] == "right"
    assert before == after


def test_a_fork_bomb_fails_where_it_stands(tmp_path, bounded):
    HOSTILE["fork bomb"](tmp_path / "bomb")
    content = (tmp_path / "bomb.ipynb").read_bytes()
    done = grade(Job("ann", "04.ipynb", content, 1, 1, Limits(seconds=4)))
    assert done.failure == "it ran longer than 4 seconds"
    assert {answer.outcome for answer in done.answers} == {"failed"}
    assert survivors() == []


@pytest.mark.slow
def test_a_thousand(tmp_path, rng, bounded):
    kinds = write(tmp_path / "submissions", 1000, int(rng.integers(2**31)))
    check_all(kinds, run(tmp_path / "submissions", tmp_path / "out"))


def test_another_grader_s_results_are_not_taken_over(tmp_path):
    job = Job("ann", "04.ipynb", notebook([LEDGER]), 1, 1, Limits(seconds=SECONDS))
    with opened(tmp_path / "db", "old") as store:
        store.add(grade(job))
        assert len(store.done()) == 1
        with pytest.raises(sqlite3.IntegrityError):
            store.add(grade(job))
    with opened(tmp_path / "db", "new") as store:
        assert store.done() == set()


def test_a_folder_that_is_not_there_is_named(tmp_path):
    done = subprocess.run(command(tmp_path / "nothing", tmp_path / "out"), capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == f"there is no folder {tmp_path / 'nothing'}\n"


def test_the_layout_is_an_entry_for_each_student(tmp_path):
    for path in (
        "ann.ipynb",
        "bob/04.ipynb",
        "bob/more/05.ipynb",
        "bob/.ipynb_checkpoints/04.ipynb",
        ".hidden/1.ipynb",
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    found = [(submission.student, submission.notebook) for submission in find(tmp_path)]
    assert found == [("ann", "ann.ipynb"), ("bob", "bob/04.ipynb"), ("bob", "bob/more/05.ipynb")]


def test_a_source_may_be_a_list_of_lines():
    assert read(b'{"cells": [{"cell_type": "code", "source": ["a = 1\\n", "b"]}]}') == (["a = 1\nb"], {})
    with pytest.raises(Unreadable, match="not a notebook"):
        read(b'{"cells": [{"cell_type": "code"}]}')


def test_a_linked_file_is_never_read(tmp_path):
    (tmp_path / "ann.ipynb").symlink_to(tmp_path / "elsewhere")
    (submission,) = find(tmp_path)
    with pytest.raises(Unreadable, match="symbolic link"):
        submission.read()


def graded(name: str, *cells: str) -> dict[str, str]:
    """The outcomes of a notebook, by exercise."""
    return {answer.exercise: answer.outcome for answer in grade(job(name, notebook([*cells]))).answers}


def job(name: str, content: bytes) -> Job:
    return Job("ann", name, content, 1, 1, Limits(seconds=SECONDS))


def test_of_many_checks_of_one_exercise_the_last_is_judged_and_no_other(monkeypatch):
    said = [{"id": "04.ledger", "rows": "{}", "failure": "", "open": False, "open_rows": []}] * 300
    judged, judge = [], one.judge
    monkeypatch.setattr(one, "run", lambda *_: Run(said, "", 0.0))
    monkeypatch.setattr(one, "judge", lambda *arguments: judged.append(arguments) or judge(*arguments))
    (ledger,) = grade(job("x.ipynb", notebook([]))).answers
    assert (ledger.outcome, len(judged)) == ("wrong", 1)


def test_what_is_asked_is_what_cells_check_and_no_text():
    assert graded("x.ipynb", LEDGER).keys() == {"04.ledger", "04.halves", "04.slot", "04.rolls_on"}
    assert graded("x.ipynb", LEDGER, "text = \"check('05.hide', 1) bank.\"\n# check('06.x', 1)").keys() == {
        "04.ledger",
        "04.halves",
        "04.slot",
        "04.rolls_on",
    }
    assert set(graded("04_accumulation.ipynb", "1").values()) == {"missing"}
    assert graded("x.ipynb", "\"check('05.hide', 1) bank.\"") == {}


def test_a_cell_that_demonstrates_is_no_answer():
    content = json.loads(notebook([LEDGER]))
    content["cells"][0]["metadata"]["tags"] = ["demonstration"]
    assert grade(job("x.ipynb", json.dumps(content).encode())).answers == ()


def test_a_notebook_without_an_answer_says_where_it_stopped():
    assert (
        "it answers no exercise; cell 1 cannot be read: SyntaxError" in grade(job("x.ipynb", notebook(["f("]))).failure
    )


@pytest.mark.parametrize("metadata", [3, [], "x", {"autograd_core": 3}, {"autograd_core": {"student": 1}}])
def test_metadata_of_any_kind_are_no_fault_of_the_grader(metadata):
    content = json.dumps(json.loads(notebook([LEDGER])) | {"metadata": metadata}).encode()
    grade(job("x.ipynb", content))


ORDERS = """import asyncio, os, ssl
from distributed.core import rpc
from distributed.protocol.pickle import dumps

async def orders(address, **connection):
    try:
        async with rpc(address, timeout=3, connection_args=connection) as worker:
            return str(await worker.run(function=dumps(os.getuid)))
    except OSError as error:
        return type(error).__name__

context = ssl._create_unverified_context()
told = {"plain": asyncio.run(orders("tcp://ADDRESS")),
        "encrypted": asyncio.run(orders("tls://ADDRESS", ssl_context=context, require_encryption=True))}
check("04.ledger", told)"""
CLUSTER = """import json, sys
from autograd_teaching.grader.limits import Limits
from autograd_teaching.grader.process import run
from autograd_teaching.grader.spread import local_cluster

if __name__ == "__main__":
    with local_cluster(1) as cluster:
        (nanny,) = cluster.workers.values()
        cell = open(sys.argv[1]).read().replace("ADDRESS", nanny.worker_address.partition("://")[2])
        print(json.dumps(run([cell], 1, Limits(), 1).events))"""


def test_a_notebook_gives_no_orders_to_the_workers(tmp_path):
    (tmp_path / "cluster.py").write_text(CLUSTER)
    (tmp_path / "cell").write_text(ORDERS)
    command = [sys.executable, tmp_path / "cluster.py", tmp_path / "cell"]
    events = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    (told,) = [json.loads(event["rows"]) for event in events if "rows" in event]
    assert told.keys() == {"plain", "encrypted"}
    assert not [answer for answer in told.values() if "result" in answer], told
