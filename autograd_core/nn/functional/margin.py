"""Losses that ask for a margin: no loss for what is right by more than the margin, a linear one for the rest.

The kink of a hinge max(0, z) is at z = 0. Where PyTorch composes the loss of `clamp_min`, the gradient there is that of
z > 0; where it has a kernel of its own (`multi_margin_loss`, `multilabel_margin_loss`), it is 0.
"""

from __future__ import annotations

import numpy as np

from ...core.tensor import Tensor, wrap
from ...ops.elementwise.piecewise import clamp_min, keep_where, where
from ...ops.floats_only import check_floats
from ...ops.indexing.gathering import gather
from ...ops.nn import elementwise_losses as rows
from ...ops.nn.nonlinearities import logsigmoid, relu
from ...ops.reductions.reduction import sum
from .old_reduction import with_old_reduction
from .regression import check_constant, check_reduction, in_common_shape, reduced

# -- two classes, -1 and 1


@with_old_reduction
def soft_margin_loss(input, target, *, reduction: str = "mean") -> Tensor:
    """log(1 + exp(-target input)) for targets -1 and 1, without overflow.

    Gradient: -target σ(-target input). The target is a constant and expands to the shape of the input: RuntimeError if
    it does not, or requires gradients.

    >>> import autograd_core as ac
    >>> ac.nn.functional.soft_margin_loss(ac.tensor([0.0, 100.0]), ac.tensor([1.0, -1.0]), reduction="none")
    tensor([  0.6931, 100.0000])
    """
    check_reduction(reduction)
    check_constant("soft_margin_loss", target=target)
    if in_common_shape("soft_margin_loss", input, target)[1].shape != input.shape:
        raise RuntimeError(
            f"soft_margin_loss: a target of shape {list(target.shape)} does not expand to the input {list(input.shape)}"
        )
    return rows.soft_margin_loss(input, target, reduction)


@with_old_reduction
def hinge_embedding_loss(input, target, margin: float = 1.0, *, reduction: str = "mean") -> Tensor:
    """A distance `input` itself where `target` is 1, and max(0, margin - input) where it is -1. Shapes broadcast.

    Gradient: 1, or -1 where input <= margin. Another target counts as both.

    >>> import autograd_core as ac
    >>> ac.nn.functional.hinge_embedding_loss(ac.tensor([0.2, 0.2]), ac.tensor([1.0, -1.0]), reduction="none")
    tensor([0.2000, 0.8000])
    """
    check_reduction(reduction)
    x, t = in_common_shape("hinge_embedding_loss", input, target)
    far = where(t != 1, clamp_min(margin - x, 0), 0.0)
    return reduced(far + where(t != -1, x, 0.0), reduction)


@with_old_reduction
def margin_ranking_loss(input1, input2, target, margin: float = 0, *, reduction: str = "mean") -> Tensor:
    """max(0, margin - target (input1 - input2)): where `target` is 1, `input1` should be larger; where -1, `input2`.

    Gradient for `input1`: -target where the loss is positive, and at the kink. Shapes broadcast, but RuntimeError
    where they differ in rank.

    >>> import autograd_core as ac
    >>> ac.nn.functional.margin_ranking_loss(ac.tensor([1.0]), ac.tensor([3.0]), ac.tensor([1.0]), margin=0.5)
    tensor(2.5000)
    """
    check_reduction(reduction)
    if not input1.ndim == input2.ndim == target.ndim:
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: "
            f"{list(input1.shape)}, input2: {list(input2.shape)}, target: {list(target.shape)}"
        )
    return reduced(clamp_min(-target * (input1 - input2) + margin, 0), reduction)


# -- many classes


def _check_rows(name: str, x) -> None:
    """A batch (n, classes), which may be empty, one row (classes), or one number."""
    if x.ndim > 2 or (x.ndim and x.shape[-1] == 0):
        raise RuntimeError(
            f"{name}: Expected non-empty vector or matrix with optional 0-dim batch size, but got: {list(x.shape)}"
        )


def _check_labels(name: str, target) -> None:
    if target._array.dtype != np.int64:
        raise RuntimeError(f"{name}: expected scalar type Long for the target but found {target.dtype}")


def _check_range(name: str, labels, least: int, classes: int) -> None:
    bad = labels[(labels < least) | (labels >= classes)]
    if bad.size:
        raise RuntimeError(f"{name}: argument #2 'target' is out of range: {bad[0]}, and there are {classes} classes")


