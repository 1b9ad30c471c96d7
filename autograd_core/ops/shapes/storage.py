"""Any strided view of the memory that a tensor lies in, and a copy with such a view written over."""

from __future__ import annotations

import numpy as np

from ...core.memory import address, bounds, window
from ...core.table import linear
from ..indexing.scattering import masked_fill

__all__ = ["as_strided", "as_strided_scatter"]
METHODS = [*__all__, "storage_offset"]


def storage_offset(self) -> int:
    """How many elements of the storage lie before the first one of this tensor.

    >>> import autograd_core as ac
    >>> ac.arange(6.0).view(2, 3)[1].storage_offset()
    3
    """
    array = self._array
    return (address(array) - bounds(array)[0]) // array.itemsize


def _as_strided(x, size, stride, offset, own_stride):
    """A view whose first element lies `offset` elements after that of x."""
    itemsize = x.itemsize
    start, (low, high) = address(x) + offset * itemsize, bounds(x)
    needed = sum((n - 1) * s for n, s in zip(size, stride)) * itemsize + itemsize if 0 not in size else 0
    if start < low or start + needed > high:
        raise RuntimeError(
            f"as_strided: sizes {list(size)}, strides {list(stride)}, storage offset {(start - low) // itemsize}, and "
            f"itemsize {itemsize} requiring a storage size of {start - low + needed} are out of bounds for storage of "
            f"size {high - low}"
        )
    return window(x, offset * itemsize, size, [s * itemsize for s in stride])


def _positions(geometry) -> np.ndarray:
    shape, strides, offset = geometry
    positions = np.full(shape, offset)
    for axis, (n, step) in enumerate(zip(shape, strides)):
        positions += (np.arange(n) * step).reshape(-1, *[1] * (len(shape) - axis - 1))
    return positions


def _length(*geometries) -> int:
    """How much memory several geometries reach over."""
    return 1 + max((o + sum((n - 1) * s for n, s in zip(sh, st)) for sh, st, o in geometries if 0 not in sh), default=0)


def _relocate(x, source, target, shared, length):
    """Add the elements of x into a memory at the places `source`, and read it at the places `target`.

    A place that `shared` has several times is a sum over so many elements of one value; each gets an equal part.
    """
    memory = np.zeros(length, x.dtype)
    np.add.at(memory, _positions(source), x)
    times = np.bincount(_positions(shared).reshape(-1), minlength=length)
    memory /= np.maximum(times, 1).astype(x.dtype)
    return memory[_positions(target)]


relocate = linear(
    "as_strided_backward",
    _relocate,
    "x",
    lambda g, source, target, shared, length: relocate(g, target, source, shared, length),
    doc="A tensor laid into memory with one geometry, and read with another: the gradient of as_strided.",
)


def _d_as_strided(g, x_shape, size, stride, offset, own_stride):
    start = max(0, -offset)
    inner, outer = (tuple(x_shape), own_stride, start), (size, stride, start + offset)
    return relocate(g, outer, inner, inner, _length(inner, outer))


strided_view = linear(
    "as_strided",
    _as_strided,
    "x",
    _d_as_strided,
    view=True,
    doc="The view of any shape, strides and place in the memory of the input.",
)


def as_strided(input, size, stride, storage_offset=None):
    """The view of `input`'s memory with the given size and strides, counted in elements.

    It starts at element `storage_offset` of the memory (default: where `input` starts). It may show an element several
    times; then do not write to it. A gradient for memory that `input` does not show is dropped, as in PyTorch.

    Raises RuntimeError for unequal lengths, a negative stride or offset, or a view that leaves the memory.

    >>> import autograd_core as ac
    >>> ac.as_strided(ac.arange(5.0), (3, 3), (1, 1))
    tensor([[0., 1., 2.],
            [1., 2., 3.],
            [2., 3., 4.]])
    """
    return strided_view(input, *_geometry("as_strided", input, size, stride, storage_offset))


def _geometry(name: str, input, size, stride, storage_offset) -> tuple:
    """The parameters of a row: size, stride, the offset counted from the first element of `input`, and its strides."""
    size, stride = tuple(map(int, size)), tuple(map(int, stride))
    if len(size) != len(stride):
        raise RuntimeError(f"{name}: mismatch in length of strides {list(stride)} and shape {list(size)}")
    if any(step < 0 for step in stride):
        raise RuntimeError(f"{name}: Negative strides are not supported, got strides: {list(stride)}; use flip()")
    if storage_offset is not None and storage_offset < 0:
        raise RuntimeError(f"{name}: invalid storage offset {storage_offset}")
    offset = 0 if storage_offset is None else int(storage_offset) - input.storage_offset()
    return size, stride, offset, input.stride()


# -- a strided view written over, in a copy


def _as_strided_scatter(x, src, size, stride, offset, own_stride):
    """The copy keeps the strides of x, so that the geometry means the same elements in it."""
    length = 1 + sum((n - 1) * s for n, s in zip(x.shape, own_stride)) if x.size else 0
    memory = np.lib.stride_tricks.as_strided(x, (length,), (x.itemsize,)).copy()
    out = np.lib.stride_tricks.as_strided(memory, x.shape, x.strides)
    if src.shape != size:
        raise RuntimeError(
            f"as_strided_scatter: expected src to have a size equal to the slice of self. src size = {list(src.shape)},"
            f" slice size = {list(size)}"
        )
    _as_strided(memory, size, stride, offset, (1,))[...] = src
    return out


def _d_overwritten(g, x_shape, size, stride, offset, own_stride):
    written = np.isin(_positions((tuple(x_shape), own_stride, 0)), _positions((size, stride, offset)))
    return masked_fill(g, written, 0.0)


def _d_strided_source(g, x_shape, size, stride, offset, own_stride):
    inner, outer = (tuple(x_shape), own_stride, 0), (size, stride, offset)
    return relocate(g, inner, outer, inner, _length(inner, outer))


strided_put = linear(
    "as_strided_scatter",
    _as_strided_scatter,
    "x src",
    _d_overwritten,
    _d_strided_source,
    doc="A copy with `src` in the place that `as_strided` shows.",
)


def as_strided_scatter(input, src, size, stride, storage_offset=None):
    """A copy with `src` in the place that `as_strided` with these arguments shows.

    Gradient: g without that place for the input, that view of g for `src`. RuntimeError where `src` has not the shape
    `size`, and for a place that leaves the memory from the first to the last element of the input.

    >>> import autograd_core as ac
    >>> ac.as_strided_scatter(ac.zeros(4), ac.ones(2), (2,), (3,))
    tensor([1., 0., 0., 1.])
    """
    return strided_put(input, src, *_geometry("as_strided_scatter", input, size, stride, storage_offset))
