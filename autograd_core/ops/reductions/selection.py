"""Ops that pick elements by their order: extremes with their index, medians, sorting."""

from __future__ import annotations

import functools

import numpy as np

from ...core.call import takes_numpy_names
from ...core.silence import nameless
from ...core.table import general, linear, nondiff
from ...core.tensor import Tensor
from ...core.whole_numbers import whole
from ..elementwise.piecewise import maximum, minimum
from ..indexing.gathering import gather
from ..shapes.shape import axis_of, unsqueeze
from .reduction import check_not_empty, d_extreme_dx, share

__all__ = [
    *("aminmax", "argmax", "argmin", "argsort", "kthvalue", "max", "median", "min", "mode", "msort", "nanmedian"),
    *("sort", "topk"),
]
METHODS = __all__
TAKE_OUT = ["max", "median", "min", "msort", "nanmedian"]

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


def d_picked_dx(g_values, indices, x_shape, dim, keepdim):
    """The gradient goes to the element that was picked, to no equal one."""
    if x_shape and not keepdim:
        g_values, indices = unsqueeze(g_values, dim), unsqueeze(indices, dim)
    return place(g_values, indices, dim, x_shape)


def d_whole_dx(g, x, out):
    """The gradient is shared evenly between the elements that equal the result; between the NaNs if it is NaN."""
    return share(g, x == out if out == out else x != x)


def _along_axis(name, find, **options):
    """The row of `name` along an axis, where it picks the element that `find(x, axis)` gives the index of."""

    @nameless
    def forward(x, dim, keepdim=False):
        check_not_empty(name, x.shape, dim)
        index = find(x, axis_of(dim, x.ndim)) if x.ndim else np.zeros((), np.int64)
        return _picked(x, index, dim, keepdim)

    return general(name, forward, "x", d_picked_dx, outputs="values indices", doc=f"`{name}` along an axis.", **options)


def _over_everything(name, forward, **options):
    """The row of `name` over everything."""
    return general(f"{name}_of_all", forward, "x", d_whole_dx, doc=f"`{name}` over everything.", **options)


# -- extremes


def _extreme_of_all(name, ufunc):
    @nameless
    def forward(x):
        check_not_empty(name, x.shape, None)
        return ufunc.reduce(x, axis=None)

    return forward


max_along = _along_axis("max", lambda x, axis: np.argmax(x, axis=axis, keepdims=True))
min_along = _along_axis("min", lambda x, axis: np.argmin(x, axis=axis, keepdims=True))
# PyTorch numbers the overloads of an op in the name of its node.
max_of_all = _over_everything("max", _extreme_of_all("max", np.maximum), node_name="MaxBackward1")
min_of_all = _over_everything("min", _extreme_of_all("min", np.minimum), node_name="MinBackward1")


def _tensor(name, argument, value):
    """One of two operands, neither of which may be a number."""
    if not isinstance(value, (Tensor, np.ndarray)):
        raise TypeError(
            f"{name}(): argument '{argument}' must be Tensor, not {type(value).__name__}; wrap it in ac.tensor(...)"
        )
    return value


def _takes_two(extreme):
    """Decorate `max` or `min`: a tensor in the second place, with nothing behind it, is `other` and no axis."""

    @functools.wraps(extreme)
    def call(input, *args, **named):
        if len(args) == 1 and not named and isinstance(args[0], (Tensor, np.ndarray)):
            return extreme(input, other=args[0])
        return extreme(input, *args, **named)

    return call


@takes_numpy_names
@_takes_two
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
    if other is not None:
        return maximum(_tensor("max", "input", input), _tensor("max", "other", other))
    if dim is None and keepdim:
        raise TypeError("max(): keepdim keeps the axis dim, which is not given")
    return max_of_all(input) if dim is None else max_along(input, dim, keepdim)


@takes_numpy_names
@_takes_two
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
    if other is not None:
        return minimum(_tensor("min", "input", input), _tensor("min", "other", other))
    if dim is None and keepdim:
        raise TypeError("min(): keepdim keeps the axis dim, which is not given")
    return min_of_all(input) if dim is None else min_along(input, dim, keepdim)


def _index_of(name, find, extreme, shown):
    """The row of `argmax` or of `argmin`."""

    @nameless
    def forward(x, dim=None, keepdim=False):
        check_not_empty(name, x.shape, dim, IndexError)
        return find(x, axis=None if dim is None or not x.ndim else axis_of(dim, x.ndim), keepdims=keepdim)

    return nondiff(
        name,
        forward,
        "x",
        doc=f"Index of the {extreme} element, the first of equal ones: along `dim`, or in the flattened tensor. "
        "IndexError over nothing.",
        example=f"ac.{name}(ac.tensor([[1.0, 5.0], [7.0, 3.0]]), dim=1) -> tensor({shown})",
    )


argmax = _index_of("argmax", np.argmax, "largest", "[1, 0]")
argmin = _index_of("argmin", np.argmin, "smallest", "[0, 1]")


def _aminmax(x, *, dim=None, keepdim=False):
    check_not_empty("aminmax", x.shape, dim)
    axis = None if dim is None or not x.ndim else axis_of(dim, x.ndim)
    return tuple(ufunc.reduce(x, axis=axis, keepdims=keepdim) for ufunc in (np.minimum, np.maximum))


