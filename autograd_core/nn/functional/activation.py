"""Activations under the signatures of `torch.nn.functional`: some of them may write into their input."""

from __future__ import annotations

import warnings

from ...ops import activation as ops
from ...ops import softmax as along_dim
from ...ops.activation import gelu, logsigmoid, sigmoid, softplus
from ...ops.trigonometry import tanh
from ...tensor import Tensor
from ...views import in_place

__all__ = [
    "gelu",
    "hardtanh",
    "leaky_relu",
    "log_softmax",
    "logsigmoid",
    "relu",
    "relu6",
    "sigmoid",
    "softmax",
    "softplus",
    "tanh",
]

_relu_, _leaky_relu_, _hardtanh_ = in_place(ops.relu), in_place(ops.leaky_relu), in_place(ops.hardtanh)


def relu(input, inplace: bool = False) -> Tensor:
    """max(input, 0), with gradient 0 at 0. With `inplace` written into `input`, as one node.

    >>> import autograd_core as ac
    >>> ac.nn.functional.relu(ac.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """
    return _relu_(input) if inplace else ops.relu(input)


def leaky_relu(input, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """The input where it is positive, else `negative_slope` times it; the slope at 0 is `negative_slope`.

    >>> import autograd_core as ac
    >>> ac.nn.functional.leaky_relu(ac.tensor([-1.0, 2.0]), 0.1)
    tensor([-0.1000,  2.0000])
    """
    return (_leaky_relu_ if inplace else ops.leaky_relu)(input, negative_slope)


def hardtanh(input, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """The input held between `min_val` and `max_val`, with gradient 0 outside and on both bounds.

    >>> import autograd_core as ac
    >>> ac.nn.functional.hardtanh(ac.tensor([-3.0, 0.5]))
    tensor([-1.0000,  0.5000])
    """
    return (_hardtanh_ if inplace else ops.hardtanh)(input, min_val, max_val)


def relu6(input, inplace: bool = False) -> Tensor:
    """`hardtanh(input, 0, 6)`.

    >>> import autograd_core as ac
    >>> ac.nn.functional.relu6(ac.tensor([-1.0, 8.0]))
    tensor([0., 6.])
    """
    return hardtanh(input, 0.0, 6.0, inplace)


def _implicit_dim(name: str, ndim: int) -> int:
    """The axis that PyTorch takes where none is given: the first of one or three, else the second. With a warning."""
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
        UserWarning,
        stacklevel=3,
    )
    return 0 if ndim in (0, 1, 3) else 1


def softmax(input, dim: int | None = None, *, dtype=None) -> Tensor:
    """`ac.softmax`. Without `dim`: along axis 0 of one or three, else along axis 1, with a UserWarning.

    >>> import autograd_core as ac
    >>> ac.nn.functional.softmax(ac.tensor([0.0, 0.0]), dim=0)
    tensor([0.5000, 0.5000])
    """
    return along_dim.softmax(input, _implicit_dim("softmax", input.ndim) if dim is None else dim, dtype)


def log_softmax(input, dim: int | None = None, *, dtype=None) -> Tensor:
    """`ac.log_softmax`. Without `dim`: along axis 0 of one or three, else along axis 1, with a UserWarning.

    >>> import autograd_core as ac
    >>> ac.nn.functional.log_softmax(ac.tensor([0.0, 0.0]), dim=0)
    tensor([-0.6931, -0.6931])
    """
    return along_dim.log_softmax(input, _implicit_dim("log_softmax", input.ndim) if dim is None else dim, dtype)
