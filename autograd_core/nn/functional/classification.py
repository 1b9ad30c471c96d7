"""Losses of class scores: negative log-likelihood and cross-entropy.

Classes lie along axis 1 of the input, (N, C) or (N, C, d1, ...), or are all of a (C,) input. A target of class indices
has the input's shape without that axis. A target equal to `ignore_index` counts nowhere: not in the sum, not in the
mean's denominator.
"""

from __future__ import annotations

import numpy as np

from ...core.tensor import Tensor, wrap
from ...ops.elementwise.piecewise import where
from ...ops.nn import nll as rows
from ...ops.nn.softmax import log_softmax
from ...ops.precision import carried_wide
from ...ops.reductions.reduction import sum
from .old_reduction import with_old_reduction
from .regression import check_constant, check_reduction, reduced


@with_old_reduction
def nll_loss(input, target, weight=None, *, ignore_index: int = -100, reduction: str = "mean") -> Tensor:
    """Negative log-likelihood: -weight[t] input[n, t] at each target class t, for an input of log-probabilities.

    `weight` has one entry a class and is a constant. "mean" divides by the sum of the weights of the targets that count
    (their number without `weight`), so it is NaN where none does. Shapes: see the top of this module.

    Raises IndexError for a class that does not exist, RuntimeError for targets that are not int64, and ValueError or
    RuntimeError for shapes that do not fit.

    >>> import autograd_core as ac
    >>> logp = ac.tensor([[-0.1, -2.0], [-0.5, -1.0]])
    >>> ac.nn.functional.nll_loss(logp, ac.tensor([0, 1]))
    tensor(0.5500)
    """
    check_reduction(reduction)
    check_constant("nll_loss", weight=weight)
    check_classes(input._array.shape, target, weight)
    return rows.nll_loss(input, target, weight, ignore_index=ignore_index, reduction=reduction)


@with_old_reduction
@carried_wide
def cross_entropy(
    input, target, weight=None, *, ignore_index: int = -100, reduction: str = "mean", label_smoothing: float = 0.0
) -> Tensor:
    """Cross-entropy of softmax(input) with class indices, or with probabilities in the shape of the input.

    For indices it is `nll_loss(log_softmax(input))`; for probabilities t, -Σ weight t log_softmax(input), where "mean"
    divides by the number of rows. `label_smoothing` s mixes the target with the uniform distribution: (1 - s) t + s /
    C.

    Errors as in `nll_loss`, and RuntimeError for a smoothing outside 0 to 1.

    >>> import autograd_core as ac
    >>> scores = ac.tensor([[0.0, 0.0], [0.0, 2.0]])
    >>> ac.nn.functional.cross_entropy(scores, ac.tensor([0, 1]), reduction="none")
    tensor([0.6931, 0.1269])
    """
    check_reduction(reduction)
    check_constant("cross_entropy", weight=weight)
    if not 0.0 <= label_smoothing <= 1.0:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing}")
    shape = input._array.shape
    dim = 0 if len(shape) == 1 else 1
    if target._array.shape == shape:
        return _with_probabilities(input, target, weight, reduction, label_smoothing, dim)
    check_classes(shape, target, weight)
    log_p = log_softmax(input, dim)
    nll = rows.nll_loss(log_p, target, weight, ignore_index=ignore_index, reduction=reduction)
    if label_smoothing == 0.0:
        return nll
    uniform = _against_uniform(log_p, target, weight, ignore_index, reduction, dim)
    return (1 - label_smoothing) * nll + (label_smoothing / shape[dim]) * uniform


def _with_probabilities(input, target, weight, reduction, label_smoothing, dim):
    if not target.is_floating_point():
        raise RuntimeError(f"Expected floating point type for target with class probabilities, got {target.dtype}")
    n_classes = input.shape[dim]
    _check_weight(weight, n_classes)
    if label_smoothing > 0.0:
        target = target * (1 - label_smoothing) + label_smoothing / n_classes
    product = log_softmax(input, dim) * target
    if weight is not None:
        product = product * _along(weight, input.ndim, dim)
    if reduction == "none":
        return -sum(product, dim)
    total = -sum(product)
    return total / (input.numel() / n_classes) if reduction == "mean" else total


def _against_uniform(log_p, target, weight, ignore_index, reduction, dim):
    """The sum of the losses of all classes, for each target that counts."""
    ignored = wrap(target._array == ignore_index)
    losses = where(ignored, 0.0, -sum(log_p if weight is None else log_p * _along(weight, log_p.ndim, dim), dim))
    if reduction != "mean":
        return reduced(losses, reduction)
    counted = target._array[~ignored._array]
    return sum(losses) / float(len(counted) if weight is None else np.add.reduce(weight._array[counted]))


def _along(weight, ndim, dim):
    return weight.reshape([-1 if axis == dim else 1 for axis in range(ndim)])


def check_classes(shape, target, weight) -> None:
    """Raise unless a target of class indices, and weights of the classes, fit scores of the given shape."""
    given = target._array.shape
    if target._array.dtype not in (np.int64, np.uint8):
        raise RuntimeError(f"expected target dtype to be int64 or uint8, but got {target.dtype}")
    if not shape:
        raise ValueError("expected an input with an axis of classes, got a 0-d tensor")
    expected = shape[:1] + shape[2:] if len(shape) > 1 else ()
    if given != expected:
        if len(shape) == 2 and len(given) == 1:
            raise ValueError(f"Expected input batch_size ({shape[0]}) to match target batch_size ({given[0]}).")
        raise RuntimeError(
            f"Expected target size {list(expected)}, got {list(given)} for an input of shape {list(shape)}"
        )
    _check_weight(weight, shape[min(1, len(shape) - 1)])


def _check_weight(weight, n_classes) -> None:
    if weight is not None and tuple(weight.shape) != (n_classes,):
        raise RuntimeError(
            f"weight tensor should be defined either for all {n_classes} classes or no classes but got weight tensor "
            f"of shape: {list(weight.shape)}"
        )
