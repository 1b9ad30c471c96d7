"""Pooling by maxima, which remembers where each maximum was, and unpooling, which puts values back there.

Indices count the positions of one plane, in row-major order, as in PyTorch. Among equal elements the first wins; a NaN
wins over all numbers, and the last NaN over the others.
"""

from __future__ import annotations

import math

import numpy as np

from ...core.table import general, linear
from ..precision import carrier
from ..shapes.shape import along
from .placements import per_axis, refuse
from .pooling_lines import adaptive_lines, check_type, strided_lines

__all__ = ["max_pool1d", "max_pool1d_with_indices", "max_pool2d", "max_pool3d"]  # PyTorch has these at the top too

# -- positions in planes: the gradient of all these ops, and its own


def _in_flat(indices, shape, n_axes: int):
    """Positions in planes as positions in the whole array of `shape`, one row a plane."""
    rows = math.prod(shape[:-n_axes])
    return (
        indices.reshape(rows, math.prod(indices.shape[-n_axes:]))
        + (np.arange(rows) * math.prod(shape[-n_axes:]))[:, None]
    )


def _add_to_planes(x, indices, shape, n_axes):
    out = np.zeros(math.prod(shape), carrier(x.dtype))
    np.add.at(out, _in_flat(indices, shape, n_axes).reshape(-1), x.astype(out.dtype, copy=False).reshape(-1))
    return out.reshape(shape).astype(x.dtype, copy=False)


def _pick_from_planes(x, indices, n_axes):
    return x.reshape(-1).take(_in_flat(indices, x.shape, n_axes)).reshape(indices.shape)


def _put_in_planes(x, indices, shape, n_axes):
    area = math.prod(shape[-n_axes:])
    if indices.size and (indices.min() < 0 or indices.max() >= area):
        bad = indices.min() if indices.min() < 0 else indices.max()
        raise RuntimeError(f"Found an invalid max index: {bad} (output volumes are of size {list(shape[-n_axes:])})")
    out = np.zeros(math.prod(shape), x.dtype)
    out[_in_flat(indices, shape, n_axes).reshape(-1)] = x.reshape(-1)
    return out.reshape(shape)


add_to_planes = linear(
    "add_to_planes",
    _add_to_planes,
    "x indices",
    lambda g, indices, n_axes: pick_from_planes(g, indices, n_axes),
    None,
    doc="Zeros of `shape` with `input` added at `indices`, which count positions in the last `n_axes` axes: the "
    "gradient of maxima.",
)
pick_from_planes = linear(
    "pick_from_planes",
    _pick_from_planes,
    "x indices",
    lambda g, indices, x_shape, n_axes: add_to_planes(g, indices, x_shape, n_axes),
    None,
    doc="The elements of `input` at `indices`, which count positions in the last `n_axes` axes.",
)


def _unpooling(n_axes: int):
    return linear(
        f"max_unpool{n_axes}d_indices",
        _put_in_planes,
        "x indices",
        lambda g, indices, n_axes: pick_from_planes(g, indices, n_axes),
        None,
        node_name=f"MaxUnpool{n_axes}DBackward0",
        doc="Zeros of `shape` with `input` at `indices`, which count positions in the last `n_axes` axes.",
    )


unpoolings = {2: _unpooling(2), 3: _unpooling(3)}
unpoolings[1] = unpoolings[2]  # PyTorch treats a signal as an image of one column

# -- maxima


