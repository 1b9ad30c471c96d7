"""The command `variant`, and where every command takes the course's secret from."""

import argparse
import json
import os
import sys
from pathlib import Path

from .notebooks import variant
from .variants import Secret

VARIABLE = "AUTOGRAD_CORE_SECRET"


def add(commands: argparse._SubParsersAction) -> None:
    """Add `variant` to the commands of `python -m autograd_core.classroom`."""
    parser = commands.add_parser("variant", help="write a student's questions for marks", description=__doc__)
    parser.add_argument("--student", required=True, help="as the student's entry among the submissions is called")
    parser.add_argument("--out", type=Path, required=True, help="the notebook to write")
    add_secret(parser)
    parser.set_defaults(run=write)


def add_secret(parser: argparse.ArgumentParser) -> None:
    """Add the option for the secret. It is no argument itself: those are seen by everybody on the machine."""
    parser.add_argument("--secret", type=Path, metavar="FILE", help=f"holds the course's secret; else {VARIABLE} does")


def secret(arguments: argparse.Namespace) -> Secret | None:
    """The secret that the command line or the environment gives. Raises ValueError or OSError for one that is none."""
    text = arguments.secret.read_text("utf-8").strip() if arguments.secret else os.environ.get(VARIABLE)
    return Secret(text) if text is not None else None


def write(arguments: argparse.Namespace) -> int:
    """Write the notebook. Returns the exit code."""
    try:
        found = secret(arguments)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    if found is None:
        print(f"there is no secret: name a file with --secret, or set {VARIABLE}", file=sys.stderr)
        return 2
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps(variant(arguments.student, found), indent=1), encoding="utf-8")
    print(f"{arguments.out}: the questions of {arguments.student}")
    return 0
