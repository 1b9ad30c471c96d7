"""How a tensor looks when printed: PyTorch's layout, made with NumPy's array printer."""

from __future__ import annotations

import numpy as np

PRECISION = 4
LINE_WIDTH = 80
SUMMARIZE_ABOVE = 1000
EDGE_ITEMS = 3


def _float_formatter(array):
    """A function that turns one element into text, the same notation for all: integers as `1.`, wide ranges in scientific form."""
    finite = np.abs(array[np.isfinite(array)].astype(np.float64))
    nonzero = finite[finite != 0]
    largest, smallest = (nonzero.max(), nonzero.min()) if nonzero.size else (0.0, 1.0)
    whole = bool(np.all(nonzero == np.ceil(nonzero)))
    scientific = largest / smallest > 1000.0 or largest > 1.0e8 or (not whole and smallest < 1.0e-4)

    def show(value) -> str:
        if not np.isfinite(value):
            return str(float(value))
        if scientific:
            return f"{value:.{PRECISION}e}"
        return f"{value:.0f}." if whole else f"{value:.{PRECISION}f}"

    return show


def _visible(array):
    """The elements that will be printed: all of them, or the corners of a large array."""
    if array.size <= SUMMARIZE_ABOVE:
        return array
    for axis, n in enumerate(array.shape):
        if n > 2 * EDGE_ITEMS:
            ends = np.r_[0:EDGE_ITEMS, n - EDGE_ITEMS : n]
            array = np.take(array, ends, axis=axis)
    return array


def element_text(array, prefix: str) -> str:
    """The nested brackets of `array`, aligned for printing after `prefix`; a bare number for a 0-d array."""
    shown = _visible(array)
    if array.dtype.kind == "f":
        show = _float_formatter(shown)
    else:
        show = str
    if array.ndim == 0:
        return show(array[()])
    width = max((len(show(v)) for v in shown.flat), default=0)
    return np.array2string(
        array,
        max_line_width=LINE_WIDTH,
        separator=", ",
        prefix=prefix,
        threshold=SUMMARIZE_ABOVE,
        edgeitems=EDGE_ITEMS,
        formatter={"all": lambda v: show(v).rjust(width)},
    )


def tensor_text(array, suffixes, name: str = "tensor") -> str:
    """`tensor(<elements>, <suffix>, ...)`, with the suffixes on a line of their own where they do not fit."""
    prefix = name + "("
    if array.size == 0:
        body = "[]"
        if array.ndim != 1:
            suffixes = [f"size={tuple(array.shape)}", *suffixes]
    else:
        body = element_text(array, prefix)
    text = prefix + body
    last_line = len(text) - text.rfind("\n") - 1
    for suffix in suffixes:
        if last_line + len(suffix) + 2 > LINE_WIDTH:
            text += ",\n" + " " * len(prefix) + suffix
            last_line = len(prefix) + len(suffix)
        else:
            text += ", " + suffix
            last_line += len(suffix) + 2
    return text + ")"
