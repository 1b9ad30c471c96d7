"""Large arrays at the processor's pace: work in blocks that stay in its cache, and sums as BLAS takes them.

A pass of NumPy over an array waits for the memory. Several passes over a block, one after the other, wait once.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..core.silence import nameless
from .precision import add_up

CACHE = 1 << 18  # elements: 1 MB of float32
PIECE = 1 << 10
SMALL = 1 << 12  # up to here it is not the memory that takes the time


def blocks(n: int, elements: int, caches: int = 1) -> list[slice]:
    """Slices of an axis of length `n`, at least one, so short that at `elements` for each position they fit."""
    step = max(1, caches * CACHE // max(1, elements))
    return [slice(start, start + step) for start in range(0, max(n, 1), step)]


def blocks_of(x, axes) -> list[Any]:
    """Indices that cut an array in blocks along its first axis; one for the whole where that is one of `axes`."""
    return [...] if x.size <= CACHE or 0 in axes else blocks(len(x), x.size // max(len(x), 1))


def trailing(axes, ndim: int) -> bool:
    """Whether the axes are the last ones, in order."""
    return tuple(axes) == tuple(range(ndim - len(axes), ndim))


def kept_ones(shape, axes) -> list[int]:
    """`shape` with length 1 in the given axes."""
    return [1 if axis in axes else size for axis, size in enumerate(shape)]


@nameless
def line_sums(x, axes):
    """Sums over the given axes, which stay with length 1. Along the last ones, or the first of two, BLAS takes them."""
    if x.size <= SMALL:
        return np.add.reduce(x, axis=tuple(axes), keepdims=True)
    n = math.prod([x.shape[axis] for axis in axes])
    if trailing(axes, x.ndim) and x.flags.c_contiguous:
        ones = np.ones(min(n, PIECE), x.dtype)
        return in_pieces(lambda part: part @ ones[: part.shape[-1]], x.reshape(-1, n)).reshape(kept_ones(x.shape, axes))
    if tuple(axes) == (0,) and x.ndim == 2 and n <= PIECE:
        return (np.ones(n, x.dtype) @ x)[None]
    return add_up(x, tuple(axes), True)


@nameless
def in_pieces(add, *lines):
    """Sums along lines by BLAS, which adds one number after the other: piece by piece, and these in pairs.

    `add` makes a sum along the last axis of the arrays that it is given.
    """
    n = lines[0].shape[-1]
    if n <= PIECE:
        return add(*lines)
    whole = n - n % PIECE
    pieces = [x[:, :whole].reshape(len(x), -1, PIECE) for x in lines]
    total = np.add.reduce(add(*pieces), axis=-1)
    return total + add(*[x[:, whole:] for x in lines]) if whole < n else total
