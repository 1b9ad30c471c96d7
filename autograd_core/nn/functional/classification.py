"""Losses of class scores: negative log-likelihood and cross-entropy.

Classes lie along axis 1 of the input, (N, C) or (N, C, d1, ...), or are all of a (C,) input. A target of class indices
has the input's shape without that axis. A target equal to `ignore_index` counts nowhere: not in the sum, not in the
mean's denominator.
"""

from __future__ import annotations

import numpy as np

from ...core.primitive import general, linear
from ...core.tensor import Tensor, wrap
from ...ops.piecewise import where
from ...ops.reduction import sum
from ...ops.softmax import log_softmax
from .loss import check_constant, check_reduction, reduced


def _as_rows(x):
    """Scores as (rows, classes); a view where the memory allows."""
    if x.ndim == 2:
        return x
    if x.ndim == 1:
        return x[None]
    last = np.moveaxis(x, 1, -1)
    return last.reshape(-1, x.shape[1])


def _from_rows(rows, shape):
    """The inverse of `_as_rows`."""
    if len(shape) < 3:
        return rows.reshape(shape)
    return np.moveaxis(rows.reshape(shape[0], *shape[2:], shape[1]), -1, 1)


def _counted(target, n_classes, ignore_index):
    """The rows whose target counts, and their classes. Raises IndexError for a class that does not exist."""
    labels = target.reshape(-1)
    if _all_exist(labels, n_classes) and not 0 <= ignore_index < n_classes:
        return np.arange(labels.size), labels
    at = (labels != ignore_index).nonzero()[0]
    check_range(labels[at], n_classes, ignore_index)
    return at, labels[at]


def _all_exist(labels, n_classes) -> bool:
    """Whether all are classes; read without a sign, a negative number is larger than any of them."""
    unsigned = labels.view(np.uint64) if labels.dtype == np.int64 else labels
    return not labels.size or bool(np.maximum.reduce(unsigned) < n_classes)


def check_range(labels, n_classes, ignore_index) -> None:
    """Raise IndexError for an array of classes with one that does not exist."""
    if not _all_exist(labels, n_classes):
        bad = labels[(labels < 0) | (labels >= n_classes)][0]
        raise IndexError(
            f"Target {bad} is out of bounds: there are {n_classes} classes, and ignore_index is {ignore_index}."
        )


def _nll(x, target, weight=None, ignore_index=-100, reduction="mean"):
    rows = _as_rows(x)
    at, labels = _counted(target, rows.shape[1], ignore_index)
    losses = -rows[at, labels]
    if weight is None:
        total = float(len(at))
    else:
        losses *= weight[labels]
        total = float(np.add.reduce(weight[labels]))
    if reduction == "none":
        out = np.zeros(len(rows), x.dtype)
        out[at] = losses
        return out.reshape(target.shape), total
    loss = np.add.reduce(losses)
    if reduction == "mean":
        loss = loss / total if total else loss.dtype.type(np.nan)
    return loss, total


def _nll_spread(x, target, weight=None, total=1.0, shape=(), ignore_index=-100, reduction="mean"):
    n_classes = shape[1] if len(shape) > 1 else shape[0]
    rows = np.zeros((target.size, n_classes), x.dtype)
    if weight is None and total == target.size:  # the forward has seen that all count
        at, labels = np.arange(target.size), target.reshape(-1)
    else:
        at, labels = _counted(target, n_classes, ignore_index)
    if reduction == "none":
        share = -x.reshape(-1)[at]
    elif reduction == "mean":
        share = -x / (total or np.nan)
    else:
        share = -x
    rows[at, labels] = share if weight is None else share * weight[labels]
    return _from_rows(rows, shape)


_nll_loss = general(
    "nll_loss",
    _nll,
    "x target weight",
    lambda g, x, target, weight, total, ignore_index, reduction: nll_loss_backward(
        g, target, weight, total, tuple(x.shape), ignore_index, reduction
    ),
    None,
    None,
    residuals="total",
)
nll_loss_backward = linear(
    "nll_loss_backward",
    _nll_spread,
    "x target weight",
    lambda g, target, weight, ignore_index, reduction: _nll_loss(g, target, weight, ignore_index, reduction),
    None,
    None,
    doc="A cotangent of `nll_loss` placed at the target classes: the adjoint of a loss that is linear in its input.",
)


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
    return _nll_loss(input, target, weight, ignore_index=ignore_index, reduction=reduction)


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
    nll = _nll_loss(log_p, target, weight, ignore_index=ignore_index, reduction=reduction)
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
