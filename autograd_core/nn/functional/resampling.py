"""Images of another size: `interpolate` and `upsample`.

"area" mode is adaptive average pooling; all others are the op `resample`, one axis after another.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence

from ...core.dtypes import float32, uint8
from ...core.tensor import Tensor
from ...core.whole_numbers import is_whole, whole
from ...ops.elementwise.piecewise import clamp, round
from ...ops.images.interpolation import FILTERS, resample
from ...ops.making.conversion import to
from ...ops.shapes.shape import clone
from ...ops.windows.avg_pooling import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d

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

    Bytes (uint8) are rounded to bytes after each axis, the last one first, in the modes "nearest", "nearest-exact",
    "bilinear" and "bicubic".

    Raises ValueError for arguments that do not go together, NotImplementedError for a mode that does not fit the number
    of axes or the dtype, RuntimeError for an axis of length 0.

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
    axes = list(enumerate(zip(sizes, factors), 2))
    for axis, (size, factor) in reversed(axes) if input.dtype is uint8 else axes:
        n = input.shape[axis]
        step = 1 / factor if factor else n / size
        if mode == "nearest" and input.ndim == 4 and size in (n, 2 * n):
            step = n / size  # as PyTorch, which has a kernel for these
        if n == size and (step == 1 or antialias or mode in ("linear", "bilinear", "trilinear")):
            continue
        out = out if input.is_floating_point() else to(out, float32)
        out = resample(out, axis, size, mode, step, bool(align_corners), antialias)
        if input.dtype is uint8:
            out = to(clamp(round(out), 0, 255), uint8)
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
        sizes = [_scaled(n, factor) for n, factor in zip(inner, values)]
        return sizes, [None] * len(sizes) if recompute or mode == "area" else values
    if not all(map(is_whole, values)):
        raise TypeError(f"expected size to be one of int or a tuple of ints, but got {given}; round it first")
    return [whole("size", n) for n in values], [None] * len(values)


def _scaled(n: int, factor: float) -> int:
    size = n * float(factor)
    if not abs(size) < 2**63:
        raise RuntimeError(
            f"interpolate: value cannot be converted to type int64_t without overflow: scale_factor {factor} of an "
            f"axis of length {n}"
        )
    return math.floor(size)


def _check(input, sizes, mode: str) -> None:
    if mode in RANKS and input.ndim in (3, 4, 5) and input.ndim != RANKS[mode]:
        raise NotImplementedError(f"Got {input.ndim}D input, but {mode} mode needs {RANKS[mode]}D input")
    if input.ndim not in (3, 4, 5) or mode not in (*RANKS, "nearest", "nearest-exact", "area"):
        raise NotImplementedError(
            f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {input.ndim}D) for the modes: nearest | "
            f"linear | bilinear | bicubic | trilinear | area | nearest-exact (got {mode})"
        )
    as_bytes = input.dtype is uint8 and mode in ("nearest", "nearest-exact", "bilinear", "bicubic")
    if not (input.is_floating_point() or as_bytes):
        raise NotImplementedError(
            f"interpolate in mode {mode} is not implemented for {input.dtype}; convert it with .float()"
        )
    if 0 in input.shape[1:] or min(sizes) <= 0:
        raise RuntimeError(
            f"Input and output sizes should be greater than 0, but got input {list(input.shape)} and output {sizes}"
        )
    if math.prod(sizes) * input.shape[0] * input.shape[1] * input.element_size() >= 2**63:
        raise RuntimeError(f"Storage size calculation overflowed with sizes={[*input.shape[:2], *sizes]}")


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
