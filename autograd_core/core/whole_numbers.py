"""Integers that a call is given: an axis, a length, a count."""

from __future__ import annotations

from operator import index

import numpy as np


def axis_of(dim, ndim: int) -> int:
    """Axis number `dim`, anything that Python takes as an index, counted from the front.

    Raises IndexError naming the range, and TypeError for what is no integer; a 0-d tensor allows 0 and -1.
    """
    n = max(ndim, 1)
    if type(dim) is not int:
        dim = whole("dim", dim)
    if not -n <= dim < n:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {dim})")
    return dim % n


def whole(name: str, number) -> int:
    """An integer argument as a Python int: also a NumPy integer or a 0-d integer tensor. TypeError for what is none.

    A bool is none, as an argument of PyTorch's.
    """
    if isinstance(number, bool):
        raise TypeError(f"argument '{name}' must be int, not bool")
    try:
        return index(number)
    except TypeError:
        raise TypeError(f"argument '{name}' must be int, not {type(number).__name__}") from None


def is_whole(number) -> bool:
    """Whether `whole` takes it."""
    if type(number) is int or type(number) is tuple:
        return type(number) is int
    array = getattr(number, "_array", number)
    if isinstance(array, np.ndarray):
        return array.ndim == 0 and array.dtype.kind in "iu"
    return isinstance(array, (int, np.integer))
