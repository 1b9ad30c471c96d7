"""Picking elements by an index tensor, along an axis or from the flat input, and by a mask.

In PyTorch's signatures the axis comes before the index: `x.gather(dim, index)`.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any

import numpy as np

from ...core.silence import nameless
from ...core.table import linear
from ...core.tensor import wrap
from ..making.creation import array_of
from ..shapes.shape import axis_of, expand, ravel, reshape
from .brackets import add_at, index_backward

__all__ = [
    *("argwhere", "gather", "index_select", "masked_select", "nonzero", "nonzero_static", "take", "take_along_dim"),
]
METHODS = __all__
TAKE_OUT = ["nonzero", "nonzero_static", "take_along_dim"]


def dim_first(op):
    """The public form of an op on `(input, index, ...)` with a parameter `dim`: `dim` becomes the second argument."""

    def public(input, dim, *tensors, **named):
        return op(input, *tensors, dim=dim, **named)

    shown = op.__signature__
    first, *others = shown.parameters.values()
    dim = shown.parameters["dim"]
    function: Any = functools.wraps(op)(public)
    function.__signature__ = inspect.Signature([first, dim, *(p for p in others if p is not dim)])
    return function


def as_line(x):
    """A 0-d array as one of length 1: PyTorch lets these ops treat it so."""
    return x if x.ndim else x.reshape(1)


def check_positions(name: str, index, size: int, axis: int, error=RuntimeError) -> None:
    """Raise unless `index` holds positions, none negative, of an axis of length `size`."""
    if index.dtype not in (np.int64, np.int32):
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index, got {index.dtype}; use .long()")
    if index.size and (index.min() < 0 or index.max() >= size):
        bad = int(index.min() if index.min() < 0 else index.max())
        raise error(f"{name}(): index {bad} is out of bounds for dimension {axis} with size {size}")


def positions_along(name: str, x, index, dim: int) -> tuple:
    """One index array for each axis of `x`: `index` itself along `dim`, the own position along the others."""
    axis = axis_of(dim, x.ndim)
    if index.ndim != x.ndim:
        raise RuntimeError(
            f"{name}(): Index tensor must have the same number of dimensions as input tensor, got shapes "
            f"{list(index.shape)} and "
            f"{list(x.shape)}"
        )
    if any(n > m for a, (n, m) in enumerate(zip(index.shape, x.shape)) if a != axis):
        raise RuntimeError(
            f"{name}(): Expected index {list(index.shape)} to be no larger than input {list(x.shape)} apart "
            f"from dimension {axis}"
        )
    check_positions(name, index, x.shape[axis], axis)
    return tuple([index if a == axis else _steps(n, x.ndim - a - 1) for a, n in enumerate(index.shape)])


def _steps(n: int, axes_behind: int):
    return np.arange(n).reshape(-1, *[1] * axes_behind)


# -- one index for every element


@nameless
def _gather(x, index, dim, *, sparse_grad=False):
    if sparse_grad:
        raise NotImplementedError("gather(): sparse_grad=True is not here; gradients of autograd_core are dense")
    if not index.size:  # PyTorch asks nothing of an index that picks nothing
        return np.empty(index.shape, x.dtype)
    x, shape, index = as_line(x), index.shape, as_line(index)
    return x[positions_along("gather", x, index, dim)].reshape(shape)


gather = dim_first(
    linear(
        "gather",
        _gather,
        "x index",
        lambda g, x, index, dim: scatter_sum(g, index, x.shape, dim),
        None,
        doc="`out[i, j] = input[index[i, j], j]` for dim=0, and likewise along another axis. The result has "
        "the shape of `index`.\n\n"
        "`index` has as many axes as `input`, is nowhere longer but along `dim`, and not negative, else RuntimeError.",
        example="ac.gather(ac.tensor([[1.0, 2.0], [3.0, 4.0]]), 1, ac.tensor([[1], [0]])) -> tensor([[2.],\n   "
        "     [3.]])",
    )
)


def _scatter_sum(x, index, shape, dim):
    out = np.zeros(shape, x.dtype)
    if index.size:
        line = as_line(out)
        add_at(line, positions_along("scatter_add", line, as_line(index), dim), x)
    return out


scatter_sum = linear(
    "scatter_sum",
    _scatter_sum,
    "x index",
    lambda g, index, dim: gather(g, dim, index),
    None,
    doc="Zeros of a given shape with `input` added at the positions `index` along `dim`: the gradient of `gather`.",
)


# -- one index for every slice


def check_vector(name: str, x, index, dim: int, error=IndexError) -> int:
    """The number of the axis that `index`, a vector, or 0-d, of positions on it, is for."""
    if index.ndim > 1:
        raise IndexError(f"{name}(): Index is supposed to be a vector, got shape {list(index.shape)}")
    axis = axis_of(dim, x.ndim)
    check_positions(name, index, as_line(x).shape[axis], axis, error)
    if not x.ndim and index.size != 1:
        raise IndexError(f"{name}(): Index to scalar can have only 1 value, got {index.size} values")
    return axis


@nameless
def _index_select(x, index, dim):
    axis = check_vector("index_select", x, index, dim)
    return x.take(as_line(index), axis) if x.ndim else np.array(x)


def _d_index_select(g, x_shape, index, dim):
    if not x_shape:
        return g
    return index_backward(g, [*[None] * axis_of(dim, len(x_shape)), reshape(index, (-1,))], x_shape)


index_select = dim_first(
    linear(
        "index_select",
        _index_select,
        "x index",
        _d_index_select,
        None,
        doc="The slices along `dim` at the positions `index`, a vector of integers, as a copy.\n\n"
        "Gradient: each slice of g is added where it came from. IndexError where there is no such slice.",
        example="ac.index_select(ac.tensor([1.0, 2.0, 3.0]), 0, ac.tensor([2, 0])) -> tensor([3., 1.])",
    )
)


def take_along_dim(input, indices, dim=None):
    """`gather` that broadcasts the other axes and counts negative positions from the end; without `dim`, on flat input.

    >>> import autograd_core as ac
    >>> ac.take_along_dim(ac.tensor([[1.0, 2.0], [3.0, 4.0]]), ac.tensor([[-1]]), 1)
    tensor([[2.],
            [4.]])
    """
    if dim is None:
        return take_along_dim(ravel(input), ravel(indices), 0)
    if input.ndim != indices.ndim:
        raise RuntimeError(
            f"take_along_dim(): input and indices should have the same number of dimensions, but got "
            f"{input.ndim} dimensions for input, "
            f"and {indices.ndim} dimensions for indices"
        )
    axis = axis_of(dim, input.ndim)
    n = input.shape[axis]
    positions = indices._array
    if positions.dtype != np.int64:
        raise RuntimeError(f"take_along_dim(): dtype of indices should be Long but got {positions.dtype}; use .long()")
    positions = np.where(positions < 0, positions + n, positions)
    common = list(np.broadcast_shapes(*[(*t.shape[:axis], 1, *t.shape[axis + 1 :]) for t in (input, indices)]))
    input = expand(input, (*common[:axis], n, *common[axis + 1 :]))
    positions = np.broadcast_to(positions, (*common[:axis], positions.shape[axis], *common[axis + 1 :]))
    return gather(input, axis, wrap(positions))


# -- from the flat input


def check_flat(name: str, x, index) -> None:
    """Raise unless `index` holds positions, perhaps negative, of the flattened x."""
    if index.dtype != np.int64:
        raise RuntimeError(f"{name}(): Expected a long tensor for index, but got {index.dtype}; use .long()")
    if index.size and not x.size:
        raise IndexError(f"{name}(): tried to take from an empty tensor")
    if index.size and not -x.size <= index.min() <= index.max() < x.size:
        raise IndexError(
            f"{name}(): out of range: tried to access index {index.min()} or {index.max()} on a tensor of {x.size} "
            "elements"
        )


def _take(x, index):
    check_flat("take", x, index)
    return np.asarray(x.reshape(-1)[index])


take = linear(
    "take",
    _take,
    "x index",
    lambda g, x, index: take_backward(g, index, tuple(x.shape)),
    None,
    doc="The elements at the positions `index`, integers, of the input seen as one row-major vector; negative ones "
    "count from the end. The result has the shape of `index`.\n\n"
    "Gradient: each element of g is added where it came from. IndexError where there is no such position.",
    example="ac.take(ac.tensor([[1.0, 2.0], [3.0, 4.0]]), ac.tensor([-1, 1])) -> tensor([4., 2.])",
)


def _take_backward(x, index, shape):
    out = np.zeros(shape, x.dtype)
    add_at(out.reshape(-1), (index,), x)
    return out


take_backward = linear(
    "take_backward",
    _take_backward,
    "x index",
    lambda g, index: take(g, index),
    None,
    doc="Zeros of a given shape with `input` added at the positions `index` of the flattened result: the gradient of "
    "`take`.",
)


# -- by a mask


def check_mask(name: str, mask) -> None:
    """Raise unless a mask is of bools."""
    if mask.dtype != bool:
        raise RuntimeError(f"{name} only supports boolean masks, but got mask with dtype {mask.dtype}; use .bool()")


def _masked_select(x, mask):
    check_mask("masked_select", mask)
    x, mask = np.broadcast_arrays(x, mask)
    return x[mask]


def _d_masked_select(g, x, mask):
    shape = np.broadcast_shapes(tuple(x.shape), tuple(mask.shape))
    return index_backward(g, [expand(mask, shape)], shape)


masked_select = linear(
    "masked_select",
    _masked_select,
    "x mask",
    _d_masked_select,
    None,
    doc="The elements where `mask` is True, in one axis, as a copy. Mask and input broadcast together.",
    example="ac.masked_select(ac.tensor([1.0, 2.0, 3.0]), ac.tensor([True, False, True])) -> tensor([1., 3.])",
)


# -- the positions that a mask picks


def nonzero(input, *, as_tuple=False):
    """Positions of the elements that are not zero: int64 (how many, axes), or with `as_tuple` one vector an axis.

    >>> import autograd_core as ac
    >>> ac.nonzero(ac.tensor([0.0, 3.0, 4.0]))
    tensor([[1],
            [2]])
    """
    array = array_of(input)
    positions = as_line(array).nonzero()
    if as_tuple:
        return tuple(wrap(axis) for axis in positions)
    return wrap(np.stack(positions, 1)[:, : array.ndim])


def argwhere(input):
    """The positions of the elements that are not zero, one a row: int64 (how many, axes).

    >>> import autograd_core as ac
    >>> ac.argwhere(ac.tensor([[0.0, 3.0], [4.0, 0.0]]))
    tensor([[0, 1],
            [1, 0]])
    """
    return nonzero(input)


def nonzero_static(input, *, size, fill_value=-1):
    """The first `size` rows of `nonzero`, filled up with `fill_value` where there are fewer. RuntimeError for size < 0.

    >>> import autograd_core as ac
    >>> ac.nonzero_static(ac.tensor([0.0, 3.0]), size=2)
    tensor([[ 1],
            [-1]])
    """
    if size < 0:
        raise RuntimeError(f"nonzero_static: 'size' must be an non-negative integer, got {size}")
    found = nonzero(input)._array[:size]
    out = np.full((size, input.ndim), fill_value)
    out[: len(found)] = found
    return wrap(out)
