"""Ops that pick elements by their order: extremes with their index, medians, sorting."""

from __future__ import annotations

import numpy as np

from ..calling import takes_numpy_names
from ..primitive import general, linear, nondiff
from ..tensor import Tensor
from .gathering import gather
from .piecewise import maximum, minimum
from .reduction import check_not_empty, share
from .shape import axis_of, unsqueeze

# -- one element along an axis: its value, its index, and the way back


def _place(x, index, dim, shape):
    out = np.zeros(shape, x.dtype)
    if out.ndim:
        np.put_along_axis(out, index, x, axis_of(dim, out.ndim))
    else:
        out[...] = x
    return out


place = linear(
    "place",
    _place,
    "x index",
    lambda g, index, dim: gather(g, dim, index),
    None,
    doc="Zeros of `shape` with x at `index` along `dim`: the gradient of picking.",
)


def _picked(x, index, dim, keepdim):
    """The values of `x` at `index` along `dim`, and the index, both without that axis unless `keepdim`."""
    if not x.ndim:
        return x.copy(), index
    axis = axis_of(dim, x.ndim)
    values = np.take_along_axis(x, index, axis)
    return (values, index) if keepdim else (values.squeeze(axis), index.squeeze(axis))


def _first_index(arg, x, dim):
    return arg(x, axis=axis_of(dim, x.ndim), keepdims=True) if x.ndim else np.zeros((), np.int64)


def d_picked_dx(g_values, indices, x_shape, dim, keepdim):
    """The gradient goes to the element that was picked, to no equal one."""
    if x_shape and not keepdim:
        g_values, indices = unsqueeze(g_values, dim), unsqueeze(indices, dim)
    return place(g_values, indices, dim, x_shape)


def d_whole_dx(g, x, out):
    """The gradient is shared evenly between the elements that equal the result; between the NaNs if it is NaN."""
    return share(g, x == out if out == out else x != x)


# -- extremes


def _max(x, dim, keepdim=False):
    check_not_empty("max", x.shape, dim)
    return _picked(x, _first_index(np.argmax, x, dim), dim, keepdim)


def _min(x, dim, keepdim=False):
    check_not_empty("min", x.shape, dim)
    return _picked(x, _first_index(np.argmin, x, dim), dim, keepdim)


def _max_of_all(x):
    check_not_empty("max", x.shape, None)
    return np.maximum.reduce(x, axis=None)


def _min_of_all(x):
    check_not_empty("min", x.shape, None)
    return np.minimum.reduce(x, axis=None)


max_along = general("max", _max, "x", d_picked_dx, outputs="values indices", doc="`max` along an axis.")
min_along = general("min", _min, "x", d_picked_dx, outputs="values indices", doc="`min` along an axis.")
# PyTorch numbers the overloads of an op in the name of its node.
max_of_all = general("max_of_all", _max_of_all, "x", d_whole_dx, node_name="MaxBackward1", doc="`max` over everything.")
min_of_all = general("min_of_all", _min_of_all, "x", d_whole_dx, node_name="MinBackward1", doc="`min` over everything.")


@takes_numpy_names
def max(input, dim=None, keepdim=False, *, other=None):
    """The largest element, in three forms.

    `max(input)`: over everything; equal largest elements share the gradient. `max(input, dim)`: along one axis, as a
    named tuple (values, indices); the gradient goes to the element at the index, the first of equal ones. `max(input,
    other)`: `maximum`. A NaN counts as largest. RuntimeError over nothing, IndexError along an axis of length 0.

    >>> import autograd_core as ac
    >>> x = ac.tensor([[1.0, 5.0], [7.0, 3.0]])
    >>> ac.max(x), ac.max(x, dim=1).indices
    (tensor(7.), tensor([1, 0]))
    """
    if isinstance(dim, (Tensor, np.ndarray)):
        other = dim
    if other is not None:
        return maximum(input, other)
    return max_of_all(input) if dim is None else max_along(input, dim, keepdim)


@takes_numpy_names
def min(input, dim=None, keepdim=False, *, other=None):
    """The smallest element, in three forms.

    `min(input)`: over everything; equal smallest elements share the gradient. `min(input, dim)`: along one axis, as a
    named tuple (values, indices); the gradient goes to the element at the index, the first of equal ones. `min(input,
    other)`: `minimum`. A NaN counts as smallest. RuntimeError over nothing, IndexError along an axis of length 0.

    >>> import autograd_core as ac
    >>> x = ac.tensor([[1.0, 5.0], [7.0, 3.0]])
    >>> ac.min(x), ac.min(x, dim=1).indices
    (tensor(1.), tensor([0, 1]))
    """
    if isinstance(dim, (Tensor, np.ndarray)):
        other = dim
    if other is not None:
        return minimum(input, other)
    return min_of_all(input) if dim is None else min_along(input, dim, keepdim)


def _argmax(x, dim=None, keepdim=False):
    check_not_empty("argmax", x.shape, dim, IndexError)
    return np.argmax(x, axis=None if dim is None or not x.ndim else axis_of(dim, x.ndim), keepdims=keepdim)


def _argmin(x, dim=None, keepdim=False):
    check_not_empty("argmin", x.shape, dim, IndexError)
    return np.argmin(x, axis=None if dim is None or not x.ndim else axis_of(dim, x.ndim), keepdims=keepdim)


