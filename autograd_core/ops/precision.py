"""The precision that sums are carried in: float16 is added up in float32, and the result brought back."""

from __future__ import annotations

import functools

import numpy as np

from ..core import dtypes
from ..core.dtypes import HALF, SINGLE
from ..core.primitive import in_single, narrowed, widened


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


def carried_wide(function):
    """Decorate a forward, or a composition: where all it is given is half precision, it computes in single.

    Its results are rounded. A `dtype` that is asked for is left to the function.
    """
    wide = in_single(function)

    @functools.wraps(function)
    def compute(x, *args, **params):
        if getattr(x, "_array", x).dtype != HALF or params.get("dtype") is not None or _mixed(args, params):
            return function(x, *args, **params)
        return narrowed(wide(x, *args, **{name: widened(value) for name, value in params.items()}))

    return compute


def _mixed(args, params) -> bool:
    """Whether there are floating arrays or tensors among the arguments that are not of half precision."""
    arrays = [getattr(value, "_array", value) for value in (*args, *params.values())]
    return any(isinstance(a, np.ndarray) and a.dtype.kind == "f" and a.dtype != HALF for a in arrays)
