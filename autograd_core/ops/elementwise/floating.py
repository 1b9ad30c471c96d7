"""The parts of a floating-point number: its sign, its mantissa and exponent, its neighbors."""

from __future__ import annotations

import numpy as np

from ...core import dtypes
from ...core.table import elementwise, general, nondiff
from ..making.conversion import to
from ..making.creation import zeros_like
from .arithmetic import mul, pow
from .piecewise import sign, where

__all__ = ["copysign", "frexp", "ldexp", "nextafter", "signbit"]
METHODS = [*__all__, "ldexp_"]
IN_PLACE = ["copysign", "nextafter"]
TAKE_OUT = ["ldexp"]

copysign = elementwise(
    "copysign",
    np.copysign,
    "x y",
    lambda g, x, out: g * (sign(x) * sign(out)),
    lambda g: zeros_like(g),
    promote="float",
    doc=(
        "The magnitude of `input` with the sign of `other`, which a zero has too. Gradient: g or -g, and 0 where\n"
        "input = 0; 0 for `other`."
    ),
    example="ac.copysign(ac.tensor([1.0, -2.0]), ac.tensor([-0.0, 3.0])) -> tensor([-1.,  2.])",
)

signbit = nondiff(
    "signbit",
    np.signbit,
    "x",
    doc="Whether the sign is minus, that of -0.0 included.",
    example="ac.signbit(ac.tensor([-0.0, 0.0, 1.0])) -> tensor([ True, False, False])",
)


def _frexp(x):
    if x.dtype.kind != "f":
        raise RuntimeError(f"frexp() only supports floating-point dtypes, not {x.dtype.name}; convert the tensor first")
    return np.frexp(x)


_power_of_two = nondiff("power_of_two", lambda n: np.ldexp(1.0, n), "n", doc="2 to an integer power, in float64.")

frexp = general(
    "frexp",
    _frexp,
    "x",
    lambda g_mantissa, exponent: g_mantissa / _power_of_two(exponent),
    outputs="mantissa exponent",
    doc=(
        "`mantissa`, in [0.5, 1) but for its sign, and integer `exponent` with input = mantissa 2^exponent. Gradient:\n"
        "g_mantissa / 2^exponent. RuntimeError for integers."
    ),
    example="ac.frexp(ac.tensor([6.0])).exponent -> tensor([3], dtype=autograd_core.int32)",
)


def ldexp(input, other):
    """input 2^other, as PyTorch's product with a power of 2. Gradients: g 2^other, and g input 2^other log 2.

    Shapes broadcast; dtypes are promoted as PyTorch does, and integers become the default floating dtype.

    >>> import autograd_core as ac
    >>> ac.ldexp(ac.tensor([1.0, 3.0]), ac.tensor([0, 2]))
    tensor([ 1., 12.])
    """
    return mul(input, _power(input, other))


def _power(input, other):
    """2^other in the dtype that the product has: as exact where `input` is half, and in its range."""
    kind = dtypes.result_type(*(getattr(value, "_array", value) for value in (input, other)))
    if kind.kind != "f":
        return pow(2.0, other)
    return pow(2.0, to(other, kind) if hasattr(other, "dtype") else float(other))


def ldexp_(self, other):
    """Multiply this tensor by 2^other in place: see `ldexp`.

    >>> import autograd_core as ac
    >>> ac.ones(2).ldexp_(ac.tensor([0, 2]))
    tensor([1., 4.])
    """
    return self.mul_(_power(self, other))


def _nextafter(x, y):
    for operand in (x, y):
        if hasattr(operand, "dtype") and operand.dtype.kind != "f":
            raise NotImplementedError(f"nextafter is not implemented for {operand.dtype.name}; convert it first")
    return np.nextafter(x, y)


nextafter = elementwise(
    "nextafter",
    _nextafter,
    "x y",
    lambda g, x, y: where(x != y, g, 0.0),
    lambda g: zeros_like(g),
    in_type=True,
    doc=(
        "The next floating-point number after `input` towards `other`. Gradient: g where the two differ, else 0; 0\n"
        "for `other`. NotImplementedError for integers."
    ),
    example="ac.nextafter(ac.tensor([1.0]), ac.tensor([2.0])) - 1 -> tensor([1.1921e-07])",
)
