"""Reductions and normalizations of the elements that a mask keeps: `torch.masked`.

Every function takes `mask`, a bool tensor that broadcasts to the input: elements where it is False take no part, and
their gradient is 0. Without a mask all take part. IndexError for a mask with more axes than the input. `dim` is one
axis, several, or None for all; `dtype` is that of the result.
"""

from __future__ import annotations

import math

from . import ops
from .core.dtypes import LIMITS, bool_, float32
from .names import facade
from .ops.elementwise.piecewise import maximum, where
from .ops.making.conversion import to
from .ops.making.creation import ones_like, tensor
from .ops.precision import carried_wide
from .ops.shapes.shape import axes_of, expand, reshape

__all__ = [
    *("amax", "amin", "argmax", "argmin", "cumprod", "cumsum", "log_softmax", "logaddexp", "logsumexp", "mean"),
    *("median", "norm", "normalize", "prod", "softmax", "softmin", "std", "sum", "var"),
]
__getattr__, __dir__ = facade(__name__, __all__)

inf = math.inf


def _mask_for(input, mask):
    """The mask in the shape of the input."""
    if mask.ndim > input.ndim:
        raise IndexError(
            f"masked: expected a mask that broadcasts to the input, got shapes {list(mask.shape)} and "
            f"{list(input.shape)}"
        )
    return expand(to(mask, bool_), tuple(input.shape))


def _filled(input, mask, value):
    """`input` with `value`, which changes no result, in the place of what is masked out."""
    if mask is None:
        return input
    kind = input._array.dtype
    if math.isinf(value) and kind.kind != "f":
        if kind.kind == "b":
            raise NotImplementedError("masked: bools have no least or greatest element; convert them with .int()")
        value = LIMITS[kind][value > 0]
    return where(_mask_for(input, mask), input, value)


def _as(out, dtype, input):
    return to(out, input.dtype if dtype is None else dtype)


# -- sums, products and extremes


