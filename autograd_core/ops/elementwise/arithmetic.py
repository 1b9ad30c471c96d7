"""Elementwise arithmetic, powers, exponentials and logarithms: one row an op, with its forward and its rules."""

from __future__ import annotations

import math

import numpy as np

from ...core import dtypes
from ...core.call import numbers_first
from ...core.dtypes import float64, result_type
from ...core.results import written_out
from ...core.silence import nameless
from ...core.table import elementwise
from ...core.tensor import Tensor
from ...core.write import in_place
from ..making.conversion import to
from ..making.creation import ones_like, zeros_like
from ..undifferentiated import no_derivative
from .piecewise import where

__all__ = [
    "add",
    "div",
    "divide",
    "exp",
    "exp2",
    "expm1",
    "float_power",
    "floor_divide",
    "fmod",
    "hypot",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logaddexp2",
    "mul",
    "multiply",
    "neg",
    "negative",
    "pow",
    "reciprocal",
    "remainder",
    "rsqrt",
    "rsub",
    "sqrt",
    "square",
    "sub",
    "subtract",
    "true_divide",
]
_OWN_IN_PLACE = ["add_", "div_", "divide_", "float_power_", "sub_", "subtract_"]
METHODS = [*(name for name in __all__ if name != "rsub"), *_OWN_IN_PLACE]
IN_PLACE = [
    name for name in __all__ if name + "_" not in _OWN_IN_PLACE and name not in ("logaddexp", "logaddexp2", "rsub")
]
TAKE_OUT = ["div", "divide", "float_power"]

# -- sums

plain_add = elementwise("add", np.add, "x y", lambda g: g, lambda g: g)
plain_sub = elementwise("sub", np.subtract, "x y", lambda g: g, lambda g: -g, promote="signed")


@nameless
def _add_scaled(x, y, alpha):
    kinds = [dtypes.category(value) for value in (x, y)]
    if isinstance(alpha, float) and dtypes.FLOATING not in kinds:
        raise RuntimeError(f"For integral input tensors, argument alpha must not be a floating point number: {alpha}")
    kind = (x if hasattr(x, "dtype") else y).dtype
    total = x + (dtypes.stored(alpha, kind) if kind.kind in "iu" else alpha) * y
    return total.astype(bool) if kinds == [dtypes.BOOL, dtypes.BOOL] else total


# The scale is a parameter, so nothing is saved: the graph of a scaled sum can be walked twice, as that of a plain one.
add_scaled = elementwise(
    "add_scaled",
    _add_scaled,
    "x y",
    lambda g: g,
    lambda g, alpha: g * alpha,
    doc="`input + alpha * other`, for a number alpha. Gradients: g and alpha g.",
    example="ac.ops.arithmetic.add_scaled(ac.tensor([1.0, 2.0]), ac.tensor([1.0, 1.0]), 10) -> tensor([11., 12.])",
)


def scale_of(name: str, alpha, *operands):
    """`alpha` as a Python number that fits a result of the operands: no fraction beside integers, a bool beside bools.

    TypeError for what is no number, RuntimeError for a number that does not fit.
    """
    if type(alpha) is float and isinstance(operands[0], Tensor) and operands[0]._array.dtype.kind == "f":
        return alpha
    if isinstance(alpha, np.generic) or (isinstance(alpha, Tensor) and not alpha.ndim):
        alpha = alpha.item()
    if not isinstance(alpha, (bool, int, float)):
        raise TypeError(f"{name}(): argument 'alpha' must be Number, not {type(alpha).__name__}")
    found = result_type(*[x._array if isinstance(x, Tensor) else x for x in operands]).kind
    if isinstance(alpha, bool) and found != "b":
        raise RuntimeError(f"{name}(): Boolean alpha only supported for Boolean results.")
    if isinstance(alpha, float) and found != "f":
        raise RuntimeError(
            f"{name}(): For integral input tensors, argument alpha must not be a floating point number, as {alpha} is"
        )
    return bool(alpha) if found == "b" else alpha


def _scale_first(name: str, *given):
    """The operand and the scale of a call that gives the scale first."""
    (other,), named = numbers_first(name, ("alpha",), given)
    return other, named["alpha"]


