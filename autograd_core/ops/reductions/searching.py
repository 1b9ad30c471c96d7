"""Finding and counting values: places in an order, members, distinct elements, histograms. None carries gradients."""

from __future__ import annotations

import numpy as np

from ...core.call import also_called
from ...core.table import nondiff
from ...core.tensor import wrap
from ..shapes.shape import axis_of

__all__ = ["bincount", "bucketize", "histc", "isin", "searchsorted", "unique", "unique_consecutive"]
METHODS = ["bincount", "histc", "unique", "unique_consecutive"]

# -- places in an order


def _places(sequence, x, right):
    return np.searchsorted(sequence, x, "right" if right else "left")


def _searchsorted(sorted_sequence, x, sorter=None, *, out_int32=False, right=False, side=None):
    if side not in (None, "left", "right"):
        raise RuntimeError(f"searchsorted(): side can only be 'left' or 'right' but got {side}")
    if side == "left" and right:
        raise RuntimeError(
            "searchsorted(): side and right can't be set to opposites, got side of left while right is True"
        )
    right = right or side == "right"
    x = np.asarray(x)
    if not sorted_sequence.ndim:
        raise RuntimeError("searchsorted(): boundaries tensor should have positive dimension, but got 0 dimension")
    if sorted_sequence.ndim > 1 and sorted_sequence.shape[:-1] != x.shape[:-1]:
        raise RuntimeError(
            "searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor "
            f"and input value tensor must match, but we got boundaries tensor {list(sorted_sequence.shape)} and input "
            f"value tensor {list(x.shape)}"
        )
    if sorter is not None:
        if sorter.shape != sorted_sequence.shape or sorter.dtype != np.int64:
            raise RuntimeError(
                "searchsorted(): sorter must be an int64 tensor of the shape of boundaries, "
                f"{list(sorted_sequence.shape)}; got {sorter.dtype} {list(sorter.shape)}"
            )
        if sorter.size and (sorter.min() < 0 or sorter.max() >= sorter.shape[-1]):
            raise RuntimeError("searchsorted(): sorter index out of range")
        sorted_sequence = np.take_along_axis(sorted_sequence, sorter, -1)
    if sorted_sequence.ndim == 1:
        places = _places(sorted_sequence, x, right)
    else:
        lines = zip(sorted_sequence.reshape(-1, sorted_sequence.shape[-1]), x.reshape(-1, x.shape[-1]))
        places = np.array([_places(*line, right) for line in lines], np.int64).reshape(x.shape)
    return np.asarray(places, np.int32 if out_int32 else np.int64)


searchsorted = nondiff(
    "searchsorted",
    _searchsorted,
    "sorted_sequence x sorter",
    doc="Where each element, or a number, would go in `sorted_sequence`, ascending along its last axis, for it to stay "
    "in order: before equal elements, after them if `right` or side='right'. A sequence with more than one axis has a "
    "line for each line of the input, else RuntimeError. `sorter` holds the positions that sort the sequence. int64, "
    "or int32 if `out_int32`.",
    example="ac.searchsorted(ac.tensor([1.0, 3.0, 5.0]), ac.tensor([3.0, 4.0])) -> tensor([1, 2])",
)


def _bucketize(x, boundaries, *, out_int32=False, right=False):
    if boundaries.ndim != 1:
        raise RuntimeError(f"bucketize(): boundaries tensor must be 1 dimension, but got dim({boundaries.ndim})")
    return np.asarray(_places(boundaries, x, right), np.int32 if out_int32 else np.int64)


bucketize = nondiff(
    "bucketize",
    _bucketize,
    "x boundaries",
    doc="The number of the bucket between the ascending `boundaries` that each element, or a number, falls in: "
    "`searchsorted` with its arguments exchanged. A boundary belongs to the bucket below it, or, if `right`, above it.",
    example="ac.bucketize(ac.tensor([0.5, 1.0, 9.0]), ac.tensor([1.0, 3.0])) -> tensor([0, 0, 2])",
)


def _isin(elements, test_elements, *, assume_unique=False, invert=False):
    return np.isin(elements, test_elements, assume_unique=assume_unique, invert=invert)


isin = nondiff(
    "isin",
    _isin,
    "elements test_elements",
    doc="Whether each element, or a number, is among `test_elements`; the opposite if `invert`.",
    example="ac.isin(ac.tensor([1, 2, 3]), ac.tensor([2, 5])) -> tensor([False,  True, False])",
)
isin = also_called(element="elements", test_element="test_elements")(isin)

