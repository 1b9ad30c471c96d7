"""The gamma function and its relatives: its logarithm and derivatives, its incomplete integrals, the zeta function."""

from __future__ import annotations

import functools
import math

import numpy as np

from ...core.table import elementwise
from ..elementwise.arithmetic import exp, log
from ..undifferentiated import no_derivative
from .through_scipy import of_one, of_two

__all__ = ["digamma", "igamma", "igammac", "lgamma", "mvlgamma", "polygamma"]
METHODS = [name for name in __all__ if name != "polygamma"]  # a tensor's takes the order after the tensor
IN_PLACE = METHODS
TAKE_OUT = ["polygamma"]

_gammaln = of_one("gammaln")


# (-1)ᵏ (ζ(k) - 1) / k for k = 2 ... 9: with 1 - γ the coefficients of log Γ(2 + e), DLMF 5.7.3.
_AT_2 = (
    *(0.32246703342411320, -0.067352301053198095, 0.020580808427784548, -0.0073855510286739853),
    *(0.0028905103307415233, -0.0011927539117032610, 0.00050966952474304242, -0.00022315475845357938),
)


def _beside_2(e):
    """log Γ(2 + e) for a small e."""
    return e * (1 - np.euler_gamma) + e * e * functools.reduce(lambda total, c: total * e + c, reversed(_AT_2), 0.0)


def _lgamma(x):
    """SciPy's, which has -inf at -inf, and loses the digits of what is close to 0, beside 1 and 2."""
    one, two = np.clip(x - 1, -0.01, 0.01), np.clip(x - 2, -0.01, 0.01)
    out = np.where(x == -np.inf, np.inf, _gammaln(x))
    out = np.where(one == x - 1, _beside_2(one) - np.log1p(one), out)
    return np.where(two == x - 2, _beside_2(two), out).astype(x.dtype, copy=False)


lgamma = elementwise(
    "lgamma",
    _lgamma,
    "x",
    lambda g, x: g * digamma(x),
    promote="float",
    doc="log |Γ(x)|; inf at 0, -1, -2, ... Gradient: g digamma(x).",
    example="ac.lgamma(ac.tensor([1.0, 5.0])) -> tensor([0.0000, 3.1781])",
)


digamma = elementwise(
    "digamma",
    of_one("psi"),
    "x",
    lambda g, x: g * of_order(x, 1),
    promote="float",
    doc="ψ(x), the derivative of lgamma; NaN at -1, -2, ... Gradient: g polygamma(1, x).",
    example="ac.digamma(ac.tensor([1.0, 2.0])) -> tensor([-0.5772,  0.4228])",
)


_psi, _zeta = of_one("psi"), of_two("zeta")


def _polygamma(x, n):
    if n < 0:
        raise RuntimeError(f"polygamma(n, x) does not support negative n, got {n}")
    if n == 0:
        return _psi(x)
    return (-1.0) ** (n + 1) * math.factorial(n) * _zeta(n + 1.0, x)


of_order = elementwise(
    "polygamma",
    _polygamma,
    "x",
    lambda g, x, n: g * of_order(x, n + 1),
    promote="float",
    doc="`polygamma` with the order `n` second, as the method takes it. Gradient: g polygamma(n + 1, x).",
    example="ac.tensor([1.0, 2.0]).polygamma(1) -> tensor([1.6449, 0.6449])",
)


def polygamma(n: int, input):
    """ψ⁽ⁿ⁾(input), the n-th derivative of digamma: for n >= 1, (-1)ⁿ⁺¹ n! zeta(n + 1, input). RuntimeError for n < 0.

    Any shape; integers become the default floating dtype. Gradient: g polygamma(n + 1, input).

    >>> import autograd_core as ac
    >>> ac.polygamma(1, ac.tensor([1.0, 2.0]))
    tensor([1.6449, 0.6449])
    """
    return of_order(input, n)


def _mvlgamma(x, p):
    if p < 1:
        raise RuntimeError(f"mvlgamma: p has to be greater than or equal to 1, got {p}")
    shifted = np.asarray(x)[..., None] - np.arange(p, dtype=x.dtype) / 2
    return np.add.reduce(_lgamma(shifted), axis=-1) + p * (p - 1) / 4 * math.log(math.pi)


def d_mvlgamma(g, x, p):
    """g times the sum of digamma at the points where lgamma was taken."""
    slope = digamma(x)
    for i in range(1, p):
        slope = slope + digamma(x - i / 2)
    return g * slope


mvlgamma = elementwise(
    "mvlgamma",
    _mvlgamma,
    "x",
    d_mvlgamma,
    promote="float",
    doc=(
        "The logarithm of the multivariate gamma function of dimension p: p (p - 1) / 4 log π + Σ lgamma(x - i/2) for\n"
        "i = 0 ... p - 1. RuntimeError for p < 1. Gradient: g Σ digamma(x - i/2)."
    ),
    example="ac.mvlgamma(ac.tensor([2.0, 3.0]), 2) -> tensor([0.4516, 1.5502])",
)

zeta = elementwise(
    "zeta",
    of_two("zeta"),
    "x y",
    no_derivative("zeta", "it is differentiable in its second argument"),
    lambda g, x, y: g * (-x * zeta(x + 1, y)),
    promote="float",
    doc=(
        "The Hurwitz zeta function, Σ 1 / (k + other)ˣ over k = 0, 1, ... Gradient for `other`:\n"
        "-g x zeta(x + 1, other); one that reaches `input` is a NotImplementedError."
    ),
    example="ac.special.zeta(ac.tensor([2.0, 4.0]), 1) -> tensor([1.6449, 1.0823])",
)


def d_gammainc(g, x, y):
    """g times the density of the gamma distribution: y^(x-1) exp(-y) / Γ(x)."""
    return g * exp((x - 1) * log(y) - y - lgamma(x))


igamma = elementwise(
    "igamma",
    of_two("gammainc"),
    "x y",
    no_derivative("igamma: input", "it is differentiable in its second argument"),
    d_gammainc,
    promote="float",
    doc=(
        "The regularized lower incomplete gamma function: the integral of exp(-t) tˣ⁻¹ from 0 to `other`, over Γ(x).\n"
        "Gradient for `other`: g times the integrand; one that reaches `input` is a NotImplementedError."
    ),
    example="ac.igamma(ac.tensor([1.0, 2.0]), ac.tensor([1.0, 1.0])) -> tensor([0.6321, 0.2642])",
)

igammac = elementwise(
    "igammac",
    of_two("gammaincc"),
    "x y",
    no_derivative("igammac: input", "it is differentiable in its second argument"),
    lambda g, x, y: -d_gammainc(g, x, y),
    promote="float",
    doc=(
        "1 - igamma, exact where that is close to 0. Gradient for `other`: that of igamma with the opposite sign; one\n"
        "that reaches `input` is a NotImplementedError."
    ),
    example="ac.igammac(ac.tensor([1.0, 2.0]), ac.tensor([1.0, 1.0])) -> tensor([0.3679, 0.7358])",
)
