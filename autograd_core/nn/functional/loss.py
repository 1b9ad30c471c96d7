"""Losses of real-valued outputs and of probabilities, reduced to their "mean", their "sum", or "none".

The losses of class scores are in `classification`.
"""

from __future__ import annotations

import math
import warnings

import numpy as np

from ...core.modes import current_mode
from ...core.primitive import general
from ...core.tensor import Tensor
from ...ops.activation import hardtanh, log_sigmoid_of, logsigmoid, sigmoid
from ...ops.elementwise import log, log1p
from ...ops.piecewise import abs, clamp_min
from ...ops.precision import folded
from ...ops.reduction import mean, sum
from ...ops.shape import common_shape, expand

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


def fold(losses, reduction: str):
    """The reduction of an array of losses, inside a forward."""
    if reduction == "none":
        return losses
    total = folded(np.add, losses, None)
    return total / losses.size if reduction == "mean" else total


def unfold(g, shape, reduction: str):
    """The share of each element in the cotangent of a reduced loss: the adjoint of `fold`, up to broadcasting."""
    return g * (1 / max(math.prod(shape), 1)) if reduction == "mean" else g


def check_floating(name: str, x) -> None:
    """Raise NotImplementedError unless an array of losses is floating."""
    if x.dtype.kind != "f":
        raise NotImplementedError(f"{name} is not implemented for {x.dtype.name}; convert the input with .float()")


def in_common_shape(name: str, *tensors) -> list:
    """The tensors expanded to the shape they broadcast to."""
    shapes = [tuple(x.shape) for x in tensors]
    if len({*shapes}) == 1:
        return list(tensors)
    shape = common_shape(name, *shapes)
    return [expand(x, shape) for x in tensors]


def _broadcast_pair(name: str, input, target) -> list:
    """Input and target in one shape, with the warning PyTorch gives where they differ."""
    if input.shape != target.shape:
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


def _mse(x, y, reduction="mean"):
    check_floating("mse_loss", x)
    d = x - y
    d *= d
    return fold(d, reduction)


_mse_loss = general(
    "mse_loss",
    _mse,
    "x target",
    lambda g, x, target, x_shape, reduction: (x - target) * unfold(2 * g, x_shape, reduction),
    lambda g, x, target, x_shape, reduction: (target - x) * unfold(2 * g, x_shape, reduction),
    promote="common",
)


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
        return _mse_loss(x, y, reduction=reduction)
    _check_weights(weight, input)
    return _weighted((x - y) ** 2, weight, reduction)


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


def _huber_of(d, delta, unit=1):
    """d² / 2 where |d| < delta, else delta (|d| - delta / 2), over `unit`; an array `d` is overwritten."""
    slope = np.clip(d, -delta, delta)
    d -= 0.5 * slope
    d *= slope if unit == 1 else slope / unit
    return d


def _smooth_l1(x, y, beta=1.0, reduction="mean"):
    check_floating("smooth_l1_loss", x)
    return fold(_huber_of(x - y, beta, beta), reduction)


def d_smooth_l1_dx(g, x, target, x_shape, beta, reduction):
    """(x - target) / beta, held within -1 and 1."""
    return hardtanh(x - target, -beta, beta) * (unfold(g, x_shape, reduction) / beta)


_smooth_l1_loss = general(
    "smooth_l1_loss",
    _smooth_l1,
    "x target",
    d_smooth_l1_dx,
    lambda g, x, target, x_shape, beta, reduction: -d_smooth_l1_dx(g, x, target, x_shape, beta, reduction),
    promote="common",
)


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
    return reduced(abs(x - y), reduction) if beta == 0 else _smooth_l1_loss(x, y, beta, reduction)


def _huber(x, y, delta=1.0, reduction="mean"):
    check_floating("huber_loss", x)
    return fold(_huber_of(x - y, delta), reduction)


def d_huber_dx(g, x, target, x_shape, delta, reduction):
    """x - target, held within -delta and delta."""
    return hardtanh(x - target, -delta, delta) * unfold(g, x_shape, reduction)


_huber_loss = general(
    "huber_loss",
    _huber,
    "x target",
    d_huber_dx,
    lambda g, x, target, x_shape, delta, reduction: -d_huber_dx(g, x, target, x_shape, delta, reduction),
    promote="common",
)


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
    if weight is None:
        return _huber_loss(x, y, delta, reduction)
    _check_weights(weight, input)
    return reduced(_huber_loss(x, y, delta, "none") * weight, reduction)


# -- binary cross-entropy


def _check_same_shape(input, target) -> None:
    if input.shape != target.shape:
        raise ValueError(f"Target size ({list(target.shape)}) must be the same as input size ({list(input.shape)})")


def _bce_with_logits(x, target, weight=None, pos_weight=None, reduction="mean"):
    log_p = log_sigmoid_of(x)
    if pos_weight is not None:
        log_p *= (pos_weight - 1) * target + 1
    losses = (1 - target) * x - log_p
    return fold(losses if weight is None else losses * weight, reduction)


def d_bce_with_logits_dx(g, x, target, weight, pos_weight, x_shape, reduction):
    """sigmoid(x) - target, for pos_weight p: (1 - t + p t) sigmoid(x) - p t."""
    if pos_weight is None:
        slope = sigmoid(x) - target
    else:
        positive = pos_weight * target
        slope = (positive + 1 - target) * sigmoid(x) - positive
    g = unfold(g, x_shape, reduction)
    return slope * (g if weight is None else g * weight)


def d_bce_with_logits_dtarget(g, x, target, weight, pos_weight, x_shape, reduction):
    """-x, for pos_weight p: -x - (p - 1) log(sigmoid(x))."""
    slope = -x if pos_weight is None else -x - (pos_weight - 1) * logsigmoid(x)
    g = unfold(g, x_shape, reduction)
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
    return fold(losses if weight is None else losses * weight, reduction)


def d_bce_dx(g, x, target, weight, x_shape, reduction):
    """(x - target) / (x (1 - x)), with the denominator held above 1e-12."""
    g = unfold(g, x_shape, reduction)
    return (g if weight is None else g * weight) * (x - target) / clamp_min((1 - x) * x, 1e-12)


def d_bce_dtarget(g, x, target, weight, x_shape, reduction):
    """log(1 - x) - log(x)."""
    g = unfold(g, x_shape, reduction)
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
