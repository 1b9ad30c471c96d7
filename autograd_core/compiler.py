"""What programs mark for PyTorch's compiler, and ask it: nothing is compiled, and what is marked stays as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .names import facade
from .switches import compile

__all__ = [
    "allow_in_graph",
    "assume_constant_result",
    "compile",
    "cudagraph_mark_step_begin",
    "disable",
    "is_compiling",
    "is_dynamo_compiling",
    "is_exporting",
    "reset",
]
__getattr__, __dir__ = facade(__name__, __all__)


def disable(fn: Callable | None = None, recursive: bool = True, *, reason: str | None = None) -> Callable:
    """The function itself, as a decorator with or without arguments.

    >>> import autograd_core as ac
    >>> @ac.compiler.disable(recursive=False)
    ... def show(x):
    ...     return x
    >>> show(3)
    3
    """
    return (lambda fn: fn) if fn is None else fn


def allow_in_graph(fn: Any) -> Any:
    """The function itself, or the list of functions."""
    return fn


def assume_constant_result(fn: Callable) -> Callable:
    """The function itself, which is called each time."""
    return fn


def cudagraph_mark_step_begin() -> None:
    """Nothing: there are no graphs of a GPU."""


def reset() -> None:
    """Nothing: no compiled code is kept."""


def is_compiling() -> bool:
    """False.

    >>> import autograd_core as ac
    >>> ac.compiler.is_compiling()
    False
    """
    return False


is_dynamo_compiling = is_exporting = is_compiling
