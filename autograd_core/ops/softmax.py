"""Softmax and its logarithm."""

from __future__ import annotations

import numpy as np

from .. import dtypes
from ..primitive import general
from .elementwise import exp
from .precision import carrier
from .reduction import sum
from .shape import axes_of


def _shifted(name, x, dim, dtype):
    """x minus its largest element along `dim`, as a new array, with the axis and the dtype that the result has."""
    if dtype is not None:
        x = x.astype(dtypes.as_dtype(dtype).numpy, copy=False)
    if x.dtype.kind != "f":
        raise NotImplementedError(
            f"{name}() is not implemented for {x.dtype.name}; convert the tensor, or pass dtype=ac.float32"
        )
    axis, kind = axes_of(dim, x.ndim), x.dtype
    x = x.astype(carrier(kind), copy=False)
    return x - np.maximum.reduce(x, axis=axis, keepdims=True, initial=-np.inf), axis, kind


def _softmax(x, dim, dtype=None):
    out, axis, kind = _shifted("softmax", x, dim, dtype)
    out = np.exp(out)
    out /= np.add.reduce(out, axis=axis, keepdims=True)
    return out.astype(kind, copy=False)


def _log_softmax(x, dim, dtype=None):
    out, axis, kind = _shifted("log_softmax", x, dim, dtype)
    if out.size:  # the sum over an empty axis has no logarithm
        out -= np.log(np.add.reduce(np.exp(out), axis=axis, keepdims=True))
    return out.astype(kind, copy=False)


def d_softmax_dx(g, out, dim):
    """out (g - Σ g out): what raises one probability lowers the others."""
    weighted = g * out
    return weighted - out * sum(weighted, dim, True)


softmax = general(
    "softmax",
    _softmax,
    "x",
    d_softmax_dx,
    doc="exp(x) / Σ exp(x) along `dim`, shifted by the largest element so that nothing overflows. NotImplementedError "
    "for integers unless `dtype` is given. Gradient: out (g - Σ g out).",
    example="ac.softmax(ac.tensor([1.0, 1.0, 1000.0]), dim=0) -> tensor([0., 0., 1.])",
)
log_softmax = general(
    "log_softmax",
    _log_softmax,
    "x",
    lambda g, out, dim: g - exp(out) * sum(g, dim, True),
    doc="x - log Σ exp(x) along `dim`: the logarithm of softmax without ever taking the logarithm of 0. "
    "NotImplementedError for integers unless `dtype` is given. Gradient: g - softmax(x) Σ g.",
    example="ac.log_softmax(ac.tensor([0.0, 0.0]), dim=0) -> tensor([-0.6931, -0.6931])",
)

__all__ = ["log_softmax", "softmax"]
METHODS = __all__
