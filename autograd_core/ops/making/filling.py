"""Overwriting: ops that exist for their in-place forms `zero_`, `fill_`, `copy_`. What was there gets gradient 0."""

from __future__ import annotations

import numpy as np

from ...core import dtypes
from ...core.silence import nameless
from ...core.table import elementwise, linear
from ...core.write import in_place, reading_first, uniform, written_by
from .creation import zeros_like

__all__ = ["fill", "zero_"]
METHODS: list[str] = []
IN_PLACE = ["copy", "fill", "zero"]

zero = elementwise(
    "zero",
    lambda x: np.zeros(x.shape, x.dtype),
    "x",
    lambda g: zeros_like(g),
    doc="Zeros in place of the input.",
    example="ac.ones(2).zero_() -> tensor([0., 0.])",
)
_write_zeros = in_place(zero)


def zero_(input):
    """Zeros written into the tensor, which is returned: the function that goes with the method `zero_`.

    >>> import autograd_core as ac
    >>> ac.zero_(ac.ones(2))
    tensor([0., 0.])
    """
    return _write_zeros(input)


@written_by(zero)
def _put_zeros(x):
    return lambda: x.fill(0)


@nameless
def _fill(x, value):
    if np.ndim(value):
        raise RuntimeError(
            f"fill_ only supports a 0-dimension value tensor, but got one with shape {list(value.shape)}; use copy_"
        )
    out = np.empty(x.shape, x.dtype)
    out[...] = value if hasattr(value, "dtype") else dtypes.stored(value, x.dtype)
    return out


fill = linear(
    "fill",
    _fill,
    "x value",
    lambda g: zeros_like(g),
    lambda g: g,
    doc="`value`, a number or a 0-d tensor, for every element. Gradients: 0 for the input, the sum of g for `value`.",
    example="ac.zeros(2).fill_(3) -> tensor([3., 3.])",
)


uniform.update((zero.primitive, fill.primitive))
reading_first.add(fill.primitive)


@written_by(fill)
@nameless
def _put_value(x, value):
    one = _fill(x[(slice(1),) * x.ndim], value)  # raises for a value that does not fit
    return lambda: x.fill(one.item() if one.size else 0)


@nameless
def _copy(x, src, non_blocking=False):
    out = np.empty(x.shape, x.dtype)
    out[...] = _spread(x, src)
    return out


def _spread(x, src):
    if np.ndim(src) == 0 or src.shape == x.shape:
        return src
    try:
        if np.ndim(src) > x.ndim:  # NumPy would drop leading axes of length 1
            raise ValueError
        return np.broadcast_to(src, x.shape)
    except ValueError:
        raise RuntimeError(
            f"copy_: a source of shape {list(src.shape)} does not broadcast to shape {list(x.shape)}"
        ) from None


copy = elementwise(
    "copy",
    _copy,
    "x src",
    lambda g: zeros_like(g),
    lambda g: g,
    promote=None,
    doc="`src`, broadcast and converted, in place of the input. Gradient: 0 for the input, g for `src`.",
    example="ac.zeros(2).copy_(ac.tensor([1.0, 2.0])) -> tensor([1., 2.])",
)


@written_by(copy)
@nameless
def _put_copy(x, src, non_blocking=False):
    src = _spread(x, src)

    def put():
        x[...] = src

    return put
