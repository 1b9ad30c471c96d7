"""What distributions share: parameters of one shape, probabilities and logarithms, values computed when asked for."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ..core.dtypes import get_default_dtype
from ..core.modes import enable_grad
from ..core.tensor import Tensor
from ..ops.making.creation import tensor
from ..ops.shapes.forms import broadcast_tensors

euler_constant = 0.57721566490153286060
log_two_pi = math.log(2 * math.pi)


def eps_of(x: Tensor) -> float:
    """The spacing of the dtype at 1."""
    return float(np.finfo(x.dtype.numpy).eps)


def tiny_of(x: Tensor) -> float:
    """The smallest normal number of the dtype."""
    return float(np.finfo(x.dtype.numpy).tiny)


def is_number(value) -> bool:
    """Whether a parameter is a Python number."""
    return isinstance(value, (int, float, bool)) and not isinstance(value, Tensor)


def broadcast_all(*values) -> tuple[Tensor, ...]:
    """The values as tensors of one shape; numbers take the dtype of the first tensor, or the default one.

    ValueError for what is neither a tensor nor a number.

    >>> import autograd_core as ac
    >>> ac.distributions.utils.broadcast_all(ac.zeros(2), 1.0)
    (tensor([0., 0.]), tensor([1., 1.]))
    """
    if not all(isinstance(value, Tensor) or is_number(value) for value in values):
        raise ValueError(
            "Input arguments must all be instances of Number, torch.Tensor or objects implementing "
            f"__torch_function__, but got {[type(value).__name__ for value in values]}"
        )
    dtype = next((value.dtype for value in values if isinstance(value, Tensor)), get_default_dtype())
    return tuple(broadcast_tensors(*[v if isinstance(v, Tensor) else tensor(v, dtype=dtype) for v in values]))


def sum_rightmost(value: Tensor, dim: int) -> Tensor:
    """The sum over the last `dim` axes.

    >>> import autograd_core as ac
    >>> ac.distributions.utils.sum_rightmost(ac.ones(2, 3, 4), 2)
    tensor([12., 12.])
    """
    return value.reshape((*value.shape[: value.dim() - dim], -1)).sum(-1) if dim else value


def clamp_probs(probs: Tensor) -> Tensor:
    """Probabilities moved inside of (0, 1) by the spacing of their dtype.

    >>> import autograd_core as ac
    >>> bool(ac.distributions.utils.clamp_probs(ac.tensor(0.0)) > 0)
    True
    """
    eps = eps_of(probs)
    return probs.clamp(eps, 1 - eps)


def logits_to_probs(logits: Tensor, is_binary: bool = False) -> Tensor:
    """Probabilities of log-odds, or of logarithms of weights along the last axis.

    >>> import autograd_core as ac
    >>> ac.distributions.utils.logits_to_probs(ac.tensor([0.0, 0.0]))
    tensor([0.5000, 0.5000])
    """
    return logits.sigmoid() if is_binary else logits.softmax(-1)


def probs_to_logits(probs: Tensor, is_binary: bool = False) -> Tensor:
    """Log-odds, or logarithms, of probabilities, which are moved inside of (0, 1) first.

    >>> import autograd_core as ac
    >>> ac.distributions.utils.probs_to_logits(ac.tensor(0.5), is_binary=True)
    tensor(0.)
    """
    inside = clamp_probs(probs)
    return inside.log() - (-inside).log1p() if is_binary else inside.log()


class lazy_property:
    """A property that is computed, with recording on, when it is first asked for, and kept from then on.

    >>> import autograd_core as ac
    >>> class Square:
    ...     def __init__(self, x): self.x = x
    ...     @ac.distributions.utils.lazy_property
    ...     def area(self): return self.x**2
    >>> square = Square(3)
    >>> square.area, vars(square)
    (9, {'x': 3, 'area': 9})
    """

    def __init__(self, wrapped: Callable):
        self.wrapped, self.__doc__ = wrapped, wrapped.__doc__

    def __set_name__(self, owner, name: str) -> None:
        self.name = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        with enable_grad():
            value = self.wrapped(instance)
        setattr(instance, self.name, value)
        return value
