"""Picking and placing elements along an axis by an index tensor, and by a mask.

In PyTorch's signatures the axis comes before the index: `x.gather(dim, index)`.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any

import numpy as np

from .. import dtypes
from ..primitive import linear
from ..tensor import Tensor, wrap
from ..views import in_place
from .indexing import add_at, index_backward, slice_backward
from .shape import axis_of, expand, ravel, reshape

__all__ = [
    *("gather", "index_add", "index_select", "masked_fill", "masked_scatter", "masked_select", "nonzero"),
    *("scatter", "scatter_add", "take_along_dim"),
]
METHODS = [*__all__, "index_add_", "scatter_", "scatter_add_"]
IN_PLACE = ["masked_fill", "masked_scatter"]


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


def _line(x):
    """A 0-d array as one of length 1: PyTorch lets these ops treat it so."""
    return x if x.ndim else x.reshape(1)


def _check_positions(name: str, index, size: int, axis: int, error=RuntimeError) -> None:
    if index.dtype not in (np.int64, np.int32):
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index, got {index.dtype}; use .long()")
    if index.size and (index.min() < 0 or index.max() >= size):
        bad = int(index.min() if index.min() < 0 else index.max())
        raise error(f"{name}(): index {bad} is out of bounds for dimension {axis} with size {size}")


def _grid(name: str, x, index, dim: int) -> tuple:
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
    _check_positions(name, index, x.shape[axis], axis)
    return tuple([index if a == axis else _steps(n, x.ndim - a - 1) for a, n in enumerate(index.shape)])


def _steps(n: int, axes_behind: int):
    return np.arange(n).reshape(-1, *[1] * axes_behind)


# -- one index for every element


def _gather(x, index, dim):
    x, shape, index = _line(x), index.shape, _line(index)
    return x[_grid("gather", x, index, dim)].reshape(shape)


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
    view = _line(out)
    add_at(view, _grid("scatter_add", view, _line(index), dim), x)
    return out


scatter_sum = linear(
    "scatter_sum",
    _scatter_sum,
    "x index",
    lambda g, index, dim: gather(g, dim, index),
    None,
    doc="Zeros of a given shape with `input` added at the positions `index` along `dim`: the gradient of `gather`.",
)


def _source(name: str, x, index, src):
    """The part of `src` that is used: a corner of the shape of `index`. A number stays a number."""
    if not isinstance(src, np.ndarray):
        return src
    if src.dtype != x.dtype:
        raise RuntimeError(
            f"{name}(): Expected self.dtype to be equal to src.dtype, got {x.dtype} and {src.dtype}; use .to(...)"
        )
    if src.ndim != index.ndim or any(n > m for n, m in zip(index.shape, src.shape)):
        raise RuntimeError(
            f"{name}(): Expected index {list(index.shape)} to have as many axes as src {list(src.shape)} and "
            f"be nowhere larger"
        )
    return src[tuple(slice(n) for n in index.shape)]


def _scatter(x, index, src, dim):
    out = x.copy()
    view = _line(out)
    view[_grid("scatter", view, _line(index), dim)] = _source("scatter", x, index, src)
    return out


def _scatter_add(x, index, src, dim):
    out = x.copy()
    view = _line(out)
    add_at(view, _grid("scatter_add", view, _line(index), dim), _source("scatter_add", x, index, src))
    return out


def _d_source(g, index, src_shape, dim):
    picked = gather(g, dim, index)
    unused = picked.shape != src_shape
    return slice_backward(picked, tuple(src_shape), tuple(slice(0, n, 1) for n in picked.shape)) if unused else picked


_put = linear(
    "scatter",
    _scatter,
    "x index src",
    lambda g, index, dim: scatter(g, dim, index, 0.0),
    None,
    lambda g, index, src_shape, dim: _d_source(g, index, src_shape, dim),
    doc="A copy with `src`, a tensor or a number, written at the positions `index` along `dim`.",
)
scatter_add = dim_first(
    linear(
        "scatter_add",
        _scatter_add,
        "x index src",
        lambda g: g,
        None,
        lambda g, index, src_shape, dim: _d_source(g, index, src_shape, dim),
        doc="A copy with `src[i, j]` added at `[index[i, j], j]` for dim=0, and likewise along another axis; "
        "every repeat counts.\n\n"
        "`index` is nowhere larger than `src`, nor than `input` but along `dim`; dtypes are equal; else RuntimeError.",
        example="ac.scatter_add(ac.zeros(3), 0, ac.tensor([0, 0, 2]), ac.ones(3)) -> tensor([2., 0., 1.])",
    )
)
_put_ = in_place(_put)
scatter_add_ = dim_first(in_place(scatter_add))


def _one_source(src, value):
    if (src is None) == (value is None):
        raise TypeError("scatter(): give either src (a tensor or a number) or value (a number)")
    return value if src is None else src


def scatter(input, dim, index, src=None, *, value=None):
    """A copy with `src[i, j]`, or a number, written at `[index[i, j], j]` for dim=0, and likewise along another axis.

    `index` is nowhere larger than `src`, nor than `input` but along `dim`; dtypes are equal; else RuntimeError. Where
    positions repeat, one of the values stays, and the gradient of `src` is exact only for positions that do not.

    >>> import autograd_core as ac
    >>> ac.scatter(ac.zeros(2, 2), 1, ac.tensor([[1], [0]]), 5.0)
    tensor([[0., 5.],
            [5., 0.]])
    """
    return _put(input, index, _one_source(src, value), dim=dim)


def scatter_(self, dim, index, src=None, *, value=None):
    """`scatter`, written into this tensor."""
    return _put_(self, index, _one_source(src, value), dim=dim)


# -- one index for every slice


def _index_select(x, index, dim):
    if index.ndim > 1:
        raise IndexError(f"index_select(): Index is supposed to be a vector, got shape {list(index.shape)}")
    if not x.ndim:
        raise IndexError("index_select() needs an input with at least one axis")
    axis = axis_of(dim, x.ndim)
    _check_positions("index_select", index, x.shape[axis], axis, IndexError)
    return x.take(_line(index), axis)


index_select = dim_first(
    linear(
        "index_select",
        _index_select,
        "x index",
        lambda g, x_shape, index, dim: index_backward(
            g, [*[None] * axis_of(dim, len(x_shape)), reshape(index, (-1,))], x_shape
        ),
        None,
        doc="The slices along `dim` at the positions `index`, a vector of integers, as a copy. IndexError "
        "where there is no such slice.",
        example="ac.index_select(ac.tensor([1.0, 2.0, 3.0]), 0, ac.tensor([2, 0])) -> tensor([3., 1.])",
    )
)


def _index_add(x, index, source, dim, *, alpha=1):
    if not x.ndim or index.ndim > 1:
        raise IndexError("index_add(): Index is supposed to be a vector, and input to have at least one axis")
    axis, index = axis_of(dim, x.ndim), _line(index)
    if source.dtype != x.dtype:
        raise RuntimeError(
            f"index_add(): input ({x.dtype}) and source ({source.dtype}) must have the same dtype; use .to(...)"
        )
    if source.shape != (*x.shape[:axis], index.size, *x.shape[axis + 1 :]):
        raise RuntimeError(
            f"index_add(): source of shape {list(source.shape)} must have the shape {list(x.shape)} of input, "
            f"with the number of indices "
            f"({index.size}) in dim {axis}"
        )
    _check_positions("index_add", index, x.shape[axis], axis)
    out = x.copy()
    add_at(out, [*[None] * axis, index], source if alpha == 1 else source * alpha)
    return out


def _d_index_add(g, index, dim, alpha):
    picked = index_select(g, dim, index)
    return picked if alpha == 1 else picked * alpha


index_add = dim_first(
    linear(
        "index_add",
        _index_add,
        "x index source",
        lambda g: g,
        None,
        lambda g, index, source, dim, alpha: _d_index_add(g, index, dim, alpha),
        doc="A copy with `alpha` times the slices of `source` along `dim` added at the positions `index`; "
        "every repeat counts.",
        example="ac.index_add(ac.zeros(3), 0, ac.tensor([1, 1]), ac.ones(2)) -> tensor([0., 2., 0.])",
    )
)
index_add_ = dim_first(in_place(index_add))


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
    if positions.dtype.kind == "i":
        positions = np.where(positions < 0, positions + n, positions)
    common = list(np.broadcast_shapes(*[(*t.shape[:axis], 1, *t.shape[axis + 1 :]) for t in (input, indices)]))
    input = expand(input, (*common[:axis], n, *common[axis + 1 :]))
    positions = np.broadcast_to(positions, (*common[:axis], positions.shape[axis], *common[axis + 1 :]))
    return gather(input, axis, wrap(positions))


# -- masks


def _check_mask(name: str, mask) -> None:
    if mask.dtype != bool:
        raise RuntimeError(f"{name} only supports boolean masks, but got mask with dtype {mask.dtype}; use .bool()")


def _masked_fill(x, mask, value):
    _check_mask("masked_fill", mask)
    if np.ndim(value):
        raise RuntimeError(
            f"masked_fill only supports a 0-dimensional value tensor, but got tensor with {value.ndim} "
            f"dimension(s); use where()"
        )
    value = value.astype(x.dtype) if hasattr(value, "dtype") else dtypes.stored(value, x.dtype)
    return np.where(mask, np.asarray(value, x.dtype), x)


masked_fill = linear(
    "masked_fill",
    _masked_fill,
    "x mask value",
    lambda g, mask: masked_fill(g, mask, 0.0),
    None,
    lambda g, mask: masked_fill(g, ~mask, 0.0),
    doc="A copy with `value`, a number or 0-d tensor, where `mask` is True. The mask broadcasts with the input.",
    example="ac.masked_fill(ac.ones(3), ac.tensor([True, False, True]), 0.0) -> tensor([0., 1., 0.])",
)


def _masked_select(x, mask):
    _check_mask("masked_select", mask)
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


def _masked_scatter(x, mask, source):
    _check_mask("masked_scatter", mask)
    if source.dtype != x.dtype:
        raise RuntimeError(
            f"masked_scatter: expected input and source to have same dtypes but got {x.dtype} and {source.dtype}"
        )
    x, mask = np.broadcast_arrays(x, mask)
    n = int(np.count_nonzero(mask))
    if source.size < n:
        raise RuntimeError(f"masked_scatter: source has {source.size} elements, but the mask is True at {n}")
    out = x.copy()
    out[mask] = source.reshape(-1)[:n]
    return out


def _d_masked_source(g, mask, source_shape):
    picked = masked_select(g, mask)
    placed = slice_backward(picked, (int(np.prod(source_shape)),), (slice(0, picked.shape[0], 1),))
    return reshape(placed, tuple(source_shape))


masked_scatter = linear(
    "masked_scatter",
    _masked_scatter,
    "x mask source",
    lambda g, mask: masked_fill(g, mask, 0.0),
    None,
    lambda g, mask, source_shape: _d_masked_source(g, mask, source_shape),
    doc="A copy with the elements of `source`, in order, at the places where `mask` is True.",
    example="ac.masked_scatter(ac.zeros(3), ac.tensor([True, False, True]), ac.tensor([5.0, 6.0])) -> "
    "tensor([5., 0., 6.])",
)


def nonzero(input, *, as_tuple=False):
    """Positions of the elements that are not zero: int64 (how many, axes), or with `as_tuple` one vector an axis.

    >>> import autograd_core as ac
    >>> ac.nonzero(ac.tensor([0.0, 3.0, 4.0]))
    tensor([[1],
            [2]])
    """
    array = input._array if isinstance(input, Tensor) else input
    positions = _line(array).nonzero()
    if as_tuple:
        return tuple(wrap(axis) for axis in positions)
    return wrap(np.stack(positions, 1)[:, : array.ndim])
