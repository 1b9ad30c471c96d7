"""Quantiles: elements at a fractional rank, between two neighbors in order."""

from __future__ import annotations

from ...core.call import takes_numpy_names
from ...core.tensor import Tensor
from ..elementwise.blending import lerp
from ..elementwise.comparison import isnan
from ..elementwise.piecewise import ceil, clamp_min, floor, round, where
from ..indexing.gathering import gather
from ..making.creation import full_like, tensor
from ..shapes.shape import axis_of, flatten, movedim, reshape, squeeze
from .reduction import any, sum
from .selection import sort

__all__ = ["nanquantile", "quantile"]
METHODS = __all__
TAKE_OUT = ["nanquantile", "quantile"]

_RANK = {"lower": floor, "higher": ceil, "nearest": round}


@takes_numpy_names
def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """The element at the fraction `q` of the way through the elements in order, over everything or along `dim`.

    `q` is a number, or a tensor of the dtype of `input` with at most one axis, which then comes first in the result.
    The rank q (n - 1) lies between two elements: `interpolation` is "linear", "midpoint", "lower", "higher" or
    "nearest" (of two the one at the even rank). NaN where there is a NaN. RuntimeError for q outside [0, 1], for other
    dtypes than float32 and float64, and for nothing.

    Gradient: to the two neighbors by their weights; for "linear" also to q, n - 1 times their difference.

    >>> import autograd_core as ac
    >>> ac.quantile(ac.tensor([4.0, 1.0, 3.0, 2.0]), ac.tensor([0.5, 1.0]))
    tensor([2.5000, 4.0000])
    """
    return _quantile("quantile", input, q, dim, keepdim, interpolation)


@takes_numpy_names
def nanquantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """The `quantile` of the elements that are not NaN; NaN where all are.

    >>> import autograd_core as ac
    >>> ac.nanquantile(ac.tensor([4.0, ac.nan, 2.0]), 0.5)
    tensor(3.)
    """
    return _quantile("nanquantile", input, q, dim, keepdim, interpolation)


def _check(name, input, q, interpolation) -> None:
    if input._array.size == 0:
        raise RuntimeError(f"{name}() input tensor must be non-empty, got shape {list(input.shape)}")
    if input._array.dtype.name not in ("float32", "float64"):
        raise RuntimeError(f"{name}() input tensor must be either float or double dtype, got {input.dtype}")
    if q.ndim > 1:
        raise RuntimeError(f"{name}() q must be a scalar or 1D tensor, got shape {list(q.shape)}")
    if q.dtype is not input.dtype:
        raise RuntimeError(f"{name}() q tensor must be same dtype as the input tensor, got {q.dtype}, {input.dtype}")
    if interpolation not in ("linear", "midpoint", *_RANK):
        raise RuntimeError(
            f"{name}() interpolation must be one of linear, lower, higher, midpoint or nearest, but got {interpolation}"
        )
    if not ((q._array >= 0) & (q._array <= 1)).all():
        raise RuntimeError(f"{name}() q values must be in the range [0, 1], got {q._array}")


def _quantile(name, input, q, dim, keepdim, interpolation):
    q = q if isinstance(q, Tensor) else tensor(q, dtype=input.dtype)
    _check(name, input, q, interpolation)
    axis = None if dim is None else axis_of(dim, input.ndim)
    x = flatten(input) if axis is None or not input.ndim else movedim(input, axis, -1)
    ordered = sort(x, -1).values
    ranks = _ranks(name, ordered, reshape(q, (-1,)), _RANK.get(interpolation))
    below = gather(ordered, -1, ranks.long())
    if interpolation not in _RANK:
        weights = full_like(ranks, 0.5) if interpolation == "midpoint" else ranks - floor(ranks)
        below = lerp(below, gather(ordered, -1, ceil(ranks).long()), weights)
    out = movedim(below, -1, 0)
    if keepdim:
        shape = [1 if axis is None or a == axis else n for a, n in enumerate(input.shape)]
        out = reshape(out, (out.shape[0], *shape))
    return out if q.ndim else squeeze(out, 0)


def _ranks(name, ordered, q, rounded):
    """A rank in each line of `ordered` for each q: the last where a NaN is, or, among its numbers only, at least 0."""
    last = ordered.shape[-1] - 1
    if name == "nanquantile":
        ranks = clamp_min(q * (sum(~isnan(ordered), -1, True) - 1).to(q.dtype), 0)
    else:
        ranks = where(any(isnan(ordered), -1, True), float(last), q * last)
    return rounded(ranks) if rounded else ranks
