"""Ops that choose between cases: a sign, a bound, the larger of two, the nearest integer.

Where the cases meet there is a kink or a jump, and a convention: each row says which subgradient is taken there. They
are PyTorch's.
"""

from __future__ import annotations

import numpy as np

from ...core import dtypes
from ...core.silence import nameless
from ...core.table import elementwise, linear
from ..floats_only import check_floats, refuse_type
from ..indexing.gathering import nonzero
from ..making.creation import zeros_like
from ..undifferentiated import no_derivative
from .comparison import isfinite, isnan

__all__ = [
    "abs",
    "absolute",
    "ceil",
    "clamp",
    "clamp_max",
    "clamp_min",
    "clip",
    "fix",
    "floor",
    "fmax",
    "fmin",
    "frac",
    "heaviside",
    "maximum",
    "minimum",
    "nan_to_num",
    "round",
    "sgn",
    "sign",
    "trunc",
    "where",
]
METHODS = [name for name in __all__ if name != "where"]
IN_PLACE = [name for name in METHODS if name not in ("fmax", "fmin", "maximum", "minimum")]
TAKE_OUT = ["where"]

# -- choosing by a mask


@nameless
def _where(condition, x, y):
    if condition.dtype != bool:
        raise RuntimeError(
            "where expected condition to be a boolean tensor, but got a tensor with dtype "
            f"{dtypes.OF_NUMPY[condition.dtype].name}; "
            "write a comparison, such as `condition != 0`"
        )
    if type(x) is type(y) is np.ndarray and x.dtype is y.dtype:
        return np.where(condition, x, y)
    common = dtypes.result_type(x, y)
    x, y = (v if hasattr(v, "dtype") else _chosen(v, common) for v in (x, y))
    chosen = np.where(condition, x, y)
    return chosen if chosen.dtype == common else chosen.astype(common)


@nameless
def _chosen(number, common):
    """A number as PyTorch takes it here: as a tensor of its own, which is then brought to the dtype of the result.

    So -1e6 among half precision is -inf, and no error.
    """
    own = dtypes.result_type(number)
    if common.kind != "f" or own.itemsize < common.itemsize:
        own = common
    return np.asarray(dtypes.stored(number, own), own).astype(common)


choose = elementwise(
    "where",
    _where,
    "condition x y",
    None,
    lambda g, condition: keep_where(g, condition),
    lambda g, condition: keep_where(g, ~condition),
    promote=None,
    doc="`where` with three arguments.",
    example="ac.ops.piecewise.choose(ac.tensor([True, False]), ac.ones(2), 0.0) -> tensor([1., 0.])",
)


def where(condition, input=None, other=None):
    """`input` where `condition` (a bool tensor) holds, else `other`; either may be a number.

    The three broadcast together, and the dtypes of the two are promoted. With `condition` alone, the positions where it
    holds: `nonzero(condition, as_tuple=True)`.

    Gradient: g where chosen, exactly 0 elsewhere. A NaN inside the branch that was not chosen still spoils its own
    gradient: choose the argument of that branch first, too. RuntimeError for a condition that is not bool.

    >>> import autograd_core as ac
    >>> ac.where(ac.tensor([True, False]), ac.tensor([1.0, 2.0]), 0.0)
    tensor([1., 0.])
    >>> ac.where(ac.tensor([False, True]))
    (tensor([1]),)
    """
    if input is None and other is None:
        return nonzero(condition, as_tuple=True)
    return choose(condition, input, other)


def where_method(self, condition, other):
    """This tensor where `condition` holds, else `other`: `where(condition, self, other)`.

    >>> import autograd_core as ac
    >>> ac.tensor([1.0, 2.0]).where(ac.tensor([True, False]), 0.0)
    tensor([1., 0.])
    """
    return where(condition, self, other)


_INTEGER_OF_SIZE = {2: np.int16, 4: np.int32, 8: np.int64}


@nameless
def _keep_where(x, mask):
    # The bits of x times 0 or 1: unlike x * mask it turns inf and NaN into 0, and it does not branch, as np.where does.
    return (x.view(_INTEGER_OF_SIZE[x.dtype.itemsize]) * mask).view(x.dtype)


keep_where = linear(
    "keep_where",
    _keep_where,
    "x mask",
    lambda g, mask: keep_where(g, mask),
    None,
    doc="`input` (floating) where `mask` holds, and exactly 0 elsewhere, even where it is infinite or NaN.",
    example="ac.ops.piecewise.keep_where(ac.tensor([1.0, ac.inf]), ac.tensor([True, False])) -> tensor([1., 0.])",
)

# -- signs and bounds


def _step(name, forward, jumps, **options):
    """The row of a function of steps: its gradient is 0 everywhere, at the jumps too."""
    return elementwise(name, forward, "x", lambda g: zeros_like(g), kinks=dict.fromkeys(jumps, 0.0), **options)


