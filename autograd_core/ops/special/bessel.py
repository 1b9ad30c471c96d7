"""Bessel functions, through SciPy: the modified ones of the first kind with gradients, the others without."""

from __future__ import annotations

import math

import numpy as np

from ...core.call import also_called
from ...core.table import elementwise, nondiff
from .through_scipy import compiled, of_one

__all__ = ["i0"]
METHODS = IN_PLACE = __all__

# -- the modified ones of the first kind, of any order, and their derivatives of any order

FAR = 25.0  # from here on the series in 1/x, which diverges, is exact to double precision before it does


def _slopes(values, n: int, k: int, x):
    """The k-th derivative of Iₙ, or with `x` of exp(-x) Iₙ, from values(m) of the order m: by (Iₘ₋₁ + Iₘ₊₁) / 2."""
    coefficients = np.ones(1)
    for _ in range(k):
        coefficients = np.convolve(coefficients, [0.5, 0.0 if x is None else -1.0, 0.5])
    return sum(c * values(n + j - k) for j, c in enumerate(coefficients) if c)


def _scaled_far(x, n: int, k: int):
    """The k-th derivative of exp(-x) Iₙ(x) for a large x, by the series in 1/x (DLMF 10.40.1), term by term."""
    total, coefficient = np.zeros_like(x), 1.0
    for m in range(30):
        slope = math.prod(-(m + 0.5 + i) for i in range(k))
        total = total + coefficient * slope * x ** (-m - k)
        coefficient *= -(4 * n * n - (2 * m + 1) ** 2) / (8 * (m + 1))
    return total / np.sqrt(2 * math.pi * x)


def _value(m: int, x, scaled: str):
    """Iₘ(x), or exp(-|x|) Iₘ(x) where `scaled` is "e"; orders below 0 are those above."""
    m = abs(m)
    return compiled(f"i{m}{scaled}")(x) if m < 2 else compiled("ive" if scaled else "iv")(m, x)


def _i_of_order(x, n, k):
    z = x.astype(np.float64)
    return np.asarray(_slopes(lambda m: _value(m, z, ""), n, k, None)).astype(x.dtype)


def _ie_of_order(x, n, k):
    size = np.abs(x.astype(np.float64))
    near = np.minimum(size, FAR)
    value = _slopes(lambda m: _value(m, near, "e"), n, k, near)
    value = np.where(size > FAR, _scaled_far(np.maximum(size, FAR), n, k), value)
    value = np.where(size == 0, _slopes(lambda m: _value(m, size, "e"), n, k, None), value)  # the slope of |x| counts 0
    return (value * np.sign(x) if (n + k) % 2 else value).astype(x.dtype)


i_of_order = elementwise(
    "i_of_order",
    _i_of_order,
    "x",
    lambda g, x, n, k: g * i_of_order(x, n, k + 1),
    promote="float",
    doc="The k-th derivative of the modified Bessel function of the first kind of order n. Gradient: g times the next.",
    example="ac.ops.bessel.i_of_order(ac.tensor([0.0, 1.0]), 1, 1) -> tensor([0.5000, 0.7009])",
)
ie_of_order = elementwise(
    "ie_of_order",
    _ie_of_order,
    "x",
    lambda g, x, n, k: g * ie_of_order(x, n, k + 1),
    promote="float",
    doc="The k-th derivative of exp(-|x|) times that function. Gradient: g times the next one.",
    example="ac.ops.bessel.ie_of_order(ac.tensor([0.0, 1.0]), 1, 1) -> tensor([0.5000, 0.0499])",
)

i0 = elementwise(
    "i0",
    of_one("i0"),
    "x",
    lambda g, x: g * i_of_order(x, 0, 1),
    promote="float",
    doc="The modified Bessel function of the first kind of order 0. Gradient: g i1(x).",
    example="ac.i0(ac.tensor([0.0, 1.0])) -> tensor([1.0000, 1.2661])",
)

