"""Losses of real-valued outputs and of probabilities, reduced to their "mean", their "sum", or "none".

The losses of class scores are in `classification`.
"""

from __future__ import annotations

import warnings

from ...core.modes import current_mode
from ...core.tensor import Tensor
from ...ops.elementwise.piecewise import abs
from ...ops.making.conversion import to
from ...ops.nn import elementwise_losses as rows
from ...ops.reductions.reduction import mean, sum
from ...ops.shapes.shape import common_shape, expand
from .old_reduction import with_old_reduction

REDUCTIONS = ("mean", "sum", "none")

# -- what all losses share


def check_reduction(reduction: str) -> None:
    """Raise ValueError unless `reduction` is one of the three."""
    if reduction not in REDUCTIONS:
        raise ValueError(f"{reduction} is not a valid value for reduction; choose one of {', '.join(REDUCTIONS)}")


def check_constant(op: str, **arguments) -> None:
    """Raise RuntimeError if an argument that has no derivative requires gradients."""
    for name, value in arguments.items():
        if value is not None and value.requires_grad and current_mode().grad:
            raise RuntimeError(
                f"The function '{op}' is not differentiable with respect to argument '{name}'. This input cannot have "
                "requires_grad True: pass its detach()."
            )


def reduced(losses, reduction: str):
    """The reduction of a tensor of losses."""
    return mean(losses) if reduction == "mean" else sum(losses) if reduction == "sum" else losses


def in_common_shape(name: str, *tensors) -> list:
    """The tensors expanded to the shape they broadcast to."""
    shapes = [tuple(x.shape) for x in tensors]
    if len({*shapes}) == 1:
        return list(tensors)
    shape = common_shape(name, *shapes)
    return [expand(x, shape) for x in tensors]


def _broadcast_pair(name: str, input, target) -> list:
    """Input and target in one shape, with the warning PyTorch gives where they differ."""
    if input.shape == target.shape:
        return [input, target]
    warnings.warn(
        f"Using a target size ({list(target.shape)}) that is different to the input size ({list(input.shape)}). "
        "This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.",
        UserWarning,
        stacklevel=3,
    )
    return in_common_shape(name, input, target)


def _check_weights(weight, input) -> None:
    if weight.shape != input.shape:
        raise ValueError(
            f"Weights and input must have the same size, got {list(weight.shape)} for an input {list(input.shape)}."
        )


def _weighted(losses, weight, reduction: str):
    """Losses times their weights; "mean" divides by the sum of the weights."""
    losses = losses * weight
    return sum(losses) / sum(weight) if reduction == "mean" else reduced(losses, reduction)


# -- squares and absolute values


@with_old_reduction
def mse_loss(input, target, *, reduction: str = "mean", weight=None) -> Tensor:
    """Squared error (input - target)², times `weight` in the shape of the input.

    Gradients: 2 (input - target) g for `input`, its negative for `target`; over n for a mean. With weights a mean is
    divided by their sum.

    Shapes should be equal; others broadcast, with a warning. A scalar, or with `reduction="none"` the shape of the
    inputs. ValueError for weights of another shape, NotImplementedError for integers.

    >>> import autograd_core as ac
    >>> ac.nn.functional.mse_loss(ac.tensor([1.0, 2.0]), ac.tensor([1.0, 4.0]))
    tensor(2.)
    """
    check_reduction(reduction)
    x, y = _broadcast_pair("mse_loss", input, target)
    if weight is None:
        return rows.mse_loss(x, y, reduction=reduction)
    _check_weights(weight, input)
    return _weighted((x - y) ** 2, weight, reduction)


@with_old_reduction
def l1_loss(input, target, *, reduction: str = "mean", weight=None) -> Tensor:
    """Absolute error |input - target|, with gradient 0 where they are equal. Shapes and weights as in `mse_loss`.

    >>> import autograd_core as ac
    >>> ac.nn.functional.l1_loss(ac.tensor([1.0, 2.0]), ac.tensor([1.0, 4.0]))
    tensor(1.)
    """
    check_reduction(reduction)
    x, y = _broadcast_pair("l1_loss", input, target)
    losses = abs(x - y)
    if weight is None:
        return reduced(losses, reduction)
    _check_weights(weight, input)
    return _weighted(losses, weight, reduction)


# -- squares near 0, absolute values beyond


