"""Large arrays in blocks, so that threads can share the work.

Where the cuts are depends on the operation and on the size, never on the engine: one thread makes the same ones, so all
engines compute the same bits. A sum over everything halves the array as NumPy's pairwise summation does, down to
blocks.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .cpu_engine import CpuEngine

BLOCK = 1 << 17  # elements: the work of a tenth of a millisecond at least, some ten times what a hand-over costs
LARGE = 1 << 18  # elements from which an operation that computes is cut
LARGE_IN_MEMORY = 1 << 21  # and one that only moves numbers: what lies beyond the caches of one core


def blocks(start: int, stop: int) -> list[tuple[int, int]]:
    """The range in halves, down to blocks; halves begin at multiples of 8, as NumPy's do."""
    if stop - start <= BLOCK:
        return [(start, stop)]
    middle = _middle(start, stop)
    return blocks(start, middle) + blocks(middle, stop)


def _middle(start: int, stop: int) -> int:
    half = (stop - start) // 2
    return start + half - half % 8


def _parts(size: int, length: int) -> list[tuple[int, int]]:
    """`length` positions in as many even parts as `size` elements make blocks."""
    count = min(-(-size // BLOCK), length)
    return [(length * k // count, length * (k + 1) // count) for k in range(count)]


def elementwise(engine: CpuEngine, forward: Callable, arrays: list, dtype: np.dtype) -> np.ndarray:
    """`forward(*arrays)`, arrays that broadcast, with the result in `dtype`: cut along the longest axis."""
    shape = np.broadcast_shapes(*(a.shape for a in arrays))
    axis = int(np.argmax(shape))
    from_end = len(shape) - axis
    out = np.empty(shape, dtype)
    is_ufunc = isinstance(forward, np.ufunc)

    def part_of(array, start, stop):
        if array.ndim < from_end or array.shape[-from_end] == 1:
            return array
        return array[(slice(None),) * (array.ndim - from_end) + (slice(start, stop),)]

    def work(bounds) -> None:
        operands, place = [part_of(a, *bounds) for a in arrays], part_of(out, *bounds)
        if is_ufunc:
            forward(*operands, out=place)
        else:
            place[...] = forward(*operands)

    engine._each(work, _parts(out.size, shape[axis]))
    return out


def fold(engine: CpuEngine, ufunc: np.ufunc, array: np.ndarray, axes: tuple[int, ...]) -> np.ndarray:
    """`ufunc.reduce` of an array over some of its axes, or over all."""
    if array.size < LARGE_IN_MEMORY or not (array.flags.c_contiguous or array.flags.f_contiguous):
        return ufunc.reduce(array, axis=axes)
    if len(axes) == array.ndim:
        return _folded_line(engine, ufunc, array.ravel("K"))
    kept = [n for axis, n in enumerate(array.shape) if axis not in axes]
    out = np.empty(kept, array.dtype)
    longest = int(np.argmax(kept))
    axis = [a for a in range(array.ndim) if a not in axes][longest]

    def work(bounds) -> None:
        part = (slice(None),) * axis + (slice(*bounds),)
        place = (slice(None),) * longest + (slice(*bounds),)
        ufunc.reduce(array[part], axis=axes, out=out[place])

    engine._each(work, _parts(array.size, kept[longest]))
    return out


def _folded_line(engine: CpuEngine, ufunc: np.ufunc, line: np.ndarray) -> np.ndarray:
    found = {}

    def work(bounds) -> None:
        found[bounds] = ufunc.reduce(line[slice(*bounds)])

    engine._each(work, blocks(0, len(line)))

    def joined(start: int, stop: int):
        if (start, stop) in found:
            return found[start, stop]
        middle = _middle(start, stop)
        return ufunc(joined(start, middle), joined(middle, stop))

    return joined(0, len(line))
