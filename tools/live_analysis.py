"""Which code cells can run in the reader's browser, decided by reading them.

There is Python there, its standard library without processes, threads, files and sockets, NumPy, Matplotlib and this
package; no PyTorch, no JAX, no IPython. A cell that needs more stays as it is, and so does one that needs a name that
such a cell gave.
"""

import ast
import builtins
import symtable
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

ABSENT = {"concurrent", "ctypes", "multiprocessing", "pathlib", "signal", "socket", "subprocess", "threading"}
PRESENT = {"autograd_core", "autograd_book", "matplotlib", "numpy"} | sys.stdlib_module_names - ABSENT
STOOD_IN = {"HTML", "display"}  # of IPython.display, by book/_static/live/session.py
FORBIDDEN = {"breakpoint", "get_ipython", "input", "open"}


def live(cells: Iterable[tuple[str, Mapping[str, Any]]]) -> list[bool]:
    """For each cell of a page, whether it can run in the browser after those above it that can.

    A cell is its text and its metadata. One that says `live: false` cannot, for a reason that its text does not show.

    >>> texts = ["import torch", "x = 1", "x + 1", "x = torch.ones(1)", "x + 1"]
    >>> live([*((text, {}) for text in texts), ("1 + 1", {"live": False})])
    [False, True, True, False, False, False]
    """
    known = set(dir(builtins)) - FORBIDDEN
    found = []
    for source, metadata in cells:
        try:
            tree = ast.parse(source)
        except SyntaxError:  # a magic
            found.append(False)
            continue
        bound, needed = _names(symtable.symtable(source, "cell", "exec"))
        runs = metadata.get("live", True) and needed <= known | bound and not any(_reasons(tree, ()))
        known = known | bound if runs else known - bound
        found.append(runs)
    return found


def _names(table: symtable.SymbolTable) -> tuple[set[str], set[str]]:
    """The global names that a cell binds, and those that it reads, in its functions too."""
    bound, needed = set(), set()
    for symbol in table.get_symbols():
        if table.get_type() == "module" or symbol.is_global():
            if symbol.is_assigned() or symbol.is_imported():
                bound.add(symbol.get_name())
            if symbol.is_referenced():
                needed.add(symbol.get_name())
    for inner in table.get_children():
        more_bound, more_needed = _names(inner)
        bound, needed = bound | more_bound, needed | more_needed
    return bound, needed


def _reasons(node: ast.AST, given: tuple[str, ...]) -> Iterator[str]:
    """What a cell needs and a browser lacks. ``given`` are the parameters of the functions around a node.

    An import is nothing to worry about in a function that is given the module: it is called where there is one.
    """
    if isinstance(node, ast.FunctionDef | ast.Lambda):
        given = (*given, *(argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg)))
    elif isinstance(node, ast.Import | ast.ImportFrom):
        for module, name in _imported(node):
            root = module.partition(".")[0]
            if not (root in given or root in PRESENT or (module == "IPython.display" and name in STOOD_IN)):
                yield f"{module}.{name}"
    elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "load":  # an engine, or a file
        yield from [] if ast.unparse(node.args) == "'autograd_core'" else [ast.unparse(node)]
    for child in ast.iter_child_nodes(node):
        yield from _reasons(child, given)


def _imported(node: ast.Import | ast.ImportFrom) -> list[tuple[str, str]]:
    if isinstance(node, ast.Import):
        return [(alias.name, "") for alias in node.names]
    return [(node.module or "", alias.name) for alias in node.names]
