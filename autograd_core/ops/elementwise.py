"""Elementwise arithmetic, powers, exponentials and logarithms: one row an op, with its forward and its rules."""

from __future__ import annotations

import functools
import math

import numpy as np

from ..primitive import elementwise
from ..views import in_place
from .creation import ones_like, zeros_like
from .piecewise import where

__all__ = [
    "add",
    "div",
    "erf",
    "exp",
    "exp2",
    "expm1",
    "floor_divide",
    "fmod",
    "hypot",
    "lerp",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "mul",
    "neg",
    "pow",
    "reciprocal",
    "remainder",
    "rsqrt",
    "rsub",
    "sqrt",
    "square",
    "sub",
    "true_divide",
]
METHODS = [*(name for name in __all__ if name != "rsub"), "add_", "div_", "lerp_", "sub_"]
IN_PLACE = [name for name in __all__ if name not in ("add", "div", "lerp", "logaddexp", "rsub", "sub")]

# -- sums

plain_add = elementwise("add", np.add, "x y", lambda g: g, lambda g: g)
plain_sub = elementwise("sub", np.subtract, "x y", lambda g: g, lambda g: -g, promote="signed")


def _add_scaled(x, y, alpha):
    return x + alpha * y


# The scale is a parameter, so nothing is saved: the graph of a scaled sum can be walked twice, as that of a plain one.
add_scaled = elementwise(
    "add_scaled",
    _add_scaled,
    "x y",
    lambda g: g,
    lambda g, alpha: g * alpha,
    doc="`input + alpha * other`, for a number alpha. Gradients: g and alpha g.",
    example="ac.ops.elementwise.add_scaled(ac.tensor([1.0, 2.0]), ac.tensor([1.0, 1.0]), 10) -> tensor([11., 12.])",
)


def add(input, other, *, alpha=1):
    """`input + alpha * other`. Gradients: g and alpha g. Saves nothing for backward.

    Shapes broadcast; dtypes are promoted as PyTorch does.

    >>> import autograd_core as ac
    >>> ac.add(ac.tensor([1.0, 2.0]), 10, alpha=2)
    tensor([21., 22.])
    """
    return plain_add(input, other) if alpha == 1 else add_scaled(input, other, alpha)


def sub(input, other, *, alpha=1):
    """`input - alpha * other`. Gradients: g and -alpha g. Saves nothing for backward.

    Shapes broadcast; dtypes are promoted as PyTorch does; RuntimeError for bools.

    >>> import autograd_core as ac
    >>> ac.sub(ac.tensor([1.0, 2.0]), 10)
    tensor([-9., -8.])
    """
    return plain_sub(input, other) if alpha == 1 else add_scaled(input, other, -alpha)


_plain_add_, _plain_sub_, _add_scaled_ = (
    in_place(op, name) for op, name in ((plain_add, "add_"), (plain_sub, "sub_"), (add_scaled, "add_"))
)


def add_(self, other, *, alpha=1):
    """Add `alpha * other` to this tensor in place: see `add`.

    >>> import autograd_core as ac
    >>> ac.ones(2).add_(1.0, alpha=3)
    tensor([4., 4.])
    """
    return _plain_add_(self, other) if alpha == 1 else _add_scaled_(self, other, alpha)


def sub_(self, other, *, alpha=1):
    """Subtract `alpha * other` from this tensor in place: see `sub`.

    >>> import autograd_core as ac
    >>> ac.ones(2).sub_(1.0, alpha=3)
    tensor([-2., -2.])
    """
    return _plain_sub_(self, other) if alpha == 1 else _add_scaled_(self, other, -alpha)


rsub = elementwise(
    "rsub",
    lambda x, y: np.subtract(y, x),
    "x y",
    lambda g: -g,
    lambda g: g,
    promote="signed",
    doc="`other - input`. Gradients: -g for `input`, g for `other`.",
    example="ac.rsub(ac.tensor([1.0, 2.0]), 10) -> tensor([9., 8.])",
)

neg = elementwise(
    "neg",
    np.negative,
    "x",
    lambda g: -g,
    promote="signed",
    doc="The negative. Gradient: -g.",
    example="ac.neg(ac.tensor([1.0, -2.0])) -> tensor([-1.,  2.])",
)

# -- products and quotients

mul = elementwise(
    "mul",
    np.multiply,
    "x y",
    lambda g, y: g * y,
    lambda g, x: g * x,
    doc="Product. Gradients: g y for `input`, g x for `other`.",
    example="ac.mul(ac.tensor([1.0, 2.0]), 3) -> tensor([3., 6.])",
)

