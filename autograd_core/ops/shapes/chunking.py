"""Splitting a tensor into several views."""

from __future__ import annotations

import numpy as np

from ...core.call import also_called
from ...core.table import linear
from ...core.tensor import Tensor
from ...core.whole_numbers import is_whole, whole
from ..indexing.brackets import select_view, slice_view
from .shape import along, axis_of

__all__ = [
    *("chunk", "dsplit", "hsplit", "split", "split_with_sizes", "tensor_split", "unbind"),
    *("unsafe_chunk", "unsafe_split", "unsafe_split_with_sizes", "vsplit"),
]
METHODS = __all__
ONE_OR_MORE = ["dsplit", "hsplit", "vsplit"]

# -- pieces of given sizes


def _assemble(xs, shape, pieces):
    given = [x for x in xs if x is not None]
    out = (np.empty if len(given) == len(xs) else np.zeros)(shape, given[0].dtype)
    for x, piece in zip(xs, pieces):
        if x is not None:
            out[piece] = x
    return out


def _d_assemble(g, pieces, position):
    piece = pieces[position]
    return (slice_view if type(piece[-1]) is slice else select_view)(g, piece)


assemble = linear(
    "assemble",
    _assemble,
    "*xs",
    _d_assemble,
    doc="A tensor put together from the pieces it was split into, zeros for those that are None: the gradient "
    "of `split` and `unbind`.",
)


def _bounds(shape, sizes, dim: int) -> list[tuple]:
    """The pieces of the given sizes along an axis, as basic indices."""
    axis = axis_of(dim, len(shape))
    ends = np.cumsum(sizes).tolist()
    return [along(axis, slice(end - n, end, 1)) for n, end in zip(sizes, ends)]


def _check_sizes(sizes, shape, dim: int) -> list[int]:
    if not shape:
        raise RuntimeError("split_with_sizes expects at least a 1-dimensional tensor")
    n, sizes = shape[axis_of(dim, len(shape))], [int(size) for size in sizes]
    if sum(sizes) != n or any(size < 0 for size in sizes):
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {n} (input tensor's size at dimension {dim}), but "
            f"got split_sizes={sizes}"
        )
    return sizes


def _equal_sizes(step: int, shape, dim: int) -> list[int]:
    if not shape:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    n = shape[axis_of(dim, len(shape))]
    if step < 0:
        raise RuntimeError(f"split expects split_size be non-negative, but got split_size={step}")
    if step == 0 and n:
        raise RuntimeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {n}")
    return [min(step, n - start) for start in range(0, n, step)] if n else [0]


def _split(x, split_size, dim=0):
    return tuple([x[piece] for piece in _bounds(x.shape, _equal_sizes(split_size, x.shape, dim), dim)])


def _d_split(gs, x_shape, split_size, dim):
    return assemble(gs, x_shape, _bounds(x_shape, _equal_sizes(split_size, x_shape, dim), dim))


def _split_with_sizes(x, split_sizes, dim=0):
    return tuple([x[piece] for piece in _bounds(x.shape, _check_sizes(split_sizes, x.shape, dim), dim)])


def _d_split_with_sizes(gs, x_shape, split_sizes, dim):
    return assemble(gs, x_shape, _bounds(x_shape, split_sizes, dim))


_UNSAFE = "\n\nThe results count as no views: they may be written in place, and whoever does so answers for the rest."
_equal = linear(
    "split", _split, "x", _d_split, outputs="*outs", view=True, doc="Views of equal size; the last may be smaller."
)
split_with_sizes = linear(
    "split_with_sizes",
    _split_with_sizes,
    "x",
    _d_split_with_sizes,
    outputs="*outs",
    view=True,
    doc="Views of the sizes `split_sizes` along `dim`, as a tuple; none of them can be written in place. RuntimeError "
    "for sizes that do not add up to that of the axis.",
    example="ac.split_with_sizes(ac.arange(3.0), [1, 2]) -> (tensor([0.]), tensor([1., 2.]))",
)
unsafe_split = linear(
    "unsafe_split",
    _split,
    "x",
    _d_split,
    outputs="*outs",
    doc="`split` into pieces of equal size." + _UNSAFE,
    example="ac.unsafe_split(ac.arange(3.0), 2) -> (tensor([0., 1.]), tensor([2.]))",
)
unsafe_split_with_sizes = linear(
    "unsafe_split_with_sizes",
    _split_with_sizes,
    "x",
    _d_split_with_sizes,
    outputs="*outs",
    doc="`split_with_sizes`." + _UNSAFE,
    example="ac.unsafe_split_with_sizes(ac.arange(3.0), [1, 2]) -> (tensor([0.]), tensor([1., 2.]))",
)


@also_called(tensor="input", split_size="split_size_or_sections")
def split(input, split_size_or_sections, dim=0):
    """Views of equal size along `dim` (the last may be smaller), or of the sizes in a list.

    A tuple; none of them can be written in place. RuntimeError for a negative size, for sizes that do not add up to
    that of the axis, and for a 0-d tensor.

    >>> import autograd_core as ac
    >>> ac.split(ac.arange(5.0), 2)
    (tensor([0., 1.]), tensor([2., 3.]), tensor([4.]))
    """
    if is_whole(split_size_or_sections):
        return _equal(input, whole("split_size", split_size_or_sections), dim)
    return split_with_sizes(input, split_size_or_sections, dim)


def chunk(input, chunks, dim=0):
    """At most `chunks` views of equal size along `dim`; the last may be smaller.

    >>> import autograd_core as ac
    >>> ac.chunk(ac.arange(5.0), 2)
    (tensor([0., 1., 2.]), tensor([3., 4.]))
    """
    return split(input, _size_of_chunk(input, chunks, dim), dim)


