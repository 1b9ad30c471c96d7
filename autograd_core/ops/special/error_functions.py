"""The error function and its relatives, which are those of the normal distribution."""

from __future__ import annotations

import math

import numpy as np

from ...core.table import elementwise
from ..elementwise.arithmetic import exp, square
from ..elementwise.piecewise import where
from .through_scipy import compiled, of_one

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
    lambda g, x, out: g * erfcx_of_order(x, 1),  # PyTorch saves the result too
    promote="float",
    doc="exp(x²) erfc(x), which falls as 1/x where erfc underflows. Gradient: g (2 x out - 2/√π).",
    example="ac.special.erfcx(ac.tensor([0.0, 100.0])) -> tensor([1.0000, 0.0056])",
)


def _erfcx_of_order(x, n):
    """(-2)ⁿ n! wₙ with wₙ = exp(x²) iⁿerfc(x), by 2 n wₙ = wₙ₋₂ - 2 x wₙ₋₁ (DLMF 7.18.7).

    Upward from w₋₁ = 2/√π and w₀ = erfcx(x) up to x = 1; beyond, where that cancels, downward (Miller), which is stable
    there, and from where the product overflows by the limit.
    """
    z = x.astype(np.float64)
    low, high = np.minimum(z, 1), np.clip(z, 1, 1e60)
    before, now = np.full_like(z, 2 / math.sqrt(math.pi)), np.asarray(compiled("erfcx")(low))
    for k in range(1, n + 1):
        before, now = now, (before - 2 * low * now) / (2 * k)
    least = high.min(initial=1e60, where=z > 1)
    ratio, product = np.zeros_like(z), np.asarray(compiled("erfcx")(high))
    for k in range(int(200 / least**2) + n + 2, 0, -1):
        ratio = 1 / (2 * high + (2 * k + 2) * ratio)  # wₖ / wₖ₋₁
        product = product * ratio if k <= n else product
    return ((-2.0) ** n * math.factorial(n) * np.where(z > 1, product, now)).astype(x.dtype)


erfcx_of_order = elementwise(
    "erfcx_of_order",
    _erfcx_of_order,
    "x",
    lambda g, x, n: g * erfcx_of_order(x, n + 1),
    promote="float",
    doc="The n-th derivative of `erfcx`. Gradient: g times the next one.",
    example="ac.ops.error_functions.erfcx_of_order(ac.tensor([0.0, 100.0]), 1) -> tensor([-1.1284e+00, -5.6410e-05])",
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


def d_log_ndtr(g, x, out):
    """g φ(x) / Φ(x): by √(2/π) / erfcx(-x/√2) below 0, where both vanish, by exp(-out - x²/2) above; -x far below."""
    high, far = x > 0, x < -1e8
    up = where(high, x, 0.0)
    above = exp(-(where(high, out, 0.0) + 0.5 * (up * up))) / math.sqrt(2 * math.pi)
    below = math.sqrt(2 / math.pi) / erfcx(where(high | far, 0.0, x) * -math.sqrt(0.5))
    return g * where(high, above, where(far, -x, below))


log_ndtr = elementwise(
    "log_ndtr",
    of_one("log_ndtr"),
    "x",
    d_log_ndtr,
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
