"""Ops that fold axes away: sums, means, products, spreads, extremes, and the tests any and all."""

from __future__ import annotations

import math
import warnings

import numpy as np

from ...core import dtypes
from ...core.call import takes_numpy_names
from ...core.silence import nameless
from ...core.table import elementwise, general, linear, nondiff
from ..elementwise.arithmetic import exp
from ..precision import add_up, carried_wide, carrier, folded
from ..shapes.shape import axes_of, axis_of, reshape
from .scan import has_zero, products_of_others

__all__ = ["all", "amax", "amin", "any", "logsumexp", "mean", "prod", "std", "sum", "var"]
METHODS = __all__
TAKE_OUT = ["std", "var"]

inf = math.inf

# -- helpers: the shape of a reduction, and how many elements each result stands for


def kept_shape(shape, dim) -> tuple[int, ...]:
    """`shape` with length 1 in the axes that were reduced: what a keepdim=True result has."""
    if dim is None:
        return (1,) * len(shape)
    axes = axes_of(dim, len(shape))
    return tuple(1 if a in axes else n for a, n in enumerate(shape))


def kept(x, shape, dim):
    """A reduced value with its reduced axes back, so that it broadcasts against what it was reduced from."""
    return reshape(x, kept_shape(shape, dim))


def count(shape, dim) -> int:
    """How many elements were reduced to one."""
    return math.prod(shape) if dim is None else math.prod(shape[a] for a in axes_of(dim, len(shape)))


def numpy_axis(dim, ndim: int):
    """The `axis` that NumPy's reductions want for `dim`: None where all axes go."""
    return None if dim is None else axes_of(dim, ndim)


def check_not_empty(name: str, shape, dim, whole=RuntimeError) -> None:
    """Raise where a reduction without a neutral element would meet an axis of length 0, as PyTorch does."""
    if dim is None:
        if 0 in shape:
            raise whole(
                f"{name}(): Expected reduction dim to be specified for input.numel() == 0, got shape {list(shape)}. "
                "Specify the reduction dim with the 'dim' argument."
            )
        return
    for axis in axes_of(dim, len(shape)):
        if shape[axis] == 0:
            raise IndexError(f"{name}(): Expected reduction dim {axis} to have non-zero size, got shape {list(shape)}.")


def check_floating(name: str, dtype) -> None:
    """Raise RuntimeError unless `dtype` (NumPy's) is a floating one."""
    if dtype.kind != "f":
        raise RuntimeError(
            f"{name}: Expected a floating point tensor as input. Got {dtype.name}. Convert it first, with .float() or "
            ".double()."
        )


# -- sum and mean


@nameless
def _spread(x, shape, dim=None):
    out = np.empty(shape, x.dtype)
    out[...] = x if dim is None and x.size == 1 else x.reshape(kept_shape(shape, dim))
    return out


spread = linear(
    "spread",
    _spread,
    "x",
    lambda g, x_shape, dim: sum(g, dim).reshape(x_shape),
    doc="Copies of a reduced value over the axes it was reduced along: the gradient of a sum.",
)


@nameless
def _sum(x, dim=None, keepdim=False, *, dtype=None):
    if dim is None and dtype is None and x.dtype.char in "fd":
        return add_up(x, None, keepdim)
    return folded(np.add, x, numpy_axis(dim, x.ndim), keepdim, dtype)


sum = linear(
    "sum",
    _sum,
    "x",
    lambda g, x_shape, dim: spread(g, x_shape, dim),
    doc="Sum over all elements, or over the axes `dim`. Integers and bools are summed in int64. Gradient: g for every "
    "element.",
    example="ac.sum(ac.tensor([[1.0, 2.0], [3.0, 4.0]]), dim=0) -> tensor([4., 6.])",
)


@nameless
def _mean(x, dim=None, keepdim=False, *, dtype=None):
    kind = x.dtype if dtype is None else dtypes.as_dtype(dtype).numpy
    if kind.kind != "f":
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
            f"Got: {kind.name}. Pass dtype=ac.float32, or convert the tensor first."
        )
    wide = x if dtype is None and kind.char in "fd" else x.astype(carrier(kind), copy=False)
    total = add_up(wide, numpy_axis(dim, x.ndim), keepdim)
    total /= count(x.shape, dim)
    return total.astype(kind, copy=False)


mean = linear(
    "mean",
    _mean,
    "x",
    lambda g, x_shape, dim: spread(g / (count(x_shape, dim) or 1), x_shape, dim),  # nothing is spread over length 0
    doc="Mean over all elements, or over the axes `dim`. RuntimeError for integers unless `dtype` is given. Gradient: "
    "g / n for every element.",
    example="ac.mean(ac.tensor([[1.0, 2.0], [3.0, 4.0]]), dim=1) -> tensor([1.5000, 3.5000])",
)