abs = elementwise(
    "abs",
    np.absolute,
    "x",
    lambda g, x: g * sign(x),
    doc="The absolute value. Gradient: g sign(x), so 0 at the kink x = 0.",
    example="ac.abs(ac.tensor([-1.0, 2.0])) -> tensor([1., 2.])",
    kinks={0.0: 0.0},
)
absolute = abs


@nameless
def _sign(x):
    return x.copy() if x.dtype.kind == "b" else np.sign(x)


sign = _step(
    "sign",
    _sign,
    jumps=(0.0,),
    doc="-1, 0 or 1. Gradient: 0 everywhere, at the jump x = 0 too.",
    example="ac.sign(ac.tensor([-3.0, 0.0, 2.0])) -> tensor([-1.,  0.,  1.])",
)
sgn = sign


@nameless
def _clamp(x, min=None, max=None):
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    common = dtypes.result_type(*[v for v in (x, min, max) if v is not None])
    min, max = (v if v is None or hasattr(v, "dtype") else dtypes.stored(v, common) for v in (min, max))
    low = x if min is None else np.maximum(x, min)
    return np.asarray(low if max is None else np.minimum(low, max)).astype(common, copy=False)


def d_clamp_dx(g, x, min, max):
    """The gradient where x is within the bounds, themselves included."""
    if max is None:
        return keep_where(g, x >= min)
    return keep_where(g, x <= max) if min is None else keep_where(g, (x >= min) & (x <= max))


def d_clamp_dmin(g, x, min, max):
    """The gradient where x is below `min`, unless `max` is lower still and decides."""
    return keep_where(g, x < min) if max is None else keep_where(g, (x < min) & (min < max))


def d_clamp_dmax(g, x, min, max):
    """The gradient where x is above `max`, or `min` is."""
    return keep_where(g, x > max) if min is None else keep_where(g, (x > max) | (max < min))


clamp = elementwise(
    "clamp",
    _clamp,
    "x min max",
    d_clamp_dx,
    d_clamp_dmin,
    d_clamp_dmax,
    promote=None,
    doc=(
        "`input` limited to [min, max]: numbers or tensors, one of which may be left out (RuntimeError for both).\n"
        "`max` wins over a larger `min`. Gradient: g to the input within the bounds and on them, else to the bound."
    ),
    example="ac.clamp(ac.tensor([-2.0, 0.5, 2.0]), -1, 1) -> tensor([-1.0000,  0.5000,  1.0000])",
)
clip = clamp


def _with_bound(ufunc):
    """A ufunc of `input` and a bound, which the type of the result must hold."""

    def forward(x, bound):
        return ufunc(x, bound if hasattr(bound, "dtype") else dtypes.stored(bound, x.dtype))

    return forward


clamp_min = elementwise(
    "clamp_min",
    _with_bound(np.maximum),
    "x min",
    lambda g, x, min: keep_where(g, x >= min),
    lambda g, x, min: keep_where(g, x < min),
    promote="whole",
    doc="`input`, at least `min` (a number or a tensor). Gradient: g to the input where input >= min, else to `min`.",
    example="ac.clamp_min(ac.tensor([-2.0, 0.5]), 0) -> tensor([0.0000, 0.5000])",
)

clamp_max = elementwise(
    "clamp_max",
    _with_bound(np.minimum),
    "x max",
    lambda g, x, max: keep_where(g, x <= max),
    lambda g, x, max: keep_where(g, x > max),
    promote="whole",
    doc="`input`, at most `max` (a number or a tensor). Gradient: g to the input where input <= max, else to `max`.",
    example="ac.clamp_max(ac.tensor([-2.0, 0.5]), 0) -> tensor([-2.,  0.])",
)

# A NaN on either side makes the result NaN, and both gradients pass: hence `~(x < y)` and not `x >= y`.
maximum = elementwise(
    "maximum",
    np.maximum,
    "x y",
    lambda g, x, y: where(x == y, g / 2, keep_where(g, ~(x < y))),
    lambda g, x, y: where(x == y, g / 2, keep_where(g, ~(y < x))),
    doc="The larger of two elements; NaN if either is. Gradient: g to the larger; at a tie, half to each.",
    example="ac.maximum(ac.tensor([1.0, 4.0]), ac.tensor([3.0, 2.0])) -> tensor([3., 4.])",
)

minimum = elementwise(
    "minimum",
    np.minimum,
    "x y",
    lambda g, x, y: where(x == y, g / 2, keep_where(g, ~(x > y))),
    lambda g, x, y: where(x == y, g / 2, keep_where(g, ~(y > x))),
    doc="The smaller of two elements; NaN if either is. Gradient: g to the smaller; at a tie, half to each.",
    example="ac.minimum(ac.tensor([1.0, 4.0]), ac.tensor([3.0, 2.0])) -> tensor([1., 2.])",
)