def sum(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Sum of what the mask keeps; 0 of nothing. Integers are summed in int64.

    >>> import autograd_core as ac
    >>> ac.masked.sum(ac.tensor([1.0, 2.0, 4.0]), mask=ac.tensor([True, False, True]))
    tensor(5.)
    """
    return ops.reduction.sum(_filled(input, mask, 0), axes_of(dim, input.ndim), keepdim, dtype=dtype)


def prod(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Product of what the mask keeps; 1 of nothing. Integers are multiplied in int64.

    >>> import autograd_core as ac
    >>> ac.masked.prod(ac.tensor([3.0, 2.0, 4.0]), mask=ac.tensor([True, False, True]))
    tensor(12.)
    """
    out = _filled(input, mask, 1)
    if not input.ndim:
        return ops.reduction.prod(out, dtype=dtype)
    for axis in sorted(axes_of(dim, input.ndim), reverse=True):
        out = ops.reduction.prod(out, axis, keepdim, dtype=dtype)
    return out


def cumsum(input, dim, *, dtype=None, mask=None):
    """Cumulative sum along `dim` of what the mask keeps, in the dtype of the input unless `dtype` is given.

    >>> import autograd_core as ac
    >>> ac.masked.cumsum(ac.tensor([1.0, 2.0, 4.0]), 0, mask=ac.tensor([True, False, True]))
    tensor([1., 1., 5.])
    """
    return ops.scan.cumsum(_filled(input, mask, 0), dim, dtype=dtype or input.dtype)


def cumprod(input, dim, *, dtype=None, mask=None):
    """Cumulative product along `dim` of what the mask keeps, in the dtype of the input unless `dtype` is given.

    >>> import autograd_core as ac
    >>> ac.masked.cumprod(ac.tensor([3.0, 2.0, 4.0]), 0, mask=ac.tensor([True, False, True]))
    tensor([ 3.,  3., 12.])
    """
    return ops.scan.cumprod(_filled(input, mask, 1), dim, dtype=dtype or input.dtype)


def amax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Largest element that the mask keeps; -inf, or the least integer, of nothing. Equal ones share the gradient.

    >>> import autograd_core as ac
    >>> ac.masked.amax(ac.tensor([1.0, 5.0, 4.0]), mask=ac.tensor([True, False, True]))
    tensor(4.)
    """
    return _as(ops.reduction.amax(_filled(input, mask, -inf), axes_of(dim, input.ndim), keepdim), dtype, input)


def amin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Smallest element that the mask keeps; inf, or the greatest integer, of nothing. Equal ones share the gradient.

    >>> import autograd_core as ac
    >>> ac.masked.amin(ac.tensor([2.0, 1.0, 4.0]), mask=ac.tensor([True, False, True]))
    tensor(2.)
    """
    return _as(ops.reduction.amin(_filled(input, mask, inf), axes_of(dim, input.ndim), keepdim), dtype, input)


def argmax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Index of the largest element that the mask keeps: along `dim`, or in the flattened tensor.

    As in PyTorch, it comes in the dtype of the input unless `dtype` is given.

    >>> import autograd_core as ac
    >>> ac.masked.argmax(ac.tensor([1.0, 5.0, 4.0]), mask=ac.tensor([True, False, True]), dtype=ac.int64)
    tensor(2)
    """
    return _as(ops.selection.argmax(_filled(input, mask, -inf), dim, keepdim), dtype, input)


def argmin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Index of the smallest element that the mask keeps: along `dim`, or in the flattened tensor.

    As in PyTorch, it comes in the dtype of the input unless `dtype` is given.

    >>> import autograd_core as ac
    >>> ac.masked.argmin(ac.tensor([2.0, 1.0, 4.0]), mask=ac.tensor([True, False, True]), dtype=ac.int64)
    tensor(0)
    """
    return _as(ops.selection.argmin(_filled(input, mask, inf), dim, keepdim), dtype, input)


def logsumexp(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """log Σ exp(x) of what the mask keeps; -inf of nothing.

    >>> import autograd_core as ac
    >>> ac.masked.logsumexp(ac.tensor([0.0, 5.0, 0.0]), mask=ac.tensor([True, False, True]))
    tensor(0.6931)
    """
    return _as(ops.reduction.logsumexp(_filled(input, mask, -inf), axes_of(dim, input.ndim), keepdim), dtype, input)


def logaddexp(input, other, *, dtype=None, input_mask=None, other_mask=None):
    """log(exp(x) + exp(y)), in which an element that its mask leaves out counts as -inf.

    >>> import autograd_core as ac
    >>> ac.masked.logaddexp(ac.tensor([0.0, 0.0]), ac.tensor([0.0, 3.0]), other_mask=ac.tensor([True, False]))
    tensor([0.6931, 0.0000])
    """
    out = ops.arithmetic.logaddexp(_filled(input, input_mask, -inf), _filled(other, other_mask, -inf))
    return _as(out, dtype, input)


@carried_wide
def norm(input, ord=2.0, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The vector norm of what the mask keeps: `linalg.vector_norm`; 0 of nothing, and inf for ord -inf.

    >>> import autograd_core as ac
    >>> ac.masked.norm(ac.tensor([3.0, 5.0, 4.0]), mask=ac.tensor([True, False, True]))
    tensor(5.)
    """
    kept = _filled(input, mask, inf if ord == -inf else 0)
    return ops.norms.vector_norm(kept, ord, axes_of(dim, input.ndim), keepdim, dtype=dtype)


# -- statistics


def _count(input, dim, keepdim, mask):
    inside = ones_like(input, dtype=bool_) if mask is None else _mask_for(input, mask)
    return ops.reduction.sum(inside, axes_of(dim, input.ndim), keepdim)


@carried_wide
def mean(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Mean of what the mask keeps; NaN of nothing. ValueError for integers unless `dtype` is given.

    >>> import autograd_core as ac
    >>> ac.masked.mean(ac.tensor([1.0, 5.0, 4.0]), mask=ac.tensor([True, False, True]))
    tensor(2.5000)
    """
    if not (input.dtype if dtype is None else dtype).is_floating_point:
        raise ValueError(f"masked.mean(): expected a floating dtype, got {dtype or input.dtype}; pass dtype=ac.float32")
    return sum(input, dim, keepdim=keepdim, dtype=dtype, mask=mask) / _count(input, dim, keepdim, mask)


def median(input, dim=-1, *, keepdim=False, dtype=None, mask=None):
    """Median along `dim`, the lower of two, of what the mask keeps and is not NaN; NaN of nothing.

    The gradient goes to the element picked. ValueError for integers where nothing is kept.

    >>> import autograd_core as ac
    >>> ac.masked.median(ac.tensor([1.0, 5.0, 4.0]), mask=ac.tensor([True, False, True]))
    tensor(1.)
    """
    floating = input.is_floating_point()
    kept = _filled(input if floating else to(input, float32), mask, math.nan)
    out = ops.selection.nanmedian(kept, dim, keepdim).values
    if floating:
        return out
    if ops.reduction.any(ops.comparison.isnan(out)):
        raise ValueError("masked median expects no fully masked out rows if dtype is not floating point")
    return _as(out, dtype, input)


@carried_wide
def var(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    """Variance of what the mask keeps: Σ (x - mean)² / (n - correction), n the number of elements kept.

    `correction` is 1 unless given; `unbiased=False` means 0. NaN or inf where n - correction is not positive. Integers
    become float32. AssertionError where both are given.

    >>> import autograd_core as ac
    >>> ac.masked.var(ac.tensor([1.0, 5.0, 3.0]), mask=ac.tensor([True, False, True]))
    tensor(2.)
    """
    if unbiased is not None and correction is not None:
        raise AssertionError("masked.var(): give unbiased or correction, not both")
    if correction is None:
        correction = 1 if unbiased is None else int(unbiased)
    if dtype is None:
        dtype = input.dtype if input.is_floating_point() else float32
    center = sum(input, dim, keepdim=True, dtype=dtype, mask=mask) / _count(input, dim, True, mask)
    deviations = input - center
    total = sum(deviations * deviations, dim, keepdim=keepdim, dtype=dtype, mask=mask)
    freedom = maximum(to(_count(input, dim, keepdim, mask), dtype) - correction, tensor(0.0, dtype=dtype))
    return total / reshape(freedom, tuple(total.shape))


@carried_wide
def std(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    """Standard deviation of what the mask keeps: the square root of `masked.var`, with its arguments.

    The gradient at a deviation of 0 is that of the square root: NaN, as in PyTorch.

    >>> import autograd_core as ac
    >>> ac.masked.std(ac.tensor([1.0, 5.0, 3.0]), mask=ac.tensor([True, False, True]), unbiased=False)
    tensor(1.)
    """
    variance = var(input, dim, unbiased, correction=correction, keepdim=keepdim, dtype=dtype, mask=mask)
    return ops.arithmetic.sqrt(variance)


# -- normalizations: the result has the shape of the input


def softmax(input, dim, *, dtype=None, mask=None):
    """Softmax along `dim` of what the mask keeps; 0 elsewhere, and NaN where nothing is kept.

    >>> import autograd_core as ac
    >>> ac.masked.softmax(ac.tensor([1.0, 5.0, 1.0]), 0, mask=ac.tensor([True, False, True]))
    tensor([0.5000, 0.0000, 0.5000])
    """
    return ops.softmax.softmax(_filled(input, mask, -inf), dim, dtype)


def log_softmax(input, dim, *, dtype=None, mask=None):
    """Logarithm of the softmax along `dim` of what the mask keeps; -inf elsewhere, and NaN where nothing is kept.

    >>> import autograd_core as ac
    >>> ac.masked.log_softmax(ac.tensor([1.0, 5.0, 1.0]), 0, mask=ac.tensor([True, False, True]))
    tensor([-0.6931,    -inf, -0.6931])
    """
    return ops.softmax.log_softmax(_filled(input, mask, -inf), dim, dtype)


def softmin(input, dim, *, dtype=None, mask=None):
    """Softmax along `dim` of -x, of what the mask keeps; 0 elsewhere, and NaN where nothing is kept.

    >>> import autograd_core as ac
    >>> ac.masked.softmin(ac.tensor([1.0, -5.0, 1.0]), 0, mask=ac.tensor([True, False, True]))
    tensor([0.5000, 0.0000, 0.5000])
    """
    return ops.softmax.softmax(-_filled(input, mask, inf), dim, dtype)


@carried_wide
def normalize(input, ord, dim, *, eps=1e-12, dtype=None, mask=None):
    """x / max(norm, eps) along `dim`, of what the mask keeps; 0 elsewhere.

    >>> import autograd_core as ac
    >>> ac.masked.normalize(ac.tensor([3.0, 5.0, 4.0]), 2.0, 0, mask=ac.tensor([True, False, True]))
    tensor([0.6000, 0.0000, 0.8000])
    """
    norms = norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    return _filled(input, mask, 0) / maximum(norms, tensor(eps, dtype=norms.dtype))
