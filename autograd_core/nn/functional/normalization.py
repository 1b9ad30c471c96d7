"""Normalization: (x - mean) / sqrt(var + eps), scaled and shifted.

Layer norm and batch norm differ in the axes they average over.

The mean and the variance are *outputs* of the op, as in PyTorch. A first derivative only reads them; a second one finds
them in the graph and goes on through them to x.
"""

from __future__ import annotations

import math

import numpy as np

from ...graph import user_position
from ...ops.elementwise import rsqrt
from ...ops.reduction import sum
from ...ops.shape import expand, sum_to
from ...primitive import general
from ...tensor import Tensor
from .loss import check_constant

# -- with the statistics of x itself


def _standardize(x, weight=None, bias=None, dim=(), affine_shape=(), eps=1e-5):
    n = math.prod([x.shape[axis] for axis in dim])
    mean = np.add.reduce(x, axis=dim, keepdims=True)
    mean /= n
    out = x - mean
    var = np.add.reduce(out * out, axis=dim, keepdims=True)
    var /= n
    out *= 1.0 / np.sqrt(var + eps)
    if weight is not None:
        out *= weight.reshape(affine_shape)
    if bias is not None:
        out += bias.reshape(affine_shape)
    return out, mean, var


def d_standardize_dx(g_out, g_mean, g_var, x, weight, mean, var, x_shape, dim, affine_shape, eps):
    """(h - mean(h) - xhat mean(h xhat)) / sqrt(var + eps) with h = g weight; plus what comes through mean and var."""
    total = None
    n = math.prod([x_shape[axis] for axis in dim])
    centered = x - mean
    if g_out is not None:
        rstd = rsqrt(var + eps)
        xhat = centered * rstd
        h = g_out if weight is None else g_out * weight.reshape(affine_shape)
        total = (h - (sum(h, dim, True) + xhat * sum(h * xhat, dim, True)) * (1 / n)) * rstd
    if g_mean is not None:
        through_mean = expand(g_mean * (1 / n), x_shape)
        total = through_mean if total is None else total + through_mean
    if g_var is not None:
        through_var = centered * (g_var * (2 / n))
        total = through_var if total is None else total + through_var
    return total


def d_standardize_dweight(g_out, x, mean, var, weight_shape, affine_shape, eps):
    """g xhat, summed over what shares a weight."""
    if g_out is None:
        return None
    return sum_to(g_out * ((x - mean) * rsqrt(var + eps)), affine_shape).reshape(weight_shape)


def d_standardize_dbias(g_out, bias_shape, affine_shape):
    """g, summed over what shares a bias."""
    return None if g_out is None else sum_to(g_out, affine_shape).reshape(bias_shape)


def _standardizing(name: str):
    return general(
        name,
        _standardize,
        "x weight bias",
        d_standardize_dx,
        d_standardize_dweight,
        d_standardize_dbias,
        outputs="out mean var",
        doc="`input` standardized over the axes `dim`, with its mean and variance there.",
    )


native_layer_norm, native_batch_norm = _standardizing("native_layer_norm"), _standardizing("native_batch_norm")

# -- with given statistics


def _standardize_with(x, weight=None, bias=None, mean=None, var=None, affine_shape=(), eps=1e-5):
    out = x - mean.reshape(affine_shape)
    out *= 1.0 / np.sqrt(var.reshape(affine_shape) + eps)
    if weight is not None:
        out *= weight.reshape(affine_shape)
    if bias is not None:
        out += bias.reshape(affine_shape)
    return out


def d_standardize_with_dx(g, weight, var, affine_shape, eps):
    """g weight / sqrt(var + eps): the statistics are constants here."""
    scale = rsqrt(var + eps)
    return g * (scale if weight is None else scale * weight).reshape(affine_shape)


def d_standardize_with_dweight(g, x, mean, var, weight_shape, affine_shape, eps):
    """g (x - mean) / sqrt(var + eps), summed over what shares a weight."""
    xhat = (x - mean.reshape(affine_shape)) * rsqrt(var + eps).reshape(affine_shape)
    return sum_to(g * xhat, affine_shape).reshape(weight_shape)


def d_standardize_with_dbias(g, bias_shape, affine_shape):
    """g, summed over what shares a bias."""
    return sum_to(g, affine_shape).reshape(bias_shape)


