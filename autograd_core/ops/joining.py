"""Joining tensors into one, and splitting one into several views."""

from __future__ import annotations

import numpy as np

from ..primitive import linear
from .indexing import select_view, slice_view
from .shape import axis_of, reshape

__all__ = ["cat", "chunk", "concat", "concatenate", "hstack", "split", "stack", "unbind", "vstack"]
METHODS = ["chunk", "split", "unbind"]

FULL = slice(None)


def _piece(dim: int, at) -> tuple:
    return (FULL,) * dim + (at,)


# -- joining


def _skipped(shape) -> bool:
    """PyTorch lets an empty vector join tensors of any shape."""
    return tuple(shape) == (0,)


def _cat(xs, dim=0):
    try:
        return np.ascontiguousarray(np.concatenate(xs, dim))
    except ValueError:  # of NumPy: shapes that do not agree, unless the empty vectors are left out
        kept = [x for x in xs if not _skipped(x.shape)]
        _check_joinable(xs, kept[0] if kept else None, dim)
        return np.ascontiguousarray(np.concatenate(kept, dim))


def _check_joinable(xs, first, dim: int) -> None:
    if not xs:
        raise ValueError("cat(): expected a non-empty list of Tensors")
    for i, x in enumerate(xs):
        if x.ndim == 0:
            raise RuntimeError(f"zero-dimensional tensor (at position {i}) cannot be concatenated; use stack()")
    axis = axis_of(dim, 1 if first is None else first.ndim)
    for i, x in enumerate(xs):
        if _skipped(x.shape):
            continue
        if x.ndim != first.ndim:
            raise RuntimeError(f"Tensors must have same number of dimensions: got {first.ndim} and {x.ndim}")
        if any(n != m for a, (n, m) in enumerate(zip(first.shape, x.shape)) if a != axis):
            raise RuntimeError(
                f"Sizes of tensors must match except in dimension {axis}. Expected sizes {list(first.shape)} but got "
                f"{list(x.shape)} for tensor number {i} in the list."
            )


def _d_cat(g, xs_shape, dim, position):
    if _skipped(xs_shape[position]):
        return reshape(slice_view(g, _piece(0, slice(0, 0, 1))), (-1,))
    axis = axis_of(dim, g.ndim)
    start = sum(shape[axis] for shape in xs_shape[:position] if not _skipped(shape))
    return slice_view(g, _piece(axis, slice(start, start + xs_shape[position][axis], 1)))


cat = linear(
    "cat",
    _cat,
    "*xs",
    _d_cat,
    promote="common",
    doc="Tensors joined along an axis they have. Their shapes agree but for that axis; dtypes are promoted.\n\n"
    "Each input gets the slice of g that it filled. RuntimeError where shapes do not agree, ValueError for an "
    "empty list.",
    example="ac.cat([ac.ones(1, 2), ac.zeros(1, 2)]) -> tensor([[1., 1.],\n        [0., 0.]])",
)
concat = concatenate = cat  # PyTorch's other names


def _stack(xs, dim=0):
    if not xs:
        raise RuntimeError("stack expects a non-empty TensorList")
    for i, x in enumerate(xs):
        if x.shape != xs[0].shape:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(xs[0].shape)} at entry 0 and "
                f"{list(x.shape)} at entry {i}"
            )
    axis = axis_of(dim, xs[0].ndim + 1)
    return np.ascontiguousarray(np.concatenate([x[_piece(axis, None)] for x in xs], axis))


stack = linear(
    "stack",
    _stack,
    "*xs",
    lambda g, dim, position: select_view(g, _piece(axis_of(dim, g.ndim), position)),
    promote="common",
    doc="Tensors of one shape joined along a new axis `dim`. Each input gets its slice of g.",
    example="ac.stack([ac.tensor([1.0, 2.0]), ac.tensor([3.0, 4.0])], dim=1) -> tensor([[1., 3.],\n        [2., 4.]])",
)


def hstack(tensors):
    """Tensors joined side by side: along axis 1, or axis 0 if they have only one. A 0-d tensor counts as a vector.

    >>> import autograd_core as ac
    >>> ac.hstack([ac.ones(2), ac.zeros(1)])
    tensor([1., 1., 0.])
    """
    lines = [x if x.ndim else reshape(x, (1,)) for x in tensors]
    return cat(lines, dim=0 if lines and lines[0].ndim == 1 else 1)


def vstack(tensors):
    """Tensors joined on top of each other, along axis 0; one with fewer than two axes counts as one row.

    >>> import autograd_core as ac
    >>> ac.vstack([ac.ones(2), ac.zeros(2)])
    tensor([[1., 1.],
            [0., 0.]])
    """
    return cat([x if x.ndim > 1 else reshape(x, (1, -1)) for x in tensors], dim=0)


# -- splitting


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
    return [_piece(axis, slice(end - n, end, 1)) for n, end in zip(sizes, ends)]


def _sizes(split_size_or_sections, shape, dim: int) -> list[int]:
    if not shape:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    n, step = shape[axis_of(dim, len(shape))], split_size_or_sections
    if hasattr(step, "__iter__"):
        sizes = [int(s) for s in step]
        if sum(sizes) != n or any(s < 0 for s in sizes):
            raise RuntimeError(
                f"split_with_sizes expects split_sizes to sum exactly to {n} (input tensor's size at dimension "
                f"{dim}), but got "
                f"split_sizes={sizes}"
            )
        return sizes
    if step < 0:
        raise RuntimeError(f"split expects split_size be non-negative, but got split_size={step}")
    if step == 0 and n:
        raise RuntimeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {n}")
    return [min(step, n - start) for start in range(0, n, step)] if n else [0]


def _split(x, split_size_or_sections, dim=0):
    return tuple([x[piece] for piece in _bounds(x.shape, _sizes(split_size_or_sections, x.shape, dim), dim)])


def _d_split(gs, x_shape, split_size_or_sections, dim):
    return assemble(gs, x_shape, _bounds(x_shape, _sizes(split_size_or_sections, x_shape, dim), dim))


split = linear(
    "split",
    _split,
    "x",
    _d_split,
    outputs="*outs",
    view=True,
    doc="Views of equal size along `dim` (the last may be smaller), or of the sizes in a list. A tuple; none "
    "of them can be written "
    "in place.",
    example="ac.split(ac.arange(5.0), 2) -> (tensor([0., 1.]), tensor([2., 3.]), tensor([4.]))",
)


def chunk(input, chunks, dim=0):
    """At most `chunks` views of equal size along `dim`; the last may be smaller.

    >>> import autograd_core as ac
    >>> ac.chunk(ac.arange(5.0), 2)
    (tensor([0., 1., 2.]), tensor([3., 4.]))
    """
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    if not input.ndim:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    n = input.shape[axis_of(dim, input.ndim)]
    return split(input, -(-n // chunks) if n else [0] * chunks, dim)


def _unbind(x, dim=0):
    if not x.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    axis = axis_of(dim, x.ndim)
    return tuple([x[(*_piece(axis, i), ...)] for i in range(x.shape[axis])])


def _d_unbind(gs, x_shape, dim):
    return assemble(gs, x_shape, [_piece(axis_of(dim, len(x_shape)), i) for i in range(len(gs))])


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
