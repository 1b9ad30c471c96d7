"""A batch norm in evaluation is linear in each channel: a layer before it can do its work."""

from __future__ import annotations

import copy

from ...core.tensor import Parameter, Tensor
from ...ops.elementwise.arithmetic import rsqrt
from ...ops.making.creation import ones_like, zeros_like
from ..convolution import _ConvNd
from ..linear import Linear
from ..module import Module
from ..normalization import _BatchNorm

__all__ = ["fuse_conv_bn_eval", "fuse_conv_bn_weights", "fuse_linear_bn_eval", "fuse_linear_bn_weights"]


def fuse_conv_bn_weights(
    conv_w: Tensor,
    conv_b: Tensor | None,
    bn_rm: Tensor,
    bn_rv: Tensor,
    bn_eps: float,
    bn_w: Tensor | None,
    bn_b: Tensor | None,
    transpose: bool = False,
) -> tuple[Parameter, Parameter]:
    """The weight and bias of a convolution (or with `transpose` of its transpose) with a batch norm behind it.

    >>> import autograd_core as ac
    >>> from autograd_core.nn.utils.fusion import fuse_conv_bn_weights
    >>> one = ac.ones(1)
    >>> weight, bias = fuse_conv_bn_weights(ac.ones(1, 1, 1), None, one, one, 0.0, 2 * one, one)
    >>> weight.item(), bias.item()
    (2.0, -1.0)
    """
    return _fused(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, 1 if transpose else 0)


def fuse_linear_bn_weights(
    linear_w: Tensor,
    linear_b: Tensor | None,
    bn_rm: Tensor,
    bn_rv: Tensor,
    bn_eps: float,
    bn_w: Tensor | None,
    bn_b: Tensor | None,
) -> tuple[Parameter, Parameter]:
    """The weight and bias of a linear layer with a batch norm behind it.

    >>> import autograd_core as ac
    >>> from autograd_core.nn.utils.fusion import fuse_linear_bn_weights
    >>> one = ac.ones(1)
    >>> weight, bias = fuse_linear_bn_weights(ac.ones(1, 1), None, one, one, 0.0, 2 * one, one)
    >>> weight.item(), bias.item()
    (2.0, -1.0)
    """
    return _fused(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, 0)


def _fused(w, b, mean, var, eps: float, scale, shift, axis: int) -> tuple[Parameter, Parameter]:
    b = zeros_like(mean) if b is None else b
    scale = ones_like(mean) if scale is None else scale
    shift = zeros_like(mean) if shift is None else shift
    factor = scale * rsqrt(var + eps)
    along = [-1 if k == axis else 1 for k in range(w.ndim)]
    weight, bias = w * factor.reshape(along), (b - mean) * factor + shift
    return Parameter(weight.to(w.dtype), w.requires_grad), Parameter(bias.to(b.dtype), b.requires_grad)


def _statistics(layer: Module, norm: _BatchNorm) -> tuple[Tensor, Tensor]:
    """The running mean and variance, if the two may be fused."""
    if layer.training or norm.training:
        raise AssertionError("Fusion only for eval!")
    if norm.running_mean is None or norm.running_var is None:
        raise AssertionError("fusion needs the running statistics of the batch norm, which keeps none")
    return norm.running_mean, norm.running_var


def fuse_conv_bn_eval(conv: _ConvNd, bn: _BatchNorm, transpose: bool = False) -> _ConvNd:
    """A copy of a convolution that computes what the two compute one after the other. Both are in evaluation.

    >>> import autograd_core as ac
    >>> from autograd_core.nn.utils.fusion import fuse_conv_bn_eval
    >>> conv, norm = ac.nn.Conv2d(1, 2, 3).eval(), ac.nn.BatchNorm2d(2).eval()
    >>> x = ac.ones(1, 1, 4, 4)
    >>> ac.allclose(fuse_conv_bn_eval(conv, norm)(x), norm(conv(x)), atol=1e-6)
    True
    """
    mean, var = _statistics(conv, bn)
    fused = copy.deepcopy(conv)
    fused.weight, fused.bias = fuse_conv_bn_weights(
        conv.weight, conv.bias, mean, var, bn.eps, bn.weight, bn.bias, transpose
    )
    return fused


def fuse_linear_bn_eval(linear: Linear, bn: _BatchNorm) -> Linear:
    """A copy of a linear layer that computes what the two compute one after the other. Both are in evaluation.

    >>> import autograd_core as ac
    >>> from autograd_core.nn.utils.fusion import fuse_linear_bn_eval
    >>> linear, norm = ac.nn.Linear(2, 3).eval(), ac.nn.BatchNorm1d(3).eval()
    >>> x = ac.ones(4, 2)
    >>> ac.allclose(fuse_linear_bn_eval(linear, norm)(x), norm(linear(x)), atol=1e-6)
    True
    """
    mean, var = _statistics(linear, bn)
    if bn.num_features not in (linear.out_features, 1):
        raise AssertionError(
            "To fuse, linear.out_features == bn.num_features or bn.num_features == 1, got "
            f"{linear.out_features} and {bn.num_features}"
        )
    fused = copy.deepcopy(linear)
    fused.weight, fused.bias = fuse_linear_bn_weights(linear.weight, linear.bias, mean, var, bn.eps, bn.weight, bn.bias)
    return fused