eval_batch_norm = general(
    "eval_batch_norm",
    _standardize_with,
    "x weight bias mean var",
    d_standardize_with_dx,
    d_standardize_with_dweight,
    d_standardize_with_dbias,
    None,
    None,
    doc="`input` standardized with a given mean and variance per channel, which are constants.",
)


# -- public


def layer_norm(input, normalized_shape, weight=None, bias=None, eps: float = 1e-5) -> Tensor:
    """Standardize over the last axes, of shape `normalized_shape`; then times `weight` plus `bias`, both of that shape.

    The variance is the biased one (divided by the number of elements). Raises RuntimeError where the shapes do not fit.
    Source: Ba, Kiros and Hinton, Layer Normalization, 2016.

    >>> import autograd_core as ac
    >>> ac.nn.functional.layer_norm(ac.tensor([[1.0, 3.0], [0.0, 0.0]]), (2,))
    tensor([[-1.0000,  1.0000],
            [ 0.0000,  0.0000]])
    """
    shape = tuple(normalized_shape)
    if not shape or tuple(input.shape[-len(shape) :]) != shape:
        raise RuntimeError(
            f"Given normalized_shape={list(shape)}, expected input with shape {['*', *shape]}, but got input of size "
            f"{list(input.shape)}"
        )
    for name, value in (("weight", weight), ("bias", bias)):
        if value is not None and tuple(value.shape) != shape:
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape "
                f"{list(value.shape)} and normalized_shape = {list(shape)}"
            )
    dim = tuple(range(input.ndim - len(shape), input.ndim))
    return native_layer_norm(input, weight, bias, dim=dim, affine_shape=shape, eps=eps)[0]


def batch_norm(
    input,
    running_mean,
    running_var,
    weight=None,
    bias=None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Standardize each channel (axis 1) of a batch; then times `weight` plus `bias`, one each a channel.

    In training the mean and the biased variance of this batch are used, and the running statistics (if not None) move
    towards the batch's mean and *unbiased* variance by the fraction `momentum`, in place, whatever the grad mode.
    Otherwise the running statistics are used, as constants.

    Raises ValueError for a training batch with one value a channel, RuntimeError where sizes do not fit.
    Source: Ioffe and Szegedy, Batch Normalization, 2015.

    >>> import autograd_core as ac
    >>> mean, var = ac.tensor([0.0]), ac.tensor([1.0])
    >>> ac.nn.functional.batch_norm(ac.tensor([[0.0], [2.0]]), mean, var, training=True)
    tensor([[-1.0000],
            [ 1.0000]])
    >>> mean, var
    (tensor([0.1000]), tensor([1.1000]))
    """
    channels = _check_channels(input, running_mean=running_mean, running_var=running_var, weight=weight, bias=bias)
    affine_shape = (channels,) + (1,) * (input.ndim - 2)
    if not training:
        if running_mean is None or running_var is None:
            raise RuntimeError("batch_norm: expected running_mean and running_var to be defined when training=False")
        check_constant("batch_norm", running_mean=running_mean, running_var=running_var)
        return eval_batch_norm(input, weight, bias, running_mean, running_var, affine_shape=affine_shape, eps=eps)
    n = input.numel() // max(channels, 1)
    if n == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {list(input.shape)}")
    dim = (0, *range(2, input.ndim))
    out, mean, var = native_batch_norm(input, weight, bias, dim=dim, affine_shape=affine_shape, eps=eps)
    for running, batch in ((running_mean, mean._array), (running_var, var._array * (n / max(n - 1, 1)))):
        if running is not None:
            running._array[...] += momentum * (batch.reshape(-1) - running._array)
            running._cell.count += 1
            running._cell.writer = "batch_norm", user_position()
    return out


def _check_channels(input, **per_channel) -> int:
    if input.ndim < 2:
        raise RuntimeError(
            f"batch_norm: expected an input with a batch axis and a channel axis, got shape {list(input.shape)}"
        )
    channels = input.shape[1]
    for name, value in per_channel.items():
        if value is not None and tuple(value.shape) != (channels,):
            raise RuntimeError(
                f"batch_norm: {name} should contain {channels} elements not {value.numel()} (input {list(input.shape)})"
            )
    return channels
