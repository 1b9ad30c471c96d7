"""The memory behind a tensor: any strided view of it, and another memory in its place."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.array_utils import byte_bounds

from ..modes import current_mode
from ..primitive import general, linear
from ..recording import record
from ..tensor import Leaf, Tensor, edge_of, wrap
from ..views import check_history, count_write, take_history

__all__ = ["as_strided"]
METHODS = [*__all__, "set_", "storage_offset"]


class _Window:
    """Another look at the memory of `base`, from a number of bytes after its first element on."""

    def __init__(self, base, offset: int, shape, strides):
        interface = dict(base.__array_interface__)
        address, read_only = interface["data"]
        self.base, self.__array_interface__ = base, interface
        interface.update(data=(address + offset, read_only), shape=tuple(shape), strides=tuple(strides))


def _memory(array) -> tuple[int, int]:
    """The addresses where the memory that an array lies in begins and ends."""
    base: Any = array
    while (base := getattr(base, "base", None)) is not None:
        if isinstance(base, np.ndarray):
            array = base
    return byte_bounds(array)


def storage_offset(self) -> int:
    """How many elements of the storage lie before the first one of this tensor.

    >>> import autograd_core as ac
    >>> ac.arange(6.0).view(2, 3)[1].storage_offset()
    3
    """
    array = self._array
    return (array.__array_interface__["data"][0] - _memory(array)[0]) // array.itemsize


def _as_strided(x, size, stride, offset, own_stride):
    """A view whose first element lies `offset` elements after that of x."""
    itemsize = x.itemsize
    start, (low, high) = x.__array_interface__["data"][0] + offset * itemsize, _memory(x)
    needed = sum((n - 1) * s for n, s in zip(size, stride)) * itemsize + itemsize if 0 not in size else 0
    if start < low or start + needed > high:
        raise RuntimeError(
            f"as_strided: sizes {list(size)}, strides {list(stride)}, storage offset {(start - low) // itemsize}, and "
            f"itemsize {itemsize} requiring a storage size of {start - low + needed} are out of bounds for storage of "
            f"size {high - low}"
        )
    return np.asarray(_Window(x, offset * itemsize, size, [s * itemsize for s in stride]))


def _positions(geometry) -> np.ndarray:
    shape, strides, offset = geometry
    positions = np.full(shape, offset)
    for axis, (n, step) in enumerate(zip(shape, strides)):
        positions += (np.arange(n) * step).reshape(-1, *[1] * (len(shape) - axis - 1))
    return positions


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
    length = 1 + max(o + sum((n - 1) * s for n, s in zip(sh, st)) for sh, st, o in (inner, outer) if 0 not in sh)
    return relocate(g, outer, inner, inner, length)


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
    size, stride = tuple(map(int, size)), tuple(map(int, stride))
    if len(size) != len(stride):
        raise RuntimeError(f"as_strided: mismatch in length of strides {list(stride)} and shape {list(size)}")
    if any(step < 0 for step in stride):
        raise RuntimeError(f"as_strided: Negative strides are not supported, got strides: {list(stride)}; use flip()")
    if storage_offset is not None and storage_offset < 0:
        raise RuntimeError(f"as_strided: invalid storage offset {storage_offset}")
    offset = 0 if storage_offset is None else int(storage_offset) - input.storage_offset()
    return strided_view(input, size, stride, offset, input.stride())


# -- another storage


def _refuse(g):
    raise RuntimeError(
        "derivative for set_ is not implemented: the value before has nothing to do with the one after. Call it under "
        "no_grad(), or compute a new tensor"
    )


replace_storage = general(
    "set_", lambda x, source: source, "x source", _refuse, _refuse, node_name="NotImplemented", doc="`source`."
)


def set_(self, source=None):
    """Let this tensor show the memory of `source` (of none, if left out), with its shape and strides; returned.

    Unlike an assignment to `.data` it counts as a write, so a backward that needs the old value raises. It has no
    derivative. Views made before keep the old memory.

    Raises RuntimeError for a source of another dtype, and for a leaf that requires gradients while ops are recorded.

    >>> import autograd_core as ac
    >>> x = ac.zeros(3)
    >>> x.set_(ac.ones(2)), x._version
    (tensor([1., 1.]), 1)
    """
    source = wrap(np.zeros(0, self._array.dtype)) if source is None else source
    if not isinstance(source, Tensor):
        raise TypeError(f"set_(): argument 'source' must be Tensor, not {type(source).__name__}")
    if source.dtype != self.dtype:
        raise RuntimeError(f"Could not set tensor of type {source.dtype} to a tensor of type {self.dtype}")
    edges = [edge_of(self), edge_of(source)]
    if current_mode().grad and edges != [None, None]:
        check_history("set_", self)
        new = wrap(source._array)
        record(replace_storage.primitive, [self, source], edges, [self._array, source._array], [new], [], {})
        self._array = source._array
        take_history(self, new._edge)
    else:
        self._array = source._array
        if type(self._edge) is Leaf:
            self._edge.shape = source._array.shape
    count_write(self, "set_")
    return self
