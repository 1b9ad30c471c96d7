"""Initial values, written into a tensor in place and without history. Each function returns its tensor.

A weight of shape (out, in, ...) has fan_in = in · (...) and fan_out = out · (...). Random numbers come from
`generator`, by default from the global one.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any

from .. import linalg
from ..core.modes import no_grad
from ..core.tensor import Tensor
from ..names import facade
from ..ops.making.creation import empty
from ..ops.making.generator import Generator

__all__ = [
    "calculate_gain",
    "constant_",
    "dirac_",
    "eye_",
    "kaiming_normal_",
    "kaiming_uniform_",
    "normal_",
    "ones_",
    "orthogonal_",
    "sparse_",
    "trunc_normal_",
    "uniform_",
    "xavier_normal_",
    "xavier_uniform_",
    "zeros_",
]
__getattr__, __dir__ = facade(__name__, __all__)

LINEAR = ("linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d")
GAINS = {**dict.fromkeys((*LINEAR, "sigmoid"), 1.0), "tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4}


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor by which weights should grow to make up for what a nonlinearity takes from the variance.

    `param` is the negative slope of "leaky_relu" (0.01 if None). ValueError for an unknown name, or a slope that is no
    number.

    >>> from autograd_core.nn import init
    >>> init.calculate_gain("tanh")
    1.6666666666666667
    """
    if nonlinearity == "leaky_relu":
        if param is not None and (isinstance(param, bool) or not isinstance(param, (int, float))):
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + (0.01 if param is None else param) ** 2))
    if nonlinearity not in GAINS:
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}; choose one of {', '.join([*GAINS, 'leaky_relu'])}")
    return GAINS[nonlinearity]


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    """fan_in and fan_out of a weight. ValueError for fewer than two axes."""
    if tensor.ndim < 2:
        raise ValueError(
            "Fan in and fan out can not be computed for a tensor with fewer than 2 dimensions, got shape "
            f"{list(tensor.shape)}"
        )
    per_weight = math.prod(tensor.shape[2:])
    return tensor.shape[1] * per_weight, tensor.shape[0] * per_weight


# -- one distribution or value for all elements


@no_grad()
def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Uniform in [a, b).

    >>> import autograd_core as ac
    >>> ac.nn.init.uniform_(ac.zeros(2), 3.0, 3.0)
    tensor([3., 3.])
    """
    return tensor.uniform_(a, b, generator=generator)


def uniform_within(bound: float, *tensors: Tensor | None) -> None:
    """Fill the tensors that there are uniformly in [-bound, bound)."""
    for tensor in tensors:
        if tensor is not None:
            uniform_(tensor, -bound, bound)


@no_grad()
def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Normal with the given mean and standard deviation.

    >>> import autograd_core as ac
    >>> ac.nn.init.normal_(ac.zeros(2), mean=3.0, std=0.0)
    tensor([3., 3.])
    """
    return tensor.normal_(mean, std, generator=generator)


@no_grad()
def trunc_normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Generator | None = None,
) -> Tensor:
    """Normal with the given mean and standard deviation, but only within [a, b]; not in units of `std`.

    The inverse of the distribution function, at points that are uniform between its values at a and b. It needs SciPy.

    >>> import autograd_core as ac
    >>> bool((ac.nn.init.trunc_normal_(ac.zeros(100), std=5.0).abs() <= 2.0).all())
    True
    """
    low, high = (math.erf((end - mean) / (std * math.sqrt(2.0))) for end in (a, b))
    return tensor.uniform_(low, high, generator=generator).erfinv_().mul_(std * math.sqrt(2.0)).add_(mean).clamp_(a, b)


@no_grad()
def constant_(tensor: Tensor, val: float) -> Tensor:
    """`val` everywhere.

    >>> import autograd_core as ac
    >>> ac.nn.init.constant_(ac.zeros(2), 0.5)
    tensor([0.5000, 0.5000])
    """
    return tensor.fill_(val)


def zeros_(tensor: Tensor) -> Tensor:
    """Zeros.

    >>> import autograd_core as ac
    >>> ac.nn.init.zeros_(ac.ones(2))
    tensor([0., 0.])
    """
    return constant_(tensor, 0)


def ones_(tensor: Tensor) -> Tensor:
    """Ones.

    >>> import autograd_core as ac
    >>> ac.nn.init.ones_(ac.zeros(2))
    tensor([1., 1.])
    """
    return constant_(tensor, 1)


# -- variances that suit the size of a weight


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Uniform within ± gain √(6 / (fan_in + fan_out)). ValueError for fewer than two axes.

    Source: Glorot and Bengio, 2010.

    >>> import autograd_core as ac
    >>> bool((ac.nn.init.xavier_uniform_(ac.zeros(2, 4)).abs() <= 1.0).all())
    True
    """
    bound = gain * math.sqrt(6.0 / sum(_calculate_fan_in_and_fan_out(tensor)))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Normal with standard deviation gain √(2 / (fan_in + fan_out)). ValueError for fewer than two axes.

    Source: Glorot and Bengio, 2010.

    >>> import autograd_core as ac
    >>> ac.nn.init.xavier_normal_(ac.ones(2, 2), gain=0.0)
    tensor([[0., 0.],
            [0., 0.]])
    """
    std = gain * math.sqrt(2.0 / sum(_calculate_fan_in_and_fan_out(tensor)))
    return normal_(tensor, 0.0, std, generator)


def _calculate_correct_fan(tensor: Tensor, mode: str) -> int:
    """The fan that a mode means."""
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of fan_in, fan_out")
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return fan_in if mode == "fan_in" else fan_out


