"""Circular and hyperbolic functions and their inverses. Angles are in radians."""

from __future__ import annotations

import math

import numpy as np

from ...core.table import elementwise
from ..making.creation import ones_like
from .arithmetic import hypot, rsqrt
from .piecewise import where

__all__ = [
    "acos",
    "acosh",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cos",
    "cosh",
    "deg2rad",
    "rad2deg",
    "sin",
    "sinc",
    "sinh",
    "tan",
    "tanh",
]
METHODS = IN_PLACE = __all__

# -- circular functions

sin = elementwise(
    "sin",
    np.sin,
    "x",
    lambda g, x: g * cos(x),
    promote="float",
    doc="Sine of an angle in radians. Gradient: g cos x.",
    example="ac.sin(ac.tensor([0.0, 1.0])) -> tensor([0.0000, 0.8415])",
)

cos = elementwise(
    "cos",
    np.cos,
    "x",
    lambda g, x: g * -sin(x),
    promote="float",
    doc="Cosine of an angle in radians. Gradient: -g sin x.",
    example="ac.cos(ac.tensor([0.0, 1.0])) -> tensor([1.0000, 0.5403])",
)

tan = elementwise(
    "tan",
    np.tan,
    "x",
    lambda g, out: g * (1 + out * out),
    promote="float",
    doc="Tangent of an angle in radians. Gradient: g (1 + tan² x).",
    example="ac.tan(ac.tensor([0.0, 1.0])) -> tensor([0.0000, 1.5574])",
)

one_minus_square = elementwise(
    "one_minus_square",
    lambda x: (1 - x) * (1 + x),
    "x",
    lambda g, x: g * (-2.0 * x),
    promote="float",
    doc="1 - x², exact beside 1 and -1. Gradient: -2 x g.",
    example="ac.ops.trigonometry.one_minus_square(ac.tensor([0.5, 1.0])) -> tensor([0.7500, 0.0000])",
)

asin = elementwise(
    "asin",
    np.arcsin,
    "x",
    lambda g, x: g * rsqrt(one_minus_square(x)),
    promote="float",
    doc="The angle whose sine is x; NaN outside [-1, 1]. Gradient: g / √(1 - x²).",
    example="ac.asin(ac.tensor([0.0, 1.0])) -> tensor([0.0000, 1.5708])",
)
arcsin = asin

acos = elementwise(
    "acos",
    np.arccos,
    "x",
    lambda g, x: g * -rsqrt(one_minus_square(x)),
    promote="float",
    doc="The angle whose cosine is x; NaN outside [-1, 1]. Gradient: -g / √(1 - x²).",
    example="ac.acos(ac.tensor([0.0, 1.0])) -> tensor([1.5708, 0.0000])",
)
arccos = acos

atan = elementwise(
    "atan",
    np.arctan,
    "x",
    lambda g, x: g / (x * x + 1),
    promote="float",
    doc="The angle in (-π/2, π/2) whose tangent is x. Gradient: g / (1 + x²).",
    example="ac.atan(ac.tensor([0.0, 1.0])) -> tensor([0.0000, 0.7854])",
)
arctan = atan


def d_atan2(g, x, y):
    """g over the squared radius, which may overflow where the radius does not, and 0 at the origin."""
    origin = (x == 0) & (y == 0)
    radius = hypot(where(origin, ones_like(x), x), y)
    return where(origin, 0.0, g / radius / radius)


atan2 = elementwise(
    "atan2",
    np.arctan2,
    "x y",
    lambda g, x, y: d_atan2(g, x, y) * y,
    lambda g, x, y: d_atan2(g, x, y) * -x,
    promote="float",
    doc=(
        "The angle in (-π, π] of the point with ordinate `input` and abscissa `other`. Gradients: g other / r²\n"
        "and -g input / r², with r² = input² + other²; 0 at the origin."
    ),
    example="ac.atan2(ac.tensor([1.0, -1.0]), ac.tensor([1.0, -1.0])) -> tensor([ 0.7854, -2.3562])",
)
arctan2 = atan2

deg2rad = elementwise(
    "deg2rad",
    lambda x: x * (math.pi / 180),
    "x",
    lambda g: g * (math.pi / 180),
    promote="float",
    doc="Degrees as radians. Gradient: g π/180.",
    example="ac.deg2rad(ac.tensor([0.0, 180.0])) -> tensor([0.0000, 3.1416])",
)

rad2deg = elementwise(
    "rad2deg",
    lambda x: x * (180 / math.pi),
    "x",
    lambda g: g * (180 / math.pi),
    promote="float",
    doc="Radians as degrees. Gradient: g 180/π.",
    example="ac.rad2deg(ac.tensor([0.0, 1.0])) -> tensor([ 0.0000, 57.2958])",
)


