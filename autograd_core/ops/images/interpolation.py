"""Images of another size, one axis after another.

Every mode is linear in the image. Along an axis, an element of the result is a weighted sum of a few elements of the
input, its taps: one in the nearest modes, two in the linear ones, four in the cubic ones, all that it covers with
`antialias`. So there is one op, for one axis, and its adjoint, which spreads each element over its taps.
"""

from __future__ import annotations

import numpy as np

from ...core.table import linear
from ..precision import carried_wide
from ..shapes.shape import along


def _weighted(x, index, weight, axis):
    """Σ over the taps k of weight[k, i] x[index[k, i]] along `axis`."""
    behind = [1] * (x.ndim - axis - 1)
    out = np.zeros((*x.shape[:axis], index.shape[1], *x.shape[axis + 1 :]), x.dtype)
    for k, (positions, weights) in enumerate(zip(index, weight.astype(x.dtype, copy=False))):
        part = x.take(positions, axis)
        part *= weights.reshape(-1, *behind)
        out = np.add(out, part, out=out) if k else part
    return out


def _transposed(index, weight, n: int):
    """The taps of the adjoint: for each of `n` positions of the input, where it went, and with which weight.

    And which positions went nowhere.
    """
    of_tap, to = np.nonzero(weight)
    source, weights = index[of_tap, to], weight[of_tap, to]
    order = source.argsort(kind="stable")
    source, to, weights = source[order], to[order], weights[order]
    count = np.bincount(source, minlength=n)
    rank = np.arange(len(source)) - np.repeat(count.cumsum() - count, count)
    taps = np.zeros((count.max(initial=0), n), np.int64)
    taps[:, source[rank == 0]] = to[rank == 0]  # a position with fewer taps repeats its first, with weight 0
    out = np.zeros(taps.shape)
    taps[rank, source], out[rank, source] = to, weights
    return taps, out, count == 0


@carried_wide
def _resample(x, axis, size, mode, step, align_corners=False, antialias=False):
    index, weight = _taps(mode, x.shape[axis], size, step, align_corners, antialias)
    return _weighted(x, index, weight, axis)


@carried_wide
def _spread(x, axis, size, mode, step, align_corners=False, antialias=False):
    index, weight = _taps(mode, size, x.shape[axis], step, align_corners, antialias)
    taps, weights, unused = _transposed(index, weight, size)
    out = _weighted(x, taps, weights, axis)
    if unused.any():  # 0 times an infinite gradient is not 0
        out[along(axis, unused)] = 0
    return out


resample = linear(
    "resample",
    _resample,
    "x",
    lambda g, x_shape, axis, mode, step, align_corners, antialias: resample_backward(
        g, axis, x_shape[axis], mode, step, align_corners, antialias
    ),
    doc="`input` resampled to the length `size` along `axis`, its elements `step` apart in the result. Gradient: each "
    "element spread over its taps.",
)

resample_backward = linear(
    "resample_backward",
    _spread,
    "x",
    lambda g, x_shape, axis, mode, step, align_corners, antialias: resample(
        g, axis, x_shape[axis], mode, step, align_corners, antialias
    ),
    doc="The adjoint of `resample`: the elements added to the taps they were made of, `size` of them along `axis`.",
)

# -- where the taps are and what they weigh: arrays (taps, size of the result)


def _nearest(n: int, size: int, step: float, exact: bool):
    """In single precision whatever the image has, as PyTorch: rounding decides between two neighbors."""
    half = np.float32(0.5 if exact else 0.0)
    at = np.floor((np.arange(size, dtype=np.float32) + half) * np.float32(step)).astype(np.int64)
    return np.minimum(at, n - 1)[None], np.ones((1, size))


def _sources(n: int, size: int, step: float, align_corners: bool):
    """The place in the input, in elements, of each element of the result."""
    if align_corners:
        return np.arange(size) * ((n - 1) / (size - 1) if size > 1 else 0.0)
    return (np.arange(size) + 0.5) * step - 0.5


def _linear(n: int, size: int, step: float, align_corners: bool):
    at = np.maximum(_sources(n, size, step, align_corners), 0.0)
    left = np.minimum(np.floor(at).astype(np.int64), n - 1)
    part = np.clip(at - left, 0.0, 1.0)
    return np.stack([left, np.minimum(left + 1, n - 1)]), np.stack([1 - part, part])


def cubic_weight(distance, a: float):
    """The weight of a tap at a distance from the place: Keys' kernel, with its parameter `a`.

    Source: Keys, Cubic Convolution Interpolation for Digital Image Processing, 1981.
    """
    d = abs(distance)
    near = ((a + 2) * d - (a + 3)) * d * d + 1
    far = ((d - 5) * d + 8) * d * a - 4 * a
    return np.where(d <= 1, near, np.where(d < 2, far, 0.0))


def _cubic(n: int, size: int, step: float, align_corners: bool):
    at = _sources(n, size, step, align_corners)
    taps = np.floor(at).astype(np.int64) + np.arange(-1, 3)[:, None]
    return np.clip(taps, 0, n - 1), cubic_weight(at - taps, -0.75)


def _window(start, count, weigh):
    """The taps of windows of unequal length, with weights that sum to 1; a window is filled up with its last tap."""
    k = np.arange(count.max(initial=1))[:, None]
    weight = np.where(k < count, weigh(start + k), 0.0)
    return start + np.minimum(k, count - 1), weight / weight.sum(0)


def _triangle(distance):
    return np.maximum(1 - np.abs(distance), 0.0)


FILTERS = {"bilinear": (_triangle, 1), "bicubic": (lambda d: cubic_weight(d, -0.5), 2)}  # with half their width


def _antialias(mode: str, n: int, size: int, step: float, align_corners: bool):
    """A filter as wide as an element of the result, where that is larger than one of the input."""
    if align_corners:
        step = (n - 1) / (size - 1) if size > 1 else 0.0
    kernel, half = FILTERS[mode]
    width = max(step, 1.0)
    center = step * (np.arange(size) + 0.5)
    start = np.maximum((center - half * width + 0.5).astype(np.int64), 0)
    count = np.minimum((center + half * width + 0.5).astype(np.int64), n) - start
    return _window(start, count, lambda taps: kernel((taps - center + 0.5) / width))


def _taps(mode: str, n: int, size: int, step: float, align_corners: bool, antialias: bool):
    if antialias:
        return _antialias(mode, n, size, step, align_corners)
    if mode in ("nearest", "nearest-exact"):
        return _nearest(n, size, step, mode == "nearest-exact")
    return (_cubic if mode == "bicubic" else _linear)(n, size, step, align_corners)
