"""The nonlinearities of neural networks: a few in the main namespace, as in PyTorch, the others in `nn.functional`."""

from __future__ import annotations

import functools
import math

import numpy as np

from ...core import dtypes
from ...core.silence import nameless
from ...core.table import elementwise, general
from ..elementwise.arithmetic import exp, logistic, sigmoid_of
from ..elementwise.piecewise import keep_where, where
from ..floats_only import refuse_type
from ..making.creation import zeros_like
from ..shapes.shape import reshape
from ..special.error_functions import erfc

__all__ = ["celu", "hardshrink", "prelu", "relu", "selu", "sigmoid", "threshold"]
METHODS = ["hardshrink", "prelu", "relu", "sigmoid"]
IN_PLACE = ["relu", "sigmoid"]


def of_floats(name: str, forward):
    """A forward that PyTorch has for floating tensors only: NotImplementedError for others."""

    forward = nameless(forward)

    @functools.wraps(forward)
    @nameless
    def checked(x, *args, **params):
        if x.dtype.kind != "f":
            refuse_type(name, x.dtype)
        return forward(x, *args, **params)

    return checked


# -- around the logistic function

# Nothing overflows in these, since only numbers up to 0 are exponentiated; a choice by np.where would cost as much as
# all the rest, since it branches.


@nameless
def log_sigmoid_of(x):
    """log(1 / (1 + exp(-x))) of an array."""
    return np.minimum(x, 0) - np.log1p(np.exp(-np.abs(x)))


sigmoid = elementwise(
    "sigmoid",
    sigmoid_of,
    "x",
    lambda g, out: g * ((1 - out) * out),
    promote="float",
    doc="1 / (1 + e⁻ˣ), without overflow. Gradient: g out (1 - out).",
    example="ac.sigmoid(ac.tensor([0.0, 2.0])) -> tensor([0.5000, 0.8808])",
)

logsigmoid = elementwise(
    "logsigmoid",
    of_floats("logsigmoid", log_sigmoid_of),
    "x",
    lambda g, x: g * logistic(-x),
    doc="log(sigmoid(x)), exact far from 0 too. Gradient: g sigmoid(-x).",
    example="ac.nn.functional.logsigmoid(ac.tensor([0.0, -100.0])) -> tensor([  -0.6931, -100.0000])",
)


@nameless
def _softplus(x, beta=1, threshold=20):
    scaled = x * beta
    return np.where(scaled > threshold, x, log_sigmoid_of(-scaled) / -beta)


softplus = elementwise(
    "softplus",
    of_floats("softplus", _softplus),
    "x",
    lambda g, x, beta, threshold: where(x * beta > threshold, g, g * logistic(x * beta)),
    doc=(
        "log(1 + exp(beta x)) / beta, a smooth relu; x itself where beta x > threshold. Gradient: g sigmoid(beta x),\n"
        "and g above the threshold."
    ),
    example="ac.nn.functional.softplus(ac.tensor([0.0, 30.0])) -> tensor([ 0.6931, 30.0000])",
)


def d_silu(g, x):
    """g s (1 + x (1 - s)), with s = sigmoid(x)."""
    return g * (logistic(x) * (1 + x * logistic(-x)))


silu = elementwise(
    "silu",
    of_floats("silu", nameless(lambda x: x * sigmoid_of(x))),
    "x",
    d_silu,
    doc="x sigmoid(x), which is also called swish. Gradient: g s (1 + x (1 - s)), with s = sigmoid(x).",
    example="ac.nn.functional.silu(ac.tensor([-1.0, 2.0])) -> tensor([-0.2689,  1.7616])",
)


def d_mish(g, x):
    """g (t + x s (1 - t²)), with s = sigmoid(x) and t = tanh(softplus(x)), both in v = exp(-|x|) alone."""
    low = x < 0
    v = exp(where(low, x, -x))
    even = v * v
    bottom = where(low, even + 2 * v + 2, 1 + 2 * v + 2 * even)
    t = where(low, v * (v + 2) / bottom, 1 - 2 * even / bottom)
    slope = where(low, v, even) * (4 * (1 + v)) / bottom / bottom
    return g * (t + x * slope)