plain_div = elementwise(
    "div",
    np.true_divide,
    "x y",
    lambda g, y: g / y,
    lambda g, x, y: -g * (x / y / y),
    promote="float",
    doc="Quotient. Gradients: g / y for `input`, -g x / y² for `other`.",
    example="ac.true_divide(ac.tensor([1, 2]), 2) -> tensor([0.5000, 1.0000])",
)
true_divide = plain_div

reciprocal = elementwise(
    "reciprocal",
    np.reciprocal,
    "x",
    lambda g, out: -g * (out * out),
    promote="float",
    doc="1 / x. Gradient: -g / x².",
    example="ac.reciprocal(ac.tensor([2.0, 4.0])) -> tensor([0.5000, 0.2500])",
)


def rdiv(input, other):
    """`other / input` for a number `other`, which costs one division: the reciprocal times the number."""
    return reciprocal(input) * other


def _refuse_integer_zero(op: str, x, y) -> None:
    integers = all(np.asarray(v).dtype.kind in "biu" for v in (x, y))
    if integers and not np.all(y):
        raise RuntimeError(f"ZeroDivisionError: {op} of integers by zero; convert to a floating dtype for inf and nan")


def _div_rounded(x, y, rounding_mode):
    _refuse_integer_zero("div", x, y)
    if rounding_mode == "floor":
        return np.floor_divide(x, y)
    if rounding_mode != "trunc":
        raise RuntimeError(
            f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{rounding_mode}'"
        )
    quotient = np.floor_divide(x, y)
    if quotient.dtype.kind == "f":
        return np.trunc(x / y)
    return quotient + ((quotient < 0) & (quotient * y != x))


# The rules name what a quotient's rules use, though the gradient is 0, so that saved values match.
div_rounded = elementwise(
    "div_rounded",
    _div_rounded,
    "x y",
    lambda g, y: zeros_like(g),
    lambda g, x, y: zeros_like(g),
    doc='The quotient rounded down (rounding_mode="floor") or towards 0 ("trunc"). Integers stay so. Gradient: 0.',
    example='ac.div(ac.tensor([-3, 3]), 2, rounding_mode="trunc") -> tensor([-1,  1])',
)


def div(input, other, *, rounding_mode: str | None = None):
    """`input / other`, always floating; with `rounding_mode` "floor" or "trunc" rounded, and integers stay integers.

    Gradients: g / y and -g x / y²; zero where rounded. Shapes broadcast. RuntimeError for another mode, and for
    integers by zero.

    >>> import autograd_core as ac
    >>> ac.div(ac.tensor([-3.0, 3.0]), 2), ac.div(ac.tensor([-3, 3]), 2, rounding_mode="floor")
    (tensor([-1.5000,  1.5000]), tensor([-2,  1]))
    """
    return plain_div(input, other) if rounding_mode is None else div_rounded(input, other, rounding_mode)


_plain_div_, _div_rounded_ = in_place(plain_div, "div_"), in_place(div_rounded, "div_")


def div_(self, other, *, rounding_mode: str | None = None):
    """Divide this tensor in place: see `div`.

    >>> import autograd_core as ac
    >>> ac.ones(2).div_(4)
    tensor([0.2500, 0.2500])
    """
    return _plain_div_(self, other) if rounding_mode is None else _div_rounded_(self, other, rounding_mode)


def _floor_divide(x, y):
    _refuse_integer_zero("floor_divide", x, y)
    return np.floor_divide(x, y)


def no_derivative(g):
    """The rule of an op that PyTorch gives no derivative: a gradient that would arrive is an error, not a zero."""
    raise RuntimeError(
        "derivative for floor_divide is not implemented; use div(x, y, rounding_mode='floor'), whose gradient is 0"
    )


floor_divide = elementwise(
    "floor_divide",
    _floor_divide,
    "x y",
    no_derivative,
    no_derivative,
    doc="The quotient rounded down; integers stay integers. A gradient that reaches it is a RuntimeError.",
    example="ac.floor_divide(ac.tensor([-3, 3]), 2) -> tensor([-2,  1])",
)


def rfloor_divide(input, other):
    """`other // input` for a number `other`."""
    return floor_divide(other, input)


def _remainder(x, y):
    _refuse_integer_zero("remainder", x, y)
    return np.remainder(x, y)


remainder = elementwise(
    "remainder",
    _remainder,
    "x y",
    lambda g: g,
    lambda g, x, y: -g * div(x, y, rounding_mode="floor"),
    doc="The remainder with the sign of `other`, as Python's %. Gradients: g, and -g times the floored quotient.",
    example="ac.remainder(ac.tensor([-3.0, 3.0]), 2) -> tensor([1., 1.])",
)


def rremainder(input, other):
    """`other % input` for a number `other`."""
    return remainder(other, input)


