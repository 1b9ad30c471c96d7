"""Bessel functions, through SciPy: the modified ones of the first kind with gradients, the others without."""

from __future__ import annotations

import math

import numpy as np

from ...core.table import elementwise, nondiff
from ..elementwise.piecewise import sign, where
from .through_scipy import compiled, of_one

__all__ = ["i0"]
METHODS = IN_PLACE = __all__

i0 = elementwise(
    "i0",
    of_one("i0"),
    "x",
    lambda g, x: g * i1(x),
    promote="float",
    doc="The modified Bessel function of the first kind of order 0. Gradient: g i1(x).",
    example="ac.i0(ac.tensor([0.0, 1.0])) -> tensor([1.0000, 1.2661])",
)

i0e = elementwise(
    "i0e",
    of_one("i0e"),
    "x",
    lambda g, x, out: g * (i1e(x) - sign(x) * out),
    promote="float",
    doc="exp(-|x|) i0(x), which does not overflow. Gradient: g (i1e(x) - sign(x) out), so 0 at the kink x = 0.",
    example="ac.special.i0e(ac.tensor([0.0, 1.0])) -> tensor([1.0000, 0.4658])",
    kinks={0.0: 0.0},
)


def d_i1(g, x, out):
    """g (i0(x) - out / x), and its limit g / 2 at x = 0."""
    safe = where(x == 0, 1.0, x)
    return g * where(x == 0, 0.5, i0(safe) - out / safe)


def d_i1e(g, x, out):
    """g (i0e(x) - out (sign(x) + 1 / x)), and its limit g / 2 at x = 0."""
    safe = where(x == 0, 1.0, x)
    return g * where(x == 0, 0.5, i0e(safe) - out * (sign(safe) + 1 / safe))


i1 = elementwise(
    "i1",
    of_one("i1"),
    "x",
    d_i1,
    promote="float",
    doc="The modified Bessel function of the first kind of order 1. Gradient: g (i0(x) - out / x), g / 2 at 0.",
    example="ac.special.i1(ac.tensor([0.0, 1.0])) -> tensor([0.0000, 0.5652])",
)

i1e = elementwise(
    "i1e",
    of_one("i1e"),
    "x",
    d_i1e,
    promote="float",
    doc="exp(-|x|) i1(x), which does not overflow. Gradient: g (i0e(x) - out (sign(x) + 1 / x)), g / 2 at 0.",
    example="ac.special.i1e(ac.tensor([0.0, 1.0])) -> tensor([0.0000, 0.2079])",
)


# -- functions that PyTorch does not differentiate


def _undifferentiated(name: str, forward, doc: str, at_1: str):
    return nondiff(
        name, forward, "x", promote="float", doc=doc, example=f"ac.special.{name}(ac.tensor(1.0)) -> tensor({at_1})"
    )


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
