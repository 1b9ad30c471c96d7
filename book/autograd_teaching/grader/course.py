"""Grade the notebooks of a course, as far as that has not been done."""

import argparse
import hashlib
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from rich.progress import track

import autograd_book
import autograd_core
import autograd_teaching
from autograd_book.check import chapters

from ..bank.command import secret
from ..bank.variants import Secret
from .limits import Limits
from .one import Graded, Job, refused
from .report import write_csv, write_html
from .spread import spread
from .store import Key, Store, opened
from .submissions import Submission, Unreadable, digest, find

PACKAGES = [Path(package.__path__[0]) for package in (autograd_core, autograd_book, autograd_teaching)]


def grade_all(arguments: argparse.Namespace) -> int:
    """Grade what has not been graded, then write the table and the page. Returns the exit code."""
    limits = Limits(seconds=arguments.seconds, memory=arguments.memory * 2**20)
    if (arguments.scheduler or "").startswith("tcp://"):
        print(f"{arguments.scheduler} takes orders from any notebook there, and tls:// does not", file=sys.stderr)
    out = arguments.out
    with ExitStack() as stack:
        try:
            submissions = list(find(arguments.submissions))
            course = _secret(arguments)
            _make(out)
            store = stack.enter_context(opened(out / "results.sqlite", grader(course, limits)))
        except (OSError, ValueError) as error:
            print(error, file=sys.stderr)
            return 2
        jobs = [_job(submission, number, store.seed, limits, course) for number, submission in enumerate(submissions)]
        try:
            lost = _grade_new(jobs, store, arguments)
        except ConnectionError as error:
            print(error, file=sys.stderr)
            return 2
        results = [*store.results(_key(job) for job, _ in jobs), *lost]
        write_csv(results, out / "results.csv")
        write_html(results, store.seed, out / "report.html")
    print(f"{len(results)} notebooks; see {out / 'report.html'} and {out / 'results.csv'}")
    if lost:
        print(f"the grader failed on {len(lost)} of them, and tries again when it is called again", file=sys.stderr)
    return 1 if lost else 0


def _secret(arguments: argparse.Namespace) -> Secret | None:
    course = secret(arguments)
    if course is not None and os.geteuid() != 0:
        raise PermissionError(
            "a notebook can read the course's secret unless root grades, who gives it a user of its own: "
            "run the grader as root in a container, or without a secret"
        )
    return course


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise NotADirectoryError(f"--out needs a folder, and {folder} is or lies in a file") from error


def _job(submission: Submission, number: int, seed: int, limits: Limits, course: Secret | None) -> tuple[Job, str]:
    """The job, and why it cannot be graded if it cannot."""
    try:
        content, why = submission.read(), ""
    except Unreadable as error:
        content, why = b"", str(error)
    return Job(submission.student, submission.notebook, content, number, seed, limits, course), why


def _key(job: Job) -> Key:
    return job.student, job.notebook, digest(job.content)


def _grade_new(jobs: Sequence[tuple[Job, str]], store: Store, arguments: argparse.Namespace) -> list[Graded]:
    """Grade and store; return the jobs that the grader itself failed on, which the store does not keep."""
    done, lost = store.done(), []
    new = {_key(job): (job, why) for job, why in jobs if _key(job) not in done}.values()
    for job, why in new:
        if why:
            store.add(refused(job, why))
    to_run = [job for job, why in new if not why]
    if not to_run:
        return []
    results = spread(to_run, arguments.workers, arguments.scheduler)
    for job, result in track(results, "grading", total=len(to_run)):
        if isinstance(result, Graded):
            store.add(result)
        else:
            lost.append(refused(job, f"the grader failed: {result!r}"))
    return lost


def grader(course: Secret | None, limits: Limits) -> str:
    """A digest of what decides a verdict: code, chapters, limits and secret. Others' results are not used."""
    contents = hashlib.sha256(repr(limits).encode())
    if course is not None:
        contents.update(course.fingerprint.encode())
    contents.update(repr(chapters.as_files()).encode())
    for path in sorted(path for folder in PACKAGES for path in folder.rglob("*") if path.suffix in {".py", ".json"}):
        contents.update(path.read_bytes())
    return contents.hexdigest()
