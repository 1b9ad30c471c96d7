"""Losses of one element at a time, and their reduction to a mean or a sum within the op, as PyTorch has them."""

from __future__ import annotations

import math

import numpy as np

from ...core.dtypes import HALF, OF_NUMPY, SINGLE
from ...core.silence import complete, nameless
from ...core.table import general
from ..elementwise.arithmetic import log, log1p
from ..elementwise.piecewise import clamp_min
from ..floats_only import check_floats
from ..making.tensor_types import scalar_type
from ..precision import add_up, carried_wide
from .nonlinearities import hardtanh, log_sigmoid_of, logsigmoid, sigmoid

# -- what they share


@nameless
def fold(losses, reduction: str):
    """The reduction of an array of losses, inside a forward."""
    if reduction == "none":
        return losses
    if losses.dtype == HALF:
        return fold(losses.astype(SINGLE), reduction).astype(HALF)
    total = add_up(losses)
    return total / losses.size if reduction == "mean" else total


def unfold(g, shape, reduction: str):
    """The share of each element in the cotangent of a reduced loss: the adjoint of `fold`, up to broadcasting."""
    return g * (1 / max(math.prod(shape), 1)) if reduction == "mean" else g


# -- squares


@nameless
def _mse(x, y, reduction="mean"):
    check_floats("mse_loss", x)
    d = x - y
    d *= d
    return fold(d, reduction)


mse_loss = general(
    "mse_loss",
    _mse,
    "x target",
    lambda g, x, target, x_shape, reduction: (x - target) * unfold(2 * g, x_shape, reduction),
    lambda g, x, target, x_shape, reduction: (target - x) * unfold(2 * g, x_shape, reduction),
    promote="common",
)


# -- squares near 0, absolute values beyond


@nameless
def _huber_of(d, delta, unit=1):
    """d² / 2 where |d| < delta, else delta (|d| - delta / 2), over `unit`; an array `d` is overwritten."""
    slope = np.minimum(np.maximum(d, -delta), delta)  # np.clip takes twice as long on few elements
    d -= 0.5 * slope
    d *= slope if unit == 1 else slope / unit
    return d


@nameless
def _smooth_l1(x, y, beta=1.0, reduction="mean"):
    check_floats("smooth_l1_loss", x)
    return fold(_huber_of(x - y, beta, beta), reduction)


def d_smooth_l1_dx(g, x, target, x_shape, beta, reduction):
    """(x - target) / beta, held within -1 and 1."""
    return hardtanh(x - target, -beta, beta) * (unfold(g, x_shape, reduction) / beta)


smooth_l1_loss = general(
    "smooth_l1_loss",
    _smooth_l1,
    "x target",
    d_smooth_l1_dx,
    lambda g, x, target, x_shape, beta, reduction: -d_smooth_l1_dx(g, x, target, x_shape, beta, reduction),
    promote="common",
)


@nameless
def _huber(x, y, delta=1.0, reduction="mean"):
    check_floats("huber_loss", x)
    return fold(_huber_of(x - y, delta), reduction)


def d_huber_dx(g, x, target, x_shape, delta, reduction):
    """x - target, held within -delta and delta."""
    return hardtanh(x - target, -delta, delta) * unfold(g, x_shape, reduction)


huber_loss = general(
    "huber_loss",
    _huber,
    "x target",
    d_huber_dx,
    lambda g, x, target, x_shape, delta, reduction: -d_huber_dx(g, x, target, x_shape, delta, reduction),
    promote="common",
)


# -- binary cross-entropy


def torch_name(dtype) -> str:
    """How PyTorch calls a NumPy type in messages."""
    return scalar_type(OF_NUMPY[dtype])


@carried_wide
@nameless
def _bce_with_logits(x, target, weight=None, pos_weight=None, reduction="mean"):
    check_floats("binary_cross_entropy_with_logits", x)
    if target.dtype.kind != "f":
        raise RuntimeError(
            f"result type {torch_name(x.dtype)} can't be cast to the desired output type {torch_name(target.dtype)}: "
            "binary_cross_entropy_with_logits has the dtype of its target; convert that with .to(input.dtype)"
        )
    log_p = log_sigmoid_of(x)
    if pos_weight is not None:
        log_p *= (pos_weight - 1) * target + 1
    losses = (1 - target) * x - log_p
    losses = losses if weight is None else losses * weight
    return fold(losses.astype(target.dtype, copy=False), reduction)


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


bce_with_logits = general(
    "binary_cross_entropy_with_logits",
    _bce_with_logits,
    "x target weight pos_weight",
    d_bce_with_logits_dx,
    d_bce_with_logits_dtarget,
    None,
    None,
)


@carried_wide
@nameless
def _bce(x, target, weight=None, reduction="mean"):
    check_floats("binary_cross_entropy", x)
    if target.dtype != x.dtype:
        raise RuntimeError(
            f"binary_cross_entropy: Found dtype {torch_name(target.dtype)} but expected {torch_name(x.dtype)} in the "
            "target; convert it with .to(input.dtype)"
        )
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


bce = general("binary_cross_entropy", _bce, "x target weight", d_bce_dx, d_bce_dtarget, None)


# -- two classes, -1 and 1


@nameless
def _soft_margin(x, target, reduction="mean"):
    check_floats("soft_margin_loss", x)
    return fold(-log_sigmoid_of(target * x).astype(x.dtype, copy=False), reduction)


soft_margin_loss = general(
    "soft_margin_loss",
    _soft_margin,
    "x target",
    lambda g, x, target, x_shape, reduction: -target * sigmoid(-target * x) * unfold(g, x_shape, reduction),
    None,
)

complete()  # this module is read after `ops`
