"""Images of another size: `interpolate` and `upsample`.

Every mode is linear in the image and treats one axis after another. Along an axis, an element of the result is a
weighted sum of a few elements of the input, its taps: one in the nearest modes, two in the linear ones, four in the
cubic ones, all that it covers with `antialias`. So there is one op, for one axis, and its adjoint, which spreads each
element over its taps. "area" mode is adaptive average pooling.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence

import numpy as np

from ...core.primitive import linear
from ...core.tensor import Tensor
from ...ops.avg_pooling import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d
from ...ops.shape import along, clone

# -- the op


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


def _resample(x, axis, size, mode, step, align_corners=False, antialias=False):
    index, weight = _taps(mode, x.shape[axis], size, step, align_corners, antialias)
    return _weighted(x, index, weight, axis)


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


# -- public

POOLS = {3: adaptive_avg_pool1d, 4: adaptive_avg_pool2d, 5: adaptive_avg_pool3d}
RANKS = {"linear": 3, "bilinear": 4, "bicubic": 4, "trilinear": 5}


def interpolate(
    input,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """Resample the axes behind the first two, of a tensor (N, C, ...), to `size`, or by the factor `scale_factor`.

    `mode` is "nearest", "nearest-exact" or "area" for one to three such axes, "linear" for one, "bilinear" or "bicubic"
    for two, "trilinear" for three. The size for a factor is rounded down. Elements are small squares, whose centers the
    non-nearest modes interpolate between; with `align_corners` the centers of the outermost ones coincide.
    The distance of two neighbors is 1 / `scale_factor` unless `recompute_scale_factor`, which takes it from the sizes.
    `antialias`, for "bilinear" and "bicubic", widens the filter where the image shrinks.

    The result is linear in the input; the gradient of an element is the sum of what took from it, times the weights.

    Raises ValueError for arguments that do not go together, NotImplementedError for a mode that does not fit the number
    of axes, RuntimeError for an axis of length 0.

    >>> import autograd_core as ac
    >>> x = ac.tensor([[[0.0, 4.0]]])
    >>> ac.nn.functional.interpolate(x, scale_factor=2, mode="linear")
    tensor([[[0., 1., 3., 4.]]])
    >>> ac.nn.functional.interpolate(x, size=3, mode="linear", align_corners=True)
    tensor([[[0., 2., 4.]]])
    """
    if align_corners is not None and mode in ("nearest", "nearest-exact", "area"):
        raise ValueError(f"align_corners can only be set with the interpolating modes ({', '.join(RANKS)}), not {mode}")
    sizes, factors = _targets(input.shape, size, scale_factor, recompute_scale_factor, mode)
    if antialias and not (mode in FILTERS and input.ndim == 4):
        raise ValueError(
            f"antialias is for the modes bilinear and bicubic on a 4-D tensor, not for {mode} on a {input.ndim}-D one"
        )
    _check(input, sizes, mode)
    if mode == "area":
        return POOLS[input.ndim](input, sizes)
    out = input
    for axis, (size, factor) in enumerate(zip(sizes, factors), 2):
        n = input.shape[axis]
        step = 1 / factor if factor else n / size
        if mode == "nearest" and input.ndim == 4 and size in (n, 2 * n):
            step = n / size  # as PyTorch, which has a kernel for these
        if n == size and (step == 1 or antialias or mode in ("linear", "bilinear", "trilinear")):
            continue
        out = resample(out, axis, size, mode, step, bool(align_corners), antialias)
    return clone(input) if out is input else out


def _targets(shape, size, scale_factor, recompute: bool | None, mode: str):
    """The sizes of the result, and the factors that the distances come from: None where they come from the sizes."""
    if (size is None) == (scale_factor is None):
        which = "either" if size is None else "only one of"
        raise ValueError(f"interpolate: {which} size or scale_factor should be defined")
    if recompute and size is not None:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    inner = shape[2:]
    name, given = ("size", size) if scale_factor is None else ("scale_factor", scale_factor)
    values = list(given) if isinstance(given, Sequence) else [given] * len(inner)
    if len(values) != len(inner):
        raise ValueError(
            f"Input and {name} must have the same number of spatial dimensions, but got an input of shape "
            f"{list(shape)}, whose spatial axes are {list(inner)}, and {name} {given}"
        )
    if name == "scale_factor":
        sizes = [math.floor(n * factor) for n, factor in zip(inner, values)]
        return sizes, [None] * len(sizes) if recompute or mode == "area" else values
    if not all(isinstance(n, (int, np.integer)) for n in values):
        raise TypeError(f"expected size to be one of int or a tuple of ints, but got {given}; round it first")
    return values, [None] * len(values)


def _check(input, sizes, mode: str) -> None:
    if mode in RANKS and input.ndim in (3, 4, 5) and input.ndim != RANKS[mode]:
        raise NotImplementedError(f"Got {input.ndim}D input, but {mode} mode needs {RANKS[mode]}D input")
    if input.ndim not in (3, 4, 5) or mode not in (*RANKS, "nearest", "nearest-exact", "area"):
        raise NotImplementedError(
            f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {input.ndim}D) for the modes: nearest | "
            f"linear | bilinear | bicubic | trilinear | area | nearest-exact (got {mode})"
        )
    if not input.is_floating_point():
        raise NotImplementedError(f"interpolate is not implemented for {input.dtype}; convert it with .float()")
    if 0 in input.shape[1:] or min(sizes) <= 0:
        raise RuntimeError(
            f"Input and output sizes should be greater than 0, but got input {list(input.shape)} and output {sizes}"
        )


def _deprecated(name: str) -> None:
    warnings.warn(f"`nn.functional.{name}` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=3)


def upsample(
    input,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    """`interpolate` under its older name, with a UserWarning that says so.

    >>> import warnings, autograd_core as ac
    >>> with warnings.catch_warnings(action="ignore"):
    ...     ac.nn.functional.upsample(ac.tensor([[[1.0, 2.0]]]), scale_factor=2)
    tensor([[[1., 1., 2., 2.]]])
    """
    _deprecated("upsample")
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(
    input, size: int | Sequence[int] | None = None, scale_factor: float | Sequence[float] | None = None
) -> Tensor:
    """`interpolate` in "nearest" mode, with a UserWarning that says so.

    >>> import warnings, autograd_core as ac
    >>> with warnings.catch_warnings(action="ignore"):
    ...     ac.nn.functional.upsample_nearest(ac.tensor([[[1.0, 2.0]]]), size=3)
    tensor([[[1., 1., 2.]]])
    """
    _deprecated("upsample_nearest")
    return interpolate(input, size, scale_factor, "nearest")


def upsample_bilinear(
    input, size: int | Sequence[int] | None = None, scale_factor: float | Sequence[float] | None = None
) -> Tensor:
    """`interpolate` in "bilinear" mode with the corners aligned, and a UserWarning that says so.

    >>> import warnings, autograd_core as ac
    >>> with warnings.catch_warnings(action="ignore"):
    ...     ac.nn.functional.upsample_bilinear(ac.tensor([[[[0.0, 2.0]]]]), size=(1, 3))
    tensor([[[[0., 1., 2.]]]])
    """
    _deprecated("upsample_bilinear")
    return interpolate(input, size, scale_factor, "bilinear", align_corners=True)
