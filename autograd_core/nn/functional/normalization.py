"""Normalization: (x - mean) / sqrt(var + eps), scaled and shifted, and its relatives that divide by a norm.

Layer, group, instance and batch norm differ in the axes they average over. The op itself is in `standardizing`.
"""

from __future__ import annotations

import math

import numpy as np

from ...core.dtypes import float16, float32
from ...core.tensor import Tensor, dual_of, wrap
from ...core.whole_numbers import whole
from ...core.write import count_write
from ...ops.elementwise.arithmetic import rsqrt
from ...ops.elementwise.piecewise import clamp_min
from ...ops.floats_only import check_floats
from ...ops.indexing.brackets import narrow
from ...ops.linear_algebra.norms import norm
from ...ops.making.conversion import to
from ...ops.nn.standardizing import batch_norm_op, eval_batch_norm, group_norm_op, layer_norm_op
from ...ops.precision import carried_wide
from ...ops.reductions.reduction import mean as mean_of
from ...ops.shapes.shape import clone, expand_as
from ...ops.windows.borders import constant_pad
from .regression import check_constant


def layer_norm(input, normalized_shape, weight=None, bias=None, eps: float = 1e-5) -> Tensor:
    """Standardize over the last axes, of shape `normalized_shape`; then times `weight` plus `bias`, both of that shape.

    The variance is the biased one (divided by the number of elements). Raises RuntimeError where the shapes do not fit,
    NotImplementedError for integers. Source: Ba, Kiros and Hinton, Layer Normalization, 2016.

    >>> import autograd_core as ac
    >>> ac.nn.functional.layer_norm(ac.tensor([[1.0, 3.0], [0.0, 0.0]]), (2,))
    tensor([[-1.0000,  1.0000],
            [ 0.0000,  0.0000]])
    """
    shape = _check_shape("layer_norm", input, normalized_shape, weight=weight, bias=bias)
    dim = tuple(range(input.ndim - len(shape), input.ndim))
    return layer_norm_op(input, weight, bias, dim=dim, affine_shape=shape, eps=eps)[0]


def _check_shape(name: str, input, normalized_shape, **affine) -> tuple:
    if not isinstance(normalized_shape, (tuple, list)):
        kind = type(normalized_shape).__name__
        raise TypeError(f"argument 'normalized_shape' must be a tuple of ints, not {kind}")
    shape = tuple(whole("normalized_shape", n) for n in normalized_shape)
    if not shape or tuple(input.shape)[-len(shape) :] != shape:
        raise RuntimeError(
            f"Given normalized_shape={list(shape)}, expected input with shape {['*', *shape]}, but got input of size "
            f"{list(input.shape)}"
        )
    for which, value in affine.items():
        if value is not None and tuple(value.shape) != shape:
            raise RuntimeError(
                f"Expected {which} to be of same shape as normalized_shape, but got {which} of shape "
                f"{list(value.shape)} and normalized_shape = {list(shape)}"
            )
    check_floats(name, input)
    return shape


@carried_wide
def rms_norm(input, normalized_shape, weight=None, eps: float | None = None) -> Tensor:
    """Divide by the root of the mean square over the last axes, of shape `normalized_shape`; then times `weight`.

    input / sqrt(mean(input²) + eps), where `eps` is the dtype's machine epsilon unless given. Raises RuntimeError where
    the shapes do not fit, NotImplementedError for integers.
    Source: Zhang and Sennrich, Root Mean Square Layer Normalization, 2019.

    >>> import autograd_core as ac
    >>> ac.nn.functional.rms_norm(ac.tensor([[3.0, 3.0], [0.0, 2.0]]), (2,))
    tensor([[1.0000, 1.0000],
            [0.0000, 1.4142]])
    """
    shape = _check_shape("rms_norm", input, normalized_shape, weight=weight)
    if eps is None:
        eps = float(np.finfo(input._array.dtype).eps)
    dim = tuple(range(input.ndim - len(shape), input.ndim))
    out = input * rsqrt(mean_of(input * input, dim, True) + eps)
    return out if weight is None else to(out * weight, input.dtype)


