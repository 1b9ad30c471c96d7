"""The user's source line: found on the stack, and read."""

from __future__ import annotations

import ast
import linecache
import re
import sys
from functools import lru_cache
from pathlib import Path
from types import CodeType

from ..core.graph import describe, is_ours
from ..core.tensor import Tensor


def pytorch():
    """PyTorch, if the program has imported it; None too where `as_torch` has put this package in its place."""
    torch = sys.modules.get("torch")
    return None if getattr(torch, "Tensor", None) is Tensor else torch


def user_source():
    """Position of the innermost caller outside this package and PyTorch, as (code object, instruction)."""
    torch = pytorch()
    folder = str(Path(torch.__file__).parent) if torch is not None and torch.__file__ else None
    frame = sys._getframe(1)
    while frame.f_back is not None:
        name = frame.f_code.co_filename
        if not is_ours[name] and not (folder and name.startswith(folder)):
            break
        frame = frame.f_back
    return frame.f_code, frame.f_lasti


def line_at(source) -> str | None:
    """The position as "file:line: text"."""
    return None if source is None else by_cell(describe(source))


def by_cell(line: str) -> str:
    """The line, without the name of the temporary file that Jupyter gives to a cell.

    >>> by_cell("temporary/ipykernel_7/123.py:4: h = w.detach()")
    'cell:4: h = w.detach()'
    """
    return re.sub(r"^.*[/\\]ipykernel_\d+[/\\]\d+\.py:", "cell:", line)


def rebinds(line: str | None) -> bool:
    """Whether a line computes a name's new value from its old one, as `w = w - 0.1 * g` does.

    >>> rebinds("train.py:3: w = w - 0.1 * w.grad"), rebinds("train.py:3: h = 2 * w")
    (True, False)
    """
    if line is None:
        return False
    text = line.split(": ", 1)[-1]
    try:
        (statement,) = ast.parse(text).body
    except (SyntaxError, ValueError):  # a part of a longer statement, or no statement at all
        return False
    if not isinstance(statement, ast.Assign):
        return False
    targets = {ast.unparse(target) for target in statement.targets}
    used = {ast.unparse(part) for part in ast.walk(statement.value) if isinstance(part, (ast.Name, ast.Attribute))}
    return not targets.isdisjoint(used)


def called_at(source) -> str | None:
    """The name of the function that the program calls at a position: grad for both calls of grad(f)(x)."""
    return _called(*source)


@lru_cache(256)
def _called(code: CodeType, instruction: int) -> str | None:
    first, last, begin, end = list(code.co_positions())[instruction // 2]
    if first is None or last is None or begin is None or end is None:
        return None
    lines = [line.encode() for line in linecache.getlines(code.co_filename)[first - 1 : last]]
    if not lines:
        return None
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][begin:]
    try:
        call = ast.parse(b"".join(lines).decode(), mode="eval").body
    except SyntaxError:
        return None
    while isinstance(call, ast.Call):
        call = call.func
        if isinstance(call, (ast.Attribute, ast.Name)):
            return call.attr if isinstance(call, ast.Attribute) else call.id
    return None
