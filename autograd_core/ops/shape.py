"""Ops that move elements without computing: views, copies of them, joining and splitting."""

from __future__ import annotations

import math

import numpy as np

from ..primitive import linear
from ..tensor import Tensor

ndarray = np.ndarray


def axis_of(dim: int, ndim: int) -> int:
    """Axis number `dim` counted from the front. Raises IndexError naming the range; a 0-d tensor allows 0 and -1."""
    n = max(ndim, 1)
    if not -n <= dim < n:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {dim})")
    return dim % n


def axes_of(dim, ndim: int) -> tuple[int, ...]:
    """The axes meant by a `dim` argument: all for None or (), one for an int, several for a sequence without repeats."""
    if dim is None or (not isinstance(dim, int) and len(dim) == 0):
        return tuple(range(ndim))
    axes = tuple(axis_of(int(d), ndim) for d in ((dim,) if isinstance(dim, int) else dim))
    if len(set(axes)) != len(axes):
        raise RuntimeError(f"dim {axes[-1]} appears multiple times in the list of dims {tuple(dim)}")
    return axes if ndim else ()


def sizes_of(shape, numel: int) -> tuple[int, ...]:
    """A shape argument as a tuple, its -1 resolved so that it holds `numel` elements. Raises RuntimeError where that cannot be."""
    shape = (int(shape),) if not hasattr(shape, "__iter__") else tuple(int(n) for n in shape)
    if -1 in shape:
        rest = math.prod(n for n in shape if n != -1)
        if shape.count(-1) > 1:
            raise RuntimeError(f"only one dimension can be inferred, got shape {list(shape)}")
        if rest == 0 or numel % rest:
            raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {numel}")
        shape = tuple(numel // rest if n == -1 else n for n in shape)
    if math.prod(shape) != numel:
        raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {numel}")
    return shape


# -- broadcasting and its undoing


def _sum_to(x, shape):
    lead = x.ndim - len(shape)
    axes = tuple(range(lead)) + tuple(lead + i for i, n in enumerate(shape) if n == 1 and x.shape[lead + i] != 1)
    return np.add.reduce(x, axis=axes, keepdims=True).reshape(shape)


sum_to = linear(
    "sum_to",
    _sum_to,
    "x",
    lambda g, x_shape: expand(g, x_shape),
    doc="Sum over the axes that broadcasting from `shape` added or stretched: the gradient of broadcasting.",
    example="ac.Tensor.sum_to_size(ac.ones(2, 3), 3) -> tensor([2., 2., 2.])",
)


def _expand(x, size):
    size = tuple(size)
    lead = len(size) - x.ndim
    shape = tuple(x.shape[i - lead] if n == -1 and i >= lead else n for i, n in enumerate(size))
    if lead < 0 or any(n != m and m != 1 for n, m in zip(shape[max(lead, 0) :], x.shape)) or -1 in shape:
        raise RuntimeError(
            f"expand: the expanded size {list(size)} does not match the existing size {list(x.shape)}; only axes of length 1 "
            "can be stretched, and new axes go in front"
        )
    strides = (0,) * lead + tuple(0 if n != m else s for n, m, s in zip(shape[lead:], x.shape, x.strides))
    return np.lib.stride_tricks.as_strided(x, shape, strides)


expand = linear(
    "expand",
    _expand,
    "x",
    lambda g, x_shape: sum_to(g, x_shape),
    view=True,
    doc="A view with axes of length 1 stretched and new axes in front; -1 keeps a length. No memory is copied.",
    example="ac.tensor([1.0, 2.0]).expand(2, -1) -> tensor([[1., 2.],\n        [1., 2.]])",
)


# -- views


def _view(x, shape):
    shape = sizes_of(shape, x.size)
    viewed = x.reshape(shape)
    if x.size and not x.flags.c_contiguous and not np.may_share_memory(viewed, x):
        raise RuntimeError(
            f"view size {list(shape)} is not compatible with the size {list(x.shape)} and strides of the input (at least one dimension "
            "spans across two contiguous subspaces). Use .reshape(...) instead."
        )
    return viewed


view = linear(
    "view",
    _view,
    "x",
    lambda g, x_shape: reshape(g, x_shape),
    view=True,
    doc="The same elements in another shape, sharing memory; one length may be -1. RuntimeError where that needs a copy.",
    example="ac.arange(4.0).view(2, 2) -> tensor([[0., 1.],\n        [2., 3.]])",
)


def reshape(input, shape):
    """The same elements in another shape; a view where memory allows, else a copy.

    `shape` is a sequence of ints, one of which may be -1. RuntimeError where the number of elements does not fit.

    >>> import autograd_core as ac
    >>> ac.reshape(ac.arange(4.0), (2, -1)).shape
    Size([2, 2])
    """
    if not isinstance(input, Tensor):
        return input.reshape(shape)
    array = input._array
    shape = sizes_of(shape, array.size)
    if array.flags.c_contiguous or np.may_share_memory(array.reshape(shape), array):
        return view(input, shape)
    return view(contiguous(input), shape)


def _permute(x, dims):
    if len(dims) != x.ndim:
        raise RuntimeError(f"permute(dims): got {len(dims)} dims {tuple(dims)} for a tensor of {x.ndim} dimensions")
    return x.transpose(axes_of(dims, x.ndim)) if x.ndim else x


permute = linear(
    "permute",
    _permute,
    "x",
    lambda g, dims: permute(g, tuple(int(i) for i in np.argsort([d % len(dims) for d in dims]))),
    view=True,
    doc="A view with the axes in the order `dims`.",
    example="ac.permute(ac.zeros(2, 3, 4), (2, 0, 1)).shape -> Size([4, 2, 3])",
)


def _transpose(x, dim0, dim1):
    return x.swapaxes(axis_of(dim0, x.ndim), axis_of(dim1, x.ndim)) if x.ndim else x[...]


transpose = linear(
    "transpose",
    _transpose,
    "x",
    lambda g, dim0, dim1: transpose(g, dim0, dim1),
    view=True,
    doc="A view with two axes exchanged.",
    example="ac.transpose(ac.tensor([[1.0, 2.0]]), 0, 1) -> tensor([[1.],\n        [2.]])",
)


def _squeeze(x, dim=None):
    axes = [a for a in axes_of(dim, x.ndim) if x.shape[a] == 1]
    return x.reshape([n for a, n in enumerate(x.shape) if a not in axes]) if axes else x[...]


squeeze = linear(
    "squeeze",
    _squeeze,
    "x",
    lambda g, x_shape: reshape(g, x_shape),
    view=True,
    doc="A view without the axes of length 1, or without those of `dim` that have length 1.",
    example="ac.squeeze(ac.zeros(1, 3, 1)).shape -> Size([3])",
)


def _unsqueeze(x, dim):
    at = axis_of(dim, x.ndim + 1)
    return x[(slice(None),) * at + (None, ...)]


unsqueeze = linear(
    "unsqueeze",
    _unsqueeze,
    "x",
    lambda g, x_shape: reshape(g, x_shape),
    view=True,
    doc="A view with an axis of length 1 inserted at `dim`.",
    example="ac.unsqueeze(ac.zeros(3), 0).shape -> Size([1, 3])",
)


def flatten(input, start_dim=0, end_dim=-1):
    """The axes from `start_dim` to `end_dim` merged into one; a view where memory allows. A 0-d tensor gets one axis.

    >>> import autograd_core as ac
    >>> ac.flatten(ac.zeros(2, 3, 4), start_dim=1).shape
    Size([2, 12])
    """
    shape = input.shape
    if not shape:
        return reshape(input, (1,))
    first, last = axis_of(start_dim, len(shape)), axis_of(end_dim, len(shape))
    if first > last:
        raise RuntimeError(f"flatten() has invalid args: start_dim {start_dim} cannot come after end_dim {end_dim}")
    return reshape(input, (*shape[:first], math.prod(shape[first : last + 1]), *shape[last + 1 :]))


def movedim(input, source, destination):
    """A view with the axis (or axes) `source` moved to `destination`, the others in their order.

    >>> import autograd_core as ac
    >>> ac.movedim(ac.zeros(2, 3, 4), 0, -1).shape
    Size([3, 4, 2])
    """
    sources, targets = axes_of(source, input.ndim), axes_of(destination, input.ndim)
    order = [axis for axis in range(input.ndim) if axis not in sources]
    for target, axis in sorted(zip(targets, sources)):
        order.insert(target, axis)
    return permute(input, tuple(order))


# -- copies


def _clone(x):
    return x.copy(order="K")


clone = linear(
    "clone",
    _clone,
    "x",
    lambda g: g,
    doc="A copy that stays in the graph: its gradient goes to the original.",
    example="ac.clone(ac.ones(2)) -> tensor([1., 1.])",
)
row_major = linear("row_major", lambda x: x.copy(), "x", lambda g: g, doc="A row-major copy.")


def contiguous(input):
    """The tensor itself if its memory is row-major, else a row-major copy.

    >>> import autograd_core as ac
    >>> ac.zeros(2, 3).T.contiguous().is_contiguous()
    True
    """
    if isinstance(input, Tensor) and not input._array.flags.c_contiguous:
        return row_major(input)
    return input

__all__ = ["clone", "expand", "flatten", "movedim", "permute", "reshape", "squeeze", "transpose", "unsqueeze"]
METHODS = [*__all__, "contiguous", "view"]
VARIADIC = ["expand", "permute", "reshape", "view"]