def add(input, other, *old, alpha=1, out=None):
    """`input + alpha * other`. Gradients: g and alpha g. Saves nothing for backward.

    Shapes broadcast; dtypes are promoted as PyTorch does.

    >>> import autograd_core as ac
    >>> ac.add(ac.tensor([1.0, 2.0]), 10, alpha=2)
    tensor([21., 22.])
    """
    if old:
        other, alpha = _scale_first("add", other, *old)
    if type(alpha) is int and alpha == 1:
        result = plain_add(input, other)
    else:
        result = add_scaled(input, other, scale_of("add", alpha, input, other))
    return result if out is None else written_out("add", result, out)


def sub(input, other, *old, alpha=1, out=None):
    """`input - alpha * other`. Gradients: g and -alpha g. Saves nothing for backward.

    Shapes broadcast; dtypes are promoted as PyTorch does; RuntimeError for bools.

    >>> import autograd_core as ac
    >>> ac.sub(ac.tensor([1.0, 2.0]), 10)
    tensor([-9., -8.])
    """
    if old:
        other, alpha = _scale_first("sub", other, *old)
    if type(alpha) is int and alpha == 1:
        result = plain_sub(input, other)
    else:
        result = add_scaled(input, other, -scale_of("sub", alpha, input, other))
    return result if out is None else written_out("sub", result, out)


_plain_add_, _plain_sub_, _add_scaled_ = (
    in_place(op, name) for op, name in ((plain_add, "add_"), (plain_sub, "sub_"), (add_scaled, "add_"))
)


def add_(self, other, *old, alpha=1):
    """Add `alpha * other` to this tensor in place: see `add`.

    >>> import autograd_core as ac
    >>> ac.ones(2).add_(1.0, alpha=3)
    tensor([4., 4.])
    """
    if old:
        other, alpha = _scale_first("add_", other, *old)
    if type(alpha) is int and alpha == 1:
        return _plain_add_(self, other)
    return _add_scaled_(self, other, scale_of("add_", alpha, self, other))


def sub_(self, other, *old, alpha=1):
    """Subtract `alpha * other` from this tensor in place: see `sub`.

    >>> import autograd_core as ac
    >>> ac.ones(2).sub_(1.0, alpha=3)
    tensor([-2., -2.])
    """
    if old:
        other, alpha = _scale_first("sub_", other, *old)
    if type(alpha) is int and alpha == 1:
        return _plain_sub_(self, other)
    return _add_scaled_(self, other, -scale_of("sub_", alpha, self, other))


subtract, subtract_ = sub, sub_

plain_rsub = elementwise(
    "rsub",
    nameless(lambda x, y: np.subtract(y, x)),
    "x y",
    lambda g: -g,
    lambda g: g,
    promote="signed",
)


def rsub(input, other, *, alpha=1):
    """`other - alpha * input`. Gradients: -alpha g for `input`, g for `other`. Saves nothing for backward.

    Shapes broadcast; dtypes are promoted as PyTorch does; RuntimeError for bools.

    >>> import autograd_core as ac
    >>> ac.rsub(ac.tensor([1.0, 2.0]), 10)
    tensor([9., 8.])
    """
    if type(alpha) is int and alpha == 1:
        return plain_rsub(input, other)
    return add_scaled(other, input, -scale_of("rsub", alpha, input, other))


neg = elementwise(
    "neg",
    np.negative,
    "x",
    lambda g: -g,
    promote="signed",
    doc="The negative. Gradient: -g.",
    example="ac.neg(ac.tensor([1.0, -2.0])) -> tensor([-1.,  2.])",
)
negative = neg

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
multiply = mul

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
    if integers and not np.all(y) and np.size(x):
        raise RuntimeError(f"ZeroDivisionError: {op} of integers by zero; convert to a floating dtype for inf and nan")


def _no_integer_zero(op: str, ufunc):
    """`ufunc`, but integers by zero are a RuntimeError."""

    def forward(x, y):
        _refuse_integer_zero(op, x, y)
        return ufunc(x, y)

    return forward


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


divide, divide_ = div, div_

