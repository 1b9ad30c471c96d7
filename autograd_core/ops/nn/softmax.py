"""Softmax and its logarithm."""

from __future__ import annotations

import numpy as np

from ...core import dtypes
from ...core.silence import nameless
from ...core.table import general
from ..elementwise.arithmetic import exp
from ..large_arrays import blocks_of, line_sums
from ..precision import carried_wide, carrier
from ..reductions.reduction import sum
from ..shapes.shape import axes_of

__all__ = ["log_softmax", "softmax"]
METHODS = __all__


@nameless
def _prepared(name, x, dim, dtype):
    """x in the dtype that is computed in, the axes, and the dtype of the result."""
    if dtype is not None:
        x = x.astype(dtypes.as_dtype(dtype).numpy, copy=False)
    if x.dtype.kind != "f":
        raise NotImplementedError(
            f"{name}() is not implemented for {x.dtype.name}; convert the tensor, or pass dtype=ac.float32"
        )
    return x.astype(carrier(x.dtype), copy=False), axes_of(dim, x.ndim), x.dtype


@nameless
def _shift(x, axis, out):
    """Put x minus its largest element along `axis` into `out`, so that nothing overflows in an exponential."""
    return np.subtract(x, np.maximum.reduce(x, axis=axis, keepdims=True, initial=-np.inf), out=out)


@nameless
def _softmax(x, dim, dtype=None):
    x, axis, kind = _prepared("softmax", x, dim, dtype)
    out = np.empty(x.shape, x.dtype)
    for rows in blocks_of(x, axis):
        part = _shift(x[rows], axis, out[rows])
        np.exp(part, out=part)
        part /= line_sums(part, axis)
    return out.astype(kind, copy=False)


@nameless
def _log_softmax(x, dim, dtype=None):
    x, axis, kind = _prepared("log_softmax", x, dim, dtype)
    out = np.empty(x.shape, x.dtype)
    for rows in blocks_of(x, axis) if x.size else ():  # the sum over an empty axis has no logarithm
        part = _shift(x[rows], axis, out[rows])
        part -= np.log(line_sums(np.exp(part), axis))
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


@carried_wide
@nameless
def _log_softmax_backward(x, result, dim):
    axis = axes_of(dim, x.ndim)
    out = np.empty(x.shape, x.dtype)
    for rows in blocks_of(x, axis):
        part = np.exp(result[rows], out=out[rows], dtype=x.dtype)
        part *= -line_sums(x[rows], axis)
        part += x[rows]
    return out


log_softmax_backward = general(
    "log_softmax_backward",
    _log_softmax_backward,
    "x result",
    lambda g, result, dim: g - sum(g * exp(result), dim, True),
    lambda g, x, result, dim: -g * exp(result) * sum(x, dim, True),
    doc="`input` - exp(`result`) Σ `input` along `dim`: the gradient of log_softmax, whose result is given.",
)
log_softmax = general(
    "log_softmax",
    _log_softmax,
    "x",
    lambda g, out, dim: log_softmax_backward(g, out, dim),
    doc="x - log Σ exp(x) along `dim`: the logarithm of softmax without ever taking the logarithm of 0. "
    "NotImplementedError for integers unless `dtype` is given. Gradient: g - softmax(x) Σ g.",
    example="ac.log_softmax(ac.tensor([0.0, 0.0]), dim=0) -> tensor([-0.6931, -0.6931])",
)
