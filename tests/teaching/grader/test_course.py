"""The command `grade`: what it refuses, what it keeps and what it grades again, without a cluster."""

import argparse
import csv
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="grading needs the extra autograd-core[grading]")

from autograd_book.check import chapters
from autograd_teaching.bank import QUESTIONS, Secret
from autograd_teaching.grader import command, course
from autograd_teaching.grader.limits import Limits
from autograd_teaching.grader.one import Answer, Graded, Job
from autograd_teaching.grader.report import write_html
from autograd_teaching.grader.store import opened
from tests.teaching.grader.submissions import LEDGER, notebook

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="grading needs Linux")

SECRET = "a secret for these tests"


def graded(job: Job) -> Graded:
    return Graded(*course._key(job), "", 0.0, (Answer("04.ledger", "right"),))


@pytest.fixture
def cluster(monkeypatch):
    """A cluster that has a right answer for each notebook; `did` is whose it graded, `fails` makes the grader fail."""

    class Cluster:
        did, fails = (), False

        def spread(self, jobs, workers, scheduler):
            self.did = [job.student for job in jobs]
            yield from ((job, RuntimeError("boom") if self.fails else graded(job)) for job in jobs)

    made = Cluster()
    monkeypatch.setattr(course, "spread", made.spread)
    return made


@pytest.fixture
def submissions(tmp_path, monkeypatch):
    monkeypatch.delenv("AUTOGRAD_CORE_SECRET", raising=False)
    folder = tmp_path / "submissions"
    folder.mkdir()
    for name in ("ann", "bob"):
        (folder / f"{name}.ipynb").write_bytes(notebook([LEDGER]))
    return folder


def grade(*arguments) -> int:
    parser = argparse.ArgumentParser()
    command.add(parser.add_subparsers())
    parsed = parser.parse_args(["grade", *map(str, arguments)])
    return parsed.run(parsed)