_refuse = no_derivative("floor_divide", "use div(x, y, rounding_mode='floor'), whose gradient is 0", RuntimeError)

floor_divide = elementwise(
    "floor_divide",
    _no_integer_zero("floor_divide", np.floor_divide),
    "x y",
    _refuse,
    _refuse,
    doc="The quotient rounded down; integers stay integers. A gradient that reaches it is a NotImplementedError.",
    example="ac.floor_divide(ac.tensor([-3, 3]), 2) -> tensor([-2,  1])",
)


def rfloor_divide(input, other):
    """`other // input` for a number `other`."""
    return floor_divide(other, input)


remainder = elementwise(
    "remainder",
    _no_integer_zero("remainder", np.remainder),
    "x y",
    lambda g: g,
    lambda g, x, y: -g * div(x, y, rounding_mode="floor"),
    doc="The remainder with the sign of `other`, as Python's %. Gradients: g, and -g times the floored quotient.",
    example="ac.remainder(ac.tensor([-3.0, 3.0]), 2) -> tensor([1., 1.])",
)


def rremainder(input, other):
    """`other % input` for a number `other`."""
    return remainder(other, input)


fmod = elementwise(
    "fmod",
    _no_integer_zero("fmod", np.fmod),
    "x y",
    lambda g: g,
    lambda g, x, y: -g * div(x, y, rounding_mode="trunc"),
    doc="The remainder with the sign of `input`, as C's fmod. Gradients: g, and -g times the truncated quotient.",
    example="ac.fmod(ac.tensor([-3.0, 3.0]), 2) -> tensor([-1.,  1.])",
)

# -- powers and roots


@nameless
def _pow(x, y):
    if type(y) in (int, float) and y == 3:
        return x * x * x  # ** does this for 2, 1, ½ and -1 only
    kind = (x if hasattr(x, "dtype") else y).dtype
    if kind.kind == "f":
        return x**y
    return _pow_of_bools(x, y) if kind.kind == "b" else _pow_of_integers(x, y, kind)


def _pow_of_bools(x, y):
    if type(y) is not bool:  # True and False as numbers need no power
        raise NotImplementedError("\"pow\" not implemented for 'Bool'; convert the operands, as with .int()")
    return x.copy() if y else np.ones_like(x)


def _pow_of_integers(x, y, kind):
    """A negative exponent is refused as a number, and cuts off what it makes as a tensor."""
    if type(y) is int and y < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed; convert the base to a floating dtype")
    x = dtypes.wrapped(x, kind) if type(x) is int else x
    y = dtypes.stored(y, kind) if type(y) is int else y
    if np.any(np.less(y, 0)):
        inverse = np.where(np.abs(x) == 1, x ** np.abs(y), 0)  # 1 / x, cut off
        return np.where(y < 0, inverse, x ** np.maximum(y, 0)).astype(y.dtype)
    return x**y


def d_pow_dx(g, x, exponent):
    """g y x^(y-1), and 0 where the exponent y is 0, whatever x."""
    y = exponent
    if not hasattr(y, "dtype"):
        if y == 0:
            return zeros_like(g)
        return g * (2 * x) if y == 2 else g * (y * x ** (y - 1))
    return where(y == 0, 0.0, g * (y * x ** where(y == 0, 1.0, y - 1)))


def d_pow_dexponent(g, x, exponent, out):
    """g x^y log x, and 0 where the base is 0 and the exponent is not negative, where 0 log 0 would be NaN."""
    y = exponent
    if not hasattr(x, "dtype"):
        return g * where(y < 0, -math.inf, 0.0) if x == 0 else g * (out * float(np.log(x)))
    flat = (x == 0) & (y >= 0)
    return where(flat, 0.0, g * (out * log(where(flat, ones_like(out), x))))


pow = elementwise(
    "pow",
    _pow,
    "x exponent",
    d_pow_dx,
    d_pow_dexponent,
    promote="whole",
    doc=(
        "`input` to the power `exponent`; either may be a number. Gradients: g y x^(y-1), which is 0 for y = 0, and\n"
        "g x^y log x, which is 0 where x = 0 and y >= 0. An integer to a negative integer power is cut off to 0, 1 or\n"
        "-1; RuntimeError where the exponent is a number."
    ),
    example="ac.pow(ac.tensor([1.0, 3.0]), 2) -> tensor([1., 9.])",
)


