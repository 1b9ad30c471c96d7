"""Losses of real-valued outputs and of probabilities, reduced to their "mean", their "sum", or "none".

The losses of class scores are in `classification`.
"""

from __future__ import annotations

import math
import warnings

import numpy as np

from ...modes import current_mode
from ...ops.activation import logsigmoid, sigmoid
from ...ops.elementwise import log, log1p
from ...ops.piecewise import abs, clamp_min
from ...ops.reduction import mean, sum
from ...ops.shape import expand
from ...primitive import general
from ...tensor import Tensor

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


def _fold(losses, reduction: str):
    """The reduction of an array of losses, inside a forward."""
    if reduction == "none":
        return losses
    total = np.add.reduce(losses, axis=None)
    return total / losses.size if reduction == "mean" else total


def _unfold(g, shape, reduction: str):
    """The share of each element in the cotangent of a reduced loss: the adjoint of `_fold`, up to broadcasting."""
    return g * (1 / max(math.prod(shape), 1)) if reduction == "mean" else g


def _broadcast_pair(input, target):
    """Input and target in one shape, with the warning PyTorch gives where they differ."""
    if input.shape == target.shape:
        return input, target
    warnings.warn(
        f"Using a target size ({list(target.shape)}) that is different to the input size ({list(input.shape)}). This "
        "will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.",
        UserWarning,
        stacklevel=3,
    )
    try:
        shape = np.broadcast_shapes(input.shape, target.shape)
    except ValueError:
        raise RuntimeError(
            f"The sizes of input {list(input.shape)} and target {list(target.shape)} do not match and cannot be "
            "broadcast"
        ) from None
    return expand(input, shape), expand(target, shape)


# -- squares and absolute values


def _mse(x, y, reduction="mean"):
    d = x - y
    d *= d
    return _fold(d, reduction)


_mse_loss = general(
    "mse_loss",
    _mse,
    "x target",
    lambda g, x, target, x_shape, reduction: (x - target) * _unfold(2 * g, x_shape, reduction),
    lambda g, x, target, x_shape, reduction: (target - x) * _unfold(2 * g, x_shape, reduction),
    promote="common",
)


def mse_loss(input, target, *, reduction: str = "mean") -> Tensor:
    """Squared error (input - target)².

    Gradients: 2 (input - target) g for `input`, its negative for `target`; over n for a mean.

    Shapes should be equal; others broadcast, with a warning. A scalar, or with `reduction="none"` the shape of the
    inputs.

    >>> import autograd_core as ac
    >>> ac.nn.functional.mse_loss(ac.tensor([1.0, 2.0]), ac.tensor([1.0, 4.0]))
    tensor(2.)
    """
    check_reduction(reduction)
    return _mse_loss(*_broadcast_pair(input, target), reduction=reduction)


def l1_loss(input, target, *, reduction: str = "mean") -> Tensor:
    """Absolute error |input - target|, with gradient 0 where they are equal. Shapes as in `mse_loss`.

    >>> import autograd_core as ac
    >>> ac.nn.functional.l1_loss(ac.tensor([1.0, 2.0]), ac.tensor([1.0, 4.0]))
    tensor(1.)
    """
    check_reduction(reduction)
    input, target = _broadcast_pair(input, target)
    return reduced(abs(input - target), reduction)


# -- binary cross-entropy


def _check_same_shape(input, target) -> None:
    if input.shape != target.shape:
        raise ValueError(f"Target size ({list(target.shape)}) must be the same as input size ({list(input.shape)})")


def _logsigmoid(x):
    """log(1 / (1 + exp(-x))) without overflow."""
    return np.minimum(x, 0) - np.log1p(np.exp(-np.abs(x)))


def _bce_with_logits(x, target, weight=None, pos_weight=None, reduction="mean"):
    log_p = _logsigmoid(x)
    if pos_weight is not None:
        log_p *= (pos_weight - 1) * target + 1
    losses = (1 - target) * x - log_p
    return _fold(losses if weight is None else losses * weight, reduction)


def d_bce_with_logits_dx(g, x, target, weight, pos_weight, x_shape, reduction):
    """sigmoid(x) - target, for pos_weight p: (1 - t + p t) sigmoid(x) - p t."""
    if pos_weight is None:
        slope = sigmoid(x) - target
    else:
        positive = pos_weight * target
        slope = (positive + 1 - target) * sigmoid(x) - positive
    g = _unfold(g, x_shape, reduction)
    return slope * (g if weight is None else g * weight)


def d_bce_with_logits_dtarget(g, x, target, weight, pos_weight, x_shape, reduction):
    """-x, for pos_weight p: -x - (p - 1) log(sigmoid(x))."""
    slope = -x if pos_weight is None else -x - (pos_weight - 1) * logsigmoid(x)
    g = _unfold(g, x_shape, reduction)
    return slope * (g if weight is None else g * weight)


_bce_with_logits_loss = general(
    "binary_cross_entropy_with_logits",
    _bce_with_logits,
    "x target weight pos_weight",
    d_bce_with_logits_dx,
    d_bce_with_logits_dtarget,
    None,
    None,
)


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
    return _bce_with_logits_loss(input, target, weight, pos_weight, reduction=reduction)


def _bce(x, target, weight=None, reduction="mean"):
    with np.errstate(divide="ignore"):  # log 0 = -inf is held at -100 below
        log_p, log_q = np.log(x), np.log1p(-x)
    losses = (target - 1) * np.maximum(log_q, -100) - target * np.maximum(log_p, -100)
    return _fold(losses if weight is None else losses * weight, reduction)


def d_bce_dx(g, x, target, weight, x_shape, reduction):
    """(x - target) / (x (1 - x)), with the denominator held above 1e-12."""
    g = _unfold(g, x_shape, reduction)
    return (g if weight is None else g * weight) * (x - target) / clamp_min((1 - x) * x, 1e-12)


def d_bce_dtarget(g, x, target, weight, x_shape, reduction):
    """log(1 - x) - log(x)."""
    g = _unfold(g, x_shape, reduction)
    return (g if weight is None else g * weight) * (log1p(-x) - log(x))


_bce_loss = general("binary_cross_entropy", _bce, "x target weight", d_bce_dx, d_bce_dtarget, None)


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
    return _bce_loss(input, target, weight, reduction=reduction)
