"""Initial values, written into a tensor in place and without history. Each function returns its tensor.

A weight of shape (out, in, ...) has fan_in = in · (...) and fan_out = out · (...).
"""

from __future__ import annotations

import math

from ..modes import no_grad
from ..names import facade
from ..tensor import Tensor

__all__ = ["calculate_gain", "kaiming_uniform_", "normal_", "ones_", "uniform_", "xavier_uniform_", "zeros_"]
__getattr__, __dir__ = facade(__name__, __all__)


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor by which weights should grow to make up for what a nonlinearity takes from the variance.

    `param` is the negative slope of "leaky_relu" (0.01 if None). ValueError for an unknown name.

    >>> from autograd_core.nn import init
    >>> init.calculate_gain("tanh")
    1.6666666666666667
    """
    gains = {"linear": 1.0, "sigmoid": 1.0, "tanh": 5.0 / 3, "relu": math.sqrt(2.0)}
    if nonlinearity == "leaky_relu":
        return math.sqrt(2.0 / (1 + (0.01 if param is None else param) ** 2))
    if nonlinearity not in gains:
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}; choose one of {', '.join([*gains, 'leaky_relu'])}")
    return gains[nonlinearity]


def fans(tensor: Tensor) -> tuple[int, int]:
    """fan_in and fan_out of a weight. ValueError for fewer than two axes."""
    if tensor.ndim < 2:
        raise ValueError(
            "Fan in and fan out can not be computed for a tensor with fewer than 2 dimensions, got shape "
            f"{list(tensor.shape)}"
        )
    per_weight = math.prod(tensor.shape[2:])
    return tensor.shape[1] * per_weight, tensor.shape[0] * per_weight


@no_grad()
def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0) -> Tensor:
    """Uniform in [a, b).

    >>> import autograd_core as ac
    >>> ac.nn.init.uniform_(ac.zeros(2), 3.0, 3.0)
    tensor([3., 3.])
    """
    return tensor.uniform_(a, b)


@no_grad()
def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0) -> Tensor:
    """Normal with the given mean and standard deviation.

    >>> import autograd_core as ac
    >>> ac.nn.init.normal_(ac.zeros(2), mean=3.0, std=0.0)
    tensor([3., 3.])
    """
    return tensor.normal_(mean, std)


@no_grad()
def zeros_(tensor: Tensor) -> Tensor:
    """Zeros.

    >>> import autograd_core as ac
    >>> ac.nn.init.zeros_(ac.ones(2))
    tensor([0., 0.])
    """
    return tensor.zero_()


@no_grad()
def ones_(tensor: Tensor) -> Tensor:
    """Ones.

    >>> import autograd_core as ac
    >>> ac.nn.init.ones_(ac.zeros(2))
    tensor([1., 1.])
    """
    return tensor.fill_(1)


def xavier_uniform_(tensor: Tensor, gain: float = 1.0) -> Tensor:
    """Uniform within ± gain √(6 / (fan_in + fan_out)). ValueError for fewer than two axes.

    Source: Glorot and Bengio, 2010.

    >>> import autograd_core as ac
    >>> bool((ac.nn.init.xavier_uniform_(ac.zeros(2, 4)).abs() <= 1.0).all())
    True
    """
    fan_in, fan_out = fans(tensor)
    bound = gain * math.sqrt(6.0 / (fan_in + fan_out))
    return uniform_(tensor, -bound, bound)


def kaiming_uniform_(tensor: Tensor, a: float = 0.0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> Tensor:
    """Uniform within ± gain √(3 / fan), `fan` after `mode` and the gain after `nonlinearity` with negative slope `a`.

    Source: He, Zhang, Ren and Sun, 2015. ValueError for another mode, or fewer than two axes.

    >>> import autograd_core as ac
    >>> bool((ac.nn.init.kaiming_uniform_(ac.zeros(2, 6)).abs() <= 1.0).all())
    True
    """
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of fan_in, fan_out")
    fan_in, fan_out = fans(tensor)
    bound = calculate_gain(nonlinearity, a) * math.sqrt(3.0 / (fan_in if mode == "fan_in" else fan_out))
    return uniform_(tensor, -bound, bound)
