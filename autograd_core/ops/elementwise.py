"""Elementwise arithmetic: one row an op, with its forward and its rules."""

from __future__ import annotations

import numpy as np

from ..primitive import elementwise

__all__ = ["add", "cos", "exp", "mul", "neg", "rsub", "sin", "square", "sub"]
METHODS = __all__
IN_PLACE = {}

# -- arithmetic

plain_add = elementwise("add", np.add, "x y", lambda g: g, lambda g: g)
plain_sub = elementwise("sub", np.subtract, "x y", lambda g: g, lambda g: -g)


def add(input, other, *, alpha=1):
    """`input + alpha * other`. Gradients: g and alpha g. Saves nothing for backward unless alpha is given.

    Shapes broadcast; dtypes are promoted as PyTorch does.

    >>> import autograd_core as ac
    >>> ac.add(ac.tensor([1.0, 2.0]), 10, alpha=2)
    tensor([21., 22.])
    """
    return plain_add(input, other if alpha == 1 else other * alpha)


def sub(input, other, *, alpha=1):
    """`input - alpha * other`. Gradients: g and -alpha g. Saves nothing for backward unless alpha is given.

    Shapes broadcast; dtypes are promoted as PyTorch does.

    >>> import autograd_core as ac
    >>> ac.sub(ac.tensor([1.0, 2.0]), 10)
    tensor([-9., -8.])
    """
    return plain_sub(input, other if alpha == 1 else other * alpha)


rsub = elementwise(
    "rsub",
    lambda x, y: np.subtract(y, x),
    "x y",
    lambda g: -g,
    lambda g: g,
    doc="`other - input`. Gradients: -g for `input`, g for `other`.",
    example="ac.rsub(ac.tensor([1.0, 2.0]), 10) -> tensor([9., 8.])",
)

mul = elementwise(
    "mul",
    np.multiply,
    "x y",
    lambda g, y: g * y,
    lambda g, x: g * x,
    doc="Product. Gradients: g y for `input`, g x for `other`.",
    example="ac.mul(ac.tensor([1.0, 2.0]), 3) -> tensor([3., 6.])",
)

neg = elementwise(
    "neg",
    np.negative,
    "x",
    lambda g: -g,
    doc="The negative. Gradient: -g.",
    example="ac.neg(ac.tensor([1.0, -2.0])) -> tensor([-1.,  2.])",
)

square = elementwise(
    "square",
    np.square,
    "x",
    lambda g, x: g * (2.0 * x),
    doc="x². Gradient: 2 x g.",
    example="ac.square(ac.tensor([1.0, 3.0])) -> tensor([1., 9.])",
)

# -- exponentials and trigonometry

exp = elementwise(
    "exp",
    np.exp,
    "x",
    lambda g, out: g * out,
    promote="float",
    doc="e to the power x. Gradient: g times the result, which is what is saved.",
    example="ac.exp(ac.tensor([0.0, 1.0])) -> tensor([1.0000, 2.7183])",
)

sin = elementwise(
    "sin",
    np.sin,
    "x",
    lambda g, x: g * cos(x),
    promote="float",
    doc="Sine of an angle in radians. Gradient: g cos x.",
    example="ac.sin(ac.tensor([0.0, 1.0])) -> tensor([0.0000, 0.8415])",
)

cos = elementwise(
    "cos",
    np.cos,
    "x",
    lambda g, x: g * -sin(x),
    promote="float",
    doc="Cosine of an angle in radians. Gradient: -g sin x.",
    example="ac.cos(ac.tensor([0.0, 1.0])) -> tensor([1.0000, 0.5403])",
)