argmax = nondiff(
    "argmax",
    _argmax,
    "x",
    doc="Index of the largest element, the first of equal ones: along `dim`, or in the flattened tensor. IndexError "
    "over nothing.",
    example="ac.argmax(ac.tensor([[1.0, 5.0], [7.0, 3.0]]), dim=1) -> tensor([1, 0])",
)
argmin = nondiff(
    "argmin",
    _argmin,
    "x",
    doc="Index of the smallest element, the first of equal ones: along `dim`, or in the flattened tensor. IndexError "
    "over nothing.",
    example="ac.argmin(ac.tensor([[1.0, 5.0], [7.0, 3.0]]), dim=1) -> tensor([0, 1])",
)

# -- medians


def _middle(x, axis):
    """Index, with length 1 along `axis`, of the median there: the lower of two, the first NaN if there is one."""
    order = np.argsort(x, axis=axis, kind="stable")
    nan = np.isnan(x)
    middle = np.take(order, [(x.shape[axis] - 1) // 2], axis=axis)
    return np.where(
        np.logical_or.reduce(nan, axis=axis, keepdims=True), np.argmax(nan, axis=axis, keepdims=True), middle
    )


def _median(x, dim, keepdim=False):
    check_not_empty("median", x.shape, dim)
    index = _middle(x, axis_of(dim, x.ndim)) if x.ndim else np.zeros((), np.int64)
    return _picked(x, index, dim, keepdim)


def _median_of_all(x):
    if x.size == 0:
        return np.full((), np.nan, x.dtype)
    flat = x.reshape(-1)
    return flat[_middle(flat, 0)[0]]


median_along = general(
    "median",
    _median,
    "x",
    d_picked_dx,
    outputs="values indices",
    node_name="MedianBackward1",
    doc="`median` along an axis.",
)
median_of_all = general(
    "median_of_all", _median_of_all, "x", d_whole_dx, node_name="MedianBackward0", doc="`median` over everything."
)


@takes_numpy_names
def median(input, dim=None, keepdim=False):
    """The middle element in order, the lower of two: NaN where there is a NaN.

    `median(input)`: over everything; elements equal to it share the gradient; NaN of nothing. `median(input, dim)`:
    along one axis, as a named tuple (values, indices); the gradient goes to the element at the index. IndexError along
    an axis of length 0.

    >>> import autograd_core as ac
    >>> ac.median(ac.tensor([4.0, 1.0, 3.0, 2.0]))
    tensor(2.)
    """
    return median_of_all(input) if dim is None else median_along(input, dim, keepdim)


# -- sorting


def _argsort(x, dim=-1, descending=False, stable=False):
    """Equal elements keep their order, whether asked to or not; NaNs count as largest."""
    if not x.ndim:
        axis_of(dim, 0)
        return np.zeros((), np.int64)
    axis = axis_of(dim, x.ndim)
    if not descending:
        return np.argsort(x, axis=axis, kind="stable")
    return np.flip(x.shape[axis] - 1 - np.argsort(np.flip(x, axis), axis=axis, kind="stable"), axis)


def _sort(x, dim=-1, descending=False, stable=False):
    index = _argsort(x, dim, descending)
    return _picked(x, index, dim, True)


def _topk(x, k, dim=-1, largest=True, sorted=True):
    axis = axis_of(dim, x.ndim)
    n = x.shape[axis] if x.ndim else 1
    if not 0 <= k <= n:
        raise RuntimeError(
            f"topk(): selected index k out of range: k is {k}, and dim {dim} of shape {list(x.shape)} has {n} elements"
        )
    index = _argsort(x, dim, largest)
    return _picked(x, np.take(index, range(k), axis=axis) if x.ndim else index, dim, True)


def d_sorted_dx(g_values, indices, x_shape, dim):
    """Each gradient goes back to where its element came from."""
    return place(g_values, indices, dim, x_shape)


sort = general(
    "sort",
    _sort,
    "x",
    d_sorted_dx,
    outputs="values indices",
    doc="The elements in order along `dim`, and where each came from, as a named tuple (values, indices). Equal "
    "elements keep their order; NaNs count as largest. Gradient: sent back by the indices.",
    example="ac.sort(ac.tensor([3.0, 1.0, 2.0])).indices -> tensor([1, 2, 0])",
)
topk = general(
    "topk",
    _topk,
    "x",
    d_sorted_dx,
    outputs="values indices",
    doc="The k largest (or smallest) elements along `dim`, in order, as a named tuple (values, indices). RuntimeError "
    "where there are fewer than k. Gradient: sent back by the indices, 0 for the others.",
    example="ac.topk(ac.tensor([3.0, 1.0, 2.0]), 2).values -> tensor([3., 2.])",
)
argsort = nondiff(
    "argsort",
    _argsort,
    "x",
    doc="The indices that put the elements in order along `dim`. Equal elements keep their order; NaNs count as "
    "largest.",
    example="ac.argsort(ac.tensor([3.0, 1.0, 2.0]), descending=True) -> tensor([0, 2, 1])",
)

__all__ = ["argmax", "argmin", "argsort", "max", "median", "min", "sort", "topk"]
METHODS = __all__
