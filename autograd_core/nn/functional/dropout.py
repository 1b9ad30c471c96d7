"""Dropout: zero elements or whole channels at random while training, and scale up what stays.

The expected value stays what it was; in alpha dropout, made for SELU networks, the mean and the variance do. The mask
is drawn from the generator that `manual_seed` sets, and is what the backward pass multiplies by. `training` is True by
default, except in alpha dropout, as in PyTorch: a module's `eval()` does not reach these functions.
"""

from __future__ import annotations

import math
import warnings

from ...core.tensor import Tensor, wrap
from ...ops.making.random_values import rand
from ...ops.shapes.shape import squeeze, unsqueeze

SATURATION = -1.7580993408473766  # SELU of minus infinity


def _check(name: str, input, p: float) -> None:
    if not 0.0 <= p <= 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not input.is_floating_point():
        raise RuntimeError(f"{name}: the input must be floating point, got {input.dtype}; convert it with .float()")


def _kept(shape, p: float, dtype):
    """1 where an element stays, else 0, as an array."""
    return (rand(shape, dtype=dtype)._array >= p).astype(dtype.numpy)


def _drop(input, p: float, shape, inplace: bool):
    mask = _kept(shape, p, input.dtype)
    if p < 1:
        mask *= 1 / (1 - p)
    return input.mul_(wrap(mask)) if inplace else input * wrap(mask)


def _alpha_drop(input, p: float, shape, inplace: bool):
    """Dropped elements become SELU's saturation value; an affine map then restores mean and variance."""
    mask = _kept(shape, p, input.dtype)
    if p == 1:
        factor, shift = mask, 0 * mask
    else:
        scale = 1 / math.sqrt((SATURATION**2 * p + 1) * (1 - p))
        factor, shift = mask * scale, (1 - mask - p) * (SATURATION * scale)
    if inplace:
        return input.mul_(wrap(factor)).add_(wrap(shift))
    return input * wrap(factor) + wrap(shift)


def dropout(input, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zero each element with probability `p` and divide the others by 1 - p.

    The result is the input itself when `training` is False or p is 0, or with `inplace`, which writes into it. Raises
    ValueError for p outside 0 to 1, RuntimeError for an input that is not floating.
    Source: Srivastava et al., Dropout, 2014.

    >>> import autograd_core as ac
    >>> x = ac.tensor([1.0, 2.0])
    >>> ac.nn.functional.dropout(x, p=1.0), ac.nn.functional.dropout(x, training=False)
    (tensor([0., 0.]), tensor([1., 2.]))
    """
    _check("dropout", input, p)
    if not isinstance(training, bool):
        raise TypeError(f"dropout(): argument 'training' must be bool, not {type(training).__name__}")
    return _drop(input, p, input.shape, inplace) if training and p else input


def alpha_dropout(input, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """Set each element with probability `p` to the saturation value of SELU, then restore mean and variance.

    Result and errors as in `dropout`. Source: Klambauer et al., Self-Normalizing Neural Networks, 2017.

    >>> import autograd_core as ac
    >>> ac.nn.functional.alpha_dropout(ac.ones(2), p=1.0, training=True), ac.nn.functional.alpha_dropout(ac.ones(2))
    (tensor([0., 0.]), tensor([1., 1.]))
    """
    _check("alpha_dropout", input, p)
    return _alpha_drop(input, p, input.shape, inplace) if training and p else input


def feature_alpha_dropout(input, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """`alpha_dropout` of whole channels, axis 1. RuntimeError for fewer than two axes.

    >>> import autograd_core as ac
    >>> ac.nn.functional.feature_alpha_dropout(ac.ones(1, 2, 3), p=1.0, training=True)
    tensor([[[0., 0., 0.],
             [0., 0., 0.]]])
    """
    _check("feature_alpha_dropout", input, p)
    return _alpha_drop(input, p, _feature_shape(input), inplace) if training and p else input


def dropout1d(input, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Drop whole channels of (N, C, L) or (C, L). RuntimeError for other ranks; otherwise as `dropout`.

    >>> import autograd_core as ac
    >>> ac.nn.functional.dropout1d(ac.ones(2, 3), p=1.0)
    tensor([[0., 0., 0.],
            [0., 0., 0.]])
    """
    if input.ndim not in (2, 3):
        raise RuntimeError(f"dropout1d: Expected 2D or 3D input, but received a {input.ndim}D input")
    return _feature_dropout("dropout1d", input, p, training, inplace, batched=input.ndim == 3)


def dropout2d(input, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Drop whole channels, axis 1, of (N, C, H, W); otherwise as `dropout`. Other ranks give a warning.

    >>> import autograd_core as ac
    >>> ac.nn.functional.dropout2d(ac.ones(1, 1, 1, 2), p=1.0)
    tensor([[[[0., 0.]]]])
    """
    if input.ndim not in (3, 4):
        _warn("dropout2d", input, "4-D", "(N, C, H, W)")
    return _feature_dropout("dropout2d", input, p, training, inplace)


def dropout3d(input, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Drop whole channels of (N, C, D, H, W) or (C, D, H, W); otherwise as `dropout`. Other ranks give a warning.

    >>> import autograd_core as ac
    >>> ac.nn.functional.dropout3d(ac.ones(1, 1, 1, 1, 2), p=1.0)
    tensor([[[[[0., 0.]]]]])
    """
    if input.ndim not in (4, 5):
        _warn("dropout3d", input, "5-D", "(N, C, D, H, W)")
    return _feature_dropout("dropout3d", input, p, training, inplace, batched=input.ndim == 5)


def _warn(name: str, input, rank: str, shape: str) -> None:
    warnings.warn(
        f"{name}: Received a {input.ndim}-D input; a {rank} one, {shape}, is meant. Reshape it, or use dropout().",
        UserWarning,
        stacklevel=3,
    )


def _feature_shape(input) -> tuple:
    """A shape that draws once for each channel."""
    if input.ndim < 2:
        raise RuntimeError(f"Feature dropout requires at least 2 dimensions in the input, got {list(input.shape)}")
    return (*input.shape[:2], *[1] * (input.ndim - 2))


def _feature_dropout(name: str, input, p: float, training: bool, inplace: bool, batched: bool = True):
    _check(name, input, p)
    if not training or not p:
        return input
    if batched:
        return _drop(input, p, _feature_shape(input), inplace)
    return squeeze(_drop(unsqueeze(input, 0), p, _feature_shape(unsqueeze(input, 0)), inplace), 0)
