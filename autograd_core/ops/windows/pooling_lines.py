"""The windows that pooling looks through, axis by axis, and the arguments that say where they are."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...core.tensor import Tensor
from ...core.whole_numbers import is_whole
from ..floats_only import refuse_type
from ..shapes.shape import several
from .placements import per_axis, refuse, taps

__all__: list[str] = []


class Line(NamedTuple):
    """The windows along one axis.

    `n` is the length of the axis; `starts` says where each window begins, perhaps in the padding; the elements of a
    window are `step` apart. `taps` holds, for each tap, the windows that have it inside and its positions there, and
    `back` the same seen from the positions: for each position in turn, a window that has it.
    """

    n: int
    starts: Any
    step: int
    taps: list
    back: list


def strided(n: int, size: int, kernel: int, stride: int, padding: int = 0, dilation: int = 1) -> Line:
    """`size` windows of one length, at equal distances."""
    there = taps(n, size, kernel, stride, padding, dilation)
    return Line(n, np.arange(size) * stride - padding, dilation, there, [(inside, outs) for outs, inside in there])


def adaptive(n: int, size: int) -> Line:
    """`size` windows that cover an axis of length `n`: window i goes from ⌊i n / size⌋ to ⌈(i + 1) n / size⌉."""
    if size and n % size == 0:
        return strided(n, size, n // size, n // size)
    number = np.arange(size)
    starts, ends, positions = number * n // size, -(-(number + 1) * n // size), np.arange(n)
    first, last = np.searchsorted(ends, positions, "right"), np.searchsorted(starts, positions, "right")
    return Line(n, starts, 1, _uneven(starts, ends), _uneven(first, last))


def _uneven(starts, ends) -> list:
    """The taps of windows of several lengths."""
    lengths = ends - starts
    found: list = []
    for t in range(lengths.max(initial=0)):
        with_tap = np.flatnonzero(lengths > t)
        found.append((slice(0, len(starts)) if len(with_tap) == len(starts) else with_tap, starts[with_tap] + t))
    return found


# -- arguments


def pooled_size(n: int, kernel: int, stride: int, padding: int, dilation: int, ceil_mode: bool) -> int:
    """How many windows there are. With `ceil_mode` the last may reach beyond the padding, but begins before it."""
    size = (n + 2 * padding - dilation * (kernel - 1) - 1 + (stride - 1 if ceil_mode else 0)) // stride + 1
    return size - 1 if ceil_mode and (size - 1) * stride >= n + padding else size


def check_input(name: str, x, n_axes: int) -> None:
    """Raise unless `x` is a batch (n, c, *axes) or one sample (c, *axes), with no empty axis but that of the batch."""
    if not isinstance(x, Tensor):
        raise TypeError(f"{name}(): argument 'input' must be Tensor, not {type(x).__name__}; wrap it in ac.tensor(...)")
    if x.ndim not in (n_axes + 1, n_axes + 2) or 0 in tuple(x.shape)[-n_axes - 1 :]:
        refuse(
            name,
            f"Expected {n_axes + 1}D or {n_axes + 2}D (batch mode) tensor with optional 0 dim batch size for input "
            f"(Expected input's non-batch dimensions to have positive length, a non-empty {n_axes + 1}D or "
            f"{n_axes + 2}D tensor), but got: {list(x.shape)}",
        )


def check_type(name: str, x, *integers: str) -> None:
    """Raise NotImplementedError for an input that is neither floating nor of one of the types named."""
    if not x.is_floating_point() and x.dtype.name not in integers:
        refuse_type(name, x.dtype)


def strided_lines(
    name: str, x, kernel_size, stride, padding, dilation, ceil_mode: bool, n_axes: int
) -> tuple[tuple[Line, ...], tuple, tuple]:
    """The windows along each axis, their lengths, and the padding. RuntimeError for arguments that do not fit."""
    kernel = per_axis(name, "kernel_size", kernel_size, n_axes)
    given = stride is not None and several(stride) != ()
    stride = per_axis(name, "stride", stride, n_axes) if given else kernel
    padding, dilation = per_axis(name, "padding", padding, n_axes), per_axis(name, "dilation", dilation, n_axes)
    for what, values in (("kernel_size", kernel), ("stride", stride), ("dilation", dilation)):
        if min(values) <= 0:
            refuse(name, f"{what} must be greater than zero, but got {min(values)} in {list(values)}")
    if min(padding) < 0:
        refuse(name, f"pad must be non-negative, but got padding {list(padding)}")
    if any(2 * p > d * (k - 1) + 1 for k, p, d in zip(kernel, padding, dilation)):
        refuse(
            name,
            f"pad should be at most half of effective kernel size, but got padding {list(padding)}, kernel_size "
            f"{list(kernel)} and dilation {list(dilation)}",
        )
    check_input(name, x, n_axes)
    shape = tuple(x.shape)[-n_axes:]
    sizes = [pooled_size(*axis, ceil_mode) for axis in zip(shape, kernel, stride, padding, dilation)]
    if min(sizes) < 1:
        refuse(
            name,
            f"Given input of size {list(x.shape)} and windows of {list(kernel)}. Invalid computed output size: "
            f"{min(sizes)}. Output size is too small",
        )
    lines = tuple([strided(*axis) for axis in zip(shape, sizes, kernel, stride, padding, dilation)])
    return lines, kernel, padding


def adaptive_lines(name: str, x, output_size, n_axes: int) -> tuple[Line, ...]:
    """The windows that give a result of `output_size`, in which None stands for the length there is."""
    sizes = (output_size,) * n_axes if output_size is None or is_whole(output_size) else tuple(output_size)
    if len(sizes) != n_axes:
        refuse(name, f"output_size should be one int, or one for each of {n_axes} axes, but got {list(sizes)}")
    if n_axes > 1 and x.ndim <= n_axes:
        raise ValueError(f"{name}(): Input dimension should be at least {n_axes + 1}, but got {list(x.shape)}")
    check_input(name, x, n_axes)
    shape = tuple(x.shape)[-n_axes:]
    sizes = tuple(n if size is None else int(size) for n, size in zip(shape, sizes))
    if min(sizes) < 0:
        refuse(
            name,
            f"elements of output_size must be greater than or equal to 0, but got {list(sizes)}: Trying to create "
            "tensor with negative dimension",
        )
    return tuple([adaptive(n, size) for n, size in zip(shape, sizes)])