@with_old_reduction
def smooth_l1_loss(input, target, *, reduction: str = "mean", beta: float = 1.0) -> Tensor:
    """With d = input - target: d² / (2 beta) where |d| < beta, else |d| - beta / 2. Shapes as in `mse_loss`.

    Gradient: d / beta, or the sign of d. It is continuous, and its own derivative at |d| = beta is 0. beta = 0 means
    `l1_loss`. RuntimeError for a negative beta, NotImplementedError for integers.

    >>> import autograd_core as ac
    >>> ac.nn.functional.smooth_l1_loss(ac.tensor([0.5, 3.0]), ac.zeros(2), reduction="none")
    tensor([0.1250, 2.5000])
    """
    check_reduction(reduction)
    if beta < 0:
        raise RuntimeError(f"smooth_l1_loss does not support negative values for beta, got {beta}")
    x, y = _broadcast_pair("smooth_l1_loss", input, target)
    return reduced(abs(x - y), reduction) if beta == 0 else rows.smooth_l1_loss(x, y, beta, reduction)


def huber_loss(input, target, reduction: str = "mean", delta: float = 1.0, weight=None) -> Tensor:
    """With d = input - target: d² / 2 where |d| < delta, else delta (|d| - delta / 2). Shapes as in `mse_loss`.

    Gradient: d, or delta times the sign of d. It is continuous, and its own derivative at |d| = delta is 0. `weight`
    multiplies the losses; a mean is over their number all the same. RuntimeError unless delta > 0, ValueError for
    weights of another shape than the input, NotImplementedError for integers. Source: Huber, 1964.

    >>> import autograd_core as ac
    >>> ac.nn.functional.huber_loss(ac.tensor([1.0, 3.0]), ac.zeros(2), "none", delta=2.0)
    tensor([0.5000, 4.0000])
    """
    check_reduction(reduction)
    if delta <= 0:
        raise RuntimeError(f"huber_loss does not support non-positive values for delta, got {delta}")
    x, y = _broadcast_pair("huber_loss", input, target)
    if y.dtype != x.dtype and x.is_floating_point():
        y = to(y, x.dtype)  # the dtype of the input is that of the loss
    if weight is None:
        return rows.huber_loss(x, y, delta, reduction)
    _check_weights(weight, input)
    return reduced(rows.huber_loss(x, y, delta, "none") * weight, reduction)


# -- binary cross-entropy


def _check_same_shape(input, target) -> None:
    if input.shape != target.shape:
        given, wanted = list(target.shape), list(input.shape)
        raise ValueError(
            f"Target size ({given}) must be the same as input size ({wanted}). Using a target size ({given}) that is "
            f"different to the input size ({wanted}) is refused: reshape one of them."
        )


@with_old_reduction
def binary_cross_entropy_with_logits(input, target, weight=None, *, reduction: str = "mean", pos_weight=None) -> Tensor:
    """Cross-entropy of sigmoid(input) with probabilities `target`, finite for every finite input.

    loss = -(p t log σ(x) + (1 - t) log(1 - σ(x))), times `weight`, where p is `pos_weight` (1 if None); both broadcast
    and are constants. Raises ValueError where input and target differ in shape.

    >>> import autograd_core as ac
    >>> x, t = ac.tensor([0.0, 1000.0]), ac.tensor([1.0, 1.0])
    >>> ac.nn.functional.binary_cross_entropy_with_logits(x, t, reduction="none")
    tensor([0.6931, 0.0000])
    """
    check_reduction(reduction)
    _check_same_shape(input, target)
    check_constant("binary_cross_entropy_with_logits", weight=weight, pos_weight=pos_weight)
    return rows.bce_with_logits(input, target, weight, pos_weight, reduction=reduction)


@with_old_reduction
def binary_cross_entropy(input, target, weight=None, *, reduction: str = "mean") -> Tensor:
    """Cross-entropy of probabilities `input` with probabilities `target`, times `weight` (broadcast, a constant).

    Logarithms are held above -100, so that the loss is finite. `binary_cross_entropy_with_logits` is more exact.
    Raises RuntimeError for an input outside 0 to 1, ValueError where input and target differ in shape.

    >>> import autograd_core as ac
    >>> ac.nn.functional.binary_cross_entropy(ac.tensor([0.5]), ac.tensor([1.0]))
    tensor(0.6931)
    """
    check_reduction(reduction)
    _check_same_shape(input, target)
    check_constant("binary_cross_entropy", weight=weight)
    if ((input._array < 0) | (input._array > 1)).any():
        raise RuntimeError(
            "all elements of input should be between 0 and 1; apply sigmoid, or use "
            "binary_cross_entropy_with_logits, which takes scores"
        )
    return rows.bce(input, target, weight, reduction=reduction)