def _kaiming_std(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float:
    return calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode))


def _is_without_elements(tensor: Tensor) -> bool:
    if tensor.numel() == 0:
        warnings.warn("Initializing zero-element tensors is a no-op", UserWarning, stacklevel=3)
    return tensor.numel() == 0


def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0.0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:
    """Uniform within ± gain √(3 / fan), `fan` after `mode` and the gain after `nonlinearity` with negative slope `a`.

    Source: He, Zhang, Ren and Sun, 2015. ValueError for another mode, or fewer than two axes.

    >>> import autograd_core as ac
    >>> bool((ac.nn.init.kaiming_uniform_(ac.zeros(2, 6)).abs() <= 1.0).all())
    True
    """
    if _is_without_elements(tensor):
        return tensor
    bound = math.sqrt(3.0) * _kaiming_std(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0.0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:
    """Normal with standard deviation gain / √fan; otherwise as `kaiming_uniform_`.

    >>> import autograd_core as ac
    >>> ac.nn.init.kaiming_normal_(ac.zeros(2, 6)).shape
    Size([2, 6])
    """
    if _is_without_elements(tensor):
        return tensor
    return normal_(tensor, 0.0, _kaiming_std(tensor, a, mode, nonlinearity), generator)


# -- with a structure


@no_grad()
def eye_(tensor: Tensor) -> Tensor:
    """The identity, in a matrix. ValueError for another number of axes.

    >>> import autograd_core as ac
    >>> ac.nn.init.eye_(ac.zeros(2, 3))
    tensor([[1., 0., 0.],
            [0., 1., 0.]])
    """
    if tensor.ndim != 2:
        raise ValueError(f"Only tensors with 2 dimensions are supported, got shape {list(tensor.shape)}")
    tensor.zero_().diagonal().fill_(1)
    return tensor


@no_grad()
def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """The identity, in the kernel of a convolution: each output channel is an input channel, as many as there are.

    ValueError unless there are 3 to 5 axes, and output channels that `groups` divides.

    >>> import autograd_core as ac
    >>> ac.nn.init.dirac_(ac.empty(1, 2, 3))
    tensor([[[0., 1., 0.],
             [0., 0., 0.]]])
    """
    if tensor.ndim not in (3, 4, 5):
        raise ValueError(f"Only tensors with 3, 4, or 5 dimensions are supported, got shape {list(tensor.shape)}")
    if tensor.shape[0] % groups:
        raise ValueError(f"dim 0 must be divisible by groups, got {tensor.shape[0]} and {groups}")
    per_group = tensor.shape[0] // groups
    center = tuple(size // 2 for size in tensor.shape[2:])
    tensor.zero_()
    for group in range(groups):
        for k in range(min(per_group, tensor.shape[1])):
            tensor[(group * per_group + k, k, *center)] = 1
    return tensor


@no_grad()
def orthogonal_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Orthonormal rows times `gain`, or columns if there are more rows; axes from the second on count as one.

    The Q of a normal matrix, with signs that make it uniform among all. ValueError for fewer than two axes.
    Source: Saxe, McClelland and Ganguli, 2014.

    >>> import autograd_core as ac
    >>> w = ac.nn.init.orthogonal_(ac.empty(2, 4))
    >>> ac.allclose(w @ w.T, ac.eye(2), atol=1e-6)
    True
    """
    if tensor.ndim < 2:
        raise ValueError(f"Only tensors with 2 or more dimensions are supported, got shape {list(tensor.shape)}")
    rows, columns = tensor.shape[0], math.prod(tensor.shape[1:])
    if not tensor.numel():
        return tensor
    drawn = empty(max(rows, columns), min(rows, columns), dtype=tensor.dtype).normal_(0, 1, generator=generator)
    q, r = linalg.qr(drawn)
    q *= r.diagonal().sign()
    return tensor.copy_((q if rows >= columns else q.T).reshape(tensor.shape)).mul_(gain)


@no_grad()
def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Generator | None = None) -> Tensor:
    """Normal with standard deviation `std`, and in each column a share `sparsity` of zeros, rounded up.

    ValueError unless it is a matrix. Source: Martens, 2010.

    >>> import autograd_core as ac
    >>> (ac.nn.init.sparse_(ac.empty(4, 2), 0.5) == 0).sum(0)
    tensor([2, 2])
    """
    if tensor.ndim != 2:
        raise ValueError(f"Only tensors with 2 dimensions are supported, got shape {list(tensor.shape)}")
    rows, columns = tensor.shape
    order = empty(rows, columns).uniform_(0, 1, generator=generator).argsort(0)
    tensor.normal_(0, std, generator=generator)[order < math.ceil(sparsity * rows)] = 0
    return tensor


# -- the names that these functions had in older programs


def _renamed(new: Any) -> Callable:
    old = new.__name__.rstrip("_")

    @wraps(new)
    def called(*args, **kwargs):
        warnings.warn(
            f"`nn.init.{old}` is now deprecated in favor of `nn.init.{new.__name__}`.", FutureWarning, stacklevel=2
        )
        return new(*args, **kwargs)

    called.__name__, called.__doc__ = old, f"The old name of `{new.__name__}`."
    return called


uniform, normal, constant, eye, dirac, orthogonal, sparse = map(
    _renamed, (uniform_, normal_, constant_, eye_, dirac_, orthogonal_, sparse_)
)
xavier_uniform, xavier_normal, kaiming_uniform, kaiming_normal = map(
    _renamed, (xavier_uniform_, xavier_normal_, kaiming_uniform_, kaiming_normal_)
)
