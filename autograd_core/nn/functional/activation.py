"""Activations under the signatures of `torch.nn.functional`: some of them may write into their input."""

from __future__ import annotations

import warnings

from ...core.tensor import Tensor
from ...core.write import in_place
from ...ops.elementwise.piecewise import abs
from ...ops.elementwise.trigonometry import tanh
from ...ops.indexing.brackets import narrow
from ...ops.making.creation import empty_like
from ...ops.making.drawing import uniform_
from ...ops.nn import nonlinearities as ops
from ...ops.nn import softmax as along_dim
from ...ops.nn.nonlinearities import gelu, hardshrink, logsigmoid, prelu, sigmoid, softplus, softshrink
from ...ops.precision import carried_wide
from ...ops.shapes.shape import axes_of

__all__ = [
    "celu",
    "celu_",
    "elu",
    "elu_",
    "gelu",
    "glu",
    "hardshrink",
    "hardsigmoid",
    "hardswish",
    "hardtanh",
    "hardtanh_",
    "leaky_relu",
    "leaky_relu_",
    "log_softmax",
    "logsigmoid",
    "mish",
    "prelu",
    "relu",
    "relu6",
    "relu_",
    "rrelu",
    "rrelu_",
    "selu",
    "selu_",
    "sigmoid",
    "silu",
    "softmax",
    "softmin",
    "softplus",
    "softshrink",
    "softsign",
    "tanh",
    "tanhshrink",
    "threshold",
    "threshold_",
]

_relu_, _leaky_relu_, _hardtanh_ = in_place(ops.relu), in_place(ops.leaky_relu), in_place(ops.hardtanh)
_elu_, _silu_, _mish_ = in_place(ops.elu), in_place(ops.silu), in_place(ops.mish)
_hardsigmoid_, _hardswish_, _threshold_ = in_place(ops.hardsigmoid), in_place(ops.hardswish), in_place(ops.threshold)
_prelu_ = in_place(ops.prelu_kernel)

# -- piecewise linear


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


def hardsigmoid(input, inplace: bool = False) -> Tensor:
    """`relu6(input + 3) / 6`, with gradient 0 outside (-3, 3) and on both bounds. NotImplementedError for integers.

    >>> import autograd_core as ac
    >>> ac.nn.functional.hardsigmoid(ac.tensor([-4.0, 1.5]))
    tensor([0.0000, 0.7500])
    """
    return (_hardsigmoid_ if inplace else ops.hardsigmoid)(input)


def hardswish(input, inplace: bool = False) -> Tensor:
    """`input * relu6(input + 3) / 6`; the slope is 0 at -3 and 1 at 3. NotImplementedError for integers.

    >>> import autograd_core as ac
    >>> ac.nn.functional.hardswish(ac.tensor([-2.0, 1.5]))
    tensor([-0.3333,  1.1250])
    """
    return (_hardswish_ if inplace else ops.hardswish)(input)


