"""Circular and hyperbolic functions and their inverses. Angles are in radians."""

from __future__ import annotations

import math

import numpy as np

from ...core.table import elementwise
from .arithmetic import rsqrt
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

asin = elementwise(
    "asin",
    np.arcsin,
    "x",
    lambda g, x: g * rsqrt(1 - x * x),
    promote="float",
    doc="The angle whose sine is x; NaN outside [-1, 1]. Gradient: g / √(1 - x²).",
    example="ac.asin(ac.tensor([0.0, 1.0])) -> tensor([0.0000, 1.5708])",
)
arcsin = asin

acos = elementwise(
    "acos",
    np.arccos,
    "x",
    lambda g, x: g * -rsqrt(1 - x * x),
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
    """g over the squared radius, and 0 at the origin."""
    squared = x * x + y * y
    return where(squared == 0, 0.0, g / where(squared == 0, 1.0, squared))


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


def d_sinc(g, x):
    """g (cos πx - sin(πx) / πx) / x; near 0 the series begins with -π² x / 3, which has the right slope at 0 too."""
    safe = where(x == 0, 1.0, x)
    angle = math.pi * safe
    return g * where(x == 0, x * (-(math.pi**2) / 3), (cos(angle) - sin(angle) / angle) / safe)


sinc = elementwise(
    "sinc",
    np.sinc,
    "x",
    d_sinc,
    promote="float",
    doc="sin(πx) / (πx), and 1 at 0. Gradient: g (cos πx - sinc x) / x, and 0 at 0.",
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
    lambda g, x: g * rsqrt(x * x + 1),
    promote="float",
    doc="The inverse of sinh. Gradient: g / √(x² + 1).",
    example="ac.asinh(ac.tensor([0.0, 1.0])) -> tensor([0.0000, 0.8814])",
)
arcsinh = asinh

acosh = elementwise(
    "acosh",
    np.arccosh,
    "x",
    lambda g, x: g * rsqrt(x * x - 1),
    promote="float",
    doc="The inverse of cosh on [1, ∞); NaN below 1. Gradient: g / √(x² - 1).",
    example="ac.acosh(ac.tensor([1.0, 2.0])) -> tensor([0.0000, 1.3170])",
)
arccosh = acosh

atanh = elementwise(
    "atanh",
    np.arctanh,
    "x",
    lambda g, x: g / (1 - x * x),
    promote="float",
    doc="The inverse of tanh on (-1, 1); NaN outside [-1, 1]. Gradient: g / (1 - x²).",
    example="ac.atanh(ac.tensor([0.0, 0.5])) -> tensor([0.0000, 0.5493])",
)
arctanh = atanh
