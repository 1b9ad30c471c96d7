"""The command `grade`."""

import argparse
import hashlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from ..bank.command import add_secret, secret
from ..bank.variants import Secret
from .confinement import Limits
from .one import Job, refused
from .report import write_csv, write_html
from .store import Store, opened
from .submissions import Submission, Unreadable, digest, find


def add(commands: argparse._SubParsersAction) -> None:
    """Add `grade` to the commands of `python -m autograd_core.classroom`."""
    limits = Limits()
    parser = commands.add_parser("grade", help="grade a folder of notebooks", description=__doc__)
    parser.add_argument("submissions", type=Path, help="a folder with an entry for each student")
    parser.add_argument("--out", type=Path, required=True, help="for results.sqlite, results.csv and report.html")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes on this machine (%(default)s)")
    parser.add_argument("--scheduler", metavar="tcp://HOST:PORT", help="a running Dask scheduler")
    parser.add_argument("--seconds", type=float, default=limits.seconds, help="for one notebook (%(default)g)")
    parser.add_argument("--memory", type=int, default=limits.memory // 2**20, help="MiB for one notebook (%(default)s)")
    add_secret(parser)
    parser.set_defaults(run=grade_all)


def grade_all(arguments: argparse.Namespace) -> int:
    """Grade what has not been graded, then write the table and the page. Returns the exit code."""
    try:
        submissions = list(find(arguments.submissions))
        course = secret(arguments)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    arguments.out.mkdir(parents=True, exist_ok=True)
    limits = Limits(seconds=arguments.seconds, memory=arguments.memory * 2**20)
    with opened(arguments.out / "results.sqlite", grader(course)) as store:
        jobs, keys = [], []
        for number, submission in enumerate(submissions):
            job, why = _job(submission, number, store.seed, limits, course)
            keys.append((job.student, job.notebook, digest(job.content)))
            jobs.append((job, why))
        _grade_new(jobs, store, arguments)
        results = list(store.results(keys))
        seed = store.seed
    write_csv(results, arguments.out / "results.csv")
    write_html(results, seed, arguments.out / "report.html")
    print(f"{len(results)} notebooks; see {arguments.out / 'report.html'} and {arguments.out / 'results.csv'}")
    return 0


def _job(submission: Submission, number: int, seed: int, limits: Limits, course: Secret | None) -> tuple[Job, str]:
    """The job, and why it cannot be graded if it cannot."""
    try:
        content, why = submission.read(), ""
    except Unreadable as error:
        content, why = b"", str(error)
    return Job(submission.student, submission.notebook, content, number, seed, limits, course), why


def _grade_new(jobs: Sequence[tuple[Job, str]], store: Store, arguments: argparse.Namespace) -> None:
    from rich.progress import track

    from .spread import spread

    done = store.done()
    new = [(job, why) for job, why in jobs if (job.student, job.notebook, digest(job.content)) not in done]
    for job, why in new:
        if why:
            store.add(refused(job, why))
    to_run = [job for job, why in new if not why]
    if not to_run:
        return
    results = spread(to_run, arguments.workers, arguments.scheduler)
    for graded in track(results, "grading", total=len(to_run)):
        store.add(graded)


def grader(course: Secret | None) -> str:
    """A digest of the code and the secret that decide a verdict: what others graded is graded again."""
    package = Path(__file__).parents[1]
    contents = hashlib.sha256(course.fingerprint.encode() if course else b"")
    for path in sorted(package.rglob("*.py")):
        contents.update(path.read_bytes())
    return contents.hexdigest()