# -- distinct elements


def _result(parts, wanted):
    """The tensors of the parts that were asked for; a single one by itself."""
    parts = tuple(wrap(np.asarray(part, order="C")) for part, want in zip(parts, wanted) if want)
    return parts if len(parts) > 1 else parts[0]


def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The distinct elements, or the distinct slices along `dim`, in ascending order whether asked to or not.

    With `return_inverse` also where each element of the input is among them, and with `return_counts` how often each
    occurs, as a tuple. Every NaN is distinct. No gradients.

    >>> import autograd_core as ac
    >>> ac.unique(ac.tensor([3, 1, 3]), return_inverse=True, return_counts=True)
    (tensor([1, 3]), tensor([1, 0, 1]), tensor([1, 2]))
    """
    x = input._array
    axis = None if dim is None else axis_of(dim, x.ndim)
    values, inverse, counts = np.unique(x, return_inverse=True, return_counts=True, axis=axis, equal_nan=False)
    inverse = inverse.reshape(x.shape if axis is None else -1)
    return _result((values, inverse, counts), (True, return_inverse, return_counts))


def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """The elements, or the slices along `dim`, without those that equal the one before them.

    With `return_inverse` also where each element of the input is among them, and with `return_counts` how many were
    merged into each, as a tuple. No gradients.

    >>> import autograd_core as ac
    >>> ac.unique_consecutive(ac.tensor([1, 1, 2, 1]), return_counts=True)
    (tensor([1, 2, 1]), tensor([2, 1, 1]))
    """
    x = input._array
    axis = None if dim is None else axis_of(dim, x.ndim)
    lines = x.reshape(-1) if axis is None else np.moveaxis(x, axis, 0).reshape(x.shape[axis], -1)
    starts = np.ones(len(lines), bool)
    changes = lines[1:] != lines[:-1]
    starts[1:] = changes if axis is None else changes.any(1)
    first = np.flatnonzero(starts)
    values = lines[first] if axis is None else np.take(x, first, axis)
    inverse = (np.cumsum(starts) - 1).reshape(x.shape if axis is None else -1)
    counts = np.diff(first, append=len(lines))
    return _result((values, inverse, counts), (True, return_inverse, return_counts))


# -- histograms


def _bincount(x, weights=None, minlength=0):
    if x.ndim != 1 or x.dtype.kind not in "iu" or (x.size and x.min() < 0):
        raise RuntimeError(
            f"bincount only supports 1-d non-negative integral inputs, got {x.dtype} of shape {list(x.shape)}"
        )
    if minlength < 0:
        raise RuntimeError(f"minlength should be >= 0, got {minlength}")
    if weights is None:
        return np.bincount(x.astype(np.int64), minlength=minlength)
    if weights.shape != x.shape:
        raise RuntimeError(
            f"bincount: weights should be 1-d and have the same length as input, got {list(weights.shape)} and "
            f"{list(x.shape)}"
        )
    kind = np.float32 if weights.dtype == np.float32 else np.float64
    return np.bincount(x.astype(np.int64), weights, minlength).astype(kind)


bincount = nondiff(
    "bincount",
    _bincount,
    "x weights",
    doc="How often each of 0, 1, 2, ... occurs in a vector of integers, or the sum of its `weights`; at least "
    "`minlength` numbers. RuntimeError for other inputs and for negative elements.",
    example="ac.bincount(ac.tensor([0, 2, 2])) -> tensor([1, 0, 2])",
)


def _histc(x, bins=100, min=0, max=0):
    if bins <= 0:
        raise RuntimeError(f"histc(): bins must be > 0, got {bins}")
    if min == max and x.size:
        min, max = x.min(), x.max()
    if not (np.isfinite(min) and np.isfinite(max)):
        raise RuntimeError(f"histc(): range of [{min}, {max}] is not finite")
    if min > max:
        raise RuntimeError(f"histc(): max must be larger than min, got [{min}, {max}]")
    if min == max:
        min, max = min - 1, max + 1
    return np.histogram(x[x == x], bins, (min, max))[0].astype(x.dtype)


histc = nondiff(
    "histc",
    _histc,
    "x",
    doc="How many elements fall in each of `bins` intervals of equal width from `min` to `max`, or, where these are "
    "equal, from the smallest to the largest element, in the dtype of the input. Elements outside are not counted.",
    example="ac.histc(ac.tensor([1.0, 2.0, 1.0]), bins=4, min=0, max=3) -> tensor([0., 2., 1., 0.])",
)
