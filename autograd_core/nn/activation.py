"""Activations: functions of `nn.functional` as modules. Each keeps the shape of its input, but for `GLU`."""

from __future__ import annotations

import warnings

from ..core.tensor import Parameter, Tensor
from ..ops.making.creation import empty
from . import functional as F
from . import init as initial
from .module import Module


def _in_place(inplace: bool) -> str:
    return ", inplace=True" if inplace else ""


class Threshold(Module):
    """x where it is above `threshold`, else `value`.

    >>> import autograd_core as ac
    >>> ac.nn.Threshold(1.0, 20.0)(ac.tensor([0.0, 2.0]))
    tensor([20.,  2.])
    """

    def __init__(self, threshold: float, value: float, inplace: bool = False):
        super().__init__()
        self.threshold, self.value, self.inplace = threshold, value, inplace

    def forward(self, input: Tensor) -> Tensor:
        """`functional.threshold`."""
        return F.threshold(input, self.threshold, self.value, self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return f"threshold={self.threshold}, value={self.value}{_in_place(self.inplace)}"


class ReLU(Module):
    """max(0, x); with `inplace` it overwrites its input.

    >>> import autograd_core as ac
    >>> ac.nn.ReLU()(ac.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """

    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """`functional.relu`."""
        return F.relu(input, self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return "inplace=True" if self.inplace else ""


class RReLU(Module):
    """x, times a slope where it is negative: drawn from [lower, upper] while training, else their mean.

    >>> import autograd_core as ac
    >>> ac.nn.RReLU(0.5, 0.5)(ac.tensor([-1.0, 2.0]))
    tensor([-0.5000,  2.0000])
    """

    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False):
        super().__init__()
        self.lower, self.upper, self.inplace = lower, upper, inplace

    def forward(self, input: Tensor) -> Tensor:
        """`functional.rrelu`."""
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return f"lower={self.lower}, upper={self.upper}{_in_place(self.inplace)}"


class Hardtanh(Module):
    """x held within `min_val` and `max_val`, once `min_value` and `max_value`. AssertionError unless one is greater.

    >>> import autograd_core as ac
    >>> ac.nn.Hardtanh()(ac.tensor([-2.0, 0.5]))
    tensor([-1.0000,  0.5000])
    """

    def __init__(
        self,
        min_val: float = -1.0,
        max_val: float = 1.0,
        inplace: bool = False,
        min_value: float | None = None,
        max_value: float | None = None,
    ):
        super().__init__()
        for old, new, given in (("min_value", "min_val", min_value), ("max_value", "max_val", max_value)):
            if given is not None:
                text = f"keyword argument `{old}` is deprecated and renamed to `{new}`"
                warnings.warn(text, FutureWarning, stacklevel=2)
        min_val, max_val = min_val if min_value is None else min_value, max_val if max_value is None else max_value
        if max_val <= min_val:
            raise AssertionError(f"max_val ({max_val}) must be greater than min_val ({min_val})")
        self.min_val, self.max_val, self.inplace = min_val, max_val, inplace

    def forward(self, input: Tensor) -> Tensor:
        """`functional.hardtanh`."""
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return f"min_val={self.min_val}, max_val={self.max_val}{_in_place(self.inplace)}"


class ReLU6(Module):
    """x held within 0 and 6.

    >>> import autograd_core as ac
    >>> ac.nn.ReLU6()(ac.tensor([-1.0, 7.0]))
    tensor([0., 6.])
    """

    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """`functional.relu6`."""
        return F.relu6(input, self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return "inplace=True" if self.inplace else ""


class Sigmoid(Module):
    """1 / (1 + exp(-x)).

    >>> import autograd_core as ac
    >>> ac.nn.Sigmoid()(ac.tensor([0.0]))
    tensor([0.5000])
    """

    def forward(self, input: Tensor) -> Tensor:
        """`functional.sigmoid`."""
        return F.sigmoid(input)


class Hardsigmoid(Module):
    """x / 6 + 1 / 2, held within 0 and 1.

    >>> import autograd_core as ac
    >>> ac.nn.Hardsigmoid()(ac.tensor([-4.0, 0.0]))
    tensor([0.0000, 0.5000])
    """

    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """`functional.hardsigmoid`."""
        return F.hardsigmoid(input, self.inplace)


class Tanh(Module):
    """Hyperbolic tangent.

    >>> import autograd_core as ac
    >>> ac.nn.Tanh()(ac.tensor([0.0]))
    tensor([0.])
    """

    def forward(self, input: Tensor) -> Tensor:
        """`functional.tanh`."""
        return F.tanh(input)


class SiLU(Module):
    """x sigmoid(x).

    >>> import autograd_core as ac
    >>> ac.nn.SiLU()(ac.tensor([0.0, 1.0]))
    tensor([0.0000, 0.7311])
    """

    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """`functional.silu`."""
        return F.silu(input, self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return "inplace=True" if self.inplace else ""


class Mish(Module):
    """x tanh(softplus(x)).

    >>> import autograd_core as ac
    >>> ac.nn.Mish()(ac.tensor([0.0, 1.0]))
    tensor([0.0000, 0.8651])
    """

    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """`functional.mish`."""
        return F.mish(input, self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return "inplace=True" if self.inplace else ""


class Hardswish(Module):
    """x times `Hardsigmoid` of x.

    >>> import autograd_core as ac
    >>> ac.nn.Hardswish()(ac.tensor([-4.0, 4.0]))
    tensor([-0.,  4.])
    """

    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """`functional.hardswish`."""
        return F.hardswish(input, self.inplace)


class ELU(Module):
    """x, but `alpha` (exp(x) - 1) where it is negative.

    >>> import autograd_core as ac
    >>> ac.nn.ELU()(ac.tensor([-1.0, 2.0]))
    tensor([-0.6321,  2.0000])
    """

    def __init__(self, alpha: float = 1.0, inplace: bool = False):
        super().__init__()
        self.alpha, self.inplace = alpha, inplace

    def forward(self, input: Tensor) -> Tensor:
        """`functional.elu`."""
        return F.elu(input, self.alpha, self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return f"alpha={self.alpha}{_in_place(self.inplace)}"


class CELU(Module):
    """x, but `alpha` (exp(x / alpha) - 1) where it is negative.

    >>> import autograd_core as ac
    >>> ac.nn.CELU()(ac.tensor([-1.0, 2.0]))
    tensor([-0.6321,  2.0000])
    """

    def __init__(self, alpha: float = 1.0, inplace: bool = False):
        super().__init__()
        self.alpha, self.inplace = alpha, inplace

    def forward(self, input: Tensor) -> Tensor:
        """`functional.celu`."""
        return F.celu(input, self.alpha, self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return f"alpha={self.alpha}{_in_place(self.inplace)}"


class SELU(Module):
    """The self-normalizing ELU, whose two constants keep mean 0 and variance 1.

    >>> import autograd_core as ac
    >>> ac.nn.SELU()(ac.tensor([-1.0, 1.0]))
    tensor([-1.1113,  1.0507])
    """

    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """`functional.selu`."""
        return F.selu(input, self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return "inplace=True" if self.inplace else ""


class GLU(Module):
    """The first half of axis `dim` times the sigmoid of the second.

    >>> import autograd_core as ac
    >>> ac.nn.GLU()(ac.tensor([2.0, 0.0]))
    tensor([1.])
    """

    def __init__(self, dim: int = -1):
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        """`functional.glu`."""
        return F.glu(input, self.dim)

    def extra_repr(self) -> str:
        """The settings."""
        return f"dim={self.dim}"


class GELU(Module):
    """x Φ(x), Φ the standard normal distribution function; `approximate` is "none" or "tanh".

    >>> import autograd_core as ac
    >>> ac.nn.GELU()(ac.tensor([0.0, 1.0]))
    tensor([0.0000, 0.8413])
    """

    def __init__(self, approximate: str = "none"):
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        """`functional.gelu`."""
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self) -> str:
        """The settings."""
        return f"approximate={self.approximate!r}"


class Hardshrink(Module):
    """x, but 0 within ± `lambd`.

    >>> import autograd_core as ac
    >>> ac.nn.Hardshrink()(ac.tensor([0.4, 2.0]))
    tensor([0., 2.])
    """

    def __init__(self, lambd: float = 0.5):
        super().__init__()
        self.lambd = lambd

    def forward(self, input: Tensor) -> Tensor:
        """`functional.hardshrink`."""
        return F.hardshrink(input, self.lambd)

    def extra_repr(self) -> str:
        """The settings."""
        return f"{self.lambd}"


class LeakyReLU(Module):
    """x, times `negative_slope` where it is negative.

    >>> import autograd_core as ac
    >>> ac.nn.LeakyReLU(0.1)(ac.tensor([-1.0, 2.0]))
    tensor([-0.1000,  2.0000])
    """

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False):
        super().__init__()
        self.negative_slope, self.inplace = negative_slope, inplace

    def forward(self, input: Tensor) -> Tensor:
        """`functional.leaky_relu`."""
        return F.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return f"negative_slope={self.negative_slope}{_in_place(self.inplace)}"


class LogSigmoid(Module):
    """log(sigmoid(x)).

    >>> import autograd_core as ac
    >>> ac.nn.LogSigmoid()(ac.tensor([0.0]))
    tensor([-0.6931])
    """

    def forward(self, input: Tensor) -> Tensor:
        """`functional.logsigmoid`."""
        return F.logsigmoid(input)


class Softplus(Module):
    """log(1 + exp(beta x)) / beta; x itself where beta x is above `threshold`.

    >>> import autograd_core as ac
    >>> ac.nn.Softplus()(ac.tensor([0.0]))
    tensor([0.6931])
    """

    def __init__(self, beta: float = 1.0, threshold: float = 20.0):
        super().__init__()
        self.beta, self.threshold = beta, threshold

    def forward(self, input: Tensor) -> Tensor:
        """`functional.softplus`."""
        return F.softplus(input, self.beta, self.threshold)

    def extra_repr(self) -> str:
        """The settings."""
        return f"beta={self.beta}, threshold={self.threshold}"


class Softshrink(Module):
    """x moved by `lambd` towards 0, but not past it. ValueError for a negative `lambd`.

    >>> import autograd_core as ac
    >>> ac.nn.Softshrink()(ac.tensor([0.4, 2.0]))
    tensor([0.0000, 1.5000])
    """

    def __init__(self, lambd: float = 0.5):
        super().__init__()
        self.lambd = lambd

    def forward(self, input: Tensor) -> Tensor:
        """`functional.softshrink`."""
        return F.softshrink(input, self.lambd)

    def extra_repr(self) -> str:
        """The settings."""
        return f"{self.lambd}"


class Softsign(Module):
    """x / (1 + |x|).

    >>> import autograd_core as ac
    >>> ac.nn.Softsign()(ac.tensor([-1.0, 3.0]))
    tensor([-0.5000,  0.7500])
    """

    def forward(self, input: Tensor) -> Tensor:
        """`functional.softsign`."""
        return F.softsign(input)


class Tanhshrink(Module):
    """x - tanh(x).

    >>> import autograd_core as ac
    >>> ac.nn.Tanhshrink()(ac.tensor([0.0, 1.0]))
    tensor([0.0000, 0.2384])
    """

    def forward(self, input: Tensor) -> Tensor:
        """`functional.tanhshrink`."""
        return F.tanhshrink(input)


class Softmin(Module):
    """`Softmax` of -x along `dim`.

    >>> import autograd_core as ac
    >>> ac.nn.Softmin(0)(ac.tensor([1.0, 1.0]))
    tensor([0.5000, 0.5000])
    """

    def __init__(self, dim: int | None = None):
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        """`functional.softmin`."""
        return F.softmin(input, self.dim)

    def extra_repr(self) -> str:
        """The settings."""
        return f"dim={self.dim}"


class Softmax(Module):
    """exp(x) divided by its sum along `dim`, which should be given: without it the axis is guessed, with a warning.

    >>> import autograd_core as ac
    >>> ac.nn.Softmax(0)(ac.tensor([1.0, 1.0]))
    tensor([0.5000, 0.5000])
    """

    def __init__(self, dim: int | None = None):
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        """`functional.softmax`."""
        return F.softmax(input, self.dim)

    def extra_repr(self) -> str:
        """The settings."""
        return f"dim={self.dim}"


class LogSoftmax(Module):
    """The logarithm of `Softmax` along `dim`.

    >>> import autograd_core as ac
    >>> ac.nn.LogSoftmax(0)(ac.tensor([1.0, 1.0]))
    tensor([-0.6931, -0.6931])
    """

    def __init__(self, dim: int | None = None):
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        """`functional.log_softmax`."""
        return F.log_softmax(input, self.dim)

    def extra_repr(self) -> str:
        """The settings."""
        return f"dim={self.dim}"


class PReLU(Module):
    """x, times a slope that is learned where it is negative: one for all, or one for each channel (axis 1).

    `weight` has shape (num_parameters) and starts at `init`.

    >>> import autograd_core as ac
    >>> ac.nn.PReLU()(ac.tensor([-1.0, 2.0]))
    tensor([-0.2500,  2.0000], grad_fn=<PreluKernelBackward0>)
    """

    def __init__(self, num_parameters: int = 1, init: float = 0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        self.weight = Parameter(empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set the initial slope."""
        initial.constant_(self.weight, self.init)

    def forward(self, input: Tensor) -> Tensor:
        """`functional.prelu` with this weight."""
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        """The number of slopes."""
        return f"num_parameters={self.num_parameters}"


class Softmax2d(Module):
    """`Softmax` over the channels of (N, C, H, W) or (C, H, W). ValueError for another number of axes.

    >>> import autograd_core as ac
    >>> ac.nn.Softmax2d()(ac.ones(2, 1, 1)).flatten()
    tensor([0.5000, 0.5000])
    """

    def forward(self, input: Tensor) -> Tensor:
        """`functional.softmax` along axis -3."""
        if input.ndim not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.ndim}D instead")
        return F.softmax(input, -3)
