"""The way of a program through the code of the project: which functions run, in which order, and where they stand."""

import inspect
import linecache
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import autograd_core
from autograd_core.core.graph import TEXT_FILE

from ..compare.table import Table

PLACES = {  # each folder with what it is called in the repository
    Path(autograd_core.__file__).parent: "autograd_core",
    Path(__file__).parents[1]: "book/autograd_book",
    Path(__file__).parents[2] / "autograd_teaching": "book/autograd_teaching",
}
TEXTS = "<autograd_core>"  # the one file for which the texts of all ops count
COMPREHENSIONS = {"<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>"}  # parts of the function that they stand in


@dataclass(frozen=True)
class Step:
    """A function that ran: its name, the file and the line where it begins, and how many lines it has."""

    name: str
    file: str
    line: int
    lines: int

    @property
    def place(self) -> str:
        """File and line; for the text of an op, where a reader finds that."""
        return f"ac.{self.name}.source" if self.file == TEXTS else f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Walk:
    """The functions that ran, in the order of their first calls, and how often a call went from one file to another.

    `files` has the lines of each file that had a part in it; of the texts of ops those that ran.
    """

    steps: list[Step]
    moves: int
    files: dict[str, int]

    @property
    def lines(self) -> int:
        """The lines of the functions together."""
        return sum(step.lines for step in self.steps)

    def __repr__(self) -> str:
        files = f"{len(self.files)} files of {sum(self.files.values()):,} lines"
        return f"{len(self.steps)} functions, {self.lines} lines, in {files}"

    def stops(self) -> Table:
        """Each function with its place and its lines."""
        return Table(["function", "place", "lines"], [[s.name, s.place, str(s.lines)] for s in self.steps])


def walk(program: Callable[..., Any], start: Callable[[], Any] | None = None) -> Walk:
    """Run a program and note the functions of the project that it calls.

    It runs three times, and the last time counts: by then what is made at a first use is there. `start`, which is not
    watched, is called before each run and makes its argument. A move is a call from a function in one file to one in
    another, directly or through other libraries. The texts of all ops, which one template gives, are one file.

    >>> import autograd_core as ac
    >>> x = ac.tensor(2.0, requires_grad=True)
    >>> [step.name for step in walk(lambda: x * x).steps]
    ['mul', 'wrap', 'new_node']
    """
    for _ in range(2):
        _run(program, start)
    calls: list[tuple[CodeType, str | None]] = []

    def note(frame: FrameType, event: str, _arg: Any) -> None:
        code = frame.f_code
        if event == "call" and _belongs(code.co_filename) and code.co_name not in COMPREHENSIONS:
            calls.append((code, _caller(frame)))

    _run(program, start, note)
    codes = dict.fromkeys(code for code, _ in calls)
    moves = sum(caller is not None and caller != _shown(code.co_filename) for code, caller in calls)
    files: dict[str, int] = {}
    for file in dict.fromkeys(code.co_filename for code in codes):
        files[_shown(file)] = files.get(_shown(file), 0) + len(linecache.getlines(file))
    return Walk([_step(code) for code in codes], moves, files)


def _run(program: Callable[..., Any], start: Callable[[], Any] | None, note: Any = None) -> None:
    arguments = () if start is None else (start(),)
    before = sys.getprofile()
    if note is not None:
        sys.setprofile(note)
    try:
        program(*arguments)
    finally:
        sys.setprofile(before)


@cache
def _belongs(file: str) -> bool:
    """Whether a file, or the text of an op, is one of the project's."""
    if file == __file__:
        return False
    return file.startswith(TEXT_FILE) or any(folder in Path(file).parents for folder in PLACES)


def _caller(frame: FrameType) -> str | None:
    """The file of the project from which a call came; None where it came from the program itself."""
    back = frame.f_back
    while back is not None and back.f_code.co_filename != __file__:
        if _belongs(back.f_code.co_filename):
            return _shown(back.f_code.co_filename)
        back = back.f_back
    return None


def _step(code: CodeType) -> Step:
    lines = inspect.getsourcelines(code)[0]
    return Step(code.co_qualname, _shown(code.co_filename), code.co_firstlineno, len(lines))


@cache
def _shown(file: str) -> str:
    """A file as the repository has it."""
    path = Path(file)
    for folder, name in PLACES.items():
        if folder in path.parents:
            return f"{name}/{path.relative_to(folder).as_posix()}"
    return TEXTS