def table(out: Path) -> list[dict[str, str]]:
    with (out / "results.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--workers", "0"),
        ("--workers", "-1"),
        ("--workers", "1.5"),
        ("--memory", "-5"),
        ("--seconds", "0"),
        ("--seconds", "nan"),
        ("--seconds", "inf"),
        ("--scheduler", "10.0.0.1:8786"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused(submissions, tmp_path, capsys, cluster, option, value):
    with pytest.raises(SystemExit):
        grade(submissions, "--out", tmp_path / "out", option, value)
    told = capsys.readouterr().err
    assert option in told and value in told
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("out", ["file", "file/below"])
def test_results_that_would_go_to_a_file_are_refused(submissions, tmp_path, capsys, cluster, out):
    (tmp_path / "file").touch()
    assert grade(submissions, "--out", tmp_path / out) == 2
    assert "--out needs a folder" in capsys.readouterr().err


def test_a_scheduler_that_is_not_there_is_named(submissions, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("distributed.client.Client._ensure_connected", refuse)
    assert grade(submissions, "--out", tmp_path / "out", "--scheduler", "tcp://127.0.0.1:9") == 2
    told = capsys.readouterr().err
    assert "takes orders from any notebook" in told
    assert "no scheduler could be reached at tcp://127.0.0.1:9: nobody" in told


async def refuse(*_, **__):
    raise OSError("nobody")


def test_two_notebooks_with_one_exercise_count_once(submissions, tmp_path, cluster):
    (submissions / "zoe").mkdir()
    for name in ("04.ipynb", "04 (1).ipynb"):
        (submissions / "zoe" / name).write_bytes(notebook([LEDGER]))
    assert grade(submissions, "--out", tmp_path / "out") == 0
    page = (tmp_path / "out" / "report.html").read_text()
    assert re.search(r'zoe</th>\s*<td class="number">1</td>', page)


def test_two_graders_do_not_work_on_one_folder(submissions, tmp_path, capsys, cluster):
    out = tmp_path / "out"
    assert grade(submissions, "--out", out) == 0
    with opened(out / "results.sqlite", "another"):
        assert grade(submissions, "--out", out) == 2
    assert f"another grader is at work in {out}" in capsys.readouterr().err
    assert grade(submissions, "--out", out) == 0


@pytest.mark.parametrize("given", ["file", "environment"])
def test_a_secret_is_taken_from_root_alone(submissions, tmp_path, capsys, cluster, monkeypatch, given):
    out, arguments = tmp_path / "out", []
    if given == "file":
        (tmp_path / "secret").write_text(SECRET)
        arguments = ["--secret", tmp_path / "secret"]
    else:
        monkeypatch.setenv("AUTOGRAD_CORE_SECRET", SECRET)
    monkeypatch.setattr("os.geteuid", lambda: 1001)
    assert grade(submissions, "--out", out, *arguments) == 2
    assert "unless root grades" in capsys.readouterr().err
    assert not out.exists()
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert grade(submissions, "--out", out, *arguments) == 0


def test_other_limits_grade_again(submissions, tmp_path, cluster):
    out = tmp_path / "out"
    for seconds, did in ((3, ["ann", "bob"]), (30, ["ann", "bob"]), (30, []), (3, [])):
        cluster.did = []
        assert grade(submissions, "--out", out, "--seconds", seconds) == 0
        assert cluster.did == did
        assert len(table(out)) == 2


def test_what_the_grader_failed_on_is_told_and_tried_again(submissions, tmp_path, capsys, cluster):
    out = tmp_path / "out"
    cluster.fails = True
    assert grade(submissions, "--out", out) == 1
    assert "failed on 2 of them" in capsys.readouterr().err
    assert {line["failure"] for line in table(out)} == {"the grader failed: RuntimeError('boom')"}
    cluster.fails = False
    assert grade(submissions, "--out", out) == 0
    assert [(line["student"], line["outcome"], line["failure"]) for line in table(out)] == [
        ("ann", "right", ""),
        ("bob", "right", ""),
    ]


def test_two_files_whose_names_read_alike_stop_nothing(submissions, tmp_path, cluster):
    for name in (b"eve\xff.ipynb", rb"eve\xff.ipynb"):
        Path(submissions, name.decode("utf-8", "surrogateescape")).write_bytes(notebook([LEDGER]))
    assert grade(submissions, "--out", tmp_path / "out") == 0
    assert len(table(tmp_path / "out")) == 4


def test_a_digest_covers_everything_that_decides_a_verdict(monkeypatch):
    plain = course.grader(None, Limits())
    assert plain == course.grader(None, Limits())
    assert len({plain, course.grader(None, Limits(seconds=1)), course.grader(Secret(SECRET), Limits())}) == 3
    with monkeypatch.context() as another_chapter:
        another_chapter.setattr(chapters, "as_files", dict)
        assert plain != course.grader(None, Limits())
    read, real = [], Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read.append(path.name) or real(path))
    course.grader(None, Limits())
    assert {"wire.py", "values.py", "ch02.recorded.json", "tensor.py", "one.py"} <= {*read}


def test_the_report_names_questions_of_the_bank(tmp_path):
    question = QUESTIONS[0]
    write_html([Graded("ann", "x", "", "", 0.0, (Answer(question.id, "right"),))], 1, tmp_path / "page")
    assert f"{question.id} {question.title}" in (tmp_path / "page").read_text()


BARE = """import runpy, sys
sys.modules.update(dict.fromkeys(sys.argv.pop(1).split()))
sys.argv[0] = "classroom"
runpy.run_module("autograd_teaching", run_name="__main__")"""


NEEDED = ["psutil", "distributed", "rich", "jinja2", "fcntl"]


def run_without(modules, *arguments):
    """A command in a Python that lacks the modules, named with spaces between."""
    command = [sys.executable, "-c", BARE, modules, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def test_without_what_grading_needs_the_other_commands_work(tmp_path):
    (tmp_path / "secret").write_text(SECRET)
    arguments = ["--student", "ann", "--out", tmp_path / "ann.ipynb", "--secret", tmp_path / "secret"]
    made = run_without(" ".join(NEEDED), "variant", *arguments)
    assert (made.returncode, made.stderr) == (0, "")


@pytest.mark.parametrize("module", NEEDED)
def test_what_grading_needs_is_named_with_what_brings_it(submissions, tmp_path, module):
    told = run_without(module, "grade", submissions, "--out", tmp_path / "out")
    assert told.returncode == 2
    assert "pip install -e '.[grading]' brings it" in told.stderr


def test_another_system_is_named(submissions, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    assert grade(submissions, "--out", tmp_path / "out") == 2
    assert "grading needs Linux, and this is win32" in capsys.readouterr().err