def rpow(input, other):
    """`other ** input` for a number `other`."""
    return pow(other, input)


def float_power(input, exponent):
    """`pow` in float64, whatever the dtypes; one of the two may be a number. TypeError for two numbers.

    Gradients: those of `pow`, which come back in the dtypes of the operands.

    >>> import autograd_core as ac
    >>> ac.float_power(ac.tensor([2, 3]), -1)
    tensor([0.5000, 0.3333], dtype=autograd_core.float64)
    """
    return pow(*(to(v, float64) if hasattr(v, "dtype") else float(v) for v in (input, exponent)))


_pow_ = in_place(pow, "float_power_")


def float_power_(self, exponent):
    """Raise this tensor, which must be float64, to a power in place: RuntimeError for another dtype. See `float_power`.

    >>> import autograd_core as ac
    >>> ac.full((2,), 3.0, dtype=ac.float64).float_power_(2)
    tensor([9., 9.], dtype=autograd_core.float64)
    """
    if self.dtype is not float64:
        raise RuntimeError(f"float_power_() computes in float64, which {self.dtype} does not hold; use float_power()")
    return _pow_(self, exponent)


square = elementwise(
    "square",
    np.square,
    "x",
    lambda g, x: g * (2.0 * x),
    promote="number",
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
    nameless(lambda x: 1 / np.sqrt(x)),
    "x",
    lambda g, out: -0.5 * g * (out * out * out),
    promote="float",
    doc="1 / √x. Gradient: -g / (2 x √x).",
    example="ac.rsqrt(ac.tensor([4.0, 0.25])) -> tensor([0.5000, 2.0000])",
)


def _of_floats(name: str, ufunc):
    """A ufunc of two operands that PyTorch has for floating tensors only: NotImplementedError for integers."""

    def forward(x, y):
        if not any(dtypes.category(value) == dtypes.FLOATING for value in (x, y)):
            raise NotImplementedError(f"{name} is not implemented for integers; convert them with .float()")
        return ufunc(x, y)

    return forward


hypot = elementwise(
    "hypot",
    _of_floats("hypot", np.hypot),
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
    example="ac.log10(ac.tensor(50.0)) -> tensor(1.6990)",
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


@nameless
def sigmoid_of(x):
    """1 / (1 + exp(-x)) of an array. Only numbers up to 0 are exponentiated, so that nothing overflows."""
    return np.exp(np.minimum(x, 0)) / (1 + np.exp(-np.abs(x)))


logistic = elementwise(
    "logistic",
    sigmoid_of,
    "x",
    lambda g, x: g * (logistic(x) * logistic(-x)),
    promote="float",
    doc="`sigmoid` for rules: its gradient is made of the input, so that it is exact where the result is close to 1.",
    example="ac.ops.arithmetic.logistic(ac.tensor([0.0, 2.0])) -> tensor([0.5000, 0.8808])",
)

logaddexp = elementwise(
    "logaddexp",
    _of_floats("logaddexp", np.logaddexp),
    "x y",
    lambda g, x, y: g * logistic(x - y),
    lambda g, x, y: g * logistic(y - x),
    doc="log(eˣ + eʸ) without overflow. Gradients: the shares of eˣ and of eʸ in the sum, times g.",
    example="ac.logaddexp(ac.tensor([0.0]), ac.tensor([0.0])) -> tensor([0.6931])",
)

logaddexp2 = elementwise(
    "logaddexp2",
    _of_floats("logaddexp2", np.logaddexp2),
    "x y",
    lambda g, x, y: g * logistic((x - y) * math.log(2)),
    lambda g, x, y: g * logistic((y - x) * math.log(2)),
    doc="log2(2ˣ + 2ʸ) without overflow. Gradients: the shares of 2ˣ and of 2ʸ in the sum, times g.",
    example="ac.logaddexp2(ac.tensor([0.0]), ac.tensor([0.0])) -> tensor([1.])",
)
