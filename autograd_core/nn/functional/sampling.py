"""Images read at arbitrary places: `grid_sample`, and `affine_grid` that makes the places of an affine map.

A place is turned into the numbers of the pixels around it, the taps, and their weights; the result is the weighted sum
of the taps, `pick_taps`. The weights are made from the places by ordinary ops, so that every derivative follows.
"""

from __future__ import annotations

import math
import warnings

import numpy as np

from ...core.tensor import Tensor, wrap
from ...ops.elementwise.piecewise import clamp, nan_to_num, trunc
from ...ops.images.places import FAR, affine_grid_generator, bounded, place
from ...ops.images.taps import pick_taps
from ...ops.precision import carried_wide
from ...ops.shapes.chunking import unbind
from ...ops.shapes.joining import stack
from ...ops.shapes.shape import reshape, unsqueeze


def _linear_taps(at):
    """Two taps and their weights 1 - t and t."""
    first = _whole(np.floor(at._array))
    part = at - wrap(first.astype(at._array.dtype))
    return np.stack([first, first + 1]), stack([1 - part, part])


def _nearest_tap(at):
    """One tap of weight 1; a step function of the place has gradient zero, which `trunc` gives."""
    nearest = _whole(np.rint(at._array))
    apart = nan_to_num(at - wrap(nearest.astype(at._array.dtype)))  # 0 where there is no place
    return nearest[None], stack([trunc(clamp(apart, -0.5, 0.5)) + 1])


CUBIC = -0.75  # the parameter of Keys' kernel


def _cubic_taps(at):
    """Four taps and their weights by Keys' kernel, at distances 1 + t, t, 1 - t and 2 - t."""
    first = _whole(np.floor(at._array))
    t = at - wrap(first.astype(at._array.dtype))
    weights = [_cubic_far(t + 1), _cubic_near(t), _cubic_near(1 - t), _cubic_far(2 - t)]
    return np.stack([first + k for k in (-1, 0, 1, 2)]), stack(weights)


def _cubic_near(d):
    return ((CUBIC + 2) * d - (CUBIC + 3)) * d * d + 1


def _cubic_far(d):
    return CUBIC * (((d - 5) * d + 8) * d - 4)


def _whole(at):
    return np.clip(np.nan_to_num(at.astype(np.float64), nan=FAR), -FAR, FAR).astype(np.int64)


TAPS = {"bilinear": _linear_taps, "nearest": _nearest_tap, "bicubic": _cubic_taps}

PADDING = ("zeros", "border", "reflection")

# -- public


@carried_wide
def grid_sample(
    input, grid, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool | None = None
) -> Tensor:
    """The images `input`, (N, C, H, W) or (N, C, D, H, W), read at the places `grid`, (N, ..., 2) or (N, ..., 3).

    The last axis of `grid` holds x, y (and z), from -1 at the left, upper (front) edge to 1 at the other; with
    `align_corners` these are the centers of the outermost pixels, else their outer edges. `mode` is "bilinear",
    "nearest" or, for images, "bicubic". Outside, pixels are 0 or as `padding_mode` says: "border" or "reflection".
    Result: (N, C, ...).

    Gradient for `input`: each element spread over the pixels it was made of. For `grid`: the weights' derivative; 0 in
    mode "nearest" and, with padding, where a place is held at the border.

    Raises ValueError for an unknown mode, RuntimeError for shapes or dtypes that do not fit.

    >>> import autograd_core as ac
    >>> image = ac.tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> ac.nn.functional.grid_sample(image, ac.tensor([[[[0.0, 0.0], [1.0, -1.0]]]]), align_corners=True)
    tensor([[[[2.5000, 2.0000]]]])
    """
    if mode not in TAPS:
        raise ValueError(f"grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'")
    if padding_mode not in PADDING:
        raise ValueError(
            f"grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: '{padding_mode}'"
        )
    _check(input, grid, mode)
    align_corners = _settled(align_corners, 4)
    sizes = tuple(input.shape[2:])
    cubic = mode == "bicubic"
    indices, weights = [], []
    for n, coordinate in zip(sizes, reversed(unbind(grid, -1))):
        at = place(coordinate, n, "zeros" if cubic else padding_mode, align_corners)
        taps, weight = TAPS[mode](reshape(at, (grid.shape[0], math.prod(grid.shape[1:-1]))))
        if cubic:
            taps = _whole(bounded(taps.astype(float), n, padding_mode, align_corners)[0])
        indices.append(taps)
        weights.append(weight)
    index, weight = _numbers(indices, sizes), _products(weights)
    flat = reshape(input, (*input.shape[:2], math.prod(sizes)))
    return reshape(pick_taps(flat, weight, wrap(index)), (*input.shape[:2], *grid.shape[1:-1]))


