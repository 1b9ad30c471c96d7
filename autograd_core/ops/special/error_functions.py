"""The error function and its relatives, which are those of the normal distribution."""

from __future__ import annotations

import math

from ...core.table import elementwise
from ..elementwise.arithmetic import exp, square
from .through_scipy import of_one

__all__ = ["erf", "erfc", "erfinv"]
METHODS = IN_PLACE = __all__

erf = elementwise(
    "erf",
    of_one("erf"),
    "x",
    lambda g, x: g * (2 / math.sqrt(math.pi) * exp(-x * x)),
    promote="float",
    doc="The error function, 2/√π times the integral of exp(-t²) from 0 to x. Gradient: g 2/√π exp(-x²).",
    example="ac.erf(ac.tensor([0.0, 1.0])) -> tensor([0.0000, 0.8427])",
)

erfc = elementwise(
    "erfc",
    of_one("erfc"),
    "x",
    lambda g, x: g * (-2 / math.sqrt(math.pi) * exp(-x * x)),
    promote="float",
    doc="1 - erf(x), exact where that is close to 0. Gradient: -g 2/√π exp(-x²).",
    example="ac.erfc(ac.tensor([0.0, 1.0])) -> tensor([1.0000, 0.1573])",
)

erfcx = elementwise(
    "erfcx",
    of_one("erfcx"),
    "x",
    lambda g, x, out: g * (2 * x * out - 2 / math.sqrt(math.pi)),
    promote="float",
    doc="exp(x²) erfc(x), which falls as 1/x where erfc underflows. Gradient: g (2 x out - 2/√π).",
    example="ac.special.erfcx(ac.tensor([0.0, 100.0])) -> tensor([1.0000, 0.0056])",
)

erfinv = elementwise(
    "erfinv",
    of_one("erfinv"),
    "x",
    lambda g, x: g * (0.5 * math.sqrt(math.pi) * exp(square(erfinv(x)))),
    promote="float",
    doc="The inverse of erf on (-1, 1); ±inf at ±1, NaN beyond. Gradient: g √π/2 exp(erfinv(x)²).",
    example="ac.erfinv(ac.tensor([0.0, 0.5])) -> tensor([0.0000, 0.4769])",
)

ndtr = elementwise(
    "ndtr",
    lambda x: 0.5 * _erfc(x * -math.sqrt(0.5)),
    "x",
    lambda g, x: g * (exp(-0.5 * (x * x)) / math.sqrt(2 * math.pi)),
    promote="float",
    doc="Φ(x), the standard normal distribution function. Gradient: g times the density exp(-x²/2) / √(2π).",
    example="ac.special.ndtr(ac.tensor([0.0, 1.0])) -> tensor([0.5000, 0.8413])",
)
_erfc = of_one("erfc")

log_ndtr = elementwise(
    "log_ndtr",
    of_one("log_ndtr"),
    "x",
    lambda g, x, out: g * (exp(-(out + 0.5 * (x * x))) / math.sqrt(2 * math.pi)),
    promote="float",
    doc="log Φ(x), finite far below 0 too. Gradient: g times the density over Φ(x), exp(-out - x²/2) / √(2π).",
    example="ac.special.log_ndtr(ac.tensor([0.0, -100.0])) -> tensor([-6.9315e-01, -5.0055e+03])",
)

ndtri = elementwise(
    "ndtri",
    of_one("ndtri"),
    "x",
    lambda g, out: g * (math.sqrt(2 * math.pi) * exp(0.5 * square(out))),
    promote="float",
    doc="The inverse of `ndtr` on (0, 1); ∓inf at 0 and 1, NaN beyond. Gradient: g √(2π) exp(out²/2).",
    example="ac.special.ndtri(ac.tensor([0.5, 0.9])) -> tensor([0.0000, 1.2816])",
)
