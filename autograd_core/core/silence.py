"""NumPy's warnings of infinities and NaNs, which are values here: `ac.log(ac.tensor(0.0))` is -inf in silence.

What NumPy does about an overflow or a division by zero is a setting of the context, `np.errstate`. That of the user
stays: only while the package computes is "warn" read as "ignore"; "raise" and "call" hold inside it too. To enter an
`np.errstate` takes longer than to multiply two numbers, so the variable behind it is set directly.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextvars import Context, ContextVar, copy_context

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
        with np.errstate(**{kind: "ignore" if what == "warn" else what for kind, what in np.geterr().items()}):
            return current_errors()
    finally:
        set_errors(before)


_variable, USUAL = _found()
current_errors, set_errors = _variable.get, _variable.set
QUIET: object = None
QUIET = muted(USUAL)


def mute():
    """Go on without warnings, and return the setting before. `set_errors` brings it back."""
    setting = current_errors()
    set_errors(QUIET if setting is USUAL else muted(setting))
    return setting


def quiet(function: Callable) -> Callable:
    """Decorate a function of the package that computes on arrays."""

    @functools.wraps(function)
    def silent(*args, **params):
        setting = mute()
        try:
            return function(*args, **params)
        finally:
            set_errors(setting)

    return silent