def d_aminmax_dx(g_min, g_max, x, min, max, dim):
    """Each gradient is shared evenly between the elements that equal its extreme."""
    parts = [d_extreme_dx(g, x, out, dim) for g, out in ((g_min, min), (g_max, max)) if g is not None]
    return parts[0] if len(parts) == 1 else parts[0] + parts[1]


aminmax = general(
    "aminmax",
    _aminmax,
    "x",
    d_aminmax_dx,
    outputs="min max",
    doc="The smallest and the largest element, over everything or along the axis `dim`, as a named tuple (min, max). "
    "Gradient: shared evenly between equal extremes.",
    example="ac.aminmax(ac.tensor([2.0, 5.0, 1.0])).max -> tensor(5.)",
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


def _nan_middle(x, axis):
    """As `_middle`, of the elements that are not NaN; any element where all are."""
    order = np.argsort(x, axis=axis, kind="stable")  # NaNs come last
    numbers = np.add.reduce(x == x, axis=axis, keepdims=True, dtype=np.int64)
    return np.take_along_axis(order, np.maximum(numbers - 1, 0) // 2, axis)


def _middle_of_all(find):
    def forward(x):
        if x.size == 0:
            return np.full((), np.nan, x.dtype)
        flat = x.reshape(-1)
        return flat[find(flat, 0)[0]]

    return forward


median_along = _along_axis("median", _middle, node_name="MedianBackward1")
median_of_all = _over_everything("median", _middle_of_all(_middle), node_name="MedianBackward0")
nanmedian_along = _along_axis("nanmedian", _nan_middle, node_name="NanmedianBackward1")
nanmedian_of_all = _over_everything("nanmedian", _middle_of_all(_nan_middle), node_name="NanmedianBackward0")


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


@takes_numpy_names
def nanmedian(input, dim=None, keepdim=False):
    """The `median` of the elements that are not NaN; NaN where all are.

    >>> import autograd_core as ac
    >>> ac.nanmedian(ac.tensor([4.0, ac.nan, 3.0, 2.0]))
    tensor(3.)
    """
    return nanmedian_of_all(input) if dim is None else nanmedian_along(input, dim, keepdim)


# -- one by rank, one by frequency


def _kthvalue(x, k, dim=-1, keepdim=False):
    check_not_empty("kthvalue", x.shape, dim)
    k = whole("k", k)
    axis = axis_of(dim, x.ndim)
    n = x.shape[axis] if x.ndim else 1
    if not 1 <= k <= n:
        raise RuntimeError(
            f"kthvalue(): selected number k out of range for dimension {dim}: k is {k}, and shape {list(x.shape)} has "
            f"{n} elements there; the first is k=1"
        )
    order = _argsort(x, dim)
    return _picked(x, np.take(order, [k - 1], axis=axis) if x.ndim else order, dim, keepdim)


def _mode(x, dim=-1, keepdim=False):
    check_not_empty("mode", x.shape, dim)
    if not x.ndim:
        return _picked(x, _argsort(x, dim), dim, keepdim)
    axis = axis_of(dim, x.ndim)
    order = np.argsort(x, axis=axis, kind="stable")
    ordered = np.moveaxis(np.take_along_axis(x, order, axis), axis, -1)
    steps = np.arange(ordered.shape[-1])
    starts = np.ones(ordered.shape, bool)  # of the runs of equal elements
    np.not_equal(ordered[..., 1:], ordered[..., :-1], out=starts[..., 1:])
    so_far = steps - np.maximum.accumulate(np.where(starts, steps, 0), axis=-1)
    end = np.moveaxis(np.argmax(so_far, axis=-1, keepdims=True), -1, axis)  # of the first of the longest runs
    return _picked(x, np.take_along_axis(order, end, axis), dim, keepdim)


kthvalue = general(
    "kthvalue",
    _kthvalue,
    "x",
    d_picked_dx,
    outputs="values indices",
    doc="The k-th smallest element along `dim`, counted from 1, and where it is, as a named tuple (values, indices). "
    "NaNs count as largest. RuntimeError where there are fewer than k. Gradient: to the element at the index.",
    example="ac.kthvalue(ac.tensor([3.0, 1.0, 2.0]), 2).values -> tensor(2.)",
)
mode = general(
    "mode",
    _mode,
    "x",
    d_picked_dx,
    outputs="values indices",
    doc="The most frequent element along `dim`, the smallest of equally frequent ones, and where it is last, as a "
    "named tuple (values, indices). Gradient: to the element at the index.",
    example="ac.mode(ac.tensor([2.0, 1.0, 2.0, 1.0, 3.0])).values -> tensor(1.)",
)

# -- sorting


def _argsort(x, dim=-1, descending=False, *, stable=False):
    """Equal elements keep their order, whether asked to or not; NaNs count as largest."""
    if not x.ndim:
        axis_of(dim, 0)
        return np.zeros((), np.int64)
    axis = axis_of(dim, x.ndim)
    if not descending:
        return np.argsort(x, axis=axis, kind="stable")
    return np.flip(x.shape[axis] - 1 - np.argsort(np.flip(x, axis), axis=axis, kind="stable"), axis)


@nameless
def _sort(x, dim=-1, descending=False, *, stable=False):
    index = _argsort(x, dim, descending)
    return _picked(x, index, dim, True)


@nameless
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


def msort(input):
    """The elements in order along the first axis: `sort(input, 0).values`, in which equal elements keep their order.

    >>> import autograd_core as ac
    >>> ac.msort(ac.tensor([3.0, 1.0, 2.0]))
    tensor([1., 2., 3.])
    """
    return sort(input, 0).values