def _numbers(indices, sizes):
    """For each combination of taps, one an axis, the number of its pixel in the batch, or that of what lies outside."""
    images, places = indices[0].shape[1:]
    number, inside = np.arange(images).reshape(1, images, 1), np.ones((1, images, 1), bool)
    for taps, n in zip(indices, sizes):
        shape = (len(number) * len(taps), images, places)
        number = (number[:, None] * n + taps).reshape(shape)
        inside = (inside[:, None] & ((taps >= 0) & (taps < n))).reshape(shape)
    np.copyto(number, images * math.prod(sizes), where=~inside)
    return number


def _products(weights):
    """For each combination of taps, one an axis, the product of their weights."""
    total = weights[0]
    for weight in weights[1:]:
        total = reshape(unsqueeze(total, 1) * weight, (len(total) * len(weight), *weight.shape[1:]))
    return total


def _settled(align_corners: bool | None, stacklevel: int = 3) -> bool:
    if align_corners is None:
        warnings.warn(
            "grid_sample and affine_grid take align_corners=False where it is not given; pass align_corners=True for "
            "coordinates that end at the centers of the outermost pixels.",
            UserWarning,
            stacklevel=stacklevel,
        )
    return bool(align_corners)


def _check(input, grid, mode: str) -> None:
    shapes = f"input with sizes {list(input.shape)} and grid with sizes {list(grid.shape)}"
    if not (input.ndim and grid.ndim) or input.shape[0] != grid.shape[0]:
        raise RuntimeError(f"grid_sampler(): expected grid and input to have same batch size, but got {shapes}")
    if grid.shape[-1] != input.ndim - 2:
        raise RuntimeError(
            f"grid_sampler(): expected grid to have size {input.ndim - 2} in last dimension, but got {shapes}"
        )
    if 0 in input.shape[2:]:
        raise RuntimeError(f"grid_sampler(): expected input to have non-empty spatial dimensions, but got {shapes}")
    if input.ndim not in (4, 5) or input.ndim != grid.ndim:
        raise RuntimeError(
            "grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but got " + shapes
        )
    if mode == "bicubic" and input.ndim != 4:
        raise RuntimeError(f"grid_sampler(): bicubic interpolation only supports 4D input, but got {shapes}")
    if input.dtype != grid.dtype:
        raise RuntimeError(
            f"grid_sampler(): expected scalar type {input.dtype} but found {grid.dtype}: input and grid have one dtype"
        )


def affine_grid(theta, size, align_corners: bool | None = None) -> Tensor:
    """The places that an affine map sends the pixels of a result of shape `size` to, for `grid_sample`.

    `theta` is (N, 2, 3) for `size` (N, C, H, W), with result (N, H, W, 2), or (N, 3, 4) for (N, C, D, H, W), with
    result (N, D, H, W, 3): for each pixel, theta times the vector of its coordinates and 1. Gradient for `theta`: the
    outer products of g and these vectors, summed over the pixels. `align_corners` as in `grid_sample`.

    Raises ValueError for a `theta` that is not floating or does not fit the size, NotImplementedError for other sizes.

    >>> import autograd_core as ac
    >>> half = ac.tensor([[[0.5, 0.0, 0.0], [0.0, 0.5, 0.0]]])
    >>> ac.nn.functional.affine_grid(half, (1, 1, 1, 2), align_corners=False)
    tensor([[[[-0.2500,  0.0000],
              [ 0.2500,  0.0000]]]])
    """
    align_corners = _settled(align_corners)
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    sizes = tuple(int(n) for n in size)
    if len(sizes) not in (4, 5):
        raise NotImplementedError(f"affine_grid only supports 4D and 5D sizes, for 2D and 3D affine maps, got {size}")
    d = len(sizes) - 2
    if theta.ndim != 3 or tuple(theta.shape[1:]) != (d, d + 1):
        raise ValueError(f"Expected a batch of {d}D affine matrices of shape Nx{d}x{d + 1}, got {list(theta.shape)}")
    if min(sizes) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    if align_corners and 1 in sizes[2:]:
        warnings.warn(
            "affine_grid with align_corners=True takes the middle along an axis of length 1 (since PyTorch 1.3.0; "
            "before it took -1). It is not made for that. See the documentation of affine_grid for details.",
            UserWarning,
            stacklevel=2,
        )
    return affine_grid_generator(theta, sizes, align_corners)
