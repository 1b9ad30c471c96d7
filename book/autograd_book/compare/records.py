"""Results of engines that are not installed here, recorded where they were.

A page that runs Python in the browser has neither PyTorch nor JAX. `compare` records what they answer while the book is
executed (the environment variable AUTOGRAD_CORE_RECORD names a folder), and shows the record where they are missing
(AUTOGRAD_CORE_RECORDS names the file that `gather` made of the folder).

A record belongs to a program's syntax: `key` digests that of a function and of all that it reaches. Comments and
layout do not matter; a changed number does, and then there is no record.
"""

import ast
import dis
import hashlib
import json
import linecache
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from .values import show, snapshot
from .wire import decode, encode


@dataclass(frozen=True)
class Record:
    """What an engine answered: its version, the rows as `values.snapshot` gives them, and its warnings as text."""

    version: str
    rows: Mapping[str, Any]
    warnings: list[str]


def key(function: Callable[..., Any]) -> str:
    """Return a digest of a function's syntax and of what it reaches.

    Followed are its defaults and, by name, the globals and enclosing variables of its code: functions and classes of
    the function's own module (in a notebook, of all cells), numbers, strings, arrays, tensors, containers of these, and
    what other objects would be pickled as. Modules, and the functions and classes of other modules, count by name.

    Raises `TypeError` for a callable that is no function, or reaches an object that cannot be pickled, and `OSError`
    when the source of a function cannot be found.

    >>> def double(T):  # a comment
    ...     return {"row": 2 * T.tensor(3.0)}
    >>> first = key(double)
    >>> def double(T):
    ...     return {'row': 2*T.tensor(3.0)}
    >>> first == key(double)
    True
    """
    if not isinstance(function, FunctionType):
        raise TypeError(f"a record belongs to a function, and {function!r} is a {type(function).__name__}")
    text = "\0".join(_describe(function, function.__module__, []))
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def recording() -> bool:
    """Whether results are recorded now."""
    return bool(os.environ.get("AUTOGRAD_CORE_RECORD"))


def reading() -> bool:
    """Whether recorded results stand in for engines that are not installed."""
    return bool(os.environ.get("AUTOGRAD_CORE_RECORDS"))


def write(digest: str, engine: str, record: Record) -> None:
    """Keep what an engine answered to the function of a `key`, in the folder of AUTOGRAD_CORE_RECORD."""
    folder = Path(os.environ["AUTOGRAD_CORE_RECORD"])
    folder.mkdir(parents=True, exist_ok=True)
    kept = {"version": record.version, "rows": json.loads(encode(record.rows)), "warnings": record.warnings}
    (folder / f"{engine}-{digest}.json").write_text(json.dumps(kept), "utf-8")


def gather(folder: Path) -> str:
    """All records of a folder as one JSON text, which AUTOGRAD_CORE_RECORDS can name the file of."""
    return json.dumps({path.stem: json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))})


def lookup(digest: str, engine: str) -> Record | None:
    """Return what an engine answered to the function of a `key`, or None where that version of it was not recorded.

    Parameters: ``engine`` is ``"PyTorch"`` or ``"JAX"``; AUTOGRAD_CORE_RECORDS names the file.
    """
    found = _records(os.environ["AUTOGRAD_CORE_RECORDS"]).get(f"{engine}-{digest}")
    if found is None:
        return None
    return Record(found["version"], decode(json.dumps(found["rows"])), found["warnings"])


@cache
def _records(path: str) -> dict[str, Any]:
    return json.loads(Path(path).read_text("utf-8"))


_GIVEN = {"__module__", "__dict__", "__weakref__", "__firstlineno__", "__static_attributes__"}  # to every class