mish = elementwise(
    "mish",
    of_floats("mish", lambda x: x * np.tanh(_softplus(x))),
    "x",
    d_mish,
    doc=(
        "x tanh(softplus(x)) (Misra 2019, arXiv:1908.08681). Gradient: g (t + x s (1 - t²)), with s = sigmoid(x) and\n"
        "t = tanh(softplus(x))."
    ),
    example="ac.nn.functional.mish(ac.tensor([-1.0, 2.0])) -> tensor([-0.3034,  1.9440])",
)

# -- piecewise linear

# Flat in the result, so that a second derivative is 0 rather than missing.
threshold_backward = general(
    "threshold_backward",
    nameless(lambda x, result: keep_where(x, result != 0)),
    "x result",
    lambda g, result: threshold_backward(g, result),
    lambda g: zeros_like(g),
    doc="`input` where `result`, that of a relu, is not 0: the gradient of relu.",
)

# The result is never negative, so `out != 0` says `x > 0`, and a NaN lets the gradient pass, as in PyTorch.
relu = elementwise(
    "relu",
    nameless(lambda x: np.maximum(x, 0)),
    "x",
    lambda g, out: threshold_backward(g, out),
    doc="x where positive, else 0. Gradient: g where x > 0, else 0; 0 at the kink x = 0.",
    example="ac.relu(ac.tensor([-1.0, 2.0])) -> tensor([0., 2.])",
    kinks={0.0: 0.0},
)


@nameless
def _leaky_relu(x, negative_slope=0.01):
    return np.where(x > 0, x, x * negative_slope)


leaky_relu = elementwise(
    "leaky_relu",
    of_floats("leaky_relu", _leaky_relu),
    "x",
    lambda g, x, negative_slope: where(x > 0, g, g * negative_slope),
    doc="x where positive, else negative_slope x. Gradient: g, or negative_slope g; the latter at the kink x = 0.",
    example="ac.nn.functional.leaky_relu(ac.tensor([-1.0, 2.0])) -> tensor([-0.0100,  2.0000])",
    kinks={0.0: 0.01},
)


@nameless
def _prelu(x, weight):
    if x.dtype != weight.dtype:
        raise RuntimeError(
            f"prelu: input and weight must have one dtype, got {x.dtype} and {weight.dtype}; convert one"
        )
    return np.where(x > 0, x, weight * x)


prelu_kernel = elementwise(
    "prelu_kernel",
    _prelu,
    "x weight",
    lambda g, x, weight: where(x > 0, g, g * weight),
    lambda g, x: keep_where(g * x, ~(x > 0)),
    promote=None,
    doc=(
        "x where positive, else weight x. Gradients: g, or g weight where x <= 0, the kink included; for `weight` g x\n"
        "where x <= 0, else 0."
    ),
    example="ac.ops.nonlinearities.prelu_kernel(ac.tensor([-1.0, 2.0]), ac.ones(1) / 2) -> tensor([-0.5000,  2.0000])",
)