@with_old_reduction
def multi_margin_loss(
    input, target, p: int = 1, margin: float = 1.0, weight=None, *, reduction: str = "mean"
) -> Tensor:
    """For scores (n, C) and classes (n): Σ max(0, margin - input[t] + input[i])^p over the classes i ≠ t, over C.

    `p` is 1 or 2, else ValueError; `weight` has one entry for each class t and is a constant. A vector of C scores has
    one class. Gradient: that of the formula, and 0 at its kinks.

    RuntimeError for a class that does not exist, a target that is not int64, and shapes that do not fit.

    >>> import autograd_core as ac
    >>> ac.nn.functional.multi_margin_loss(ac.tensor([[0.1, 0.2, 0.8]]), ac.tensor([2]))
    tensor(0.2333)
    """
    check_reduction(reduction)
    if p not in (1, 2):
        raise ValueError(f"only p == 1 and p == 2 supported, got {p}")
    if weight is not None and weight.ndim != 1:
        raise ValueError(f"weight must be one-dimensional, got shape {list(weight.shape)}")
    _check_rows("multi_margin_loss", input)
    x = input.reshape((-1, input.shape[-1] if input.ndim else 1))
    n, classes = x.shape
    if target.ndim > 1 or target.numel() != n:
        raise RuntimeError(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples (batch "
            f"size). Expected target size [{n}], but got {list(target.shape)}. Input has shape {list(input.shape)}."
        )
    if weight is not None and len(weight) != classes:
        raise RuntimeError(f"inconsistent weight size, expected {classes} but got {list(weight.shape)}")
    _check_labels("multi_margin_loss", target)
    check_constant("multi_margin_loss", weight=weight)
    check_floats("multi_margin_loss", input)
    labels = target.reshape((-1, 1))
    _check_range("multi_margin_loss", labels._array, 0, classes)
    excess = relu(margin - gather(x, 1, labels) + x)
    if p == 2:
        excess = excess * excess
    if weight is not None:
        excess = excess * weight[labels]
    losses = sum(keep_where(excess, wrap(np.arange(classes) != labels._array)), 1) / classes
    return reduced(losses.reshape(target.shape), reduction)


@with_old_reduction
def multilabel_margin_loss(input, target, *, reduction: str = "mean") -> Tensor:
    """For scores (n, C) and in each row the classes it has: Σ max(0, 1 - input[t] + input[i]) / C.

    The sum is over the classes t that a row has and the classes i that it has not. `target` (n, C) lists the former
    from the left and ends with -1. Vectors of C are one row, whose loss is a scalar. Gradient: that of the formula, and
    0 at its kinks.

    RuntimeError for a class that does not exist, a target that is not int64, and shapes that differ.

    >>> import autograd_core as ac
    >>> scores, classes = ac.tensor([0.1, 0.2, 0.4, 0.8]), ac.tensor([3, 0, -1, 1])
    >>> ac.nn.functional.multilabel_margin_loss(scores, classes)
    tensor(0.8500)
    """
    check_reduction(reduction)
    _check_rows("multilabel_margin_loss", input)
    x = input.reshape((-1, input.shape[-1] if input.ndim else 1))
    if target.numel() != input.numel() or (target.shape != input.shape and max(target.ndim, input.ndim) > 1):
        raise RuntimeError(
            f"multilabel_margin_loss: inconsistent target size: {list(target.shape)} for input of size: "
            f"{list(input.shape)}"
        )
    _check_labels("multilabel_margin_loss", target)
    check_floats("multilabel_margin_loss", input)
    classes = x.shape[1]
    listed = target._array.reshape(x.shape)
    _check_range("multilabel_margin_loss", listed, -1, classes)
    given = np.logical_and.accumulate(listed >= 0, axis=1)
    labels = np.where(given, listed, 0)
    has = np.zeros(x.shape, bool)
    np.logical_or.at(has, (np.arange(len(has))[:, None], labels), given)
    excess = relu(1 - gather(x, 1, wrap(labels))[:, :, None] + x[:, None, :])
    counted = wrap(given[:, :, None] & ~has[:, None, :])
    losses = sum(keep_where(excess, counted), (1, 2)) / classes
    return reduced(losses if input.ndim == 2 else losses.reshape(()), reduction)


@with_old_reduction
def multilabel_soft_margin_loss(input, target, weight=None, *, reduction: str = "mean") -> Tensor:
    """The mean over the last axis of -(t log σ(x) + (1 - t) log σ(-x)): one binary choice for each class.

    `weight` multiplies the terms and broadcasts. Gradient for `input`: (σ(x) - t) / C. IndexError for a 0-d input.

    >>> import autograd_core as ac
    >>> ac.nn.functional.multilabel_soft_margin_loss(ac.tensor([[0.0, 1.0]]), ac.tensor([[1.0, 0.0]]))
    tensor(1.0032)
    """
    check_reduction(reduction)
    losses = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        losses = losses * weight
    if not input.ndim:
        raise IndexError("multilabel_soft_margin_loss: the input needs an axis of classes, got a 0-d tensor")
    return reduced(sum(losses, input.ndim - 1) / input.shape[-1], reduction)
