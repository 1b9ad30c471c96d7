"""Ops that run along an axis and keep every step: cumulative sums, products and extremes."""

from __future__ import annotations

import numpy as np

from ...core.silence import nameless
from ...core.table import general, linear
from ..elementwise.arithmetic import exp
from ..elementwise.piecewise import keep_where
from ..floats_only import check_floats
from ..indexing.gathering import scatter_sum
from ..making.creation import array_of
from ..precision import IN_TURN, SINGLE, carried_wide, carrier, total_dtype
from ..shapes.shape import along, axis_of, flip

__all__ = ["cummax", "cummin", "cumprod", "cumsum", "logcumsumexp"]
METHODS = __all__
IN_PLACE = ["cumprod", "cumsum"]


@nameless
def _accumulate(ufunc, x, dim, dtype):
    axis, kind = axis_of(dim, x.ndim), total_dtype(x, dtype)
    if not x.ndim:
        return x.astype(kind)
    wide = np.dtype(np.float64) if kind == SINGLE and x.shape[axis] > IN_TURN else carrier(kind)
    return ufunc.accumulate(x, axis=axis, dtype=wide).astype(kind, copy=False)


# -- cumulative sum


@nameless
def _cumsum(x, dim, *, dtype=None):
    return _accumulate(np.add, x, dim, dtype)


cumsum = linear(
    "cumsum",
    _cumsum,
    "x",
    lambda g, dim: reversed_cumsum(g, dim),
    doc="Sums of the elements up to and including each, along `dim`. Integers are summed in int64. Gradient: g summed "
    "from the other end.",
    example="ac.cumsum(ac.tensor([1.0, 2.0, 3.0]), dim=0) -> tensor([1., 3., 6.])",
)


def reversed_cumsum(x, dim):
    """Sums of the elements from each to the last."""
    return flip(cumsum(flip(x, (dim,)), dim), (dim,)) if x.ndim else x


# -- cumulative product


def has_zero(x) -> bool:
    """Whether any element of a tensor or array is 0."""
    return not np.logical_and.reduce(array_of(x), axis=None)


def _cumprod(x, dim, *, dtype=None):
    return _accumulate(np.multiply, x, dim, dtype)


def d_cumprod_dx(g, x, out, dim):
    """Σ over the later products of g times that product without this element.

    By division where no element is 0. Else the product before the element times what comes after it, which obeys the
    recurrence s[k] = g[k] + x[k+1] s[k+1].
    """
    if not x.ndim:
        return g
    if not has_zero(x):
        return reversed_cumsum(g * out, dim) / x
    from_the_end = recurrence(flip(g, (dim,)), flip(shift(x, -1, dim), (dim,)), dim)
    return exclusive_products(x, dim) * flip(from_the_end, (dim,))


cumprod = general(
    "cumprod",
    _cumprod,
    "x",
    d_cumprod_dx,
    doc="Products of the elements up to and including each, along `dim`. Integers are multiplied in int64. The "
    "gradient is right at zeros too, to any order.",
    example="ac.cumprod(ac.tensor([1.0, 2.0, 3.0]), dim=0) -> tensor([1., 2., 6.])",
)


def exclusive_products(x, dim, reverse=False):
    """The product of the elements before each (after each if `reverse`), along `dim`; 1 for the first."""
    if reverse:
        return flip(exclusive_products(flip(x, (dim,)), dim), (dim,))
    array = array_of(x)
    first = np.zeros(array.shape, array.dtype)
    first[_along(dim, array.ndim, slice(0, 1))] = 1
    return shift(cumprod(x, dim), 1, dim) + first


def products_of_others(x, dim):
    """For each element the product of the others along `dim`."""
    return exclusive_products(x, dim) * exclusive_products(x, dim, reverse=True)


# -- what the gradient of a cumulative product is made of


def _along(dim, ndim, piece):
    """An index that takes `piece` of axis `dim`, or the one element of a 0-d tensor."""
    return along(axis_of(dim, ndim), piece) if ndim else ()


def _shift(x, by, dim):
    out = np.zeros(x.shape, x.dtype)
    front, back = slice(None, -by if by > 0 else by), slice(abs(by), None)
    to, source = (back, front) if by > 0 else (front, back)
    if x.ndim:
        out[_along(dim, x.ndim, to)] = x[_along(dim, x.ndim, source)]
    return out


