"""Pooling by averages: the mean, or the p-norm, of each window.

A window of several axes is the product of windows along each, so it is summed axis by axis: two short loops in place
of a double one. Averaging is linear; its transpose spreads each element over its window, again axis by axis.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from ...core.table import linear
from ..elementwise.arithmetic import pow
from ..elementwise.piecewise import abs, sign
from ..nn.nonlinearities import relu
from ..precision import carried_wide, carrier
from ..reductions.reduction import mean
from ..shapes.shape import along
from .max_pooling import max_pool1d, max_pool2d, max_pool3d
from .placements import per_axis, refuse
from .pooling_lines import adaptive_lines, check_type, strided_lines

__all__ = ["adaptive_avg_pool1d", "avg_pool1d"]  # PyTorch has these at the top, and the others in `nn.functional`

# -- the rows: one forward for fixed and adaptive windows, in any number of axes


def _sum_along(x, taps, size: int, axis: int):
    if taps and taps[0][0] == slice(0, size):  # the first element of all windows: no need to begin with zeros
        out, taps = x[along(axis, taps[0][1])].copy(), taps[1:]
    else:
        out = np.zeros((*x.shape[:axis], size, *x.shape[axis + 1 :]), x.dtype)
    for windows, inside in taps:
        out[along(axis, windows)] += x[along(axis, inside)]
    return out


def _average(x, lines, divisor):
    out = x.astype(carrier(x.dtype), copy=False)
    for k in reversed(range(len(lines))):
        out = _sum_along(out, lines[k].taps, len(lines[k].starts), x.ndim - len(lines) + k)
    return _divided(out, divisor).astype(x.dtype, copy=False)


def _spread(x, lines, divisor):
    out = _divided(x.astype(carrier(x.dtype), copy=False), divisor)
    for k, line in enumerate(lines):
        out = _sum_along(out, line.back, line.n, x.ndim - len(lines) + k)
    return out.astype(x.dtype, copy=False)


def _divided(x, divisor):
    if x.dtype.kind != "f":
        return np.trunc(x / divisor)
    return x / (divisor if np.ndim(divisor) == 0 else divisor.astype(x.dtype))


def _averaging(name: str, node_name: str):
    return linear(
        name,
        _average,
        "x",
        lambda g, x, lines, divisor: average_backward(g, lines, divisor),
        node_name=node_name,
        doc="The sums over the windows `lines`, one entry an axis, divided by `divisor`.",
    )


average_backward = linear(
    "average_backward",
    _spread,
    "x",
    lambda g, lines, divisor: fixed[2](g, lines, divisor),
    doc="Each element of `input`, divided by `divisor`, added to all elements of its window: the gradient of averages.",
)
fixed = {n: _averaging(f"avg_pool{n}d", f"AvgPool{n}DBackward0") for n in (2, 3)}
adapting = {n: _averaging(f"adaptive_avg_pool{n}d", f"AdaptiveAvgPool{n}DBackward0") for n in (2, 3)}
fixed[1], adapting[1] = fixed[2], adapting[2]

# -- the public functions


def _inside(line):
    """How many elements of each window are inside the input."""
    count = np.zeros(len(line.starts), np.int64)
    for windows, _ in line.taps:
        count[windows] += 1
    return count


def _outer_product(counts):
    """The number of elements in each window: a number if all have as many."""
    if all(len(count) and (count == count[0]).all() for count in counts):
        return math.prod(int(count[0]) for count in counts)
    return functools.reduce(np.multiply.outer, counts)


def _avg_pool(n_axes, x, kernel_size, stride, padding, ceil_mode=False, count_include_pad=True, divisor_override=None):
    name = f"avg_pool{n_axes}d"
    if divisor_override == 0:
        refuse(name, "divisor must be not zero")
    lines, kernel, padding = strided_lines(name, x, kernel_size, stride, padding, 1, ceil_mode, n_axes)
    check_type(name, x, "int64")
    if n_axes == 3 and any(line.n < k for line, k in zip(lines, kernel)):
        refuse(name, f"input image {list(x.shape)} smaller than kernel size {list(kernel)}, whatever the padding")
    if count_include_pad:
        counts = [np.minimum(k, line.n + p - line.starts) for line, k, p in zip(lines, kernel, padding)]
    else:
        counts = [_inside(line) for line in lines]
    return fixed[n_axes](x, lines, divisor_override or _outer_product(counts))


def _adaptive_avg_pool(n_axes, x, output_size):
    name = f"adaptive_avg_pool{n_axes}d"
    lines = adaptive_lines(name, x, output_size, n_axes)
    check_type(name, x)
    if all(len(line.starts) == 1 for line in lines):
        return mean(x, tuple(range(-n_axes, 0)), True)
    return adapting[n_axes](x, lines, _outer_product([_inside(line) for line in lines]))


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """The mean of each window of a signal: see `avg_pool2d`, here with one axis, (n, c, length) or (c, length).

    >>> import autograd_core as ac
    >>> ac.nn.functional.avg_pool1d(ac.tensor([[1.0, 3.0, 2.0, 0.0]]), 2)
    tensor([[2., 1.]])
    """
    return _avg_pool(1, input, kernel_size, stride, padding, ceil_mode, count_include_pad)


def avg_pool2d(
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    """The mean of each window of an image.

    `input` has shape (n, c, h, w), or (c, h, w) for one image. The result has shape (n, c, h_out, w_out), with
    h_out = ⌊(h + 2 padding - kernel_size) / stride⌋ + 1, or rounded up with `ceil_mode`, where a last window may reach
    beyond the padding. The arguments are one int, or one an axis; `stride` is `kernel_size` if not given. Padding is
    at most half a window and counts as zeros, or with `count_include_pad=False` not at all. `divisor_override` is what
    the sum is divided by, in place of the number of elements.

    RuntimeError for arguments that do not fit, NotImplementedError for types that are neither floating nor int64.

    Gradient: g / divisor goes to all elements of the window.

    >>> import autograd_core as ac
    >>> ac.nn.functional.avg_pool2d(ac.arange(8.0).reshape(1, 2, 4), 2)
    tensor([[[2.5000, 4.5000]]])
    """
    return _avg_pool(2, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


def avg_pool3d(
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    """The mean of each window of a volume: see `avg_pool2d`, here with three axes, (n, c, d, h, w) or (c, d, h, w).

    >>> import autograd_core as ac
    >>> ac.nn.functional.avg_pool3d(ac.arange(8.0).reshape(1, 2, 2, 2), 2)
    tensor([[[[3.5000]]]])
    """
    return _avg_pool(3, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


def adaptive_avg_pool1d(input, output_size):
    """The means of as many windows as asked for: see `adaptive_avg_pool2d`, here with one axis.

    >>> import autograd_core as ac
    >>> ac.nn.functional.adaptive_avg_pool1d(ac.tensor([[1.0, 3.0, 2.0]]), 2)
    tensor([[2.0000, 2.5000]])
    """
    return _adaptive_avg_pool(1, input, output_size)


def adaptive_avg_pool2d(input, output_size):
    """The means of windows chosen so that the result has the size asked for.

    `input` has shape (n, c, h, w) or (c, h, w); `output_size` is one int or one an axis, where None keeps the length.
    Window i of an axis of length h goes from ⌊i h / size⌋ to ⌈(i + 1) h / size⌉. ValueError for too few axes,
    RuntimeError for sizes that do not fit, NotImplementedError for integers.

    Gradient: g, divided by the number of elements of the window, goes to all of them.

    >>> import autograd_core as ac
    >>> ac.nn.functional.adaptive_avg_pool2d(ac.arange(9.0).reshape(1, 3, 3), (2, None))
    tensor([[[1.5000, 2.5000, 3.5000],
             [4.5000, 5.5000, 6.5000]]])
    """
    return _adaptive_avg_pool(2, input, output_size)


def adaptive_avg_pool3d(input, output_size):
    """The means of as many windows as asked for: see `adaptive_avg_pool2d`, here with three axes.

    >>> import autograd_core as ac
    >>> ac.nn.functional.adaptive_avg_pool3d(ac.arange(8.0).reshape(1, 2, 2, 2), 1)
    tensor([[[[3.5000]]]])
    """
    return _adaptive_avg_pool(3, input, output_size)


# -- p-norms


def _lp_pool(n_axes, x, norm_type, kernel_size, stride, ceil_mode):
    name = f"lp_pool{n_axes}d"
    if norm_type in (math.inf, -math.inf):
        size = abs(x) if norm_type > 0 else -abs(x)
        largest = (max_pool1d, max_pool2d, max_pool3d)[n_axes - 1](size, kernel_size, stride, 0, 1, ceil_mode)
        return largest if norm_type > 0 else -largest
    out = _avg_pool(n_axes, pow(x, norm_type), kernel_size, stride, 0, ceil_mode)
    elements = math.prod(per_axis(name, "kernel_size", kernel_size, n_axes))
    return pow(sign(out) * relu(abs(out)) * elements, 1.0 / norm_type)


@carried_wide
def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The p-norm of each window of a signal: see `lp_pool2d`, here with one axis, (n, c, length) or (c, length).

    >>> import autograd_core as ac
    >>> ac.nn.functional.lp_pool1d(ac.tensor([[3.0, 4.0, 6.0, 8.0]]), 2, 2)
    tensor([[ 5., 10.]])
    """
    return _lp_pool(1, input, norm_type, kernel_size, stride, ceil_mode)


