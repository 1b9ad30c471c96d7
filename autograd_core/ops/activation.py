"""The nonlinearities of neural networks: `relu` and `sigmoid` in the main namespace, the others in `nn.functional`."""

from __future__ import annotations

import math

import numpy as np

from ..primitive import elementwise, general
from .creation import zeros_like
from .elementwise import erf, exp
from .piecewise import keep_where, where
from .trigonometry import tanh

__all__ = ["relu", "sigmoid"]
METHODS = __all__
IN_PLACE = __all__


def _sigmoid(x):
    small = np.exp(-np.abs(x))  # in (0, 1], so that nothing overflows
    return np.where(x >= 0, 1, small) / (1 + small)


sigmoid = elementwise(
    "sigmoid",
    _sigmoid,
    "x",
    lambda g, out: g * ((1 - out) * out),
    promote="float",
    doc="1 / (1 + e⁻ˣ), without overflow. Gradient: g out (1 - out).",
    example="ac.sigmoid(ac.tensor([0.0, 2.0])) -> tensor([0.5000, 0.8808])",
)

logsigmoid = elementwise(
    "logsigmoid",
    lambda x: -np.logaddexp(0, -x),
    "x",
    lambda g, x: g * sigmoid(-x),
    promote="float",
    doc="log(sigmoid(x)), exact far from 0 too. Gradient: g sigmoid(-x).",
    example="ac.nn.functional.logsigmoid(ac.tensor([0.0, -100.0])) -> tensor([  -0.6931, -100.0000])",
)


def _softplus(x, beta=1, threshold=20):
    return np.where(x * beta > threshold, x, np.logaddexp(0, x * beta) / beta)


softplus = elementwise(
    "softplus",
    _softplus,
    "x",
    lambda g, x, beta, threshold: where(x * beta > threshold, g, g * sigmoid(x * beta)),
    promote="float",
    doc=(
        "log(1 + exp(beta x)) / beta, a smooth relu; x itself where beta x > threshold. Gradient: g sigmoid(beta x),\n"
        "and g above the threshold."
    ),
    example="ac.nn.functional.softplus(ac.tensor([0.0, 30.0])) -> tensor([ 0.6931, 30.0000])",
)

# Flat in the result, so that a second derivative is 0 rather than missing.
threshold_backward = general(
    "threshold_backward",
    lambda x, result: keep_where(x, result != 0),
    "x result",
    lambda g, result: threshold_backward(g, result),
    lambda g: zeros_like(g),
    doc="`input` where `result`, that of a relu, is not 0: the gradient of relu.",
)

# The result is never negative, so `out != 0` says `x > 0`, and a NaN lets the gradient pass, as in PyTorch.
relu = elementwise(
    "relu",
    lambda x: np.maximum(x, 0),
    "x",
    lambda g, out: threshold_backward(g, out),
    doc="x where positive, else 0. Gradient: g where x > 0, else 0; 0 at the kink x = 0.",
    example="ac.relu(ac.tensor([-1.0, 2.0])) -> tensor([0., 2.])",
)


def _leaky_relu(x, negative_slope=0.01):
    return np.where(x > 0, x, x * negative_slope)


leaky_relu = elementwise(
    "leaky_relu",
    _leaky_relu,
    "x",
    lambda g, x, negative_slope: where(x > 0, g, g * negative_slope),
    doc="x where positive, else negative_slope x. Gradient: g, or negative_slope g; the latter at the kink x = 0.",
    example="ac.nn.functional.leaky_relu(ac.tensor([-1.0, 2.0])) -> tensor([-0.0100,  2.0000])",
)


def _hardtanh(x, min_val=-1.0, max_val=1.0):
    if min_val > max_val:
        raise ValueError(f"hardtanh: min_val cannot be greater than max_val, got {min_val} and {max_val}")
    return np.minimum(np.maximum(x, min_val), max_val)


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
)


_CUBIC = 0.044715  # of the tanh approximation: Hendrycks and Gimpel 2016, arXiv:1606.08415


def _tanh_argument(x):
    return math.sqrt(2 / math.pi) * (x + _CUBIC * (x * x * x))


def _gelu(x, approximate="none"):
    if approximate == "none":
        return 0.5 * x * (1 + erf(x / math.sqrt(2)))
    if approximate == "tanh":
        return 0.5 * x * (1 + np.tanh(_tanh_argument(x)))
    raise RuntimeError(f"gelu: approximate argument must be either none or tanh, got {approximate!r}")


def d_gelu(g, x, approximate):
    """g times the derivative of x Φ(x), or of its approximation."""
    if approximate == "none":
        density = exp(-0.5 * (x * x)) / math.sqrt(2 * math.pi)
        return g * (0.5 * (1 + erf(x / math.sqrt(2))) + x * density)
    t = tanh(_tanh_argument(x))
    slope = math.sqrt(2 / math.pi) * (1 + 3 * _CUBIC * (x * x))
    return g * (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * slope)


gelu = elementwise(
    "gelu",
    _gelu,
    "x",
    d_gelu,
    doc=(
        'x Φ(x), with Φ the normal distribution function; approximate="tanh" takes a formula with tanh for Φ\n'
        "(Hendrycks and Gimpel 2016, arXiv:1606.08415). Gradient: g times the derivative of the form that was computed."
    ),
    example="ac.nn.functional.gelu(ac.tensor([-1.0, 2.0])) -> tensor([-0.1587,  1.9545])",
)
