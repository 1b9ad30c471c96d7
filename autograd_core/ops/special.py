"""The error functions, the gamma function and its relatives, and products with a logarithm, through SciPy.

SciPy is imported by the first call. Without it `erf`, `erfc` and `lgamma` are Python's own, element by element, and
the others raise an ImportError that says what to install.
"""

from __future__ import annotations

import functools
import importlib
import math

import numpy as np

from ..core.primitive import elementwise
from .elementwise import exp, log, square
from .piecewise import where
from .undifferentiated import no_derivative

__all__ = [
    "digamma",
    "erf",
    "erfc",
    "erfinv",
    "igamma",
    "igammac",
    "lgamma",
    "logit",
    "mvlgamma",
    "polygamma",
    "xlogy",
]
METHODS = [name for name in __all__ if name != "polygamma"]  # a tensor's takes the order after the tensor
IN_PLACE = METHODS

# -- SciPy's functions as forwards


def _log_gamma(x: float) -> float:
    try:
        return math.lgamma(x)
    except ValueError:  # a pole
        return math.inf


_WITHOUT_SCIPY = {"erf": math.erf, "erfc": math.erfc, "gammaln": _log_gamma}


@functools.cache
def compiled(name: str):
    """SciPy's function of that name, or Python's if SciPy is not installed. ImportError where there is neither."""
    try:
        return getattr(importlib.import_module("scipy.special"), name)
    except ImportError:
        if name in _WITHOUT_SCIPY:
            return np.frompyfunc(_WITHOUT_SCIPY[name], 1, 1)
        raise ImportError(f"this op computes with scipy.special.{name}; install SciPy: pip install scipy") from None


def of_one(name: str):
    """SciPy's function of one number, with a result of the input's dtype."""
    return lambda x: np.asarray(compiled(name)(x)).astype(x.dtype, copy=False)


def of_two(name: str):
    """SciPy's function of two numbers, with a result of the inputs' dtype."""

    def forward(x, y):
        kind = x.dtype if hasattr(x, "dtype") else y.dtype
        return np.asarray(compiled(name)(x, y)).astype(kind, copy=False)

    return forward


# -- error functions and the normal distribution

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

# -- the gamma function and its relatives

_gammaln = of_one("gammaln")


def _lgamma(x):
    return np.where(x == -np.inf, np.inf, _gammaln(x))  # SciPy has -inf there


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
    return np.add.reduce(_gammaln(shifted), axis=-1) + p * (p - 1) / 4 * math.log(math.pi)


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

# -- products with a logarithm, and log odds


def _times_log(logarithm):
    def forward(x, y):
        zero = (x == 0) & (y == y)  # 0 log y is 0, but for NaN
        product = x * logarithm(np.where(zero, 1, y))
        return np.where(zero, 0, product).astype(x.dtype if hasattr(x, "dtype") else y.dtype, copy=False)

    return forward


def d_xlogy(g, x, y):
    """g log y, and 0 where x is 0 and the logarithm is not finite."""
    flat = (x == 0) & (y <= 0)
    return where(flat, 0.0, xlogy(g, where(flat, 1.0, y)))


def d_xlog1py(g, x, y):
    """g log(1 + y), and 0 where x is 0 and the logarithm is not finite."""
    flat = (x == 0) & (y <= -1)
    return where(flat, 0.0, xlog1py(g, where(flat, 1.0, y)))


xlogy = elementwise(
    "xlogy",
    _times_log(np.log),
    "x y",
    d_xlogy,
    lambda g, x, y: g * x / y,
    promote="float",
    doc=(
        "x log y, and 0 where x = 0, whatever y but NaN. Gradients: g log y, which is 0 where x = 0 and y <= 0, and\n"
        "g x / y."
    ),
    example="ac.xlogy(ac.tensor([0.0, 2.0]), ac.tensor([0.0, 3.0])) -> tensor([0.0000, 2.1972])",
)

xlog1py = elementwise(
    "xlog1py",
    _times_log(np.log1p),
    "x y",
    d_xlog1py,
    lambda g, x, y: g * x / (y + 1),
    promote="float",
    doc=(
        "x log(1 + y), and 0 where x = 0, whatever y but NaN. Gradients: g log(1 + y), which is 0 where x = 0 and\n"
        "y <= -1, and g x / (1 + y)."
    ),
    example="ac.special.xlog1py(ac.tensor([0.0, 2.0]), ac.tensor([-1.0, 3.0])) -> tensor([0.0000, 2.7726])",
)


def _entr(x):
    inner = np.where(x > 0, x, 1)
    return np.where(x > 0, -x * np.log(inner), np.where(x < 0, -np.inf, x))


entr = elementwise(
    "entr",
    _entr,
    "x",
    lambda g, x: g * -(1 + log(x)),
    promote="float",
    doc="-x log x, the part of an entropy; 0 at 0 and -inf below. Gradient: -g (1 + log x).",
    example="ac.special.entr(ac.tensor([0.0, 0.5])) -> tensor([0.0000, 0.3466])",
)


def _logit(x, eps=None):
    if eps is not None:
        x = np.minimum(np.maximum(x, eps), 1 - eps)
    return np.log(x / (1 - x))


def d_logit(g, x, eps):
    """g / (x (1 - x)) within the bounds, themselves included; outside 0 where x was limited, else NaN."""
    low, outside = (0.0, math.nan) if eps is None else (eps, 0.0)
    within = (x >= low) & (x <= 1 - low)
    inner = where(within, x, 0.5)
    return where(within, g / (inner * (1 - inner)), outside)


logit = elementwise(
    "logit",
    _logit,
    "x",
    d_logit,
    promote="float",
    doc=(
        "log(x / (1 - x)), the inverse of sigmoid on (0, 1); with `eps`, x is first limited to [eps, 1 - eps].\n"
        "Gradient: g / (x (1 - x)), on the limits too; beyond them 0, and NaN beyond 0 and 1 where there are none."
    ),
    example="ac.logit(ac.tensor([0.5, 0.9])) -> tensor([0.0000, 2.1972])",
)
