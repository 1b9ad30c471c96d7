"""Find the notebooks of a folder of submissions, and say why one cannot be graded.

The folder holds one entry for each student: a notebook `NAME.ipynb`, or a folder `NAME` with notebooks at any depth.
"""

import hashlib
import json
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LARGEST = 10 * 2**20  # bytes of a notebook


class Unreadable(Exception):
    """A submission that is not a notebook; the message says what it is."""


@dataclass(frozen=True)
class Submission:
    """One notebook of one student.

    Parameters:
        student: the name of the entry, without `.ipynb`.
        notebook: the path below the folder of submissions; bytes that are no UTF-8 show as `\\xNN`.
        path: where it lies; None if the student's folder has no notebook.
    """

    student: str
    notebook: str
    path: Path | None

    def read(self) -> bytes:
        """The content. Raises `Unreadable` for what is no plain file, is too large, or cannot be read."""
        if self.path is None:
            raise Unreadable("no notebook in this folder")
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError as error:
            link = self.path.is_symlink()
            raise Unreadable("a symbolic link, which is not followed" if link else str(error.strerror)) from error
        with open(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise Unreadable("not a plain file")
            if status.st_size > LARGEST:
                raise Unreadable(f"{status.st_size} bytes, more than the {LARGEST} that a notebook may have")
            return file.read(LARGEST)


def find(folder: Path) -> Iterator[Submission]:
    """All submissions below a folder, by name; a student without a notebook has one that is missing.

    Raises `NotADirectoryError` if there is no such folder.
    """
    if not folder.is_dir():
        raise NotADirectoryError(f"there is no folder {folder}")
    for entry in sorted(folder.iterdir(), key=os.fsencode):
        if entry.name.startswith("."):
            continue
        if entry.is_symlink() or not entry.is_dir():
            yield Submission(
                readable(entry.stem if entry.suffix == ".ipynb" else entry.name), readable(entry.name), entry
            )
            continue
        notebooks = sorted(_notebooks(entry), key=os.fsencode)
        for path in notebooks:
            yield Submission(readable(entry.name), readable(os.fspath(path.relative_to(folder))), path)
        if not notebooks:
            yield Submission(readable(entry.name), f"{readable(entry.name)}/(no notebook)", None)


def _notebooks(folder: Path) -> Iterator[Path]:
    """The notebooks and links to notebooks below a folder; links to folders are not entered."""
    for root, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != ".ipynb_checkpoints"]
        yield from (Path(root, name) for name in files if name.endswith(".ipynb"))


def readable(name: str) -> str:
    """A file's name as text that can be stored and printed.

    >>> readable("ann\\udcff"), readable("b\\nob")
    ('ann\\\\xff', 'b\\\\nob')
    """
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def digest(content: bytes) -> str:
    """What tells two contents apart."""
    return hashlib.sha256(content).hexdigest()


def read(content: bytes) -> tuple[list[str], dict[str, str]]:
    """The sources of the code cells, and what a variant of the bank says of itself, if it is one.

    A cell tagged `demonstration` is none of the student's: what it checks is no answer.

    Raises `Unreadable` that says where the file stops being a notebook.
    """
    try:
        notebook = json.loads(content)
        code = [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "code" and not _demonstrates(cell)]
        made = notebook.get("metadata", {}).get("autograd_core", {})
        cells = [source if isinstance(source, str) else "".join(source) for source in code]
        return cells, {"student": str(made["student"]), "course": str(made["course"])} if made else {}
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not JSON: {error}") from error
    except (AttributeError, KeyError, TypeError) as error:
        raise Unreadable(f"JSON, but not a notebook: {error!r}") from error


def _demonstrates(cell: dict[str, Any]) -> bool:
    return "demonstration" in cell.get("metadata", {}).get("tags", ())