def _sine_of_pi(x, quarters=0):
    """sin(π (x + quarters / 2)), exact far from 0 and beside zeros: only what lies within ±1/4 is multiplied by π."""
    halves = np.rint(2 * x)
    angle = math.pi * (x - halves / 2)
    turn = np.mod(np.mod(halves, 4) + quarters, 4)
    value = np.where(np.mod(turn, 2) == 0, np.sin(angle), np.cos(angle))
    return np.where(turn < 2, value, -value)


def _sinc_of_order(x, n):
    """By its power series up to |x| = 3/4; beyond from x sinc(x) = sin(πx) / π, differentiated n times."""
    beyond = np.abs(x) > 0.75
    far = np.where(beyond, x, 2)
    slope = _sine_of_pi(far) / (math.pi * far)
    for k in range(1, n + 1):
        slope = (math.pi ** (k - 1) * _sine_of_pi(far, k) - k * slope) / far
    square = np.square(math.pi * np.where(beyond, 0, x))
    near = np.zeros_like(square)
    for k in range(n // 2 + n % 2 + 14, n // 2 + n % 2 - 1, -1):  # the coefficients of x^(2k - n), by Horner's rule
        near = near * square + (-1) ** k * math.prod(range(2 * k - n + 1, 2 * k + 1)) / math.factorial(2 * k + 1)
    near *= math.pi**n * (math.pi * x if n % 2 else 1)
    return np.where(beyond, slope, near).astype(x.dtype, copy=False)


sinc_of_order = elementwise(
    "sinc_of_order",
    _sinc_of_order,
    "x",
    lambda g, x, n: g * sinc_of_order(x, n + 1),
    promote="float",
    doc="The n-th derivative of `sinc`. Gradient: g times the next one.",
    example="ac.ops.trigonometry.sinc_of_order(ac.tensor([0.0, 1.0]), 1) -> tensor([ 0., -1.])",
)

sinc = elementwise(
    "sinc",
    lambda x: _sinc_of_order(x, 0),
    "x",
    lambda g, x: g * sinc_of_order(x, 1),
    promote="float",
    doc="sin(πx) / (πx), and 1 at 0. Gradient: g (cos πx - sinc x) / x, and 0 at 0; near 0 by series, to any order.",
    example="ac.sinc(ac.tensor([0.0, 0.5])) -> tensor([1.0000, 0.6366])",
)

# -- hyperbolic functions

sinh = elementwise(
    "sinh",
    np.sinh,
    "x",
    lambda g, x: g * cosh(x),
    promote="float",
    doc="(eˣ - e⁻ˣ) / 2. Gradient: g cosh x.",
    example="ac.sinh(ac.tensor([0.0, 1.0])) -> tensor([0.0000, 1.1752])",
)

cosh = elementwise(
    "cosh",
    np.cosh,
    "x",
    lambda g, x: g * sinh(x),
    promote="float",
    doc="(eˣ + e⁻ˣ) / 2. Gradient: g sinh x.",
    example="ac.cosh(ac.tensor([0.0, 1.0])) -> tensor([1.0000, 1.5431])",
)

tanh = elementwise(
    "tanh",
    np.tanh,
    "x",
    lambda g, out: g * (1 - out * out),
    promote="float",
    doc="sinh x / cosh x. Gradient: g (1 - tanh² x).",
    example="ac.tanh(ac.tensor([0.0, 1.0])) -> tensor([0.0000, 0.7616])",
)

asinh = elementwise(
    "asinh",
    np.arcsinh,
    "x",
    lambda g, x: g / hypot(x, 1.0),
    promote="float",
    doc="The inverse of sinh. Gradient: g / √(x² + 1).",
    example="ac.asinh(ac.tensor([0.0, 1.0])) -> tensor([0.0000, 0.8814])",
)
arcsinh = asinh

acosh = elementwise(
    "acosh",
    np.arccosh,
    "x",
    lambda g, x: g * (rsqrt(abs(x) - 1) * rsqrt(abs(x) + 1)),  # without a square, which would overflow
    promote="float",
    doc="The inverse of cosh on [1, ∞); NaN below 1. Gradient: g / √(x² - 1), a number below -1 too.",
    example="ac.acosh(ac.tensor([1.0, 2.0])) -> tensor([0.0000, 1.3170])",
)
arccosh = acosh

atanh = elementwise(
    "atanh",
    np.arctanh,
    "x",
    lambda g, x: g / one_minus_square(x),
    promote="float",
    doc="The inverse of tanh on (-1, 1); NaN outside [-1, 1]. Gradient: g / (1 - x²).",
    example="ac.atanh(ac.tensor([0.0, 0.5])) -> tensor([0.0000, 0.5493])",
)
arctanh = atanh
