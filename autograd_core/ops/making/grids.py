"""Tensors of all combinations: grids of coordinates, products and subsets of vectors, positions in a triangle."""

from __future__ import annotations

import itertools

import numpy as np

from ...core.tensor import Tensor, wrap
from ..shapes.joining import stack
from ..shapes.shape import expand, reshape, several, transpose
from .creation import finish, kind_of

__all__ = [
    *("cartesian_prod", "combinations", "meshgrid", "tril_indices", "triu_indices", "unravel_index"),
]


def meshgrid(*tensors, indexing=None):
    """The coordinates of a grid: for each vector a view of it, spread over the axes of all the others.

    Vectors of lengths n, m, … give a tuple of tensors of shape (n, m, …); with `indexing="xy"` the first two axes are
    exchanged, (m, n, …); without, or with "ij", they are not. A 0-d tensor counts as a vector. RuntimeError for more
    axes, for vectors of several dtypes, and for another word.

    >>> import autograd_core as ac
    >>> ac.meshgrid(ac.tensor([1.0, 2.0]), ac.tensor([3.0, 4.0]))
    (tensor([[1., 1.],
            [2., 2.]]), tensor([[3., 4.],
            [3., 4.]]))
    """
    if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
        (tensors,) = tensors
    if not tensors:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    for x in tensors:
        if x.ndim > 1:
            raise RuntimeError(f"meshgrid: Expected 0D or 1D tensor in the tensor list but got shape {list(x.shape)}")
        if x.dtype != tensors[0].dtype:
            raise RuntimeError(f"meshgrid expects all tensors to have one dtype, got {tensors[0].dtype} and {x.dtype}")
    if indexing not in (None, "ij", "xy"):
        raise RuntimeError(f'meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}')
    lengths = tuple([x.shape[0] if x.ndim else 1 for x in tensors])
    n = len(lengths)
    grids = [expand(reshape(x, (-1,) + (1,) * (n - 1 - k)), lengths) for k, x in enumerate(tensors)]
    return tuple([transpose(x, 0, 1) for x in grids] if indexing == "xy" and n > 1 else grids)


def cartesian_prod(*tensors):
    """All ways to take one element of each vector, a row each; the last element changes fastest.

    A single vector is returned as it is. RuntimeError for a tensor that is no vector.

    >>> import autograd_core as ac
    >>> ac.cartesian_prod(ac.tensor([1, 2]), ac.tensor([3, 4]))
    tensor([[1, 3],
            [1, 4],
            [2, 3],
            [2, 4]])
    """
    for x in tensors:
        if x.ndim != 1:
            raise RuntimeError(f"cartesian_prod: Expect a 1D vector, but got shape {list(x.shape)}")
    if len(tensors) == 1:
        return tensors[0]
    return stack([reshape(grid, (-1,)) for grid in meshgrid(*tensors)], dim=1)


def combinations(input, r=2, with_replacement=False):
    """All ways to take `r` elements of a vector, a row each, in the order of their positions.

    `with_replacement` allows an element several times. RuntimeError for a tensor that is no vector, or a negative r.

    >>> import autograd_core as ac
    >>> ac.combinations(ac.tensor([1, 2, 3]))
    tensor([[1, 2],
            [1, 3],
            [2, 3]])
    """
    if input.ndim != 1:
        raise RuntimeError(f"combinations: Expect a 1D vector, but got shape {list(input.shape)}")
    if r < 0:
        raise RuntimeError(f"combinations: Expect a non-negative number, but got {r}")
    if r == 0:
        return input.new_empty(0)
    n = input.shape[0]
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = np.array(list(choose(range(n), r)), np.int64).reshape(-1, r)
    return stack([input[wrap(column)] for column in rows.T], dim=1)


# -- positions


def _triangle(name: str, pick, row, col, offset, dtype, place: dict) -> Tensor:
    if row < 0 or col < 0:
        raise RuntimeError(f"{name}: row and col must be non-negative, got {row} and {col}")
    kind = np.dtype(np.int64) if dtype is None else kind_of(dtype)
    return finish(name, np.stack(pick(row, offset, col)).astype(kind), **place)


def tril_indices(
    row, col, offset=0, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad: bool = False
) -> Tensor:
    """Rows and columns of the lower triangle of a `row` x `col` matrix, up to diagonal `offset`: int64 (2, how many).

    RuntimeError for negative sizes.

    >>> import autograd_core as ac
    >>> ac.tril_indices(2, 2)
    tensor([[0, 1, 1],
            [0, 0, 1]])
    """
    place = {"requires_grad": requires_grad, "device": device, "layout": layout, "pin_memory": pin_memory}
    return _triangle("tril_indices", np.tril_indices, row, col, offset, dtype, place)


def triu_indices(
    row, col, offset=0, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad: bool = False
) -> Tensor:
    """Rows and columns of the upper triangle of a `row` x `col` matrix, from diagonal `offset` on: int64 (2, how many).

    RuntimeError for negative sizes.

    >>> import autograd_core as ac
    >>> ac.triu_indices(2, 2)
    tensor([[0, 0, 1],
            [0, 1, 1]])
    """
    place = {"requires_grad": requires_grad, "device": device, "layout": layout, "pin_memory": pin_memory}
    return _triangle("triu_indices", np.triu_indices, row, col, offset, dtype, place)


def unravel_index(indices, shape):
    """Positions in a flat tensor as positions in one of the given shape: a tuple with a tensor for each axis.

    ValueError for a position that the shape does not have, or a negative length; TypeError for positions that are not
    integers.

    >>> import autograd_core as ac
    >>> ac.unravel_index(ac.tensor([5, 2]), (2, 3))
    (tensor([1, 0]), tensor([2, 2]))
    """
    shape = several(shape.tolist() if isinstance(shape, Tensor) else shape)
    if indices.is_floating_point() or indices._array.dtype == bool:
        raise TypeError(f"unravel_index: expected 'indices' to be integer dtype, but got {indices.dtype}")
    if any(n < 0 for n in shape):
        raise ValueError(f"unravel_index: 'shape' cannot have negative values, but got {shape}")
    flat = indices._array
    if flat.size and not 0 <= flat.min() <= flat.max() < max(int(np.prod(shape)), 0):
        raise ValueError(f"unravel_index: an index of {flat.min()} to {flat.max()} is out of bounds for shape {shape}")
    return tuple([wrap(np.asarray(axis, flat.dtype)) for axis in np.unravel_index(flat, shape)])