# -- product


@nameless
def _prod(x, dim=None, keepdim=False, *, dtype=None):
    axis = None if dim is None else axes_of(axis_of(dim, x.ndim), x.ndim)
    return folded(np.multiply, x, axis, keepdim, dtype)


def d_prod_dx(g, x, out, dim):
    """g times the product of the other elements: by division, or, where an element is 0, from those on either side."""
    shape = x.shape
    if not has_zero(x):
        return kept(g * out, shape, dim) / x
    if dim is None:
        others = reshape(products_of_others(reshape(x, (-1,)), 0), shape)
    else:
        others = products_of_others(x, dim)
    return kept(g, shape, dim) * others


prod = general(
    "prod",
    _prod,
    "x",
    d_prod_dx,
    doc="Product of all elements, or along the axis `dim`. Integers are multiplied in int64. Gradient: g times the "
    "product of the other elements, right at zeros too, to any order.",
    example="ac.prod(ac.tensor([[1.0, 2.0], [3.0, 4.0]]), dim=1) -> tensor([ 2., 12.])",
)

# -- variance and standard deviation


@nameless
def _divide_or_zero(x, y):
    shape = np.broadcast_shapes(x.shape, y.shape)
    return np.divide(x, y, out=np.zeros(shape, x.dtype), where=y != 0)


divide_or_zero = elementwise(
    "divide_or_zero",
    _divide_or_zero,
    "x y",
    lambda g, y: divide_or_zero(g, y),
    lambda g, x, y: -g * x / (y * y),
    doc="x / y, and 0 where y is 0. There its derivative by x is 0, and by y that of the quotient, infinite or NaN: a "
    "kink is not smoothed over.",
)


@nameless
def _mean_square(name, x, dim, correction, keepdim):
    """The squared deviations from the mean, summed and divided by n - correction."""
    check_floating(f"{name}(): std and var only support floating point dtypes", x.dtype)
    axis, n = numpy_axis(dim, x.ndim), count(x.shape, dim)
    if n <= correction:
        warnings.warn(
            f"{name}(): degrees of freedom is <= 0. {n} elements are reduced to one with correction {correction}; the "
            "correction should be strictly less than that number.",
            UserWarning,
            stacklevel=7,
        )
    centered = x - add_up(x, axis, True) / n
    centered *= centered
    return add_up(centered, axis, keepdim) / max(n - correction, 0)


@carried_wide
@nameless
def _var(x, dim=None, correction=1, keepdim=False):
    return _mean_square("var", x, dim, correction, keepdim)


@carried_wide
@nameless
def _std(x, dim=None, correction=1, keepdim=False):
    return np.sqrt(_mean_square("std", x, dim, correction, keepdim))


def d_var_dx(g, x, dim, correction):
    """2 (x - mean) / (n - correction) for each unit of variance."""
    freedom = count(x.shape, dim) - correction
    return kept(g * (2.0 / freedom if freedom > 0 else inf), x.shape, dim) * (x - mean(x, dim, True))


def d_std_dx(g, x, out, dim, correction):
    """The gradient of the variance over twice the deviation; 0 at a deviation of 0, the subgradient PyTorch takes."""
    return d_var_dx(divide_or_zero(g, out * 2.0), x, dim, correction)


plain_var = general("var", _var, "x", d_var_dx, doc="Variance with the correction as a number.")
plain_std = general("std", _std, "x", d_std_dx, doc="Standard deviation with the correction as a number.")


