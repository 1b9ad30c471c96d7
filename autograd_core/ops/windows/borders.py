"""Padding: new elements around a tensor, constant or taken from the tensor itself."""

from __future__ import annotations

import numpy as np

from ...core.dtypes import stored
from ...core.table import general
from ...core.tensor import wrap
from ...core.whole_numbers import whole
from ..indexing.gathering import index_select

__all__ = ["constant_pad_nd"]  # `pad` is in `nn.functional`


def _inner(shape, padding) -> tuple:
    """The region of the result that the input fills, the region of the input that is kept, and the result's shape."""
    pairs = [(0, 0)] * (len(shape) - len(padding) // 2) + list(zip(padding[::2], padding[1::2]))[::-1]
    filled = tuple(
        slice(max(left, 0), max(left, 0) + n + min(left, 0) + min(right, 0)) for n, (left, right) in zip(shape, pairs)
    )
    kept = tuple(slice(max(-left, 0), n - max(-right, 0)) for n, (left, right) in zip(shape, pairs))
    return filled, kept, tuple(n + left + right for n, (left, right) in zip(shape, pairs))


def _constant_pad(x, padding, value=0.0):
    filled, kept, shape = _inner(x.shape, padding)
    if any(n < max(left, 0) + max(right, 0) for n, left, right in zip(shape[::-1], padding[::2], padding[1::2])):
        raise RuntimeError(f"pad: padding {list(padding)} removes more than the input of shape {list(x.shape)} has")
    out = np.full(shape, stored(value, x.dtype), x.dtype)
    out[filled] = x[kept]
    return out


constant_pad = general(
    "constant_pad_nd",
    _constant_pad,
    "x",
    lambda g, padding: constant_pad(g, tuple(-n for n in padding)),
    doc="A copy with `value` around it; negative padding cuts off.",
)


def _reflect(n: int, left: int, right: int):
    if max(left, right) >= n:
        raise RuntimeError(
            f"pad: Padding size should be less than the corresponding input dimension, but got padding "
            f"({left}, {right}) for size {n}"
        )
    return n - 1 - np.abs(n - 1 - np.abs(np.arange(-left, n + right)))


def _replicate(n: int, left: int, right: int):
    if n == 0:
        raise RuntimeError("pad: an empty dimension has no edge to replicate")
    return np.arange(-left, n + right).clip(0, n - 1)


def _circular(n: int, left: int, right: int):
    if max(left, right) > n:
        raise RuntimeError(f"pad: Padding value causes wrapping around more than once: ({left}, {right}) for size {n}")
    first, kept = max(-left, 0), n + min(left, 0) + min(right, 0)  # what is cut off does not come in at the other end
    return first + np.arange(-max(left, 0), kept + max(right, 0)) % max(kept, 1)


SOURCES = {
    "reflect": _reflect,
    "replicate": _replicate,
    "circular": _circular,
}  # where each padded position takes its value from


def _checked(input, pad) -> tuple[int, ...]:
    """The numbers in `pad`. RuntimeError unless there are two for each of some axes."""
    padding = tuple(whole("pad", n) for n in pad)
    if len(padding) % 2:
        raise RuntimeError(f"Padding length must be divisible by 2, got {list(padding)}")
    if len(padding) > 2 * input.ndim:
        raise RuntimeError(
            f"Padding length should be less than or equal to two times the input dimension but got padding "
            f"length {len(padding)} and "
            f"input of dimension {input.ndim}"
        )
    return padding


def constant_pad_nd(input, pad, value=0):
    """`nn.functional.pad` in its constant mode.

    >>> import autograd_core as ac
    >>> ac.constant_pad_nd(ac.tensor([1.0, 2.0, 3.0]), (1, -1), 9)
    tensor([9., 1., 2.])
    """
    return constant_pad(input, _checked(input, pad), value)


def pad(input, pad, mode="constant", value=None):
    """A copy with elements added around it, or with negative numbers removed.

    `pad` holds two numbers an axis, before and behind, beginning with the *last* axis. New elements are `value`
    (default 0), or with `mode` "reflect", "replicate" or "circular" those of the input: mirrored without repeating the
    edge, the edge itself, or the other end. RuntimeError for a padding that does not fit the shape, NotImplementedError
    for another mode.

    >>> import autograd_core as ac
    >>> ac.nn.functional.pad(ac.tensor([1.0, 2.0, 3.0]), (1, 2))
    tensor([0., 1., 2., 3., 0., 0.])
    """
    padding = _checked(input, pad)
    if mode == "constant":
        return constant_pad(input, padding, 0.0 if value is None else value)
    if mode not in SOURCES:
        raise NotImplementedError(f"Unrecognised padding mode {mode}; use constant, reflect, replicate or circular")
    if value:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument, got {value}; leave it out')
    axes = [input.ndim - 1 - k for k in range(len(padding) // 2)]
    sizes = [input.shape[axis] + padding[2 * k] + padding[2 * k + 1] for k, axis in enumerate(axes)]
    nothing_left = mode != "circular" and max(sizes) < 1  # one axis may become empty, all may not
    for k, axis in enumerate(axes):
        n, (left, right) = input.shape[axis], padding[2 * k : 2 * k + 2]
        if min(left, right) < 0 and (sizes[k] < 0 or nothing_left):
            raise RuntimeError(
                f"pad: Negative padding value is resulting in an empty dimension: an input of size {n} is too small "
                f"for ({left}, {right}) in mode {mode}"
            )
        source = SOURCES[mode](n, left, right)
        input = index_select(input, axis, wrap(source))
    return input
