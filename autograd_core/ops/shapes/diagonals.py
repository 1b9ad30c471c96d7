"""The diagonals of matrices, as views, set into a matrix, and written over; and the triangles beside them."""

from __future__ import annotations

import numpy as np

from ...core.table import linear
from ...core.tensor import Tensor
from ...core.whole_numbers import whole
from .shape import axis_of, clone, reshape

__all__ = ["diag", "diag_embed", "diagflat", "diagonal", "diagonal_scatter", "tril", "triu"]
METHODS = [*__all__, "fill_diagonal_"]
IN_PLACE = ["tril", "triu"]
TAKE_OUT = ["diag"]


def _diagonal(x, offset=0, dim1=0, dim2=1):
    first, second = axis_of(dim1, x.ndim), axis_of(dim2, x.ndim)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    rows, columns = max(-offset, 0), max(offset, 0)
    length = max(0, min(x.shape[first] - rows, x.shape[second] - columns))
    kept = [axis for axis in range(x.ndim) if axis not in (first, second)]
    corner = tuple(
        slice(rows, None) if a == first else slice(columns, None) if a == second else slice(None) for a in range(x.ndim)
    )
    shape = (*(x.shape[a] for a in kept), length)
    strides = (*(x.strides[a] for a in kept), x.strides[first] + x.strides[second])
    return np.lib.stride_tricks.as_strided(x[corner], shape, strides)


diagonal = linear(
    "diagonal",
    _diagonal,
    "x",
    lambda g, x_shape, offset, dim1, dim2: put_diagonal(g, x_shape, offset, dim1, dim2),
    view=True,
    doc="A view of the elements whose indices along `dim1` and `dim2` differ by `offset`, as the last axis.\n\n"
    "Gradient: g on that diagonal, zeros elsewhere. RuntimeError where `dim1` and `dim2` are the same axis.",
    example="ac.diagonal(ac.tensor([[1.0, 2.0], [3.0, 4.0]])) -> tensor([1., 4.])",
)


# -- set into a matrix


def _put_diagonal(x, shape, offset=0, dim1=0, dim2=1):
    out = np.zeros(shape, x.dtype)
    _diagonal(out, offset, dim1, dim2)[...] = x
    return out


put_diagonal = linear(
    "put_diagonal",
    _put_diagonal,
    "x",
    lambda g, offset, dim1, dim2: diagonal(g, offset, dim1, dim2),
    doc="Zeros of the given shape with `input` on a diagonal: the gradient of `diagonal`.",
)


def _diag_embed(x, offset=0, dim1=-2, dim2=-1):
    first, second = axis_of(dim1, x.ndim + 1), axis_of(dim2, x.ndim + 1)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    n = x.shape[-1] + abs(offset)
    shape = list(x.shape[:-1])
    for axis in sorted((first, second)):
        shape.insert(axis, n)
    return _put_diagonal(x, shape, offset, first, second)


diag_embed = linear(
    "diag_embed",
    _diag_embed,
    "x",
    lambda g, offset, dim1, dim2: diagonal(g, offset, dim1, dim2),
    doc="Square matrices with the vectors in the last axis of the input on their diagonal number `offset`, zeros "
    "elsewhere. The rows of the matrices lie in axis `dim1` of the result, the columns in `dim2`.\n\n"
    "Gradient: that diagonal of g. RuntimeError where `dim1` and `dim2` are the same axis.",
    example="ac.diag_embed(ac.tensor([1.0, 2.0])) -> tensor([[1., 0.],\n        [0., 2.]])",
)


def diag(input, diagonal=0):
    """A matrix with the elements of a vector on a diagonal, or that diagonal of a matrix as a copy.

    `diagonal` counts from the main one, upward. RuntimeError for an input that has neither one nor two axes.

    >>> import autograd_core as ac
    >>> ac.diag(ac.tensor([1.0, 2.0]))
    tensor([[1., 0.],
            [0., 2.]])
    """
    if input.ndim == 1:
        return diag_embed(input, diagonal)
    if input.ndim == 2:
        return _copy_of_diagonal(input, diagonal)
    raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {input.ndim}D")


def _copy_of_diagonal(x, offset):
    return clone(diagonal(x, offset))