def correction_of(dim, unbiased, correction):
    """PyTorch's two ways to ask for Bessel's correction, and its form `var(unbiased)`, as (dim, correction)."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if correction is not None and not unbiased:
        raise TypeError("var() and std() take either `unbiased` or `correction`, not both")
    return dim, int(unbiased) if correction is None else correction


@takes_numpy_names
def var(input, dim=None, unbiased=True, keepdim=False, *, correction=None):
    """Variance over all elements, or over the axes `dim`: Σ (x - mean)² / (n - correction).

    `correction` is 1 unless given; `unbiased=False` means 0. Where n - correction is not positive, NaN or inf, with a
    UserWarning. RuntimeError for integers. Gradient: 2 g (x - mean) / (n - correction). Saves for backward: input.

    >>> import autograd_core as ac
    >>> ac.var(ac.tensor([1.0, 2.0, 3.0])), ac.var(ac.tensor([1.0, 2.0, 3.0]), unbiased=False)
    (tensor(1.), tensor(0.6667))
    """
    return plain_var(input, *correction_of(dim, unbiased, correction), keepdim)


@takes_numpy_names
def std(input, dim=None, unbiased=True, keepdim=False, *, correction=None):
    """Standard deviation: the square root of `var`, with the same arguments.

    Gradient: g (x - mean) / ((n - correction) std), and 0 where the deviation is 0. Saves for backward: input and the
    result.

    >>> import autograd_core as ac
    >>> ac.std(ac.tensor([[1.0, 2.0, 3.0], [4.0, 4.0, 4.0]]), dim=1)
    tensor([1., 0.])
    """
    return plain_std(input, *correction_of(dim, unbiased, correction), keepdim)


# -- extremes over any axes


def share(g, mask, dim=None):
    """`g` divided evenly among the elements of `mask` along `dim`."""
    return g * mask / sum(mask, dim, True, dtype=g.dtype)


def d_extreme_dx(g, x, out, dim):
    """The gradient goes to the elements that equal the extreme, in equal parts."""
    return share(kept(g, x.shape, dim), x == kept(out, x.shape, dim), dim)


@nameless
def _amax(x, dim=None, keepdim=False):
    check_not_empty("amax", x.shape, dim)
    return np.maximum.reduce(x, axis=numpy_axis(dim, x.ndim), keepdims=keepdim)


@nameless
def _amin(x, dim=None, keepdim=False):
    check_not_empty("amin", x.shape, dim)
    return np.minimum.reduce(x, axis=numpy_axis(dim, x.ndim), keepdims=keepdim)


amax = general(
    "amax",
    _amax,
    "x",
    d_extreme_dx,
    doc="Largest element, over everything or over the axes `dim`. Gradient: shared evenly between equal largest "
    "elements.",
    example="ac.amax(ac.tensor([[1.0, 5.0], [7.0, 3.0]]), dim=1) -> tensor([5., 7.])",
)
amin = general(
    "amin",
    _amin,
    "x",
    d_extreme_dx,
    doc="Smallest element, over everything or over the axes `dim`. Gradient: shared evenly between equal smallest "
    "elements.",
    example="ac.amin(ac.tensor([[1.0, 5.0], [7.0, 3.0]]), dim=1) -> tensor([1., 3.])",
)

# -- logsumexp


@carried_wide
@nameless
def _logsumexp(x, dim, keepdim=False):
    axis = axes_of(dim, x.ndim)
    largest = np.maximum.reduce(x, axis=axis, keepdims=True, initial=-inf)
    shift = np.where(np.isfinite(largest), largest, x.dtype.type(0))
    total = add_up(np.exp(x - shift), axis, True)
    out = np.full(total.shape, -inf, total.dtype)
    np.log(total, out=out, where=total != 0)
    out += shift
    return out if keepdim else out.reshape([n for a, n in enumerate(x.shape) if a not in axis])


logsumexp = general(
    "logsumexp",
    _logsumexp,
    "x",
    lambda g, x, out, dim: kept(g, x.shape, dim) * exp(x - kept(out, x.shape, dim)),
    promote="float",
    doc="log Σ exp(x) over the axes `dim`, shifted by the largest element so that nothing overflows. Gradient: g "
    "softmax(x).",
    example="ac.logsumexp(ac.tensor([1000.0, 1000.0]), dim=0) -> tensor(1000.6932)",
)

# -- tests


def _tested(test, x, dim, keepdim):
    """A test of elements, folded over the axes `dim`: here () names none. Bytes are tested to bytes, as in PyTorch."""
    axis = () if dim == () else numpy_axis(dim, x.ndim)
    found = test.reduce(x != 0, axis=axis, keepdims=keepdim)
    return found.astype(np.uint8) if x.dtype == np.uint8 else found


@nameless
def _any(x, dim=None, keepdim=False):
    return _tested(np.logical_or, x, dim, keepdim)


@nameless
def _all(x, dim=None, keepdim=False):
    return _tested(np.logical_and, x, dim, keepdim)


any = nondiff(
    "any",
    _any,
    "x",
    doc="Whether any element is nonzero, over everything or over the axes `dim`; a bool tensor, and uint8 for uint8."
    " With `dim=()` each element is tested alone.",
    example="ac.any(ac.tensor([[0, 1], [0, 0]]), dim=1) -> tensor([ True, False])",
)
all = nondiff(
    "all",
    _all,
    "x",
    doc="Whether all elements are nonzero, over everything or over the axes `dim`; a bool tensor, and uint8 for uint8."
    " With `dim=()` each element is tested alone.",
    example="ac.all(ac.tensor([[1, 1], [0, 1]]), dim=1) -> tensor([ True, False])",
)