def _describe(value: Any, home: str, seen: list[Any]) -> Iterator[str]:
    """The parts of a value that decide what a program does with it; ``seen`` holds what was described on the way."""
    if any(value is each for each in seen):
        return
    inside: list[Any] = []
    if isinstance(value, FunctionType) and value.__module__ == home:
        tree = _tree(value.__code__)
        yield from _shape(tree)
        inside = [value.__defaults__, value.__kwdefaults__, _reached(value, tree)]
    elif isinstance(value, type) and value.__module__ == home:
        inside = [value.__qualname__, value.__bases__, {k: v for k, v in vars(value).items() if k not in _GIVEN}]
    elif isinstance(value, FunctionType | BuiltinFunctionType | ModuleType | type):
        yield getattr(value, "__qualname__", value.__name__)
    elif isinstance(value, Mapping):
        inside = [each for item in value.items() for each in item]
    elif isinstance(value, list | tuple):
        inside = [*value]
    elif isinstance(value, set | frozenset):
        inside = sorted("\0".join(_describe(each, home, [*seen])) for each in value)
    elif isinstance(value, np.ndarray | np.generic) or hasattr(value, "detach"):
        array = np.asarray(snapshot({"": value})[""])
        kind = array.dtype.name if array.dtype.kind == "f" else array.dtype.kind
        with np.printoptions(threshold=sys.maxsize):  # the last bits and the size of integers belong to a machine
            yield f"{kind} {array.shape} {show(array)}"
    elif isinstance(value, int | float | str | bytes | None):
        yield show(value)
    elif isinstance(value, property):
        inside = [value.fget, value.fset, value.fdel]
    elif hasattr(value, "__wrapped__"):  # by functools.cache, or as a static or class method
        inside = [value.__wrapped__]
    else:
        reduced = value.__reduce_ex__(2)  # a name, or a tuple of what makes it again
        inside = [reduced] if isinstance(reduced, str) else [*reduced]
    if inside:
        seen.append(value)
        for each in inside:
            yield from _describe(each, home, seen)
        yield f"end of {type(value).__name__}"


def _reached(function: FunctionType, tree: ast.AST) -> dict[str, Any]:
    """The globals and enclosing variables that a function names, apart from built-ins and those with no value yet.

    Only names that stand in the source count: whoever runs it may have put counters into the code.
    """
    names = _global_names(function.__code__) & {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    reached = {name: value for name, value in function.__globals__.items() if name in names}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        if not _is_empty(cell):
            reached[name] = cell.cell_contents
    return dict(sorted(reached.items()))


def _global_names(code: CodeType) -> set[str]:
    here = {step.argval for step in dis.get_instructions(code) if step.opname in {"LOAD_GLOBAL", "LOAD_NAME"}}
    return here.union(*(_global_names(const) for const in code.co_consts if isinstance(const, CodeType)))


def _is_empty(cell: CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return True
    return False


def _tree(code: CodeType) -> ast.AST:
    """The part of a file that a function was compiled from."""
    source = "".join(linecache.getlines(code.co_filename))
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef | ast.Lambda)]
    named = [node for node in functions if getattr(node, "name", "<lambda>") == code.co_name]
    here = [node for node in named if _first_line(node) == code.co_firstlineno]
    if not here:
        raise OSError(f"the source of {code.co_qualname} is not in {code.co_filename}")
    return here[0] if len(here) == 1 else _lambda_among(here, code)


def _first_line(node: Any) -> int:
    return min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])


def _lambda_among(lambdas: list[Any], code: CodeType) -> ast.AST:
    """Of several that begin on one line, the innermost that holds all instructions of a code object."""
    spans = [((a, b), (c, d)) for a, c, b, d in code.co_positions() if a and (a, b) != (c, d)]
    if not spans:  # a constant, which some versions of Python give no position
        return next(node for node in lambdas if getattr(node.body, "value", None) == code.co_consts[-1])
    start, end = min(start for start, _ in spans), max(end for _, end in spans)
    bodies = [((n.body.lineno, n.body.col_offset), (n.body.end_lineno, n.body.end_col_offset), n) for n in lambdas]
    return max((first, node) for first, last, node in bodies if first <= start and end <= last)[1]


def _shape(node: Any) -> Iterator[str]:
    """The syntax below a node, the same in every version of Python: `ast.dump` and `ast.unparse` are not."""
    if isinstance(node, ast.AST):
        yield type(node).__name__
        for name, value in ast.iter_fields(node):
            if isinstance(node, ast.JoinedStr):  # some versions end it with an empty string
                value = [each for each in value if getattr(each, "value", None) != ""]
            if value not in (None, []):
                yield name
                yield from _shape(value)
    elif isinstance(node, list):
        for each in node:
            yield from _shape(each)
    else:
        yield repr(node)
