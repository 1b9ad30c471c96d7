"""The commands `variant` and `key`, and where every command takes the course's secret from."""

import argparse
import csv
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from autograd_book.compare import engines
from autograd_book.compare.values import show, snapshot

from .notebooks import variant
from .questions import QUESTIONS
from .variants import Secret

VARIABLE = "AUTOGRAD_CORE_SECRET"
VARIANT = "Write a notebook of questions for each student, OUT/NAME.ipynb, with numbers from the course's secret."
KEY = "Write the right answers of each student as a table, OUT, from the same secret."


def add(commands: argparse._SubParsersAction) -> None:
    """Add `variant` and `key` to the commands of `python -m autograd_book.check`."""
    _add(commands, "variant", "write the students' questions for marks", VARIANT, write_variants)
    _add(commands, "key", "write the answers to them", KEY, write_key)


def _add(commands: argparse._SubParsersAction, name: str, help: str, description: str, write: Callable) -> None:
    parser = commands.add_parser(name, help=help, description=description)
    who = parser.add_mutually_exclusive_group(required=True)
    who.add_argument("--student", nargs="+", metavar="NAME", help="as the entries among the submissions are called")
    who.add_argument("--students", type=Path, metavar="FILE", help="holds the names, one in a line")
    parser.add_argument("--out", type=Path, required=True)
    add_secret(parser)
    parser.set_defaults(run=lambda arguments: _run(write, arguments))


def add_secret(parser: argparse.ArgumentParser) -> None:
    """Add the option for the secret. It is no argument itself: those are seen by everybody on the machine."""
    parser.add_argument("--secret", type=Path, metavar="FILE", help=f"holds the course's secret; else {VARIABLE} does")


def secret(arguments: argparse.Namespace) -> Secret | None:
    """The secret that the command line or the environment gives. Raises ValueError or OSError for one that is none."""
    text = arguments.secret.read_text("utf-8").strip() if arguments.secret else os.environ.get(VARIABLE)
    return Secret(text) if text is not None else None


def _run(write: Callable[[Sequence[str], Path, Secret], None], arguments: argparse.Namespace) -> int:
    """Call one of the commands; return the exit code."""
    try:
        found = secret(arguments)
        if found is None:
            raise ValueError(f"there is no secret: name a file with --secret, or set {VARIABLE}")
        write(_names(arguments), arguments.out, found)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _names(arguments: argparse.Namespace) -> list[str]:
    """The students. Raises ValueError for a name that no entry among the submissions could have."""
    lines = arguments.students.read_text("utf-8").splitlines() if arguments.students else arguments.student
    names = [line for line in lines if line or not arguments.students]
    for name in names:
        if name.strip(".") == "" or "/" in name or not name.isprintable():
            raise ValueError(f"no entry among the submissions can be called {name!r}: choose another name")
    return names


def write_variants(students: Sequence[str], out: Path, secret: Secret) -> None:
    """Write the notebooks. Raises FileExistsError before the first is written if one of them is there."""
    paths = [out / f"{student}.ipynb" for student in students]
    for path in paths:
        if path.exists():
            raise FileExistsError(f"{path} is there, perhaps with answers: move it away, or choose another --out")
    out.mkdir(parents=True, exist_ok=True)
    for student, path in zip(students, paths, strict=True):
        path.write_text(json.dumps(variant(student, secret), indent=1), encoding="utf-8")
        print(path)


def write_key(students: Sequence[str], out: Path, secret: Secret) -> None:
    """Write the table: a line for each row of each question of each student."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["student", "question", "row", "answer"])
        for student in students:
            for question in QUESTIONS:
                answer = question.answer(engines.load("autograd_core"), secret.drawn(question, student))
                for row, value in snapshot(answer).items():
                    table.writerow([student, question.id, row, show(value)])
    print(out)
