"""The precision that sums are carried in: float16 is added up in float32, and the result brought back."""

from __future__ import annotations

import functools
import inspect

import numpy as np

from ..core import dtypes
from ..core.dtypes import HALF, SINGLE
from ..core.primitive import in_single, narrowed, widened
from ..core.silence import is_nameless, nameless


def carrier(kind: np.dtype) -> np.dtype:
    """The NumPy dtype that a sum with result type `kind` is carried in."""
    return SINGLE if kind == HALF else kind


MANY, IN_TURN = 1 << 15, 512  # elements of an array; rows that may be added up one after the other
PART, LONG = 128, 64  # rows of a part; elements of a row for which parts are worth while


@nameless
def add_up(x, axis=None, keepdims=False):
    """`np.add.reduce`, in double precision where it would add very many rows in single, one after the other.

    Along one axis only the sums of parts are added in double, which takes half the time. Along the axis on which the
    elements lie next to each other NumPy adds in pairs.
    """
    if x.size < MANY or x.dtype != SINGLE or _rows_in_turn(x, axis) <= IN_TURN:
        return np.add.reduce(x, axis=axis, keepdims=keepdims)
    (only, *others) = (axis,) if isinstance(axis, int) else axis or range(x.ndim)
    if not others and x.size >= LONG * x.shape[only]:
        parts = [(slice(None),) * only + (slice(i, i + PART),) for i in range(0, x.shape[only], PART)]
        sums = [np.add.reduce(x[part], axis=only, keepdims=keepdims) for part in parts]
        return np.add.reduce(sums, axis=0, dtype=np.float64).astype(SINGLE)
    return np.add.reduce(x, axis=axis, keepdims=keepdims, dtype=np.float64).astype(SINGLE)


def _rows_in_turn(x, axis) -> int:
    reduced = range(x.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
    rows, innermost = 1, True
    for a in sorted(range(x.ndim), key=lambda a: abs(x.strides[a])):
        innermost = innermost and (a in reduced or x.shape[a] == 1)
        if a in reduced and not innermost:
            rows *= x.shape[a]
    return rows


def total_dtype(x, dtype) -> np.dtype:
    """The NumPy dtype of a sum or product: `dtype`, else int64 for integers and bools, else the input's."""
    if dtype is not None:
        return dtypes.as_dtype(dtype).numpy
    return np.dtype(np.int64) if x.dtype.kind in "biu" else x.dtype


@nameless
def folded(ufunc, x, axis, keepdims=False, dtype=None):
    """`ufunc.reduce` with the result in `total_dtype`."""
    if dtype is None and x.dtype.char in "fd":
        return (add_up if ufunc is np.add else ufunc.reduce)(x, axis=axis, keepdims=keepdims)
    kind = total_dtype(x, dtype)
    return ufunc.reduce(x, axis=axis, dtype=carrier(kind), keepdims=keepdims).astype(kind, copy=False)


def carried_wide(function):
    """Decorate a forward, or a composition: where all it is given is half precision, it computes in single.

    Its results are rounded. A `dtype` that is asked for is left to the function.
    """
    wide, first = in_single(function), inspect.unwrap(function).__code__.co_varnames[0]

    @functools.wraps(function)
    def compute(*args, **params):
        if args and type(args[0]) is np.ndarray and args[0].dtype.itemsize > 2:  # what mostly comes is told at once
            return function(*args, **params)
        x = args[0] if args else params.get(first)
        kind = getattr(getattr(x, "_array", x), "dtype", None)
        if kind != HALF or params.get("dtype") is not None or _mixed(args, params):
            return function(*args, **params)
        return narrowed(wide(*args, **{name: widened(value) for name, value in params.items()}))

    compute.of_wide = function  # type: ignore[attr-defined]  # for a text that has looked at the dtype: see `core.text`
    return nameless(compute) if is_nameless(function) else compute


def _mixed(args, params) -> bool:
    """Whether there are floating arrays or tensors among the arguments that are not of half precision."""
    arrays = [getattr(value, "_array", value) for value in (*args, *params.values())]
    return any(isinstance(a, np.ndarray) and a.dtype.kind == "f" and a.dtype != HALF for a in arrays)
