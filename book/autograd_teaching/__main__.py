"""`python -m autograd_teaching`: what teachers run."""

import argparse
import sys

from .bank import command as variants
from .grader import command as grading


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m autograd_teaching", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    variants.add(commands)
    grading.add(commands)
    arguments = parser.parse_args()
    return arguments.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
