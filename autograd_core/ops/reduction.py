"""Ops that fold axes away: sums, means, products, norms, extremes."""

from __future__ import annotations

import numpy as np

from .. import dtypes
from ..primitive import general, linear
from .shape import axes_of

ndarray = np.ndarray


def kept_shape(shape, dim) -> tuple[int, ...]:
    """`shape` with length 1 in the axes that were reduced: what a keepdim=True result has."""
    axes = axes_of(dim, len(shape))
    return tuple(1 if a in axes else n for a, n in enumerate(shape))


def _spread(x, shape, dim=None):
    out = np.empty(shape, x.dtype)
    out[...] = x if dim is None and x.size == 1 else x.reshape(kept_shape(shape, dim))
    return out


spread = linear(
    "spread",
    _spread,
    "x",
    lambda g, x_shape, dim: sum(g, dim).reshape(x_shape),
    doc="Copies of a reduced value over the axes it was reduced along: the gradient of a sum.",
)


def _sum(x, dim=None, keepdim=False, dtype=None):
    kind = dtypes.as_dtype(dtype).numpy if dtype is not None else np.dtype(np.int64) if x.dtype.kind in "biu" else None
    axis = None if dim is None else axes_of(dim, x.ndim)
    return np.add.reduce(x, axis=axis, dtype=kind, keepdims=keepdim)


sum = linear(
    "sum",
    _sum,
    "x",
    lambda g, x_shape, dim: spread(g, x_shape, dim),
    doc="Sum over all elements, or over the axes `dim`. Integers and bools are summed in int64. Gradient: g for every element.",
    example="ac.sum(ac.tensor([[1.0, 2.0], [3.0, 4.0]]), dim=0) -> tensor([4., 6.])",
)

__all__ = ["sum"]
METHODS = __all__
