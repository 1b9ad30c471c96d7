"""`python -m autograd_core.classroom`: what teachers run."""

import argparse
import sys


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m autograd_core.classroom", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    try:
        from .grader import command
    except ImportError as missing:
        parser.exit(1, f"{missing}: grading needs pip install 'autograd-core[grading]'\n")
    command.add(commands)
    arguments = parser.parse_args()
    return arguments.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