def threshold(input, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """The input where it is above `threshold`, else `value`; gradient 0 there, and on the threshold.

    >>> import autograd_core as ac
    >>> ac.nn.functional.threshold(ac.tensor([0.5, 2.0]), 1.0, -1.0)
    tensor([-1.,  2.])
    """
    return (_threshold_ if inplace else ops.threshold)(input, threshold, value)


def rrelu(
    input, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, inplace: bool = False
) -> Tensor:
    """`leaky_relu` whose slope is the mean of `lower` and `upper`, or while training random, one for each element.

    Uniform on [lower, upper], drawn from the generator that `ac.manual_seed` starts. RuntimeError for lower > upper.

    >>> import autograd_core as ac
    >>> ac.nn.functional.rrelu(ac.tensor([-1.0, 2.0]), 0.1, 0.3)
    tensor([-0.2000,  2.0000])
    """
    if lower > upper:
        raise RuntimeError(
            f"rrelu: Lower bound should be less than or equal to the upper bound, got {lower} and {upper}"
        )
    if training:
        slopes = uniform_(empty_like(input, requires_grad=False), lower, upper)
        return (_prelu_ if inplace else ops.prelu_kernel)(input, slopes)
    return leaky_relu(input, (lower + upper) / 2, inplace)


@carried_wide
def tanhshrink(input) -> Tensor:
    """`input - tanh(input)`.

    >>> import autograd_core as ac
    >>> ac.nn.functional.tanhshrink(ac.tensor([0.0, 1.0]))
    tensor([0.0000, 0.2384])
    """
    return input - tanh(input)


@carried_wide
def softsign(input) -> Tensor:
    """`input / (1 + |input|)`, with slope 1 at 0.

    >>> import autograd_core as ac
    >>> ac.nn.functional.softsign(ac.tensor([-1.0, 3.0]))
    tensor([-0.5000,  0.7500])
    """
    return input / (abs(input) + 1)


# -- with an exponential


def elu(input, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """The input where it is positive, else `alpha (exp(input) - 1)`; the slope at 0 is `alpha`.

    Clevert et al. 2015, arXiv:1511.07289. NotImplementedError for integers.

    >>> import autograd_core as ac
    >>> ac.nn.functional.elu(ac.tensor([-1.0, 2.0]))
    tensor([-0.6321,  2.0000])
    """
    return (_elu_ if inplace else ops.elu)(input, alpha)


def selu(input, inplace: bool = False) -> Tensor:
    """`ac.selu`.

    >>> import autograd_core as ac
    >>> ac.nn.functional.selu(ac.tensor([-1.0, 2.0]))
    tensor([-1.1113,  2.1014])
    """
    return _elu_(input, ops.SELU_ALPHA, ops.SELU_SCALE) if inplace else ops.selu(input)


def celu(input, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """`ac.celu`.

    >>> import autograd_core as ac
    >>> ac.nn.functional.celu(ac.tensor([-1.0, 2.0]), 0.5)
    tensor([-0.4323,  2.0000])
    """
    return _elu_(input, alpha, 1.0, ops.inverse_alpha(alpha)) if inplace else ops.celu(input, alpha)


def silu(input, inplace: bool = False) -> Tensor:
    """`input * sigmoid(input)`. NotImplementedError for integers.

    >>> import autograd_core as ac
    >>> ac.nn.functional.silu(ac.tensor([-1.0, 2.0]))
    tensor([-0.2689,  1.7616])
    """
    return (_silu_ if inplace else ops.silu)(input)


def mish(input, inplace: bool = False) -> Tensor:
    """`input * tanh(softplus(input))` (Misra 2019, arXiv:1908.08681). NotImplementedError for integers.

    >>> import autograd_core as ac
    >>> ac.nn.functional.mish(ac.tensor([-1.0, 2.0]))
    tensor([-0.3034,  1.9440])
    """
    return (_mish_ if inplace else ops.mish)(input)


# -- along an axis


@carried_wide
def glu(input, dim: int = -1) -> Tensor:
    """The first half along `dim` times the sigmoid of the second (Dauphin et al. 2016, arXiv:1612.08083).

    A result of half the length along `dim`. RuntimeError for an odd length and for a tensor without axes.

    >>> import autograd_core as ac
    >>> ac.nn.functional.glu(ac.tensor([1.0, 2.0, 0.0, 100.0]))
    tensor([0.5000, 2.0000])
    """
    if input.ndim == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    axis = axes_of(dim, input.ndim)[0]
    if input.shape[axis] % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {axis} is size {input.shape[axis]}")
    half = input.shape[axis] // 2
    return narrow(input, axis, 0, half) * sigmoid(narrow(input, axis, half, half))


def _dim(name: str, input, dim: int | None, stacklevel: int) -> int:
    """`dim`, or the axis that PyTorch takes where none is given: the first of one or three, else the second.

    Then it warns of the line `stacklevel` calls up.
    """
    if dim is not None:
        return dim
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
        UserWarning,
        stacklevel=stacklevel,
    )
    return 0 if input.ndim in (0, 1, 3) else 1


def softmax(input, dim: int | None = None, _stacklevel: int = 3, dtype=None) -> Tensor:
    """`ac.softmax`. Without `dim`: along axis 0 of one or three, else along axis 1, with a UserWarning.

    >>> import autograd_core as ac
    >>> ac.nn.functional.softmax(ac.tensor([0.0, 0.0]), dim=0)
    tensor([0.5000, 0.5000])
    """
    return along_dim.softmax(input, _dim("softmax", input, dim, _stacklevel), dtype)


def softmin(input, dim: int | None = None, _stacklevel: int = 3, dtype=None) -> Tensor:
    """`softmax(-input)`. Without `dim`: along axis 0 of one or three, else along axis 1, with a UserWarning.

    >>> import autograd_core as ac
    >>> ac.nn.functional.softmin(ac.tensor([0.0, 0.0]), dim=0)
    tensor([0.5000, 0.5000])
    """
    return along_dim.softmax(-input, _dim("softmin", input, dim, _stacklevel), dtype)


def log_softmax(input, dim: int | None = None, _stacklevel: int = 3, dtype=None) -> Tensor:
    """`ac.log_softmax`. Without `dim`: along axis 0 of one or three, else along axis 1, with a UserWarning.

    >>> import autograd_core as ac
    >>> ac.nn.functional.log_softmax(ac.tensor([0.0, 0.0]), dim=0)
    tensor([-0.6931, -0.6931])
    """
    return along_dim.log_softmax(input, _dim("log_softmax", input, dim, _stacklevel), dtype)


# -- under the names with which PyTorch writes into the input


def relu_(input) -> Tensor:
    """`relu` written into its input."""
    return relu(input, True)


def leaky_relu_(input, negative_slope: float = 0.01) -> Tensor:
    """`leaky_relu` written into its input."""
    return leaky_relu(input, negative_slope, True)


def hardtanh_(input, min_val: float = -1.0, max_val: float = 1.0) -> Tensor:
    """`hardtanh` written into its input."""
    return hardtanh(input, min_val, max_val, True)


def threshold_(input, threshold: float, value: float) -> Tensor:
    """`threshold` written into its input."""
    return _threshold_(input, threshold, value)


def rrelu_(input, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False) -> Tensor:
    """`rrelu` written into its input."""
    return rrelu(input, lower, upper, training, True)


def elu_(input, alpha: float = 1.0) -> Tensor:
    """`elu` written into its input."""
    return elu(input, alpha, True)


def selu_(input) -> Tensor:
    """`selu` written into its input."""
    return selu(input, True)


def celu_(input, alpha: float = 1.0) -> Tensor:
    """`celu` written into its input."""
    return celu(input, alpha, True)