def unsafe_chunk(input, chunks, dim=0):
    """`chunk` whose results count as no views: whoever writes to one in place answers for the rest.

    >>> import autograd_core as ac
    >>> ac.unsafe_chunk(ac.arange(3.0), 2)
    (tensor([0., 1.]), tensor([2.]))
    """
    size = _size_of_chunk(input, chunks, dim)
    return (unsafe_split_with_sizes if isinstance(size, list) else unsafe_split)(input, size, dim)


def _size_of_chunk(input, chunks: int, dim: int):
    chunks = whole("chunks", chunks)
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    if not input.ndim:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    n = input.shape[axis_of(dim, input.ndim)]
    return -(-n // chunks) if n else [0] * chunks


# -- pieces that begin at given positions

PLACES = "indices_or_sections"


@also_called(tensor_indices_or_sections=PLACES, sections=PLACES, indices=PLACES)
def tensor_split(input, indices_or_sections, dim=0):
    """Views along `dim`: so many of them, the first ones longer by one where they differ; or cut at given positions.

    `indices_or_sections` is an int, a sequence of ints, or an integer tensor: 0-d for a number of pieces, a vector for
    positions. Each view may be written in place. RuntimeError for a 0-d input and for no pieces.

    >>> import autograd_core as ac
    >>> ac.tensor_split(ac.arange(3.0), 2), ac.tensor_split(ac.arange(3.0), (1,))
    ((tensor([0., 1.]), tensor([2.])), (tensor([0.]), tensor([1., 2.])))
    """
    if not input.ndim:
        raise RuntimeError("tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims")
    axis = axis_of(dim, input.ndim)
    n, at = input.shape[axis], indices_or_sections
    if isinstance(at, Tensor):
        if at.ndim > 1:
            raise RuntimeError(
                "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, "
                f"but got a tensor with {at.ndim} dims"
            )
        if at._array.dtype != np.int64:
            raise RuntimeError(
                f"tensor_split expected tensor_indices_or_sections to have dtype of long, but got {at.dtype}; use "
                ".long()"
            )
        at = at.tolist()
    if is_whole(at):
        at = whole("indices_or_sections", at)
        if at <= 0:
            raise RuntimeError(f"tensor_split: number of sections must be larger than 0, got {at}")
        at = [k * (n // at) + min(k, n % at) for k in range(1, at)]
    bounds = [slice(start, stop).indices(n) for start, stop in zip([0, *at], [*at, n])]
    return tuple([slice_view(input, along(axis, slice(start, max(start, stop), 1))) for start, stop, _ in bounds])


def _split_evenly(name: str, input, indices_or_sections, dim: int, least: int):
    if input.ndim < least:
        raise RuntimeError(
            f"{name} requires a tensor with at least {least} dimension{'s' * (least > 1)}, but got a tensor with "
            f"{input.ndim} dimensions!"
        )
    if is_whole(indices_or_sections):
        n = input.shape[dim]
        if indices_or_sections <= 0 or n % indices_or_sections:
            raise RuntimeError(
                f"{name} attempted to split along dimension {dim}, but the size of the dimension {n} is not divisible "
                f"by the split_size {indices_or_sections}!"
            )
    return tensor_split(input, indices_or_sections, dim)


@also_called(sections=PLACES, indices=PLACES)
def hsplit(input, indices_or_sections):
    """Views side by side: `tensor_split` along axis 1, along axis 0 of a vector.

    RuntimeError for a 0-d tensor, and for a number of pieces that cannot be equal.

    >>> import autograd_core as ac
    >>> ac.hsplit(ac.arange(4.0), 2)
    (tensor([0., 1.]), tensor([2., 3.]))
    """
    return _split_evenly("hsplit", input, indices_or_sections, int(input.ndim > 1), 1)


@also_called(sections=PLACES, indices=PLACES)
def vsplit(input, indices_or_sections):
    """Views on top of each other: `tensor_split` along axis 0.

    RuntimeError for fewer than two axes, and for a number of pieces that cannot be equal.

    >>> import autograd_core as ac
    >>> ac.vsplit(ac.tensor([[1.0], [2.0]]), 2)
    (tensor([[1.]]), tensor([[2.]]))
    """
    return _split_evenly("vsplit", input, indices_or_sections, 0, 2)


@also_called(sections=PLACES, indices=PLACES)
def dsplit(input, indices_or_sections):
    """Views behind each other: `tensor_split` along axis 2.

    RuntimeError for fewer than three axes, and for a number of pieces that cannot be equal.

    >>> import autograd_core as ac
    >>> ac.dsplit(ac.ones(1, 1, 2), 2)
    (tensor([[[1.]]]), tensor([[[1.]]]))
    """
    return _split_evenly("dsplit", input, indices_or_sections, 2, 3)


# -- all slices


def _unbind(x, dim=0):
    if not x.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    axis = axis_of(dim, x.ndim)
    return tuple([x[(*along(axis, i), ...)] for i in range(x.shape[axis])])


def _d_unbind(gs, x_shape, dim):
    return assemble(gs, x_shape, [along(axis_of(dim, len(x_shape)), i) for i in range(len(gs))])


unbind = linear(
    "unbind",
    _unbind,
    "x",
    _d_unbind,
    outputs="*outs",
    view=True,
    doc="The slices along `dim`, each a view without that axis, as a tuple; none of them can be written in place.",
    example="ac.unbind(ac.tensor([[1.0, 2.0], [3.0, 4.0]])) -> (tensor([1., 2.]), tensor([3., 4.]))",
)


def iterate(self):
    """Iterate over the first axis: the views of `unbind(0)`. TypeError for a 0-d tensor."""
    if self._array.ndim == 0:
        raise TypeError("iteration over a 0-d tensor; it holds one value, which item() returns")
    return iter(unbind(self))