@carried_wide
def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """(Σ xᵖ)^(1/p) over each window of an image, with p = `norm_type`.

    `input`, `kernel_size`, `stride` and `ceil_mode` are those of `avg_pool2d`, and so are the errors and the shape of
    the result. With p = inf or -inf it is the largest or the smallest |x|. The powers are those of x, not of |x|: with
    an odd p, a window with a negative sum gives NaN.

    Gradient: g (x / out)^(p-1) for each element of a window, and zero where the sum of the window is zero; NaN there
    for x = 0 and p < 1.

    >>> import autograd_core as ac
    >>> ac.nn.functional.lp_pool2d(ac.tensor([[[1.0, 1.0], [1.0, 1.0]]]), 2, 2)
    tensor([[[2.]]])
    """
    return _lp_pool(2, input, norm_type, kernel_size, stride, ceil_mode)


@carried_wide
def lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The p-norm of each window of a volume: see `lp_pool2d`, here with three axes, (n, c, d, h, w) or (c, d, h, w).

    >>> import autograd_core as ac
    >>> ac.nn.functional.lp_pool3d(ac.ones(1, 2, 2, 2), 3, 2)
    tensor([[[[2.]]]])
    """
    return _lp_pool(3, input, norm_type, kernel_size, stride, ceil_mode)