def _fmod(x, y):
    _refuse_integer_zero("fmod", x, y)
    return np.fmod(x, y)


fmod = elementwise(
    "fmod",
    _fmod,
    "x y",
    lambda g: g,
    lambda g, x, y: -g * div(x, y, rounding_mode="trunc"),
    doc="The remainder with the sign of `input`, as C's fmod. Gradients: g, and -g times the truncated quotient.",
    example="ac.fmod(ac.tensor([-3.0, 3.0]), 2) -> tensor([-1.,  1.])",
)


def _lerp(x, end, weight):
    return np.where(np.less(weight, 0.5), x + weight * (end - x), end - (end - x) * (1 - weight))


lerp_by_tensor = elementwise(
    "lerp",
    _lerp,
    "x end weight",
    lambda g, weight: g * (1 - weight),
    lambda g, weight: g * weight,
    lambda g, x, end: g * (end - x),
)
lerp_by_number = elementwise(
    "lerp_by_number",
    _lerp,
    "x end",
    lambda g, weight: g * (1 - weight),
    lambda g, weight: g * weight,
    doc="`lerp` by a number, which needs nothing saved.",
    example="ac.ops.elementwise.lerp_by_number(ac.tensor([0.0]), ac.tensor([10.0]), 0.5) -> tensor([5.])",
)


def lerp(input, end, weight):
    """The point a fraction `weight`, a number or a tensor, of the way from `input` to `end`.

    Gradients: g (1 - weight), g weight and g (end - input). Shapes broadcast; dtypes are promoted as PyTorch does.

    >>> import autograd_core as ac
    >>> ac.lerp(ac.tensor([0.0, 1.0]), ac.tensor([10.0, 2.0]), 0.5)
    tensor([5.0000, 1.5000])
    """
    return (lerp_by_tensor if hasattr(weight, "dtype") else lerp_by_number)(input, end, weight)


_lerp_by_tensor_, _lerp_by_number_ = in_place(lerp_by_tensor, "lerp_"), in_place(lerp_by_number, "lerp_")


def lerp_(self, end, weight):
    """Move this tensor a fraction `weight` of the way to `end`, in place: see `lerp`.

    >>> import autograd_core as ac
    >>> ac.zeros(2).lerp_(ac.ones(2), 0.25)
    tensor([0.2500, 0.2500])
    """
    return (_lerp_by_tensor_ if hasattr(weight, "dtype") else _lerp_by_number_)(self, end, weight)


# -- powers and roots


def _pow(x, y):
    if type(y) in (int, float) and y == 3:
        return x * x * x  # ** does this for 2, 1, ½ and -1 only
    if np.asarray(x).dtype.kind in "iu" and np.asarray(y).dtype.kind == "i" and np.any(np.less(y, 0)):
        raise RuntimeError("Integers to negative integer powers are not allowed; convert the base to a floating dtype")
    return x**y


def d_pow_dx(g, x, y):
    """g y x^(y-1), and 0 where y is 0, whatever x."""
    if not hasattr(y, "dtype"):
        if y == 0:
            return zeros_like(g)
        return g * (2 * x) if y == 2 else g * (y * x ** (y - 1))
    return where(y == 0, 0.0, g * (y * x ** where(y == 0, 1.0, y - 1)))


def d_pow_dy(g, x, y, out):
    """g x^y log x, and 0 where the base is 0 and the exponent is not negative, where 0 log 0 would be NaN."""
    if not hasattr(x, "dtype"):
        return g * where(y < 0, -math.inf, 0.0) if x == 0 else g * (out * float(np.log(x)))
    flat = (x == 0) & (y >= 0)
    return where(flat, 0.0, g * (out * log(where(flat, ones_like(out), x))))


pow = elementwise(
    "pow",
    _pow,
    "x y",
    d_pow_dx,
    d_pow_dy,
    doc=(
        "`input` to the power `exponent`; either may be a number. Gradients: g y x^(y-1), which is 0 for y = 0, and\n"
        "g x^y log x, which is 0 where x = 0 and y >= 0. RuntimeError for integers to negative integer powers."
    ),
    example="ac.pow(ac.tensor([1.0, 3.0]), 2) -> tensor([1., 9.])",
)


def rpow(input, other):
    """`other ** input` for a number `other`."""
    return pow(other, input)


square = elementwise(
    "square",
    np.square,
    "x",
    lambda g, x: g * (2.0 * x),
    doc="x². Gradient: 2 x g.",
    example="ac.square(ac.tensor([1.0, 3.0])) -> tensor([1., 9.])",
)

