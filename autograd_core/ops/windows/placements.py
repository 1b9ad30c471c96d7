"""Windows that slide along axes: what convolutions, pooling, unfolding and folding have in common.

Window number o begins at position `o * stride - padding` and takes every `dilation`-th element from there. Seen from
inside it is a walk; seen from tap t of *all* windows at once it is a slice of the input. So a loop over the few taps of
the kernel, with a slice in each step, does what a loop over the many windows would do, and nothing has to be padded:
the windows whose tap t falls outside are left out of the slice.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np

from ..shapes.shape import several


def refuse(name: str, problem: str) -> NoReturn:
    """Raise RuntimeError."""
    raise RuntimeError(f"{name}(): {problem}")


def per_axis(name: str, what: str, value, n: int) -> tuple[int, ...]:
    """An argument that is one int for all axes or one for each of `n`, as a tuple. RuntimeError for another length."""
    values = tuple(map(int, several(value)))
    if len(values) not in (1, n):
        refuse(name, f"expected {what} to be one integer or {n}, but got {list(values)}")
    return values * n if len(values) == 1 else values


def taps(n: int, size: int, kernel: int, stride: int, padding: int, dilation: int) -> list[tuple[slice, slice]]:
    """For each tap of a kernel: the windows, among `size`, that have it inside an axis of length `n`, and where."""
    found = []
    for t in range(kernel):
        shift = t * dilation - padding
        first = max(0, -(shift // stride))
        last = max(first, min(size, -((shift - n) // stride)))
        begin = first * stride + shift
        end = begin + (last - first - 1) * stride + 1 if last > first else begin
        found.append((slice(first, last), slice(begin, end, stride)))
    return found


def placements(shape, sizes, kernel, stride, padding, dilation) -> Iterator[tuple[tuple, tuple, tuple]]:
    """For each tap of a kernel of several axes: its position, the windows that have it inside, and where that is."""
    axes = [taps(*axis) for axis in zip(shape, sizes, kernel, stride, padding, dilation)]
    for position in itertools.product(*map(range, kernel)):
        pairs = [axis[t] for axis, t in zip(axes, position)]
        yield position, tuple([windows for windows, _ in pairs]), tuple([inside for _, inside in pairs])


def im2col(x, sizes, kernel, stride, padding, dilation):
    """The elements of all windows of `x` (n, c, *spatial), in an array of shape (n, c, *kernel, *sizes); 0 outside."""
    shape = (*x.shape[:2], *kernel, *sizes)
    columns = np.zeros(shape, x.dtype) if any(padding) else np.empty(shape, x.dtype)
    before: Any = (slice(None), slice(None))
    for position, windows, inside in placements(x.shape[2:], sizes, kernel, stride, padding, dilation):
        columns[(*before, *position, *windows)] = x[(*before, *inside)]
    return columns


def col2im(columns, out, sizes, kernel, stride, padding, dilation):
    """Add the elements of all windows back to where `im2col` took them from, in `out`, which is returned."""
    before: Any = (slice(None), slice(None))
    columns = columns.reshape(*out.shape[:2], *kernel, *sizes)
    for position, windows, inside in placements(out.shape[2:], sizes, kernel, stride, padding, dilation):
        out[(*before, *inside)] += columns[(*before, *position, *windows)]
    return out


def window_sizes(shape, kernel, stride, padding, dilation) -> tuple[int, ...]:
    """How many windows fit along each axis, the padding included. Not positive where none does."""
    return tuple(
        (n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d in zip(shape, kernel, stride, padding, dilation)
    )
