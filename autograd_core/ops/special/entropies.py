"""Products with a logarithm, as entropies have them, and log odds."""

from __future__ import annotations

import math

import numpy as np

from ...core.table import elementwise
from ..elementwise.arithmetic import log
from ..elementwise.piecewise import where

__all__ = ["logit", "xlogy"]
METHODS = IN_PLACE = __all__


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
    odds = x / (1 - x)
    return np.where(np.abs(x - 0.5) < 0.25, np.log1p((x - 0.5) / (1 - x) * 2), np.log(odds)).astype(x.dtype, copy=False)


def d_logit(g, x, eps):
    """g / (x (1 - x)) within the bounds, themselves included; outside 0 where x was limited, else NaN; NaN at NaN."""
    low, outside = (0.0, math.nan) if eps is None else (eps, 0.0)
    beyond = (x < low) | (x > 1 - low)
    inner = where(beyond, 0.5, x)
    return where(beyond, outside, g / inner / (1 - inner))


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
