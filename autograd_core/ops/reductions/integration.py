"""Differences and sums along an axis as finite forms of derivatives and integrals."""

from __future__ import annotations

import numpy as np

from ...core import dtypes
from ...core.table import linear
from ...core.tensor import Tensor
from ..elementwise.comparison import logical_xor
from ..indexing.brackets import narrow
from ..making.creation import zeros
from ..precision import carried_wide
from ..shapes.joining import cat
from ..shapes.shape import axes_of, axis_of, reshape
from .reduction import sum
from .scan import cumsum

__all__ = ["cumulative_trapezoid", "diff", "gradient", "trapezoid", "trapz"]
METHODS = ["diff"]
TAKE_OUT = ["diff"]


def _neighbors(x, dim):
    """The elements along `dim` without the last, and without the first."""
    n = max(x.shape[dim] - 1, 0)
    return narrow(x, dim, 0, n), narrow(x, dim, x.shape[dim] - n, n)


@carried_wide
def _scale(x, by):
    return np.multiply(x, by, dtype=x.dtype if x.dtype.kind == "f" else dtypes.get_default_dtype().numpy)


scale = linear(
    "scale",
    _scale,
    "x",
    lambda g, by: scale(g, by),
    doc="`input` times the number `by`, which is a parameter and not saved. Integers become floating.",
    example="ac.ops.integration.scale(ac.tensor([1.0, 2.0]), 0.5) -> tensor([0.5000, 1.0000])",
)

# -- differences


def diff(input, n=1, dim=-1, prepend=None, append=None):
    """The n-th difference along `dim`: each element minus the one before it, n times.

    `prepend` and `append` are joined on along `dim` first, unless n is 0. Bools give whether neighbors differ.
    RuntimeError for a 0-d tensor, a negative n, and parts that do not fit. Gradient: the negative difference of g.

    >>> import autograd_core as ac
    >>> ac.diff(ac.tensor([1.0, 4.0, 9.0])), ac.diff(ac.tensor([1.0, 4.0]), prepend=ac.tensor([0.0]))
    (tensor([3., 5.]), tensor([1., 3.]))
    """
    if not input.ndim:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    axis = axis_of(dim, input.ndim)
    for name, part in (("prepend", prepend), ("append", append)):
        if part is not None and part.ndim != input.ndim:
            raise RuntimeError(
                f"diff expects prepend or append to be the same dimension as input: {name} has shape "
                f"{list(part.shape)}, input {list(input.shape)}"
            )
    if n == 0:
        return input.clone()
    if prepend is not None or append is not None:
        input = cat([part for part in (prepend, input, append) if part is not None], axis)
    subtract = logical_xor if input._array.dtype.kind == "b" else lambda later, earlier: later - earlier
    for _ in range(n):
        earlier, later = _neighbors(input, axis)
        input = subtract(later, earlier)
    return input


# -- integrals


def _spacing(name: str, y, x, dx, axis: int):
    """The widths of the steps along `axis`: the number `dx`, or the differences of `x`, shaped like `y`."""
    if x is None:
        return 1.0 if dx is None else dx
    if dx is not None:
        raise TypeError(f"{name}(): give the points x or the spacing dx, not both")
    if not isinstance(x, Tensor):  # a number in the place of x is PyTorch's dx
        return x
    if y._array.dtype.kind == "b" or x._array.dtype.kind == "b":
        raise RuntimeError(f"{name}: received a bool input for `x` or `y`, but bool is not supported")
    if x.ndim == 1:
        if x.shape[0] != y.shape[axis]:
            raise RuntimeError(
                f"{name}: There must be one `x` value for each sample point: x has {x.shape[0]}, y has shape "
                f"{list(y.shape)}, dim {axis}"
            )
        x = reshape(x, tuple(-1 if a == axis else 1 for a in range(y.ndim)))
    elif x.ndim < y.ndim:
        x = reshape(x, (1,) * (y.ndim - x.ndim) + tuple(x.shape))
    earlier, later = _neighbors(x, axis)
    return later - earlier


def trapezoid(y, x=None, *, dx=None, dim=-1):
    """The integral of y along `dim` by the trapezoidal rule: Σ (y[k] + y[k+1]) / 2 times the width of the step.

    The width is `dx` (1 unless given), or the differences of the points `x`: a vector, or of a shape that broadcasts
    with y. 0 for fewer than two points. RuntimeError for bools with x, and for a wrong number of points.

    >>> import autograd_core as ac
    >>> ac.trapezoid(ac.tensor([0.0, 1.0, 4.0])), ac.trapezoid(ac.tensor([0.0, 4.0]), ac.tensor([1.0, 3.0]))
    (tensor(3.), tensor(4.))
    """
    axis = axis_of(dim, y.ndim)
    if y.shape[axis] == 0:
        return zeros(*(n for a, n in enumerate(y.shape) if a != axis), dtype=y.dtype)
    width = _spacing("trapezoid", y, x, dx, axis)
    earlier, later = _neighbors(y, axis)
    if isinstance(width, Tensor):
        return scale(sum((earlier + later) * width, axis), 0.5)
    return scale(sum(earlier + later, axis), width / 2)


trapz = trapezoid  # PyTorch's older name


