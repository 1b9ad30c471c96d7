"""Windows that slide along an axis, as a view in which they overlap."""

from __future__ import annotations

import numpy as np

from ...core.table import linear
from ..shapes.shape import along, axis_of

__all__: list[str] = []  # PyTorch has `unfold` as a method; `nn.functional.unfold` is another op
METHODS = ["unfold"]


def _unfold(x, dimension, size, step):
    axis = axis_of(dimension, x.ndim)
    n = x.shape[axis] if x.ndim else 1
    if size < 0 or step <= 0:
        raise RuntimeError(f"unfold: size must be >= 0 and step > 0, got size {size} and step {step}")
    if size > n:
        raise RuntimeError(f"unfold: maximum size for tensor at dimension {dimension} is {n} but size is {size}")
    if not x.ndim:
        return np.lib.stride_tricks.as_strided(x, (size,), (x.itemsize,))
    shape, strides = list(x.shape), list(x.strides)
    shape[axis], strides[axis] = (n - size) // step + 1, x.strides[axis] * step
    return np.lib.stride_tricks.as_strided(x, (*shape, size), (*strides, x.strides[axis]))


def _fold(x, shape, dimension, size, step):
    out = np.zeros(shape, x.dtype)
    if not out.ndim:
        out[...] = x.sum()
        return out
    axis = axis_of(dimension, out.ndim)
    for k in range(size):
        out[along(axis, slice(k, k + step * x.shape[axis], step))] += x[..., k]
    return out


unfold = linear(
    "unfold",
    _unfold,
    "x",
    lambda g, x_shape, dimension, size, step: fold_back(g, x_shape, dimension, size, step),
    view=True,
    doc="A view of all windows of `size` elements along axis `dimension`, one every `step` elements; what lies inside "
    "a window is the last axis of the result. Several windows may show one element: then do not write to it.\n\n"
    "Gradient: each element gets the sum over its windows. RuntimeError for a window longer than the axis, and for a "
    "step that is not positive.",
    example="ac.arange(4.0).unfold(0, 2, 1) -> tensor([[0., 1.],\n        [1., 2.],\n        [2., 3.]])",
)
fold_back = linear(
    "unfold_backward",
    _fold,
    "x",
    lambda g, dimension, size, step: unfold(g, dimension, size, step),
    doc="Windows added up where they came from, in zeros of a given shape: the gradient of `unfold`.",
)