def prelu(input, weight):
    """The input where it is positive, else `weight` times it: one weight, or one for each channel, axis 1.

    A result of the shape of `input`. Gradients: those of `prelu_kernel`; the slope at 0 is the weight.
    RuntimeError for a weight of more than one axis, of another dtype, or not of the length of the channel axis.

    >>> import autograd_core as ac
    >>> ac.prelu(ac.tensor([[-1.0, -1.0, 2.0]]), ac.tensor([0.5, 0.25, 0.5]))
    tensor([[-0.5000, -0.2500,  2.0000]])
    """
    if weight.ndim > 1:
        raise RuntimeError(f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {weight.ndim}")
    count = math.prod(weight.shape)
    channels = input.shape[1] if input.ndim > 1 else 1
    if count != 1 and (input.ndim == 0 or count != channels):
        raise RuntimeError(
            "prelu: Mismatch of parameter numbers and input channel size. Found parameter numbers = "
            f"{count} and channel size = {channels}. The input has the shape {list(input.shape)}."
        )
    sizes = [1] * input.ndim
    if input.ndim > 1:
        sizes[1] = count
    return prelu_kernel(input, reshape(weight, sizes))


@nameless
def _threshold(x, threshold, value):
    return np.where(x <= threshold, dtypes.stored(value, x.dtype), x).astype(x.dtype, copy=False)


threshold = elementwise(
    "threshold",
    _threshold,
    "x",
    lambda g, x, threshold: keep_where(g, ~(x <= threshold)),
    doc="x where it is above `threshold`, else `value`. Gradient: g above the threshold, else 0, on it too.",
    example="ac.threshold(ac.tensor([0.5, 2.0]), 1.0, -1.0) -> tensor([-1.,  2.])",
)


def _hardtanh(x, min_val=-1.0, max_val=1.0):
    if min_val > max_val:
        raise ValueError(f"hardtanh: min_val cannot be greater than max_val, got {min_val} and {max_val}")
    low, high = (dtypes.stored(bound, x.dtype) for bound in (min_val, max_val))
    return np.clip(x, low, high)


hardtanh = elementwise(
    "hardtanh",
    _hardtanh,
    "x",
    lambda g, x, min_val, max_val: keep_where(g, ~((x <= min_val) | (x >= max_val))),
    doc=(
        "x limited to [min_val, max_val]. Gradient: g strictly within, else 0; 0 at both kinks, unlike `clamp`.\n"
        "ValueError where min_val > max_val."
    ),
    example="ac.nn.functional.hardtanh(ac.tensor([-2.0, 0.5])) -> tensor([-1.0000,  0.5000])",
    kinks={-1.0: 0.0, 1.0: 0.0},
)

hardsigmoid = elementwise(
    "hardsigmoid",
    of_floats("hardsigmoid", lambda x: np.clip(x + 3, 0, 6) / 6),
    "x",
    lambda g, x: keep_where(g / 6, (x > -3) & (x < 3)),
    doc="relu6(x + 3) / 6. Gradient: g / 6 strictly within (-3, 3), else 0; 0 at both kinks.",
    example="ac.nn.functional.hardsigmoid(ac.tensor([-4.0, 1.5])) -> tensor([0.0000, 0.7500])",
    kinks={-3.0: 0.0, 3.0: 0.0},
)

hardswish = elementwise(
    "hardswish",
    of_floats("hardswish", lambda x: x * np.clip(x + 3, 0, 6) / 6),
    "x",
    lambda g, x: where(x <= -3, 0.0, where(x < 3, g * (x / 3 + 0.5), g)),
    doc=(
        "x relu6(x + 3) / 6 (Howard et al. 2019, arXiv:1905.02244). Gradient: g (x / 3 + 1/2) within (-3, 3); 0\n"
        "below and at the kink -3, g above and at the kink 3."
    ),
    example="ac.nn.functional.hardswish(ac.tensor([-4.0, 1.5])) -> tensor([-0.0000,  1.1250])",
    kinks={-3.0: 0.0, 3.0: 1.0},
)


def _softshrink(x, lambd=0.5):
    if lambd < 0:
        raise RuntimeError(f"softshrink: lambda must be greater or equal to 0, but found {lambd}")
    return np.where(x > lambd, x - lambd, np.where(x < -lambd, x + lambd, x * 0))  # x * 0 keeps a NaN


def _hardshrink(x, lambd=0.5):
    return np.where((x >= -lambd) & (x <= lambd), 0, x)


def d_shrink(g, x, lambd):
    """g outside [-lambd, lambd], else 0."""
    return keep_where(g, ~((x >= -lambd) & (x <= lambd)))


softshrink = elementwise(
    "softshrink",
    of_floats("softshrink", _softshrink),
    "x",
    d_shrink,
    doc=(
        "x moved towards 0 by `lambd`, and 0 within [-lambd, lambd]. Gradient: g outside, else 0; 0 at both kinks.\n"
        "RuntimeError for a negative `lambd`."
    ),
    example="ac.nn.functional.softshrink(ac.tensor([-2.0, 0.25])) -> tensor([-1.5000,  0.0000])",
    kinks={-0.5: 0.0, 0.5: 0.0},
)

hardshrink = elementwise(
    "hardshrink",
    of_floats("hardshrink", _hardshrink),
    "x",
    d_shrink,
    doc="x, and 0 within [-lambd, lambd]. Gradient: g outside, else 0; 0 at both jumps.",
    example="ac.hardshrink(ac.tensor([-2.0, 0.25])) -> tensor([-2.,  0.])",
    kinks={-0.5: 0.0, 0.5: 0.0},
)

# -- exponential linear units


@nameless
def _elu(x, alpha=1.0, scale=1.0, input_scale=1.0):
    return np.where(x > 0, scale * x, (alpha * scale) * np.expm1(np.minimum(x, 0) * input_scale))


def d_elu(g, x, alpha, scale, input_scale):
    """g scale, or where x <= 0 g times the derivative of the exponential."""
    low = x <= 0
    slope = alpha * scale * input_scale
    return where(low, g * (slope * exp(input_scale * where(low, x, 0.0))), g * scale)


elu = elementwise(
    "elu",
    of_floats("elu", _elu),
    "x",
    d_elu,
    doc=(
        "scale x where positive, else scale alpha (exp(input_scale x) - 1) (Clevert et al. 2015, arXiv:1511.07289).\n"
        "Gradient: g scale, or g scale alpha input_scale exp(input_scale x); the latter at the kink x = 0."
    ),
    example="ac.nn.functional.elu(ac.tensor([-1.0, 2.0])) -> tensor([-0.6321,  2.0000])",
    kinks={0.0: 1.0},
)
# The constants of Klambauer et al. 2017, arXiv:1706.02515, which keep mean 0 and variance 1.
SELU_ALPHA, SELU_SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946


def selu(input):
    """`elu` with the alpha and scale that keep mean 0 and variance 1 (Klambauer et al. 2017, arXiv:1706.02515).

    Any shape; NotImplementedError for integers. Gradient: that of elu; scale alpha at the kink 0.

    >>> import autograd_core as ac
    >>> ac.selu(ac.tensor([-1.0, 2.0]))
    tensor([-1.1113,  2.1014])
    """
    return elu(input, SELU_ALPHA, SELU_SCALE)


def celu(input, alpha: float = 1.0):
    """The input where it is positive, else alpha (exp(input / alpha) - 1) (Barron 2017, arXiv:1704.07483).

    Any shape; NotImplementedError for integers, RuntimeError for alpha = 0. Gradient: g, or g exp(input / alpha); 1 at
    the kink 0.

    >>> import autograd_core as ac
    >>> ac.celu(ac.tensor([-1.0, 2.0]), 0.5)
    tensor([-0.4323,  2.0000])
    """
    return elu(input, alpha, 1.0, inverse_alpha(alpha))


def inverse_alpha(alpha: float) -> float:
    """1 / alpha for `celu`; RuntimeError for 0."""
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU; use relu, its limit")
    return 1.0 / alpha


# -- the Gaussian error linear unit

_CUBIC = 0.044715  # of the tanh approximation: Hendrycks and Gimpel 2016, arXiv:1606.08415


@nameless
def _tanh_argument(x):
    return math.sqrt(2 / math.pi) * (x + _CUBIC * (x * x * x))


def _gelu(x, *, approximate="none"):
    if approximate == "none":
        out = erfc(x * -math.sqrt(0.5))
        out *= 0.5 * x
        return out
    if approximate == "tanh":
        return x * sigmoid_of(2 * _tanh_argument(x))
    raise RuntimeError(f"gelu: approximate argument must be either none or tanh, got {approximate!r}")


def d_gelu(g, x, approximate):
    """g times the derivative of x Φ(x), or of its approximation."""
    if approximate == "none":
        density = exp(-0.5 * (x * x)) / math.sqrt(2 * math.pi)
        return g * (0.5 * erfc(x * -math.sqrt(0.5)) + x * density)
    near = where(x > 100, 100.0, where(x < -100, -100.0, x))  # beyond, the slope is 0 or 1 and its parts overflow
    z = 2 * _tanh_argument(near)
    slope = 2 * math.sqrt(2 / math.pi) * (1 + 3 * _CUBIC * (near * near))
    return g * (logistic(z) + near * slope * (logistic(z) * logistic(-z)))


gelu = elementwise(
    "gelu",
    of_floats("gelu", _gelu),
    "x",
    d_gelu,
    doc=(
        'x Φ(x), with Φ the normal distribution function; approximate="tanh" takes a formula with tanh for Φ\n'
        "(Hendrycks and Gimpel 2016, arXiv:1606.08415). Gradient: g times the derivative of the form that was computed."
    ),
    example="ac.nn.functional.gelu(ac.tensor([-1.0, 2.0])) -> tensor([-0.1587,  1.9545])",
)