shift = linear(
    "shift",
    _shift,
    "x",
    lambda g, by, dim: shift(g, -by, dim),
    doc="Elements moved `by` places along `dim`; zeros move in.",
)


def _recurrence(x, y, dim):
    out = np.array(x)
    steps, factors = np.moveaxis(out, dim, 0), np.moveaxis(y, dim, 0)
    for k in range(1, len(steps)):
        steps[k] += factors[k] * steps[k - 1]
    return out


def d_recurrence_dx(g, y, dim):
    """The recurrence run from the other end."""
    return flip(recurrence(flip(g, (dim,)), flip(shift(y, -1, dim), (dim,)), dim), (dim,))


recurrence = general(
    "recurrence",
    _recurrence,
    "x y",
    d_recurrence_dx,
    lambda g, y, out, dim: d_recurrence_dx(g, y, dim) * shift(out, 1, dim),
    doc="s[k] = x[k] + y[k] s[k-1] along `dim`, s[0] = x[0].",
)

# -- cumulative logarithm of a sum of exponentials


@carried_wide
def _logcumsumexp(x, dim):
    check_floats("logcumsumexp", x)
    axis = axis_of(dim, x.ndim)
    return np.logaddexp.accumulate(x, axis=axis) if x.ndim else x.copy()


def d_logcumsumexp_dx(g, x, out, dim):
    """Σ over the later results of g exp(x - out), without a large exponential.

    s[k] = Σ_{j >= k} g[j] exp(out[k] - out[j]) obeys s[k] = g[k] + exp(out[k] - out[k+1]) s[k+1], whose factors are at
    most 1; exp(x - out) too.
    """
    if not x.ndim:
        return g
    last = np.zeros(tuple(x.shape), bool)
    last[_along(dim, x.ndim, slice(-1, None))] = True
    factors = exp(out - (shift(out, -1, dim) + keep_where(out, last)))
    return d_recurrence_dx(g, shift(factors, 1, dim), dim) * exp(x - out)


logcumsumexp = general(
    "logcumsumexp",
    _logcumsumexp,
    "x",
    d_logcumsumexp_dx,
    doc="log Σ exp(x) over the elements up to and including each, along `dim`, without overflow. NotImplementedError "
    "for integers. Gradient: for each element Σ g exp(x - out) over the results from it on.",
    example="ac.logcumsumexp(ac.tensor([0.0, 0.0, 1000.0]), dim=0) -> tensor([0.0000e+00, 6.9315e-01, 1.0000e+03])",
)

# -- cumulative extremes


def _running_extreme(ufunc, x, dim):
    """The extreme so far and the position of its latest equal; a NaN is the extreme from then on."""
    axis = axis_of(dim, x.ndim)
    if not x.ndim:
        return x.copy(), np.zeros((), np.int64)
    values = ufunc.accumulate(x, axis=axis)
    steps = np.arange(x.shape[axis]).reshape(-1, *[1] * (x.ndim - axis - 1))
    return values, np.maximum.accumulate(np.where((x == values) | (x != x), steps, 0), axis=axis)


def _cummax(x, dim):
    return _running_extreme(np.maximum, x, dim)


def _cummin(x, dim):
    return _running_extreme(np.minimum, x, dim)


def d_running_extreme_dx(g_values, x, indices, dim):
    """Each gradient goes to the element that was the extreme then."""
    return scatter_sum(g_values, indices, x.shape, dim)  # PyTorch saves x too


cummax = general(
    "cummax",
    _cummax,
    "x",
    d_running_extreme_dx,
    outputs="values indices",
    doc="The largest of the elements up to and including each along `dim`, and where it is, the latest of equal ones, "
    "as a named tuple (values, indices). From a NaN on, NaN. Gradient: to the elements at the indices.",
    example="ac.cummax(ac.tensor([1.0, 3.0, 2.0]), dim=0).values -> tensor([1., 3., 3.])",
)
cummin = general(
    "cummin",
    _cummin,
    "x",
    d_running_extreme_dx,
    outputs="values indices",
    doc="The smallest of the elements up to and including each along `dim`, and where it is, the latest of equal ones, "
    "as a named tuple (values, indices). From a NaN on, NaN. Gradient: to the elements at the indices.",
    example="ac.cummin(ac.tensor([2.0, 3.0, 1.0]), dim=0).indices -> tensor([0, 0, 2])",
)