def _max_along(x, codes, line, axis: int, weight: int, dtype):
    """The maxima of the windows along one axis, and their codes: those of `x` (or 0) plus `weight` times the tap."""
    first = np.maximum(-(line.starts // line.step), 0)  # the tap with which a window enters the axis
    at = line.starts + first * line.step
    if at.max(initial=0) >= line.n > 0:
        raise RuntimeError("max_pool: a window has no element inside the input; use less padding or dilation")
    if first.any() or not line.taps:
        best = x.take(at, axis)
        code = np.empty(best.shape, dtype)
        code[...] = (first * weight).reshape(-1, *[1] * (x.ndim - axis - 1))
        if codes is not None:
            code += codes.take(at, axis)
    else:
        begins = along(axis, line.taps[0][1])
        best = x[begins].copy()
        code = np.zeros(best.shape, dtype) if codes is None else codes[begins].copy()
    for t, (windows, inside) in enumerate(line.taps[1:], 1):
        place, there = along(axis, windows), along(axis, inside)
        old, new, old_code = best[place], x[there], code[place]
        wins = new > old
        if x.dtype.kind == "f":
            wins |= new != new
        new_code = t * weight if codes is None else codes[there] + dtype(t * weight)
        old_code += wins * (new_code - old_code)  # a choice by arithmetic: a third of the time of a choice by mask
        np.maximum(old, new, out=old)
        if type(windows) is not slice:  # then these were copies
            best[place], code[place] = old, old_code
    return best, code


def _outer_sum(terms):
    total = np.zeros((), np.int64)
    for term in terms:
        total = np.add.outer(total, term)
    return total


def _max_pool(x, lines):
    n_axes = len(lines)
    taps = [max(1, len(line.taps)) for line in lines]
    dtype = np.uint8 if math.prod(taps) <= 256 else np.int32
    best, code = x, None
    for k in reversed(range(n_axes)):  # the last axis first: then the first of equals is the first in row-major order
        best, code = _max_along(best, code, lines[k], x.ndim - n_axes + k, math.prod(taps[k + 1 :]), dtype)
    strides = [math.prod(x.shape[x.ndim - n_axes + k + 1 :]) for k in range(n_axes)]
    offsets = _outer_sum(np.arange(n) * line.step * s for n, line, s in zip(taps, lines, strides)).reshape(-1)
    indices = offsets.take(code)
    indices += _outer_sum(line.starts * s for line, s in zip(lines, strides))
    return best, indices


def d_max_pool_dx(g_values, x, indices, lines):
    """g, added at the positions of the maxima."""
    return None if g_values is None else add_to_planes(g_values, indices, tuple(x.shape), len(lines))


def _pooling(name: str, node_name: str):
    return general(
        name,
        _max_pool,
        "x",
        d_max_pool_dx,
        outputs="values indices",
        node_name=node_name,
        doc="The maxima of the windows `lines`, one entry an axis, and their positions in the plane of these axes.",
    )


fixed = {n: _pooling(f"max_pool{n}d_with_indices", f"MaxPool{n}DWithIndicesBackward0") for n in (2, 3)}
adapting = {n: _pooling(f"adaptive_max_pool{n}d", f"AdaptiveMaxPool{n}DBackward0") for n in (2, 3)}
fixed[1], adapting[1] = fixed[2], adapting[2]

# -- the public functions


def _max_pool_nd(n_axes, x, kernel_size, stride, padding, dilation, ceil_mode, return_indices):
    name = f"max_pool{n_axes}d"
    lines, _, _ = strided_lines(name, x, kernel_size, stride, padding, dilation, ceil_mode, n_axes)
    integers = ("uint8", "int8", "int16", "int32", "int64") if n_axes > 1 or return_indices else ()
    check_type(name, x, *integers)
    values, indices = fixed[n_axes](x, lines)
    return (values, indices) if return_indices else values


def _adaptive_max_pool_nd(n_axes, x, output_size, return_indices):
    name = f"adaptive_max_pool{n_axes}d"
    lines = adaptive_lines(name, x, output_size, n_axes)
    check_type(name, x)
    values, indices = adapting[n_axes](x, lines)
    return (values, indices) if return_indices else values


def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The maximum of each window of a signal: see `max_pool2d`, here with one axis, (n, c, length) or (c, length).

    >>> import autograd_core as ac
    >>> ac.nn.functional.max_pool1d(ac.tensor([[1.0, 3.0, 2.0, 0.0, 5.0]]), 3, stride=1)
    tensor([[3., 3., 5.]])
    """
    return _max_pool_nd(1, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The maximum of each window of an image.

    `input` has shape (n, c, h, w), or (c, h, w) for one image. The result has shape (n, c, h_out, w_out), with
    h_out = ⌊(h + 2 padding - dilation (kernel_size - 1) - 1) / stride⌋ + 1, or rounded up with `ceil_mode`, where a
    last window may reach beyond the padding. The arguments are one int, or one an axis; `stride` is `kernel_size` if
    not given. Padding counts as -inf, and is at most half a window. With `return_indices` the result is a pair: the
    maxima, and their positions in their plane, counted in row-major order (int64).

    RuntimeError for arguments that do not fit and for a window that lies wholly in the padding (PyTorch gives -inf and
    a position outside), NotImplementedError for bools.

    Gradient: g goes to the position of the maximum, in a tie to the first. A NaN counts as the greatest.

    >>> import autograd_core as ac
    >>> x = ac.tensor([[[1.0, 2.0, 9.0], [4.0, 3.0, 0.0]]])
    >>> ac.nn.functional.max_pool2d(x, 2, stride=1, return_indices=True)
    (tensor([[[4., 9.]]]), tensor([[[3, 2]]]))
    """
    return _max_pool_nd(2, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The maximum of each window of a volume: see `max_pool2d`, here with three axes, (n, c, d, h, w) or (c, d, h, w).

    >>> import autograd_core as ac
    >>> ac.nn.functional.max_pool3d(ac.arange(8.0).reshape(1, 2, 2, 2), 2)
    tensor([[[[7.]]]])
    """
    return _max_pool_nd(3, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def adaptive_max_pool1d(input, output_size, return_indices=False):
    """The maxima of as many windows as asked for: see `adaptive_max_pool2d`, here with one axis.

    >>> import autograd_core as ac
    >>> ac.nn.functional.adaptive_max_pool1d(ac.tensor([[1.0, 3.0, 2.0, 0.0, 5.0]]), 2)
    tensor([[3., 5.]])
    """
    return _adaptive_max_pool_nd(1, input, output_size, return_indices)


def adaptive_max_pool2d(input, output_size, return_indices=False):
    """The maxima of windows chosen so that the result has the size asked for.

    `input` has shape (n, c, h, w) or (c, h, w); `output_size` is one int or one an axis, where None keeps the length.
    Window i of an axis of length h goes from ⌊i h / size⌋ to ⌈(i + 1) h / size⌉. With `return_indices` the result is a
    pair, as that of `max_pool2d`. ValueError for too few axes, RuntimeError for sizes that do not fit,
    NotImplementedError for integers.

    Gradient: g goes to the position of the maximum, in a tie to the first. A NaN counts as the greatest.

    >>> import autograd_core as ac
    >>> ac.nn.functional.adaptive_max_pool2d(ac.arange(9.0).reshape(1, 3, 3), (2, None))
    tensor([[[3., 4., 5.],
             [6., 7., 8.]]])
    """
    return _adaptive_max_pool_nd(2, input, output_size, return_indices)


def adaptive_max_pool3d(input, output_size, return_indices=False):
    """The maxima of as many windows as asked for: see `adaptive_max_pool2d`, here with three axes.

    >>> import autograd_core as ac
    >>> ac.nn.functional.adaptive_max_pool3d(ac.arange(8.0).reshape(1, 2, 2, 2), 1)
    tensor([[[[7.]]]])
    """
    return _adaptive_max_pool_nd(3, input, output_size, return_indices)


def max_pool1d_with_indices(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    """`max_pool1d` with `return_indices=True`, whatever `return_indices` says.

    >>> import autograd_core as ac
    >>> ac.nn.functional.max_pool1d_with_indices(ac.tensor([[1.0, 3.0, 2.0, 0.0]]), 2)
    (tensor([[3., 2.]]), tensor([[1, 2]]))
    """
    return _max_pool_nd(1, input, kernel_size, stride, padding, dilation, ceil_mode, True)


def max_pool2d_with_indices(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    """`max_pool2d` with `return_indices=True`, whatever `return_indices` says.

    >>> import autograd_core as ac
    >>> ac.nn.functional.max_pool2d_with_indices(ac.arange(4.0).reshape(1, 2, 2), 2)
    (tensor([[[3.]]]), tensor([[[3]]]))
    """
    return _max_pool_nd(2, input, kernel_size, stride, padding, dilation, ceil_mode, True)


def max_pool3d_with_indices(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    """`max_pool3d` with `return_indices=True`, whatever `return_indices` says.

    >>> import autograd_core as ac
    >>> ac.nn.functional.max_pool3d_with_indices(ac.arange(8.0).reshape(1, 2, 2, 2), 2)
    (tensor([[[[7.]]]]), tensor([[[[7]]]]))
    """
    return _max_pool_nd(3, input, kernel_size, stride, padding, dilation, ceil_mode, True)


def adaptive_max_pool1d_with_indices(input, output_size, return_indices=False):
    """`adaptive_max_pool1d` with `return_indices=True`, whatever `return_indices` says.

    >>> import autograd_core as ac
    >>> ac.nn.functional.adaptive_max_pool1d_with_indices(ac.tensor([[1.0, 3.0, 2.0, 0.0]]), 2)
    (tensor([[3., 2.]]), tensor([[1, 2]]))
    """
    return _adaptive_max_pool_nd(1, input, output_size, True)


def adaptive_max_pool2d_with_indices(input, output_size, return_indices=False):
    """`adaptive_max_pool2d` with `return_indices=True`, whatever `return_indices` says.

    >>> import autograd_core as ac
    >>> ac.nn.functional.adaptive_max_pool2d_with_indices(ac.arange(4.0).reshape(1, 2, 2), 1)
    (tensor([[[3.]]]), tensor([[[3]]]))
    """
    return _adaptive_max_pool_nd(2, input, output_size, True)


def adaptive_max_pool3d_with_indices(input, output_size, return_indices=False):
    """`adaptive_max_pool3d` with `return_indices=True`, whatever `return_indices` says.

    >>> import autograd_core as ac
    >>> ac.nn.functional.adaptive_max_pool3d_with_indices(ac.arange(8.0).reshape(1, 2, 2, 2), 1)
    (tensor([[[[7.]]]]), tensor([[[[7]]]]))
    """
    return _adaptive_max_pool_nd(3, input, output_size, True)


# -- unpooling


def _unpooled_shape(name: str, n_axes: int, x, kernel_size, stride, padding, output_size) -> tuple[int, ...]:
    kernel = per_axis(name, "kernel_size", kernel_size, n_axes)
    stride = kernel if stride is None else per_axis(name, "stride", stride, n_axes)
    padding = per_axis(name, "padding", padding, n_axes)
    shape = tuple(x.shape)
    default = [(n - 1) * s + k - 2 * p for n, k, s, p in zip(shape[-n_axes:], kernel, stride, padding)]
    sizes = default if output_size is None else [int(n) for n in output_size]
    sizes = sizes[2:] if len(sizes) == n_axes + 2 else sizes
    if len(sizes) != n_axes:
        raise ValueError(
            f"{name}(): output_size should be a sequence containing {n_axes} or {n_axes + 2} elements, but it has a "
            f"length of '{len(sizes)}'"
        )
    for d, (size, n, s) in enumerate(zip(sizes, default, stride)):
        if not n - s < size < n + s:
            raise ValueError(f'{name}(): invalid output_size "{sizes}" (dim {d} must be between {n - s} and {n + s})')
    return (*shape[:-n_axes], *sizes)


def _max_unpool(n_axes, x, indices, kernel_size, stride, padding, output_size):
    name = f"max_unpool{n_axes}d"
    shape = _unpooled_shape(name, n_axes, x, kernel_size, stride, padding, output_size)
    check_type(name, x)
    if indices.dtype.name != "int64":
        refuse(name, f"elements in indices should be type int64 but got: {indices.dtype.name}")
    if indices.shape != x.shape:
        refuse(
            name,
            f"Expected shape of indices to be same as that of the input tensor ({list(x.shape)}) but got indices "
            f"tensor with shape: {list(indices.shape)}",
        )
    if x.ndim not in (n_axes + 1, n_axes + 2) or 0 in shape[1:]:
        refuse(
            name,
            f"Expected a tensor of {n_axes + 1} or {n_axes + 2} axes, of which only the batch may be empty, but got "
            f"{list(x.shape)}",
        )
    return unpoolings[n_axes](x, indices, shape, n_axes)


def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Zeros with the maxima of `max_pool1d` where they came from: see `max_unpool2d`, here with one axis.

    >>> import autograd_core as ac
    >>> ac.nn.functional.max_unpool1d(ac.tensor([[3.0, 5.0]]), ac.tensor([[1, 2]]), 2)
    tensor([[0., 3., 5., 0.]])
    """
    return _max_unpool(1, input, indices, kernel_size, stride, padding, output_size)


def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Zeros with the maxima of `max_pool2d` where they came from.

    `input` and `indices` are the two results of `max_pool2d(..., return_indices=True)`, and `kernel_size`, `stride` and
    `padding` its arguments. The result has the size that follows from these; where several sizes give the same maxima,
    `output_size` says which, (h, w) or a whole shape. Where an index repeats, one of the values stays.

    ValueError for an `output_size` that does not fit, RuntimeError for an index outside the plane or another shape.

    Gradient: g at the indices.

    >>> import autograd_core as ac
    >>> ac.nn.functional.max_unpool2d(ac.tensor([[[4.0, 9.0]]]), ac.tensor([[[4, 2]]]), 2)
    tensor([[[0., 0., 9., 0.],
             [4., 0., 0., 0.]]])
    """
    return _max_unpool(2, input, indices, kernel_size, stride, padding, output_size)


def max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Zeros with the maxima of `max_pool3d` where they came from: see `max_unpool2d`, here with three axes.

    >>> import autograd_core as ac
    >>> ac.nn.functional.max_unpool3d(ac.ones(1, 1, 1, 1), ac.tensor([[[[2]]]]), 2).ravel()
    tensor([0., 0., 1., 0., 0., 0., 0., 0.])
    """
    return _max_unpool(3, input, indices, kernel_size, stride, padding, output_size)