def group_norm(input, num_groups: int, weight=None, bias=None, eps: float = 1e-5) -> Tensor:
    """Standardize each of `num_groups` groups of channels (axis 1) of each entry of a batch.

    Then times `weight` plus `bias`, one each a channel. Raises RuntimeError for fewer than two axes, channels that
    `num_groups` does not divide, and sizes that do not fit; ValueError for a group of one element; NotImplementedError
    for integers. Source: Wu and He, Group Normalization, 2018.

    >>> import autograd_core as ac
    >>> ac.nn.functional.group_norm(ac.tensor([[1.0, 3.0, 10.0, 30.0]]), 2)
    tensor([[-1.0000,  1.0000, -1.0000,  1.0000]])
    """
    channels = _check_channels("group_norm", input, weight=weight, bias=bias)
    if num_groups <= 0 or channels % num_groups:
        raise RuntimeError(
            f"Expected number of channels in input to be divisible by num_groups, but got input of shape "
            f"{list(input.shape)} and num_groups={num_groups}"
        )
    shape = tuple(input.shape)
    if shape[0] * channels // num_groups * math.prod(shape[2:]) == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {list(shape)}")
    return group_norm_op(input, weight, bias, num_groups=num_groups, eps=eps)[0]


def instance_norm(
    input,
    running_mean=None,
    running_var=None,
    weight=None,
    bias=None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Standardize each channel (axis 1) of each entry of a batch; then times `weight` plus `bias`, one each a channel.

    With `use_input_stats` the mean and the biased variance of that channel are used, and the running statistics, where
    given, move towards the average over the batch of the means and the *unbiased* variances by the fraction `momentum`,
    in place. Otherwise the running statistics are used, as constants.

    Raises ValueError for one value a channel, RuntimeError where sizes do not fit, NotImplementedError for integers.
    Source: Ulyanov, Vedaldi and Lempitsky, Instance Normalization, 2016.

    >>> import autograd_core as ac
    >>> ac.nn.functional.instance_norm(ac.tensor([[[1.0, 3.0]], [[0.0, 8.0]]]))
    tensor([[[-1.0000,  1.0000]],
    <BLANKLINE>
            [[-1.0000,  1.0000]]])
    """
    statistics = {"running_mean": running_mean, "running_var": running_var}
    channels = _check_channels("instance_norm", input, **statistics, weight=weight, bias=bias)
    affine_shape = (channels,) + (1,) * (input.ndim - 2)
    if not use_input_stats:
        return _with_running("instance_norm", input, running_mean, running_var, weight, bias, affine_shape, eps)
    n = math.prod(input.shape[2:])
    if n == 1:
        raise ValueError(f"Expected more than 1 spatial element when training, got input size {list(input.shape)}")
    if not input.numel():
        return _of_nothing(input, weight, bias, affine_shape, eps)
    dim = tuple(range(2, input.ndim))
    out, mean, var = batch_norm_op(input, weight, bias, dim=dim, affine_shape=affine_shape, eps=eps)
    means, variances = (value._array.reshape(-1, channels).mean(0) for value in (mean, var))
    _move(running_mean, means, momentum, "instance_norm")
    _move(running_var, variances * (n / max(n - 1, 1)), momentum, "instance_norm")
    return out


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
    Otherwise the running statistics are used, as constants. An empty batch moves nothing.

    Raises ValueError for a training batch with one value a channel, RuntimeError where sizes do not fit,
    NotImplementedError for integers.
    Source: Ioffe and Szegedy, Batch Normalization, 2015.

    >>> import autograd_core as ac
    >>> mean, var = ac.tensor([0.0]), ac.tensor([1.0])
    >>> ac.nn.functional.batch_norm(ac.tensor([[0.0], [2.0]]), mean, var, training=True)
    tensor([[-1.0000],
            [ 1.0000]])
    >>> mean, var
    (tensor([0.1000]), tensor([1.1000]))
    """
    if input.numel() == 0 and input.ndim == 1:
        return clone(input)
    statistics = {"running_mean": running_mean, "running_var": running_var}
    channels = _check_channels("batch_norm", input, **statistics, weight=weight, bias=bias)
    if dual_of(input) and any(x is not None and dual_of(x) for x in statistics.values()):
        raise RuntimeError(
            "batch_norm is not differentiable wrt running_mean and running_var, they cannot have forward grad defined: "
            "take their primals, by unpack_dual"
        )
    affine_shape = (channels,) + (1,) * (input.ndim - 2)
    if not training:
        return _with_running("batch_norm", input, running_mean, running_var, weight, bias, affine_shape, eps)
    n = input.numel() // max(channels, 1)
    if n == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {list(input.shape)}")
    if not input.numel():
        return _of_nothing(input, weight, bias, affine_shape, eps)
    dim = (0, *range(2, input.ndim))
    out, mean, var = batch_norm_op(input, weight, bias, dim=dim, affine_shape=affine_shape, eps=eps)
    _move(running_mean, mean._array.reshape(-1), momentum, "batch_norm")
    _move(running_var, var._array.reshape(-1) * (n / max(n - 1, 1)), momentum, "batch_norm")
    return out


def _with_running(name, input, running_mean, running_var, weight, bias, affine_shape, eps):
    if running_mean is None or running_var is None:
        raise RuntimeError(f"{name}: expected running_mean and running_var to be defined when training=False")
    check_constant(name, running_mean=running_mean, running_var=running_var)
    return eval_batch_norm(input, weight, bias, running_mean, running_var, affine_shape=affine_shape, eps=eps)


def _of_nothing(input, weight, bias, affine_shape, eps):
    """An empty batch: it has no statistics, so it moves none, and the gradients of weight and bias are zero."""
    mean, var = (wrap(fill(input.shape[1], input._array.dtype)) for fill in (np.zeros, np.ones))
    return eval_batch_norm(input, weight, bias, mean, var, affine_shape=affine_shape, eps=eps)


def _move(running, batch, momentum: float, writer: str) -> None:
    """Move a running statistic towards that of this batch, as an in-place write."""
    if running is not None:
        running._array[...] += momentum * (batch - running._array)
        count_write(running, writer)


def _check_channels(name: str, input, **per_channel) -> int:
    if input.ndim < 2:
        raise RuntimeError(
            f"{name}: expected an input with a batch axis and a channel axis, got shape {list(input.shape)}"
        )
    channels, dtype = input.shape[1], input.dtype
    for which, value in per_channel.items():
        if value is None:
            continue
        if value.dtype is not dtype and (value.dtype, dtype) != (float32, float16):
            raise RuntimeError(
                f"{name}: mixed dtype (CPU): expect parameter to have scalar type of Float, or that of the input, "
                f"{dtype}; {which} has {value.dtype}"
            )
        if value.shape != (channels,):
            raise RuntimeError(
                f"{name}: {which} should contain {channels} elements not {value.numel()} (input {list(input.shape)})"
            )
    check_floats(name, input)
    return channels


@carried_wide
def local_response_norm(input, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Tensor:
    """Divide each channel (axis 1) by (k + alpha m)^beta, where m is the mean square of `size` channels around it.

    Channels outside count as zeros. Raises ValueError for fewer than three axes.
    Source: Krizhevsky, Sutskever and Hinton, ImageNet Classification with Deep Convolutional Neural Networks, 2012.

    >>> import autograd_core as ac
    >>> ac.nn.functional.local_response_norm(ac.ones(1, 3, 1), 3, alpha=3.0, beta=1.0).flatten()
    tensor([0.3333, 0.2500, 0.3333])
    """
    if input.ndim < 3:
        raise ValueError(f"Expected 3D or higher dimensionality input (got {input.ndim} dimensions)")
    if input.numel() == 0:
        return clone(input)
    channels = input.shape[1]
    around = (0, 0) * (input.ndim - 2) + (size // 2, (size - 1) // 2)
    squares = constant_pad(input * input, around, 0.0)
    total = narrow(squares, 1, 0, channels)
    for shift in range(1, size):
        total = total + narrow(squares, 1, shift, channels)
    return input / (total * (alpha / size) + k) ** beta


@carried_wide
def normalize(input, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """Divide by the p-norm along `dim` (one axis or several), or by `eps` where the norm is smaller.

    >>> import autograd_core as ac
    >>> ac.nn.functional.normalize(ac.tensor([[3.0, 4.0], [0.0, 0.0]]))
    tensor([[0.6000, 0.8000],
            [0.0000, 0.0000]])
    """
    return input / expand_as(clamp_min(norm(input, p, dim, keepdim=True), eps), input)
