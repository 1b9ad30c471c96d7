"""What a program marks for PyTorch's compiler of scripts: here it is Python, and stays so.

A function or module that PyTorch can compile computes the same uncompiled. A trace keeps the way that the program took
with the example, and PyTorch warns where other inputs would take another; here they do. What asks for compiled code,
as a file of it, is missing.
"""

from __future__ import annotations

import warnings
from typing import Any, TypeVar
from typing import Final as Final

from .names import facade

__all__ = [
    *("Final", "annotate", "export", "ignore", "is_scripting", "is_tracing", "script", "script_if_tracing"),
    *("trace", "unused"),
]
__getattr__, __dir__ = facade(__name__, __all__)

T = TypeVar("T")


def script(obj: T, optimize=None, _frames_up: int = 0, _rcb=None, example_inputs=None) -> T:
    """The function, module or class itself, which runs as it is, with a UserWarning that says so.

    What else is given is for the compiler.

    >>> import autograd_core as ac, warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     ac.jit.script(abs) is abs
    True
    """
    if not callable(obj):
        raise TypeError(f"jit.script: {obj!r} is no function, class or module")
    warnings.warn(
        "autograd_core does not compile: what is scripted runs as Python, with the same results", stacklevel=2
    )
    return obj


def trace(func: T, example_inputs: Any = None, *args: Any, **kwargs: Any) -> T:
    """The function or module itself, which runs as it is whatever the inputs, with a UserWarning that says so.

    >>> import autograd_core as ac, warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     ac.jit.trace(ac.sin, ac.ones(1)) is ac.sin
    True
    """
    if not callable(func):
        raise TypeError(f"jit.trace: {func!r} is no function or module")
    warnings.warn(
        "autograd_core does not compile: what is traced runs as Python, and branches are taken anew for each input",
        stacklevel=2,
    )
    return func


def script_if_tracing(fn: T) -> T:
    """The function itself: nothing is traced."""
    return fn


def export(fn: T) -> T:
    """The function itself."""
    return fn


def unused(fn: T) -> T:
    """The function itself."""
    return fn


def ignore(drop=False, **kwargs):
    """The function itself, as a decorator with or without arguments.

    >>> import autograd_core as ac
    >>> @ac.jit.ignore(drop=True)
    ... def show(x):
    ...     return x
    >>> show(3)
    3
    """
    return drop if callable(drop) else lambda fn: fn


def annotate(the_type: Any, the_value: T) -> T:
    """The value.

    >>> import autograd_core as ac
    >>> ac.jit.annotate(list[int], [])
    []
    """
    return the_value


def is_scripting() -> bool:
    """False: the program runs as Python.

    >>> import autograd_core as ac
    >>> ac.jit.is_scripting()
    False
    """
    return False


def is_tracing() -> bool:
    """False: nothing is traced.

    >>> import autograd_core as ac
    >>> ac.jit.is_tracing()
    False
    """
    return False
