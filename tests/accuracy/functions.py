"""The functions of the elementwise ops as mathematics has them: by mpmath, with as many digits as are asked for.

A function of mpmath's numbers stands for each op. It is right everywhere inside its domain, with limits where formulas
have none. Derivatives are taken of it by differences with hundreds of digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import mpmath as mp

inf = mp.inf
SELU_ALPHA, SELU_SCALE = mp.mpf("1.6732632423543772848170429916717"), mp.mpf("1.0507009873554804934193349852946")


@dataclass(frozen=True)
class Function:
    """One op on numbers: its path in the namespace, what it computes, and where it is looked at.

    `domain` bounds the points from below and above; `kinks` are points where it has no derivative of some order, `near`
    others worth looking beside. `arguments` follow the operands.
    """

    path: str
    exact: Callable
    domain: tuple = (-math.inf, math.inf)
    kinks: tuple = ()
    near: tuple = ()
    arguments: tuple = ()
    poles: bool = False  # at 0, -1, -2, ...

    @property
    def name(self) -> str:
        """The path, and what follows the operands."""
        return self.path + (f" {self.arguments}" if self.arguments else "")

    @property
    def operands(self) -> int:
        """How many numbers it is a function of."""
        return 2 if self in TWO else 1


def _sinc(x):
    if x == mp.floor(x):
        return mp.mpf(x == 0)
    return mp.sin(mp.pi * x) / (mp.pi * x)


def _sigmoid(x):
    return 1 / (1 + mp.exp(-x)) if x > 0 else mp.exp(x) / (1 + mp.exp(x))


def _log_sigmoid(x):
    return -mp.log1p(mp.exp(-x)) if x > 0 else x - mp.log1p(mp.exp(x))


def _softplus(x, beta=1, threshold=20):
    return x if beta * x > threshold else -_log_sigmoid(-beta * x) / beta


def _ndtr(x):
    return mp.erfc(-x / mp.sqrt(2)) / 2


def _erfcx(x):
    if x < 1e4:
        return mp.exp(x * x) * mp.erfc(x)
    total, term = mp.mpf(0), mp.mpf(1)
    for k in range(1, 60):  # the asymptotic series: its terms fall by 1/x² ≤ 1e-8
        total += term
        term *= -(2 * k - 1) / (2 * x * x)
    return total / (x * mp.sqrt(mp.pi))


def _log_ndtr(x):
    if x > 0:
        return mp.log1p(-_ndtr(-x))
    if x > -1e4:
        return mp.log(_ndtr(x))
    return mp.log(_erfcx(-x / mp.sqrt(2)) / 2) - x * x / 2


def _erfinv(x):
    return mp.erfinv(x) if abs(x) < 1 else x * inf


def _ndtri(x):
    if x in (0, 1):
        return -inf if x == 0 else inf
    y = mp.findroot(
        lambda y: _log_ndtr(y) - mp.log(x), -mp.sqrt(-2 * mp.log(x)) if x < 1e-3 else mp.sqrt(2) * _rough(x)
    )
    return y


def _rough(x):
    return mp.erfinv(2 * x - 1) if x < 1 - mp.mpf(10) ** -15 else mp.mpf(6)


def _gelu(x):
    return x * _ndtr(x)


def _gelu_tanh(x):
    return x / 2 * (1 + mp.tanh(mp.sqrt(2 / mp.pi) * (x + mp.mpf(0.044715) * x**3))) if x > 0 else _gelu_tanh_low(x)


def _gelu_tanh_low(x):
    z = 2 * mp.sqrt(2 / mp.pi) * (x + mp.mpf(0.044715) * x**3)
    return x * _sigmoid(z)


def _mish(x):
    return x * mp.tanh(_softplus(x, 1, mp.inf))


def _elu(x, alpha=1, scale=1, input_scale=1):
    return scale * x if x > 0 else alpha * scale * mp.expm1(x * input_scale)


def _bessel_i(n, scaled):
    def exact(x):
        if abs(x) > 200:  # the asymptotic series, of which e^|x| is split off
            total, term = mp.mpf(0), mp.mpf(1)
            for k in range(1, 80):
                total += term
                term *= -(4 * n * n - (2 * k - 1) ** 2) / (k * 8 * abs(x))
            value = total / mp.sqrt(2 * mp.pi * abs(x))
            value = -value if n and x < 0 else value
            return value if scaled else value * mp.exp(abs(x))
        return mp.besseli(n, x) * (mp.exp(-abs(x)) if scaled else 1)

    return exact


def _log_gamma(x):
    return inf if x <= 0 and x == mp.floor(x) else mp.re(mp.loggamma(x)) if x > 0 else mp.log(abs(mp.gamma(x)))


def _entr(x):
    return -x * mp.log(x) if x > 0 else mp.mpf(0)


def _logit(x, eps=None):
    if eps is not None:
        x = min(max(x, eps), 1 - eps)
    return mp.log(x) - mp.log1p(-x)


def _between(low, high):
    return lambda x: min(max(x, low), high)


def _multivariate_log_gamma(p):
    return lambda x: mp.mpf(p * (p - 1)) / 4 * mp.log(mp.pi) + sum(_log_gamma(x - mp.mpf(i) / 2) for i in range(p))


def _flat(x):
    return mp.mpf(0)


F, S = "nn.functional.", "special."
ONE = [
    Function("exp", mp.exp),
    Function("exp2", lambda x: mp.mpf(2) ** x),
    Function("expm1", mp.expm1),
    Function("log", mp.log, (0, math.inf), near=(1,)),
    Function("log2", lambda x: mp.log(x) / mp.log(2), (0, math.inf), near=(1,)),
    Function("log10", lambda x: mp.log(x) / mp.log(10), (0, math.inf), near=(1,)),
    Function("log1p", mp.log1p, (-1, math.inf)),
    Function("sqrt", mp.sqrt, (0, math.inf)),
    Function("rsqrt", lambda x: 1 / mp.sqrt(x), (0, math.inf)),
    Function("square", lambda x: x * x),
    Function("reciprocal", lambda x: 1 / x, kinks=(0,)),
    Function("sin", mp.sin, near=(3.140625,)),
    Function("cos", mp.cos, near=(1.5703125,)),
    Function("tan", mp.tan),
    Function("asin", mp.asin, (-1, 1), near=(-1, 1)),
    Function("acos", mp.acos, (-1, 1), near=(-1, 1)),
    Function("atan", mp.atan),
    Function("sinh", mp.sinh),
    Function("cosh", mp.cosh),
    Function("tanh", mp.tanh),
    Function("asinh", mp.asinh),
    Function("acosh", mp.acosh, (1, math.inf), near=(1,)),
    Function("atanh", mp.atanh, (-1, 1), near=(-1, 1)),
    Function("sinc", _sinc, near=(1, 2)),
    Function("deg2rad", lambda x: x * mp.pi / 180),
    Function("rad2deg", lambda x: x * 180 / mp.pi),
    Function("sigmoid", _sigmoid),
    Function("logit", _logit, (0, 1), near=(0.5, 1)),
    Function("logit", lambda x: _logit(x, mp.mpf(0.25)), kinks=(0.25, 0.75), arguments=(0.25,)),
    Function("erf", mp.erf),
    Function("erfc", mp.erfc),
    Function("erfinv", _erfinv, (-1, 1), near=(-1, 1)),
    Function("lgamma", _log_gamma, near=(1, 2, -0.5), poles=True),
    Function("digamma", mp.digamma, near=(1.4619140625, -0.5), poles=True),
    Function("i0", _bessel_i(0, False)),
    Function(S + "i0e", _bessel_i(0, True), kinks=(0,)),
    Function(S + "i1", _bessel_i(1, False)),
    Function(S + "i1e", _bessel_i(1, True)),
    Function(S + "erfcx", _erfcx),
    Function(S + "entr", _entr, (0, math.inf), kinks=(0,)),
    Function(S + "ndtr", _ndtr),
    Function(S + "log_ndtr", _log_ndtr),
    Function(S + "ndtri", _ndtri, (0, 1), near=(0.5, 1)),
    Function("abs", abs, kinks=(0,)),
    Function("relu", lambda x: max(x, 0), kinks=(0,)),
    Function("selu", lambda x: _elu(x, SELU_ALPHA, SELU_SCALE), kinks=(0,)),
    Function("celu", lambda x: _elu(x, 2, 1, mp.mpf(0.5)), kinks=(0,), arguments=(2.0,)),
    Function("threshold", lambda x: x if x > 1 else mp.mpf(-2), kinks=(1,), arguments=(1.0, -2.0)),
    Function("hardshrink", lambda x: x if abs(x) > 0.5 else mp.mpf(0), kinks=(-0.5, 0.5)),
    Function("nan_to_num", lambda x: x),
    Function("neg", lambda x: -x),
    Function("mvlgamma", _multivariate_log_gamma(1), (0.0625, math.inf), arguments=(1,)),
    Function("mvlgamma", _multivariate_log_gamma(3), (1.0625, math.inf), arguments=(3,)),
    Function("mvlgamma", _multivariate_log_gamma(5), (2.0625, math.inf), arguments=(5,)),
    Function(F + "hardshrink", lambda x: x if abs(x) > 0.5 else mp.mpf(0), kinks=(-0.5, 0.5)),
    Function(F + "logsigmoid", _log_sigmoid),
    Function(F + "softplus", _softplus, kinks=(20,)),
    Function(F + "softplus", lambda x: _softplus(x, 2, 4), kinks=(2,), arguments=(2.0, 4.0)),
    Function(F + "silu", lambda x: x * _sigmoid(x)),
    Function(F + "mish", _mish),
    Function(F + "gelu", _gelu),
    Function(F + "gelu", _gelu_tanh, arguments=("tanh",)),
    Function(F + "elu", _elu, kinks=(0,)),
    Function(F + "leaky_relu", lambda x: x if x > 0 else x * mp.mpf(0.01), kinks=(0,)),
    Function(F + "relu6", _between(0, 6), kinks=(0, 6)),
    Function(F + "hardtanh", _between(-1, 1), kinks=(-1, 1)),
    Function(F + "hardsigmoid", lambda x: _between(0, 6)(x + 3) / 6, kinks=(-3, 3)),
    Function(F + "hardswish", lambda x: x * _between(0, 6)(x + 3) / 6, kinks=(-3, 3)),
    Function(F + "softshrink", lambda x: x - _between(-0.5, 0.5)(x), kinks=(-0.5, 0.5)),
    Function(F + "softsign", lambda x: x / (1 + abs(x)), kinks=(0,)),
    Function(F + "tanhshrink", lambda x: x - mp.tanh(x)),
]


def _log_sum(base):
    def exact(x, y):
        high, low = max(x, y), min(x, y)
        return high + mp.log1p(base ** (low - high)) / mp.log(base)

    return exact


def _power(x, y):
    return mp.mpf(1) if y == 0 else mp.mpf(0) if x == 0 else mp.re(mp.power(x, y))


def _times_log(logarithm):
    return lambda x, y: mp.mpf(0) if x == 0 else x * logarithm(y)


TWO = [
    Function("mul", lambda x, y: x * y),
    Function("true_divide", lambda x, y: x / y),
    Function("pow", _power, (0.0, math.inf)),
    Function("atan2", mp.atan2),
    Function("hypot", mp.hypot),
    Function("logaddexp", _log_sum(mp.e)),
    Function("logaddexp2", _log_sum(mp.mpf(2))),
    Function("xlogy", _times_log(mp.log), (0.0, math.inf)),
    Function(S + "xlog1py", _times_log(mp.log1p), (0.0, math.inf)),
    Function("lerp", lambda x, y: x + mp.mpf(0.3) * (y - x), arguments=(0.3,)),
]

# Elementwise ops of PyTorch's database that are not measured, and why.
EXACT = "it moves, copies or compares numbers, or has steps: it is exact, and other tests hold its kinks"
LEFT_OUT = {
    **dict.fromkeys(
        [
            *("ceil", "floor", "frac", "round", "trunc", "sign", "sgn", "angle", "copysign", "nextafter"),
            *("clamp", "clamp_max", "clamp_min", "fmax", "fmin", "maximum", "minimum", "fmod", "remainder"),
        ],
        EXACT,
    ),
    **dict.fromkeys(["addcmul", "addcdiv"], "a product or quotient and a sum, which cancel as they will"),
}
