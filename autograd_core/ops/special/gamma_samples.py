"""How a number drawn from a gamma distribution changes with the concentration, its quantile held.

With F(x; a) the distribution function and f its density, dx/da = -(∂F/∂a) / f. Source: Figurnov, Mohamed and Mnih,
Implicit Reparameterization Gradients, 2018.
"""

from __future__ import annotations

import numpy as np

from ...core.table import elementwise
from ..undifferentiated import no_derivative
from .through_scipy import compiled

FAR = 40.0  # e^-40 of an integrand no longer counts
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(64)


def _slope(a, x):
    """dx/da, in the dtype of its inputs and computed in float64."""
    wide_a, wide_x = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(x, np.float64))
    result = np.empty(wide_a.shape)
    with np.errstate(all="ignore"):
        for where, compute in (
            ((wide_a < 8) & (wide_x <= 12), _by_series),
            ((wide_x > wide_a) & ~((wide_a < 8) & (wide_x <= 12)), _from_above),
            ((wide_x <= wide_a) & (wide_a >= 8), _from_below),
        ):
            if where.any():
                result[where] = compute(wide_a[where], wide_x[where])
    return result.astype(np.result_type(a, x), copy=False)


def _by_series(a, x):
    """x Σ xⁿ (ψ(a + n + 1) - log x) / (a (a + 1) ... (a + n)), from the power series of ∂F/∂a."""
    psi, log_x, term, total = compiled("psi")(a + 1), np.log(x), x / a, np.zeros_like(x)
    for n in range(1, 120):
        total += term * (psi - log_x)
        psi, term = psi + 1 / (a + n), term * x / (a + n)
    return np.where(x > 0, total, 0.0)


def _from_above(a, x):
    """x ∫ (1 + s)^(a-1) e^(-x s) (log(x (1 + s)) - ψ(a)) ds over s > 0: the part of the integral of ∂f/∂a above x."""
    falls, bends = x - np.maximum(a - 1, 0), np.maximum(a - 1, 0) / 2
    middle = FAR - falls
    end = (middle + np.sqrt(middle**2 + 4 * FAR * (falls + bends))) / (2 * (falls + bends))
    s = end[..., None] * (_NODES + 1) / 2
    a, x = a[..., None], x[..., None]
    integrand = np.exp((a - 1) * np.log1p(s) - x * s) * (np.log(x) + np.log1p(s) - compiled("psi")(a))
    return x[..., 0] * end / 2 * (integrand @ _WEIGHTS)


def _from_below(a, x):
    """-x ∫ (1 - s)^(a-1) e^(x s) (log(x (1 - s)) - ψ(a)) ds over 0 < s < 1: the part below x."""
    rises, bends = a - 1 - x, (a - 1) / 2
    end = np.minimum((np.sqrt(rises**2 + 4 * FAR * bends) - rises) / (2 * bends), 1 - 1e-12)
    s = end[..., None] * (_NODES + 1) / 2
    a, x = a[..., None], x[..., None]
    integrand = np.exp((a - 1) * np.log1p(-s) + x * s) * (np.log(x) + np.log1p(-s) - compiled("psi")(a))
    return np.where(x[..., 0] > 0, -x[..., 0] * end / 2 * (integrand @ _WEIGHTS), 0.0)


gamma_slope = elementwise(
    "gamma_slope",
    _slope,
    "x y",
    no_derivative("gamma_slope: input"),
    no_derivative("gamma_slope: other"),
    promote="float",
    doc=(
        "How the quantile `other` of the gamma distribution with concentration `input` and rate 1 changes with the\n"
        "concentration. A gradient that arrives is a NotImplementedError."
    ),
    example="gamma_slope(ac.tensor([1.0, 5.0]), ac.tensor([1.0, 5.0])) -> tensor([1.1453, 1.0127])",
)

gamma_quantile = elementwise(
    "gamma_quantile",
    lambda x, y: np.broadcast_arrays(x, y)[1].copy(),
    "x y",
    lambda g, x, y: g * gamma_slope(x, y),
    None,
    promote="float",
    doc=(
        "`other`, which was drawn from the gamma distribution with concentration `input` and rate 1.\n"
        "Gradient for `input`: g gamma_slope(input, other), and none for `other`; there is no second derivative."
    ),
    example="gamma_quantile(ac.tensor([1.0, 5.0]), ac.tensor([1.0, 5.0])) -> tensor([1., 5.])",
)