sqrt = elementwise(
    "sqrt",
    np.sqrt,
    "x",
    lambda g, out: g / (2 * out),
    promote="float",
    doc="The square root; NaN below 0. Gradient: g / (2 √x), infinite at 0.",
    example="ac.sqrt(ac.tensor([4.0, 9.0])) -> tensor([2., 3.])",
)

rsqrt = elementwise(
    "rsqrt",
    lambda x: 1 / np.sqrt(x),
    "x",
    lambda g, out: -0.5 * g * (out * out * out),
    promote="float",
    doc="1 / √x. Gradient: -g / (2 x √x).",
    example="ac.rsqrt(ac.tensor([4.0, 0.25])) -> tensor([0.5000, 2.0000])",
)

hypot = elementwise(
    "hypot",
    np.hypot,
    "x y",
    lambda g, x, out: g * (x / out),
    lambda g, y, out: g * (y / out),
    doc="√(x² + y²) without overflow. Gradients: g x / out and g y / out, NaN where both are 0.",
    example="ac.hypot(ac.tensor([3.0]), ac.tensor([4.0])) -> tensor([5.])",
)

# -- exponentials and logarithms

exp = elementwise(
    "exp",
    np.exp,
    "x",
    lambda g, out: g * out,
    promote="float",
    doc="e to the power x. Gradient: g times the result, which is what is saved.",
    example="ac.exp(ac.tensor([0.0, 1.0])) -> tensor([1.0000, 2.7183])",
)

exp2 = elementwise(
    "exp2",
    np.exp2,
    "x",
    lambda g, out: g * (out * math.log(2)),
    promote="float",
    doc="2 to the power x. Gradient: g 2ˣ log 2.",
    example="ac.exp2(ac.tensor([0.0, 3.0])) -> tensor([1., 8.])",
)

expm1 = elementwise(
    "expm1",
    np.expm1,
    "x",
    lambda g, out: g * (out + 1),
    promote="float",
    doc="eˣ - 1, exact for small x. Gradient: g eˣ.",
    example="ac.expm1(ac.tensor([0.0, 1.0])) -> tensor([0.0000, 1.7183])",
)

log = elementwise(
    "log",
    np.log,
    "x",
    lambda g, x: g / x,
    promote="float",
    doc="The natural logarithm; -inf at 0, NaN below. Gradient: g / x.",
    example="ac.log(ac.tensor([1.0, 2.0])) -> tensor([0.0000, 0.6931])",
)

log2 = elementwise(
    "log2",
    np.log2,
    "x",
    lambda g, x: g / (x * math.log(2)),
    promote="float",
    doc="The logarithm to base 2. Gradient: g / (x log 2).",
    example="ac.log2(ac.tensor([1.0, 8.0])) -> tensor([0., 3.])",
)

log10 = elementwise(
    "log10",
    np.log10,
    "x",
    lambda g, x: g / (x * math.log(10)),
    promote="float",
    doc="The logarithm to base 10. Gradient: g / (x log 10).",
    example="ac.log10(ac.tensor([1.0, 100.0])) -> tensor([0.0000, 2.0000])",
)

log1p = elementwise(
    "log1p",
    np.log1p,
    "x",
    lambda g, x: g / (x + 1),
    promote="float",
    doc="log(1 + x), exact for small x. Gradient: g / (1 + x).",
    example="ac.log1p(ac.tensor([0.0, 1.0])) -> tensor([0.0000, 0.6931])",
)

logaddexp = elementwise(
    "logaddexp",
    np.logaddexp,
    "x y",
    lambda g, x, y: g / (1 + exp(y - x)),
    lambda g, x, y: g / (1 + exp(x - y)),
    doc="log(eˣ + eʸ) without overflow. Gradients: the shares of eˣ and of eʸ in the sum, times g.",
    example="ac.logaddexp(ac.tensor([0.0]), ac.tensor([0.0])) -> tensor([0.6931])",
)


@functools.cache
def _erf_of_arrays():
    """SciPy's erf where SciPy is installed, else Python's, element by element. Looked up on first use."""
    try:
        from scipy.special import erf as compiled
    except ImportError:
        return np.frompyfunc(math.erf, 1, 1)
    return compiled


def _erf(x):
    return np.asarray(_erf_of_arrays()(x)).astype(x.dtype, copy=False)


erf = elementwise(
    "erf",
    _erf,
    "x",
    lambda g, x: g * (2 / math.sqrt(math.pi) * exp(-x * x)),
    promote="float",
    doc="The error function, 2/√π times the integral of exp(-t²) from 0 to x. Gradient: g 2/√π exp(-x²).",
    example="ac.erf(ac.tensor([0.0, 1.0])) -> tensor([0.0000, 0.8427])",
)
