"""The precision that sums are carried in: float16 is added up in float32, and the result brought back."""

from __future__ import annotations

import functools

import numpy as np

from ..core import dtypes

HALF, SINGLE = np.dtype(np.float16), np.dtype(np.float32)


def carrier(kind: np.dtype) -> np.dtype:
    """The NumPy dtype that a sum with result type `kind` is carried in."""
    return SINGLE if kind == HALF else kind


def total_dtype(x, dtype) -> np.dtype:
    """The NumPy dtype of a sum or product: `dtype`, else int64 for integers and bools, else the input's."""
    if dtype is not None:
        return dtypes.as_dtype(dtype).numpy
    return np.dtype(np.int64) if x.dtype.kind in "biu" else x.dtype


def folded(ufunc, x, axis, keepdims=False, dtype=None):
    """`ufunc.reduce` with the result in `total_dtype`."""
    if dtype is None and x.dtype.kind == "f" and x.dtype != HALF:
        return ufunc.reduce(x, axis=axis, keepdims=keepdims)
    kind = total_dtype(x, dtype)
    return ufunc.reduce(x, axis=axis, dtype=carrier(kind), keepdims=keepdims).astype(kind, copy=False)


def carried_wide(forward):
    """Decorate a forward `f(x, ...)`: given float16 it computes in float32, and its floating results come back."""

    def narrow(value):
        return value.astype(HALF) if value.dtype == SINGLE else value

    @functools.wraps(forward)
    def compute(x, *args, **params):
        if x.dtype != HALF:
            return forward(x, *args, **params)
        out = forward(x.astype(SINGLE), *args, **params)
        return tuple(narrow(value) for value in out) if isinstance(out, tuple) else narrow(out)

    return compute
