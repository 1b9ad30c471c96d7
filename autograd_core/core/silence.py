"""NumPy's warnings of infinities and NaNs, which are values here: `ac.log(ac.tensor(0.0))` is -inf in silence.

What NumPy does about an overflow or a division by zero is a setting of the context, `np.errstate`. That of the user
stays: only while the package computes is "warn" read as "ignore"; "raise" and "call" hold inside it too. To enter an
`np.errstate` takes longer than to multiply two numbers, so the variable behind it is set directly, and where even that
would show, a function is made `nameless`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextvars import Context, ContextVar, copy_context
from types import FunctionType
from typing import Any

import numpy as np


def _found() -> tuple[ContextVar, object]:
    """The context variable in which NumPy keeps the setting, and the value that it has where nothing was set."""
    with np.errstate(all="ignore"):
        inside = copy_context()
    outside = copy_context()
    (variable,) = (var for var in inside if inside[var] is not outside.get(var))
    return variable, Context().run(variable.get)


def muted(setting):
    """A setting with "ignore" in the place of "warn"."""
    if setting is QUIET:
        return QUIET
    before = current_errors()
    set_errors(setting)
    try:
        wanted: dict[str, Any] = {kind: "ignore" if what == "warn" else what for kind, what in np.geterr().items()}
        with np.errstate(**wanted):
            return current_errors()
    finally:
        set_errors(before)


_variable, USUAL = _found()
current_errors, set_errors = _variable.get, _variable.set
QUIET: object = None
QUIET = muted(USUAL)


_incomplete: list[tuple[dict, dict]] = []


def nameless(function: Callable) -> Any:
    """Decorate a function of an op family that calls ufuncs itself: as code of a module without a name.

    Python drops the warnings of C code where the code that called it is in such a module, at no cost. Functions that
    this one calls are not covered. `complete` must follow once the module is there in full.
    """
    space = {**function.__globals__, "__name__": None}
    made = FunctionType(function.__code__, space, function.__name__, function.__defaults__, function.__closure__)
    made.__kwdefaults__, made.__doc__, made.__module__ = function.__kwdefaults__, function.__doc__, function.__module__
    made.__qualname__ = function.__qualname__
    made.__dict__.update(function.__dict__)
    _incomplete.append((space, function.__globals__))
    return made


def is_nameless(function: Callable) -> bool:
    """Whether the warnings of a function are dropped."""
    return getattr(function, "__globals__", {}).get("__name__", "") is None


def complete() -> None:
    """Let nameless functions see what their modules have defined after them."""
    for space, names in _incomplete:
        space.update({**names, "__name__": None})
    _incomplete.clear()


def quiet(function: Callable) -> Callable:
    """Decorate a function of the package that computes on arrays."""

    @functools.wraps(function)
    def silent(*args, **params):
        setting = current_errors()
        try:
            set_errors(QUIET if setting is USUAL else muted(setting))
            return function(*args, **params)
        finally:
            set_errors(setting)

    return silent
