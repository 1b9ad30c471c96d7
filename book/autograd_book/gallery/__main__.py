"""Look a traceback up in the error gallery.

    python -m autograd_book.gallery traceback.txt
    python train.py 2>&1 | python -m autograd_book.gallery

Exit code 0: the message is in the gallery, and its entry is printed. 1: it is not. 2: there was no message to look up.
"""

import argparse
import ast
import sys
import warnings
from pathlib import Path

from . import GALLERY
from .entry import messages_in, recognize

KNOWN, UNKNOWN, UNREADABLE = 0, 1, 2


def main(arguments: list[str] | None = None) -> int:
    """Read, look up and print; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m autograd_book.gallery",
        description="Say what an error message of autograd_core or PyTorch means, and how to mend it.",
        epilog="Exit code 0: the message is in the error gallery. 1: it is not. 2: there was no message to look up.",
    )
    parser.add_argument(
        "file", nargs="?", type=Path, help="a text with a traceback or a message; standard input if none"
    )
    file = parser.parse_args(arguments).file
    try:
        text = _read(file)
    except (OSError, UnicodeDecodeError) as error:
        return _refuse(f"{file or 'standard input'} cannot be read as text: {error}")
    if not text.strip():
        return _refuse(f"{file or 'standard input'} is empty; give the text of a traceback")
    if _is_program(text):
        command = f"python {file or 'program.py'} 2>&1 | python -m autograd_book.gallery"
        return _refuse(f"{file or 'standard input'} is a program; give the traceback that it prints: {command}")
    entry = recognize(text, GALLERY)
    if entry is None:
        message = messages_in(text)[0].splitlines()[0]
        print(f"This is none of the {len(GALLERY)} messages of the error gallery: {message}", file=sys.stderr)
        return UNKNOWN
    print(entry)
    return KNOWN


def _read(file: Path | None) -> str:
    if file is not None:
        return file.read_text("utf-8")
    if sys.stdin.isatty():
        print("Paste the traceback, then press Ctrl-D on a line of its own.", file=sys.stderr)
    return sys.stdin.buffer.read().decode("utf-8")


def _is_program(text: str) -> bool:
    """Whether this is Python, and more than what a message may be too: `KeyError: 'w'` is an annotation."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a doubtful escape in a string
        try:
            statements = ast.parse(text).body
        except (SyntaxError, ValueError):
            return False
    return any(not isinstance(statement, (ast.Expr, ast.AnnAssign)) for statement in statements)


def _refuse(why: str) -> int:
    print(f"error: {why}", file=sys.stderr)
    return UNREADABLE


if __name__ == "__main__":
    sys.exit(main())
