"""Fractional max pooling: maxima of windows whose distances vary at random, so that any ratio of sizes is possible.

From Benjamin Graham, Fractional Max-Pooling (2014): with α = (n - kernel) / (size - 1) and one number u in [0, 1) for
each plane and axis, window i begins at ⌊(i + u) α⌋ - ⌊u α⌋, and the last one ends with the axis.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from ...core.table import general
from ..making.random_values import rand
from .max_pooling import add_to_planes
from .placements import per_axis, refuse
from .pooling_lines import check_input, check_type

__all__: list[str] = []  # these are in `nn.functional`


def _starts(u, n: int, size: int, kernel: int):
    """Where the windows along an axis of length `n` begin: an array (planes, size) for the numbers `u` (planes)."""
    starts = np.full((len(u), size), n - kernel)
    if size > 1:
        alpha = u.dtype.type(n - kernel) / u.dtype.type(size - 1)
        number = np.arange(size - 1, dtype=u.dtype)
        starts[:, :-1] = ((number + u[:, None]) * alpha).astype(np.int64) - (u * alpha).astype(np.int64)[:, None]
    return starts


def _positions(samples, shape, kernel, sizes):
    """The positions in their plane of all elements of all windows: an array (planes, windows, elements)."""
    n_axes = len(shape)
    order = [1, 0] if n_axes == 2 else [0, 1, 2]  # PyTorch draws the column of an image first
    terms = []
    for k in range(n_axes):
        starts = _starts(samples[:, order[k]], shape[k], sizes[k], kernel[k])
        positions = (starts[:, :, None] + np.arange(kernel[k])) * math.prod(shape[k + 1 :])
        lengths = [1] * (2 * n_axes)
        lengths[k], lengths[n_axes + k] = sizes[k], kernel[k]
        terms.append(positions.reshape(-1, *lengths))
    return functools.reduce(np.add, terms).reshape(len(samples), math.prod(sizes), math.prod(kernel))


def _last_nan_or_first_maximum(x):
    nan = x != x
    last_nan = x.shape[-1] - 1 - nan[..., ::-1].argmax(-1)
    return np.where(nan.any(-1), last_nan, x.argmax(-1))[..., None]


def _fractional_max_pool(x, samples, kernel_size, output_size):
    n_axes = len(kernel_size)
    planes, shape = x.shape[:-n_axes], x.shape[-n_axes:]
    positions = _positions(samples.reshape(-1, n_axes), shape, kernel_size, output_size)
    rows = np.arange(len(positions))[:, None, None]
    windows = x.reshape(len(positions), math.prod(shape))[rows, positions]
    best = _last_nan_or_first_maximum(windows)
    values, indices = (np.take_along_axis(a, best, -1).reshape(*planes, *output_size) for a in (windows, positions))
    return values, indices


def d_fractional_dx(g_values, x, indices, kernel_size):
    """g, added at the positions of the maxima."""
    return None if g_values is None else add_to_planes(g_values, indices, tuple(x.shape), len(kernel_size))


def _pooling(n_axes: int):
    return general(
        f"fractional_max_pool{n_axes}d_indices",
        _fractional_max_pool,
        "x samples",
        d_fractional_dx,
        None,
        outputs="values indices",
        node_name=f"FractionalMaxPool{n_axes}DBackward0",
        doc="The maxima of windows placed by random `samples`, and their positions in their plane.",
    )


poolings = {2: _pooling(2), 3: _pooling(3)}


def _fractional(n_axes, x, kernel_size, output_size, output_ratio, return_indices, samples):
    name = f"fractional_max_pool{n_axes}d"
    if output_size is None and output_ratio is None:
        raise ValueError(f"{name} requires specifying either an output_size or an output_ratio")
    check_input(name, x, n_axes)
    check_type(name, x)
    shape = tuple(x.shape)
    if output_size is None:
        ratios = tuple(output_ratio) if hasattr(output_ratio, "__iter__") else (output_ratio,) * n_axes
        if len(ratios) != n_axes:
            raise ValueError(
                f"{name} requires output_ratio to either be a single Int or tuple of Ints.: one share of the input, or "
                f"one for each of {n_axes} axes, got {output_ratio}"
            )
        output_size = [int(n * ratio) for n, ratio in zip(shape[-n_axes:], ratios)]
    sizes = per_axis(name, "output_size", output_size, n_axes)
    kernel = per_axis(name, "kernel_size", kernel_size, n_axes)
    spare = 1 if n_axes == 3 else 0  # PyTorch wants it so
    if any(k < 1 or size < 1 or size + k - 1 + spare > n for n, k, size in zip(shape[-n_axes:], kernel, sizes)):
        refuse(
            name,
            f"windows of {list(kernel)} with a result of {list(sizes)} are too large relative to an input of "
            f"{list(shape[-n_axes:])}: all must be positive, and size + kernel at most the input + {1 - spare}",
        )
    wanted = (1 if x.ndim == n_axes + 1 else shape[0], shape[-n_axes - 1], n_axes)
    if samples is None:
        samples = rand(*wanted, dtype=x.dtype)
    elif tuple(samples.shape) != wanted or samples.dtype != x.dtype:
        refuse(
            name,
            f"Expect _random_samples of shape {list(wanted)} and type {x.dtype.name}, but got {list(samples.shape)} "
            f"and {samples.dtype.name}",
        )
    values, indices = poolings[n_axes](x, samples, kernel, sizes)
    return (values, indices) if return_indices else values


def fractional_max_pool2d(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
):
    """The maxima of windows at random distances, as many as asked for.

    `input` has shape (n, c, h, w), or (c, h, w) for one image. `kernel_size` and `output_size` are one int or one an
    axis; or `output_ratio` says which part of the size of the input the result has. The windows are placed by random
    numbers in [0, 1), one a plane and axis, or by `_random_samples` of shape (n, c, 2). With `return_indices` the
    result is a pair: the maxima, and their positions in their plane, counted in row-major order (int64).

    ValueError without a size and a ratio, RuntimeError where windows do not fit, NotImplementedError for integers.

    Gradient: g goes to the position of the maximum, in a tie to the first. A NaN counts as the greatest.
    (B. Graham, Fractional Max-Pooling, 2014.)

    >>> import autograd_core as ac
    >>> x = ac.arange(25.0).reshape(1, 5, 5)
    >>> ac.nn.functional.fractional_max_pool2d(x, 2, output_size=3, _random_samples=ac.tensor([[[0.1, 0.9]]]))
    tensor([[[ 6.,  7.,  9.],
             [11., 12., 14.],
             [21., 22., 24.]]])
    """
    return _fractional(2, input, kernel_size, output_size, output_ratio, return_indices, _random_samples)


def fractional_max_pool3d(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
):
    """The maxima of windows at random distances: see `fractional_max_pool2d`, here with three axes.

    `input` has shape (n, c, d, h, w) or (c, d, h, w), `_random_samples` (n, c, 3).

    >>> import autograd_core as ac
    >>> ac.nn.functional.fractional_max_pool3d(ac.ones(1, 8, 8, 8), 2, output_ratio=0.5).shape
    Size([1, 4, 4, 4])
    """
    return _fractional(3, input, kernel_size, output_size, output_ratio, return_indices, _random_samples)


def fractional_max_pool2d_with_indices(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
):
    """`fractional_max_pool2d` with `return_indices=True`, whatever `return_indices` says.

    >>> import autograd_core as ac
    >>> ac.nn.functional.fractional_max_pool2d_with_indices(ac.arange(4.0).reshape(1, 2, 2), 2, output_size=1)
    (tensor([[[3.]]]), tensor([[[3]]]))
    """
    return _fractional(2, input, kernel_size, output_size, output_ratio, True, _random_samples)


def fractional_max_pool3d_with_indices(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
):
    """`fractional_max_pool3d` with `return_indices=True`, whatever `return_indices` says.

    >>> import autograd_core as ac
    >>> x = ac.arange(27.0).reshape(1, 3, 3, 3)
    >>> ac.nn.functional.fractional_max_pool3d_with_indices(x, 2, output_size=1)[1]
    tensor([[[[26]]]])
    """
    return _fractional(3, input, kernel_size, output_size, output_ratio, True, _random_samples)
