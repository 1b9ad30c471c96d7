"""Joining tensors into one."""

from __future__ import annotations

import numpy as np

from ...core.silence import nameless
from ...core.table import linear
from ...core.whole_numbers import whole
from ..indexing.brackets import select_view, slice_view
from ..making.creation import zeros
from .forms import atleast_1d, atleast_2d, atleast_3d
from .shape import along, axis_of, reshape

__all__ = [
    *("block_diag", "cat", "column_stack", "concat", "concatenate", "dstack", "hstack", "row_stack", "stack", "vstack"),
]
TAKE_OUT = ["column_stack", "dstack", "hstack", "row_stack", "vstack"]

# -- joining


def _skipped(shape) -> bool:
    """PyTorch lets an empty vector join tensors of any shape."""
    return tuple(shape) == (0,)


@nameless
def _cat(xs, dim=0):
    dim = dim if type(dim) is int else whole("dim", dim)  # NumPy takes None for a flat result
    try:
        return np.ascontiguousarray(np.concatenate(xs, dim))
    except ValueError:  # of NumPy: shapes that do not agree, unless the empty vectors are left out
        kept = [x for x in xs if x is not None and not _skipped(x.shape)]
        _check_joinable(xs, kept[0] if kept else None, dim)
        return np.ascontiguousarray(np.concatenate(kept, dim))


def _check_joinable(xs, first, dim: int) -> None:
    if not xs:
        raise ValueError("cat(): expected a non-empty list of Tensors")
    for i, x in enumerate(xs):
        if x is None:
            raise TypeError(f"cat(): expected Tensor as element {i} of the list, but got None")
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
        return reshape(slice_view(g, along(0, slice(0, 0, 1))), (-1,))
    axis = axis_of(dim, g.ndim)
    start = sum(shape[axis] for shape in xs_shape[:position] if not _skipped(shape))
    return slice_view(g, along(axis, slice(start, start + xs_shape[position][axis], 1)))


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


@nameless
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
    return np.ascontiguousarray(np.concatenate([x[along(axis, None)] for x in xs], axis))


stack = linear(
    "stack",
    _stack,
    "*xs",
    lambda g, dim, position: select_view(g, along(axis_of(dim, g.ndim), position)),
    promote="common",
    doc="Tensors of one shape joined along a new axis `dim`. Each input gets its slice of g.",
    example="ac.stack([ac.tensor([1.0, 2.0]), ac.tensor([3.0, 4.0])], dim=1) -> tensor([[1., 3.],\n        [2., 4.]])",
)


def _check_list(name: str, tensors) -> None:
    if not len(tensors):
        raise RuntimeError(f"{name} expects a non-empty TensorList")


def hstack(tensors):
    """Tensors joined side by side: along axis 1, or axis 0 if they have only one. A 0-d tensor counts as a vector.

    >>> import autograd_core as ac
    >>> ac.hstack([ac.ones(2), ac.zeros(1)])
    tensor([1., 1., 0.])
    """
    _check_list("hstack", tensors)
    lines = atleast_1d(*tensors) if len(tensors) > 1 else (atleast_1d(tensors[0]),)
    return cat(lines, dim=0 if lines[0].ndim == 1 else 1)


def vstack(tensors):
    """Tensors joined on top of each other, along axis 0; one with fewer than two axes counts as one row.

    >>> import autograd_core as ac
    >>> ac.vstack([ac.ones(2), ac.zeros(2)])
    tensor([[1., 1.],
            [0., 0.]])
    """
    _check_list("vstack", tensors)
    return cat([atleast_2d(x) for x in tensors], dim=0)


row_stack = vstack  # PyTorch's other name


def dstack(tensors):
    """Tensors joined behind each other, along axis 2; those with fewer axes count as `atleast_3d` of them.

    >>> import autograd_core as ac
    >>> ac.dstack([ac.ones(2), ac.zeros(2)])
    tensor([[[1., 0.],
             [1., 0.]]])
    """
    _check_list("dstack", tensors)
    return cat([atleast_3d(x) for x in tensors], dim=2)


def column_stack(tensors):
    """Tensors joined side by side, along axis 1; one with fewer than two axes counts as a column.

    >>> import autograd_core as ac
    >>> ac.column_stack([ac.ones(2), ac.zeros(2)])
    tensor([[1., 0.],
            [1., 0.]])
    """
    _check_list("column_stack", tensors)
    return hstack([x if x.ndim > 1 else reshape(x, (-1, 1)) for x in tensors])


# -- blocks


def _blocks(shapes) -> list[tuple]:
    """The regions of a block diagonal matrix that tensors of these shapes fill, each a row if it is no matrix."""
    pieces, row, column = [], 0, 0
    for shape in shapes:
        height, width = (1,) * (2 - len(shape)) + tuple(shape)
        pieces.append((slice(row, row + height, 1), slice(column, column + width, 1)))
        row, column = row + height, column + width
    return pieces


def _block_diag(xs):
    for i, x in enumerate(xs):
        if x.ndim > 2:
            raise RuntimeError(
                f"block_diag: Input tensors must have 2 or fewer dimensions. Input {i} has {x.ndim} dimensions"
            )
    pieces = _blocks([x.shape for x in xs])
    out = np.zeros([piece.stop for piece in pieces[-1]], xs[0].dtype)
    for x, piece in zip(xs, pieces):
        out[piece] = x
    return out


_block_diagonal = linear(
    "block_diag",
    _block_diag,
    "*xs",
    lambda g, xs_shape, position: reshape(slice_view(g, _blocks(xs_shape)[position]), tuple(xs_shape[position])),
    promote="common",
    doc="Matrices side by side along the diagonal.",
)


def block_diag(*tensors):
    """A matrix with the given ones along its diagonal, zeros elsewhere. A vector counts as a row, a number as 1 x 1.

    RuntimeError for a tensor with more than two axes. Gradient: each gets its block of g.

    >>> import autograd_core as ac
    >>> ac.block_diag(ac.ones(1, 2), ac.tensor([[2.0]]))
    tensor([[1., 1., 0.],
            [0., 0., 2.]])
    """
    return _block_diagonal(tensors) if tensors else zeros(1, 0)