i0e = elementwise(
    "i0e",
    of_one("i0e"),
    "x",
    lambda g, x, out: g * ie_of_order(x, 0, 1),  # here and below PyTorch saves the result too
    promote="float",
    doc="exp(-|x|) i0(x), which does not overflow. Gradient: g (i1e(x) - sign(x) out), so 0 at the kink x = 0.",
    example="ac.special.i0e(ac.tensor([0.0, 1.0])) -> tensor([1.0000, 0.4658])",
    kinks={0.0: 0.0},
)


i1 = elementwise(
    "i1",
    of_one("i1"),
    "x",
    lambda g, x, out: g * i_of_order(x, 1, 1),
    promote="float",
    doc="The modified Bessel function of the first kind of order 1. Gradient: g (i0(x) - out / x), g / 2 at 0.",
    example="ac.special.i1(ac.tensor([0.0, 1.0])) -> tensor([0.0000, 0.5652])",
)

i1e = elementwise(
    "i1e",
    of_one("i1e"),
    "x",
    lambda g, x, out: g * ie_of_order(x, 1, 1),
    promote="float",
    doc="exp(-|x|) i1(x), which does not overflow. Gradient: g (i0e(x) - out (sign(x) + 1 / x)), g / 2 at 0.",
    example="ac.special.i1e(ac.tensor([0.0, 1.0])) -> tensor([0.0000, 0.2079])",
)


# -- functions that PyTorch does not differentiate


def _undifferentiated(name: str, forward, doc: str, at_1: str):
    example = f"ac.special.{name}(ac.tensor(1.0)) -> tensor({at_1})"
    return also_called(x="input")(nondiff(name, forward, "x", promote="float", doc=doc, example=example))


def _first_part(name: str):
    return lambda x: np.asarray(compiled(name)(x)[0]).astype(x.dtype, copy=False)


airy_ai = _undifferentiated("airy_ai", _first_part("airy"), "The Airy function Ai.", "0.1353")
bessel_j0 = _undifferentiated("bessel_j0", of_one("j0"), "The Bessel function of the first kind of order 0.", "0.7652")
bessel_j1 = _undifferentiated("bessel_j1", of_one("j1"), "The Bessel function of the first kind of order 1.", "0.4401")
bessel_y0 = _undifferentiated("bessel_y0", of_one("y0"), "The Bessel function of the second kind of order 0.", "0.0883")
bessel_y1 = _undifferentiated(
    "bessel_y1", of_one("y1"), "The Bessel function of the second kind of order 1.", "-0.7812"
)
modified_bessel_i0 = _undifferentiated(
    "modified_bessel_i0", of_one("i0"), "The values of `i0`, without a gradient, as in PyTorch.", "1.2661"
)
modified_bessel_i1 = _undifferentiated(
    "modified_bessel_i1", of_one("i1"), "The values of `i1`, without a gradient, as in PyTorch.", "0.5652"
)
modified_bessel_k0 = _undifferentiated(
    "modified_bessel_k0", of_one("k0"), "The modified Bessel function of the second kind of order 0.", "0.4210"
)
modified_bessel_k1 = _undifferentiated(
    "modified_bessel_k1", of_one("k1"), "The modified Bessel function of the second kind of order 1.", "0.6019"
)
scaled_modified_bessel_k0 = _undifferentiated(
    "scaled_modified_bessel_k0", of_one("k0e"), "exp(x) times modified_bessel_k0(x).", "1.1445"
)
scaled_modified_bessel_k1 = _undifferentiated(
    "scaled_modified_bessel_k1", of_one("k1e"), "exp(x) times modified_bessel_k1(x).", "1.6362"
)
spherical_bessel_j0 = _undifferentiated(
    "spherical_bessel_j0",
    lambda x: np.sinc(x / math.pi).astype(x.dtype, copy=False),
    "sin(x) / x, the spherical Bessel function of the first kind of order 0; 1 at 0.",
    "0.8415",
)
