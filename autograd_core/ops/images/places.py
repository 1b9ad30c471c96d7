"""Places in an image: from coordinates to pixels, and from an affine map to coordinates."""

from __future__ import annotations

import numpy as np

from ...core.table import general, linear

# -- places along one axis of n pixels

FAR = 2.0**30  # what is no number, or farther away, is outside as well


def _clipped(at, n: int):
    return np.clip(np.nan_to_num(at, nan=0.0), 0, n - 1), ((at > 0) & (at < n - 1)).astype(at.dtype)


def _reflected(at, n: int, align_corners: bool):
    low, high = (0.0, n - 1.0) if align_corners else (-0.5, n - 0.5)
    if low == high:
        return np.zeros_like(at), np.zeros_like(at)
    away = at - low
    sign = np.where(away < 0, -1.0, 1.0).astype(at.dtype)
    turns, rest = np.divmod(np.abs(away), high - low)
    odd = turns % 2 == 1
    return np.where(odd, high - rest, rest + low), np.where(odd, -sign, sign)


def bounded(at, n: int, padding_mode: str, align_corners: bool):
    """The place that padding moves `at` to, and the derivative of that."""
    if padding_mode == "zeros":
        return at, np.ones_like(at)
    if padding_mode == "border":
        return _clipped(at, n)
    at, slope = _reflected(at, n, align_corners)
    at, inside = _clipped(at, n)
    return at, slope * inside


def _place(x, n, padding_mode, align_corners):
    at, step = ((x + 1) * ((n - 1) / 2), (n - 1) / 2) if align_corners else (((x + 1) * n - 1) / 2, n / 2)
    at, slope = bounded(at, n, padding_mode, align_corners)
    return at, slope * step


place = general(
    "grid_sampler_place",
    _place,
    "x",
    lambda g, slope: g * slope,
    residuals="slope",
    doc="The place in pixels of a coordinate from -1 to 1, moved inside by border or reflection padding. Gradient: 0 "
    "where padding holds it at the first or last pixel.",
)


# -- the places of an affine map


def _generate(theta, size, align_corners):
    base = _coordinates(size[2:], align_corners, theta.dtype)
    return (base @ theta.swapaxes(1, 2)).reshape(size[0], *size[2:], len(size) - 2)


def _collect(x, size, align_corners):
    base = _coordinates(size[2:], align_corners, x.dtype)
    return x.reshape(size[0], -1, len(size) - 2).swapaxes(1, 2) @ base


affine_grid_generator = linear(
    "affine_grid_generator",
    _generate,
    "theta",
    lambda g, size, align_corners: affine_grid_generator_backward(g, size, align_corners),
    doc="theta times the coordinates of each pixel of a result of shape `size`.",
)

affine_grid_generator_backward = linear(
    "affine_grid_generator_backward",
    _collect,
    "x",
    lambda g, size, align_corners: affine_grid_generator(g, size, align_corners),
    doc="The sums over the pixels of `input` times their coordinates: the gradient of `affine_grid_generator`.",
)


def _coordinates(sizes, align_corners: bool, dtype):
    """For each pixel, the coordinates x, y (z) from -1 to 1, and 1: (pixels, d + 1)."""
    lines = []
    for n in sizes:
        line = np.linspace(-1, 1, n) if n > 1 else np.zeros(1)
        lines.append(line if align_corners else line * ((n - 1) / n))
    grids = np.meshgrid(*lines, indexing="ij")[::-1]
    return np.stack([*grids, np.ones(sizes)], -1).reshape(-1, len(sizes) + 1).astype(dtype)