def diagflat(input, offset=0):
    """A matrix with all elements of the input, in row-major order, on diagonal number `offset`.

    >>> import autograd_core as ac
    >>> ac.diagflat(ac.tensor([1.0, 2.0]), 1)
    tensor([[0., 1., 0.],
            [0., 0., 2.],
            [0., 0., 0.]])
    """
    return diag_embed(reshape(input, (-1,)), offset)


# -- written over


def _diagonal_scatter(x, src, offset=0, dim1=0, dim2=1):
    out = x.copy()
    place = _diagonal(out, offset, dim1, dim2)
    if np.ndim(src) and src.shape != place.shape:
        raise RuntimeError(
            f"diagonal_scatter: expected src to have the shape {list(place.shape)} of the diagonal, "
            f"got {list(src.shape)}"
        )
    place[...] = src
    return out


diagonal_scatter = linear(
    "diagonal_scatter",
    _diagonal_scatter,
    "x src",
    lambda g, offset, dim1, dim2: diagonal_scatter(g, 0.0, offset, dim1, dim2),
    lambda g, offset, dim1, dim2: diagonal(g, offset, dim1, dim2),
    doc="A copy with `src` in the place that `diagonal` shows. Gradient: g without that diagonal for the input, the "
    "diagonal of g for `src`. RuntimeError where `src` has not the shape of the diagonal.",
    example="ac.diagonal_scatter(ac.zeros(2, 2), ac.tensor([1.0, 2.0])) -> tensor([[1., 0.],\n        [0., 2.]])",
)


def fill_diagonal_(self, fill_value, wrap: bool = False):
    """Write a number into the elements whose indices are all equal. Gradient: 0 there.

    With `wrap` the diagonal of a tall matrix begins again, one row below its end. RuntimeError for less than two axes,
    and for more than two that are not equally long; TypeError for what is no number.

    >>> import autograd_core as ac
    >>> ac.zeros(4, 2).fill_diagonal_(5, wrap=True)
    tensor([[5., 0.],
            [0., 5.],
            [0., 0.],
            [5., 0.]])
    """
    value = fill_value.item() if isinstance(fill_value, Tensor) and not fill_value.ndim else fill_value
    if not isinstance(value, (bool, int, float, np.number)):
        kind = type(fill_value).__name__
        raise TypeError(f"fill_diagonal_(): argument 'fill_value' must be Number, not {kind}")
    if self.ndim < 2:
        raise RuntimeError(f"fill_diagonal_(): dimensions must larger than 1, got shape {list(self.shape)}")
    if self.ndim > 2 and len({*self.shape}) > 1:
        raise RuntimeError(
            f"fill_diagonal_(): all dimensions of input must be of equal length, got shape {list(self.shape)}"
        )
    rows, columns = self.shape[:2]
    for first in range(0, rows, columns + 1) if wrap and self.ndim == 2 else (0,):
        line = diagonal(self[first:])
        while line.ndim > 1:
            line = diagonal(line, 0, 0, -1)
        line.fill_(value)
    return self


# -- triangles


def _check_matrix(name: str, x) -> None:
    if x.ndim < 2:
        raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions, got shape {list(x.shape)}")


def _tril(x, diagonal=0):
    _check_matrix("tril", x)
    return np.tril(x, whole("diagonal", diagonal))


tril = linear(
    "tril",
    _tril,
    "x",
    lambda g, diagonal: tril(g, diagonal),
    doc="The lower triangle of each matrix in the last two axes, up to diagonal number `diagonal`; zeros elsewhere.",
    example="ac.tril(ac.ones(2, 2)) -> tensor([[1., 0.],\n        [1., 1.]])",
)


def _triu(x, diagonal=0):
    _check_matrix("triu", x)
    return np.triu(x, whole("diagonal", diagonal))


triu = linear(
    "triu",
    _triu,
    "x",
    lambda g, diagonal: triu(g, diagonal),
    doc="The upper triangle of each matrix in the last two axes, from diagonal number `diagonal`; zeros elsewhere.",
    example="ac.triu(ac.ones(2, 2)) -> tensor([[1., 1.],\n        [0., 1.]])",
)
