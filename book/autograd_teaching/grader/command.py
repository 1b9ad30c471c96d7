"""The command `grade`."""

import argparse
import math
import os
import sys
from pathlib import Path

from ..bank.command import add_secret
from .limits import Limits


def add(commands: argparse._SubParsersAction) -> None:
    """Add `grade` to the commands of `python -m autograd_book.check`."""
    limits = Limits()
    mebibytes = limits.memory // 2**20
    parser = commands.add_parser("grade", help="grade a folder of notebooks", description=__doc__)
    parser.add_argument("submissions", type=Path, help="a folder with an entry for each student")
    parser.add_argument("--out", type=Path, required=True, help="for results.sqlite, results.csv and report.html")
    parser.add_argument(
        "--workers", type=_count, default=os.cpu_count(), help="processes on this machine (%(default)s)"
    )
    parser.add_argument("--scheduler", type=_address, metavar="tls://HOST:PORT", help="a running Dask scheduler")
    parser.add_argument("--seconds", type=_positive, default=limits.seconds, help="for one notebook (%(default)g)")
    parser.add_argument("--memory", type=_count, default=mebibytes, help="MiB for one notebook (%(default)s)")
    add_secret(parser)
    parser.set_defaults(run=grade)


def _count(text: str) -> int:
    return int(_positive(str(int(text))))


def _positive(text: str) -> float:
    number = float(text)
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text} is no number above 0")
    return number


def _address(text: str) -> str:
    if not text.startswith(("tls://", "tcp://")):
        raise argparse.ArgumentTypeError(f"{text} is no address of a scheduler, such as tls://grader.example.org:8786")
    return text


def grade(arguments: argparse.Namespace) -> int:
    """Grade a course, or say what that takes. Returns the exit code."""
    if sys.platform != "linux":
        print(f"grading needs Linux, and this is {sys.platform}: run the grader in a container", file=sys.stderr)
        return 2
    try:
        from .course import grade_all
    except ImportError as missing:
        print(f"{missing}: in a copy of the repository, pip install -e '.[grading]' brings it", file=sys.stderr)
        return 2
    return grade_all(arguments)