fmax = elementwise(
    "fmax",
    np.fmax,
    "x y",
    lambda g, x, y: keep_where(g, (x >= y) | isnan(y)),
    lambda g, x, y: keep_where(g, ~((x >= y) | isnan(y))),
    doc="The larger of two elements, and the number where one is NaN. Gradient: g to it; at a tie, to `input`.",
    example="ac.fmax(ac.tensor([1.0, 4.0]), ac.tensor([3.0, ac.nan])) -> tensor([3., 4.])",
)

fmin = elementwise(
    "fmin",
    np.fmin,
    "x y",
    lambda g, x, y: keep_where(g, (x <= y) | isnan(y)),
    lambda g, x, y: keep_where(g, ~((x <= y) | isnan(y))),
    doc="The smaller of two elements, and the number where one is NaN. Gradient: g to it; at a tie, to `input`.",
    example="ac.fmin(ac.tensor([1.0, 4.0]), ac.tensor([3.0, ac.nan])) -> tensor([1., 4.])",
)


def _heaviside(x, values):
    if hasattr(values, "dtype") and hasattr(x, "dtype") and x.dtype != values.dtype:
        raise RuntimeError(f"heaviside of tensors of two dtypes, {x.dtype} and {values.dtype}; convert one of them")
    return np.where(x == 0, values, x > 0).astype(x.dtype, copy=False)


heaviside = elementwise(
    "heaviside",
    _heaviside,
    "x values",
    *[no_derivative("heaviside", "take it of tensors that do not require gradients, as of x.detach()", RuntimeError)]
    * 2,
    promote=None,
    doc=(
        "0 below 0, 1 above, `values` at 0. A gradient that reaches it is a NotImplementedError. RuntimeError for\n"
        "unequal dtypes."
    ),
    example="ac.heaviside(ac.tensor([-1.0, 0.0, 2.0]), ac.tensor([0.5])) -> tensor([0.0000, 0.5000, 1.0000])",
)


def _nan_to_num(x, nan=None, posinf=None, neginf=None):
    return np.nan_to_num(x, nan=0.0 if nan is None else nan, posinf=posinf, neginf=neginf)


nan_to_num = elementwise(
    "nan_to_num",
    _nan_to_num,
    "x",
    lambda g, x: keep_where(g, isfinite(x)),
    in_type=True,
    doc=(
        "NaN replaced by `nan`, by default 0, infinities by `posinf` and `neginf` (largest numbers of the dtype).\n"
        "Gradient: g where the input is finite, else 0."
    ),
    example="ac.nan_to_num(ac.tensor([1.0, ac.nan])) -> tensor([1., 0.])",
)

# -- rounding


def _refuse_bools(name: str, x) -> None:
    if x.dtype.kind == "b":
        refuse_type(name, x.dtype)


def _round(x, *, decimals=0):
    _refuse_bools("round", x)
    return np.round(x, decimals)


round = _step(
    "round",
    _round,
    jumps=(0.5, 1.5),
    doc="The nearest integer, or multiple of 10 to the power -decimals; halves go to the even neighbor. Gradient: 0.",
    example="ac.round(ac.tensor([0.5, 1.5, 2.6])) -> tensor([0., 2., 3.])",
)


@nameless
def _floor(x):
    _refuse_bools("floor", x)
    return np.floor(x)


floor = _step(
    "floor",
    _floor,
    jumps=(0.0, 1.0),
    doc="The largest integer not above x. Gradient: 0 everywhere, at the jumps too.",
    example="ac.floor(ac.tensor([-1.5, 1.5])) -> tensor([-2.,  1.])",
)


@nameless
def _ceil(x):
    _refuse_bools("ceil", x)
    return np.ceil(x)


ceil = _step(
    "ceil",
    _ceil,
    jumps=(0.0, 1.0),
    doc="The smallest integer not below x. Gradient: 0 everywhere, at the jumps too.",
    example="ac.ceil(ac.tensor([-1.5, 1.5])) -> tensor([-1.,  2.])",
)


@nameless
def _trunc(x):
    _refuse_bools("trunc", x)
    return np.trunc(x)


trunc = _step(
    "trunc",
    _trunc,
    jumps=(1.0, -1.0),
    doc="The integer part, towards 0. Gradient: 0 everywhere, at the jumps too.",
    example="ac.trunc(ac.tensor([-1.5, 1.5])) -> tensor([-1.,  1.])",
)
fix = trunc


def _frac(x):
    check_floats("frac", x)
    return x - np.trunc(x)


frac = elementwise(
    "frac",
    _frac,
    "x",
    lambda g: g,
    doc="What `trunc` leaves over. Gradient: g, at the jumps too. NotImplementedError for integers.",
    example="ac.frac(ac.tensor([-1.5, 1.25])) -> tensor([-0.5000,  0.2500])",
    kinks={1.0: 1.0, -1.0: 1.0},
)