def cumulative_trapezoid(y, x=None, *, dx=None, dim=-1):
    """The integral of y from the first point to each later one, along `dim`: the running form of `trapezoid`.

    Same arguments and errors; the result is one shorter than y along `dim`.

    >>> import autograd_core as ac
    >>> ac.cumulative_trapezoid(ac.tensor([0.0, 1.0, 4.0]))
    tensor([0.5000, 3.0000])
    """
    axis = axis_of(dim, y.ndim)
    width = _spacing("cumulative_trapezoid", y, x, dx, axis)
    earlier, later = _neighbors(y, axis)
    if isinstance(width, Tensor):
        return scale(cumsum((earlier + later) * width, axis), 0.5)
    return scale(cumsum(earlier + later, axis), width / 2)


# -- derivatives


def gradient(input, *, spacing=None, dim=None, edge_order=1):
    """The derivatives of a function sampled on a grid, one tensor an axis of `dim` (all unless given), as a list.

    Second-order differences inside, and at the two ends differences of order `edge_order`, 1 or 2. `spacing` is the
    width of a step (1 unless given), one number for all axes or a list with one each, or a list or tuple of tensors
    with the points of each axis. Source of the formulas: Fornberg, Math. Comp. 51 (1988) 699. RuntimeError where the
    numbers of axes, spacings and points do not fit, or an axis has not more than `edge_order` points.

    >>> import autograd_core as ac
    >>> ac.gradient(ac.tensor([0.0, 1.0, 4.0, 9.0]))
    [tensor([1., 2., 4., 5.])]
    """
    axes = axes_of(dim, input.ndim)
    steps = _steps(input, spacing, axes)
    if edge_order not in (1, 2):
        raise RuntimeError(f"gradient() only supports edge_order=1 and edge_order=2, got {edge_order}")
    for axis in axes:
        if input.shape[axis] < edge_order + 1:
            raise RuntimeError(
                f"gradient() expected each dimension size to be at least edge_order+1, got shape "
                f"{list(input.shape)} and edge_order {edge_order}"
            )
    return [_derivative(input, axis, h, edge_order) for axis, h in zip(axes, steps)]


def _steps(input, spacing, axes) -> list:
    """The spacing of each axis: a number, or the tensor of the differences of its points."""
    if not isinstance(spacing, (list, tuple)):
        return [1 if spacing is None else spacing] * len(axes)
    if len(spacing) != len(axes):
        raise RuntimeError(
            f"gradient() expected spacing to be unspecified, a scalar, or a list of length {len(axes)}, one for "
            f"each axis, but got {len(spacing)}"
        )
    steps = []
    for axis, points in zip(axes, spacing):
        if isinstance(points, Tensor):
            if points.ndim != 1 or points.shape[0] != input.shape[axis]:
                raise RuntimeError(
                    "gradient() expected each element of spacing to have as many points as the axis: got shape "
                    f"{list(points.shape)} for axis {axis} of {list(input.shape)}"
                )
            steps.append(diff(points))
        else:
            steps.append(points)
    return steps


def _derivative(x, axis, h, edge_order):
    def at(start, length=1):
        return narrow(x, axis, start % x.shape[axis], length)

    inside = x.shape[axis] - 2  # the points that have two neighbors
    first, center, last = (_uneven if isinstance(h, Tensor) else _even)(at, inside, h, edge_order, axis, x.ndim)
    return cat([first, center, last] if inside else [first, last], axis)


def _even(at, inside, h, edge_order, axis, ndim):
    """The differences at the first point, inside and at the last point, with steps of width h."""
    center = scale(at(2, inside) - at(0, inside), 0.5 / h) if inside else None
    if edge_order == 1:
        return scale(at(1) - at(0), 1 / h), center, scale(at(-1) - at(-2), 1 / h)
    first = scale(at(1), 2.0 / h) - scale(at(0), 1.5 / h) - scale(at(2), 0.5 / h)
    last = scale(at(-1), 1.5 / h) - scale(at(-2), 2.0 / h) + scale(at(-3), 0.5 / h)
    return first, center, last


def _uneven(at, inside, h, edge_order, axis, ndim):
    """The differences at the first point, inside and at the last point, with steps of the widths in h."""
    h = reshape(h, tuple(-1 if a == axis else 1 for a in range(ndim)))

    def width(start, length=1):
        return narrow(h, axis, start % (inside + 1), length)

    center = None
    if inside:
        a, b = width(0, inside), width(1, inside)
        center = _weighted(at(0, inside), at(1, inside), at(2, inside), -b / (a * (a + b)), a / (b * (a + b)))
    if edge_order == 1:
        return (at(1) - at(0)) / width(0), center, (at(-1) - at(-2)) / width(-1)
    a, b, c, d = width(0), width(1), width(-2), width(-1)
    first = _weighted(at(0), at(1), at(2), -(a * 2 + b) / (a * (a + b)), -a / (b * (a + b)))
    last = _weighted(at(-3), at(-2), at(-1), d / (c * (c + d)), (d * 2 + c) / (d * (c + d)))
    return first, center, last


def _weighted(first, middle, last, first_weight, last_weight):
    """A weighted sum of three neighbors whose weights add up to 0, so that a constant has derivative 0."""
    return first * first_weight - middle * (first_weight + last_weight) + last * last_weight
