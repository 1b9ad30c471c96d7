"""The function of an op, written out: one text for every op, filled in from its row.

    >>> import autograd_core as ac
    >>> print(ac.exp.source)
    def exp(input, *, out=None):
        if out is not None:
            return apply(primitive, (input,), {"out": out})
        grad_mode = current_mode()
        if not isinstance(input, Tensor) or input._meta is not None or not grad_mode.plain:
            if type(input) is ndarray and input.dtype.kind == "f":
                return forward(input)
            return apply(primitive, (input,), {})
        x, x_edge = input._array, input._edge
        ...

`dataclasses` makes `__init__` in this way, and PyTorch its functions from `derivatives.yaml`. What comes out is
straight code about one op: it reads the arrays of its operands, computes, and leaves a node if a gradient may be
wanted. It serves the calls in which nothing has to be looked up, and hands every other to `call.apply`, which does the
same for all ops. A debugger steps through it.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable
from sys import _getframe
from types import FunctionType
from typing import Any

import numpy as np

from .call import UNCHANGING, apply, arrays_of, explained, fixed, given, refuse_dtype
from .dtypes import HALF, WIDE
from .graph import TEXT_FILE, new_node
from .modes import current_mode
from .primitive import Primitive
from .record import FROZEN, extras
from .silence import QUIET, USUAL, current_errors, muted, set_errors
from .tensor import Tensor, wrap
from .text import ABSENT, Text
from .view import make_view

# What the texts name beside their own op.
SHARED: dict[str, Any] = {
    "ABSENT": ABSENT,
    "FROZEN": FROZEN,
    "HALF": HALF,
    "QUIET": QUIET,
    "Tensor": Tensor,
    "UNCHANGING": UNCHANGING,
    "USUAL": USUAL,
    "WIDE": WIDE,
    "arrays_of": arrays_of,
    "current_errors": current_errors,
    "current_mode": current_mode,
    "explained": explained,
    "extras": extras,
    "fixed": fixed,
    "getframe": _getframe,
    "given": given,
    "make_view": make_view,
    "muted": muted,
    "ndarray": np.ndarray,
    "new_node": new_node,
    "refuse_dtype": refuse_dtype,
    "set_errors": set_errors,
    "wrap": wrap,
}


def is_written(primitive: Primitive) -> bool:
    """Whether a row has a text of its own: those with one output have."""
    return len(primitive.outputs) == 1 and not primitive.many


def written(primitive: Primitive, apply: Callable = apply) -> Any:
    """The function of a row. `apply` serves the calls that are not plain."""
    text = Text(primitive)
    source = text.function() + "\n"
    # Python drops a warning of C code where the code that called it is in a module without a name: NumPy's of a ufunc.
    own = {"__name__": None, "apply": apply, "primitive": primitive, "forward": primitive.forward}
    function: Any = FunctionType(first_call.__code__, {**SHARED, **own, **text.constants}, text.name)
    function.__globals__.update(itself=function, compile_text=compile_text)
    function.source = source
    return function


itself: Any = None  # in the globals of each op, its function


def first_call(*args, **params):
    """Stands in for an op until its first call: to compile all texts takes a third of the time of the whole import."""
    compile_text(itself)
    return itself(*args, **params)


def compile_text(function: Any) -> None:
    """Put the text of an op in the place of its first call, where tracebacks, debuggers and `inspect` find it then."""
    source = function.source
    lines, file = source.splitlines(keepends=True), f"{TEXT_FILE}{function.__name__}>"
    while linecache.getlines(file) not in ([], lines):  # of another op with this name
        file = f"{file[:-1]}'>"
    linecache.cache[file] = len(source), None, lines, file
    made: dict[str, Any] = {}
    exec(compile(source, file, "exec"), function.__globals__, made)
    (result,) = made.values()
    function.__defaults__, function.__kwdefaults__ = result.__defaults__, result.__kwdefaults__
    function.__code__ = result.__code__
