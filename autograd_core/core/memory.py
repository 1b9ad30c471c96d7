"""Memory: where the elements of an array lie, and which other arrays see them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.array_utils import byte_bounds


def address(array: np.ndarray) -> int:
    """Where the first element lies."""
    return array.__array_interface__["data"][0]


def owner_of(array: np.ndarray) -> np.ndarray:
    """The array that all views of one memory come from; between it and a strided view there are other objects too."""
    owner, base = array, array.base
    while base is not None:
        owner = base if isinstance(base, np.ndarray) else owner
        base = getattr(base, "base", None)
    return owner


def bounds(array: np.ndarray) -> tuple[int, int]:
    """The addresses where the memory that an array lies in begins and ends."""
    return byte_bounds(owner_of(array))


class _Window:
    """Another look at the memory of `base`, from a number of bytes after its first element on."""

    def __init__(self, base, offset: int, shape, strides, kind: np.dtype | None):
        interface: dict[str, Any] = dict(base.__array_interface__)
        start, read_only = interface["data"]
        self.base, self.__array_interface__ = base, interface
        interface.update(data=(start + offset, read_only), shape=tuple(shape), strides=tuple(strides))
        if kind is not None:
            interface["typestr"] = kind.str


def window(array: np.ndarray, offset: int, shape, strides, kind: np.dtype | None = None) -> np.ndarray:
    """A view that begins `offset` bytes after an array, of its dtype unless one is given. Its place is not checked."""
    return np.asarray(_Window(array, offset, shape, strides, kind))


def memory_of(array: np.ndarray, kind: np.dtype) -> np.ndarray:
    """All of the memory that an array lies in, as a vector of NumPy type `kind`."""
    low, high = bounds(array)
    return window(array, low - address(array), ((high - low) // kind.itemsize,), (kind.itemsize,), kind)


def copied(array: np.ndarray, memo: dict) -> np.ndarray:
    """A copy of an array for a deep copy, in which arrays that share memory go on sharing it: all of it is copied."""
    owner = owner_of(array)
    low, high = byte_bounds(owner)
    memory = memo.get(("memory", id(owner)))
    if memory is None:
        memory = memo["memory", id(owner)] = np.empty(high - low, np.uint8)
        np.ndarray(owner.shape, owner.dtype, memory, address(owner) - low, owner.strides)[...] = owner
    return np.ndarray(array.shape, array.dtype, memory, address(array) - low, array.strides)


# -- overlaps


def overlaps_itself(array: np.ndarray) -> bool:
    """Whether several elements share one memory location, as those of an expanded tensor do."""
    if array.flags.c_contiguous or array.size == 0:
        return False
    return any(step == 0 and n > 1 for step, n in zip(array.strides, array.shape))


def overlap_in_part(x: np.ndarray, y: np.ndarray) -> bool:
    """Whether two arrays share memory and are not the very same view; both fill a stretch of it without gaps."""
    if x is y or (x.base is None and y.base is None):  # each has memory of its own
        return False
    if not x.size or not np.may_share_memory(x, y):
        return False
    return _place(x) != _place(y) and _is_dense(x) and _is_dense(y)


def _place(array) -> tuple:
    """Where the elements of an array lie; axes of length 1 say nothing about it."""
    return address(array), [(n, stride) for n, stride in zip(array.shape, array.strides, strict=True) if n != 1]


def _is_dense(array) -> bool:
    low, high = byte_bounds(array)
    return high - low == array.nbytes
