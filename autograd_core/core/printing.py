"""How a tensor looks when printed: PyTorch's layout."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class Options:
    """What `set_printoptions` sets."""

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


PROFILES = {
    "default": Options(),
    "short": Options(precision=2, edgeitems=2),
    "full": Options(threshold=math.inf),
}
_options = Options()


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Say how tensors are printed from now on: what is not given stays, or comes from a `profile`.

    `precision` is the number of digits behind the point. Above `threshold` elements only the first and last `edgeitems`
    of each axis are printed. `sci_mode` makes all floats scientific, or none; None, which each call goes back to, has
    the numbers decide. Profiles are "default", "short" and "full"; ValueError for another, and for a negative
    `precision` or `edgeitems`. TypeError for what is no number, or no bool.

    >>> import autograd_core as ac
    >>> ac.set_printoptions(precision=2)
    >>> ac.tensor([1 / 3, 2.5])
    tensor([0.33, 2.50])
    >>> ac.set_printoptions(profile="default")
    """
    global _options
    if profile is not None and profile not in PROFILES:
        raise ValueError(f"set_printoptions: profile must be one of {', '.join(PROFILES)}, not {profile!r}")
    for name, count in (("precision", precision), ("edgeitems", edgeitems)):
        if count is not None and (not isinstance(count, int) or isinstance(count, bool)):
            raise TypeError(f"set_printoptions: {name} must be an int, not {count!r}")
        if count is not None and count < 0:
            raise ValueError(f"set_printoptions: {name} must not be negative, as {count} is")
    for name, number in (("threshold", threshold), ("linewidth", linewidth)):
        if number is not None and not isinstance(number, (int, float)):
            raise TypeError(f"set_printoptions: {name} must be a number, not {number!r}")
    if sci_mode not in (None, True, False):
        raise TypeError(f"set_printoptions: sci_mode must be a bool or None, not {sci_mode!r}")
    base = _options if profile is None else PROFILES[profile]
    given: dict = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    _options = replace(base, sci_mode=sci_mode, **{name: v for name, v in given.items() if v is not None})


def _float_format(values):
    """A function that turns one float into text, the same notation for all: `1.`, `1.5000` or `1.5000e+00`."""
    magnitudes = np.abs(values.astype(np.float64))
    largest, smallest = (float(magnitudes.max()), float(magnitudes.min())) if magnitudes.size else (1.0, 1.0)
    whole = bool(np.all(magnitudes == np.ceil(magnitudes)))
    scientific, precision = _options.sci_mode, _options.precision
    if scientific is None:
        scientific = largest / smallest > 1000.0 or largest > 1.0e8 or smallest < 1.0e-4

    def show(value) -> str:
        if scientific:
            return f"{value:.{precision}e}"
        if whole:
            return f"{value:.0f}." if np.isfinite(value) else str(float(value))
        return f"{value:.{precision}f}"

    return show


def _formatter(values):
    """The function that turns one of `values` into text, padded to the width of the widest, and that width.

    Zeros, infinities and nan decide neither the notation nor the width.
    """
    if values.dtype.kind == "f":
        values = values[np.isfinite(values) & (values != 0)]
        show = _float_format(values)
    else:
        show = str
    width = max((len(show(v)) for v in values.flat), default=1)
    return (lambda value: show(value).rjust(width)), width


def _ends(array):
    """The first and last indices of a long axis that are printed; all of a short one."""
    n, edge = len(array), _options.edgeitems
    return [*range(edge), *range(n - edge, n)] if n > 2 * edge else list(range(n))


def _corners(array):
    """The elements of a large array that are printed."""
    for axis in range(array.ndim):
        array = np.take(array, _ends(np.moveaxis(array, axis, 0)), axis=axis)
    return array


def _vector(array, kept, show, width: int, indent: int) -> str:
    """One row, broken into lines."""
    items = [show(array[i]) for i in kept]
    if len(kept) < len(array):
        items.insert(_options.edgeitems, " ...")
    per_line = max(1, (_options.linewidth - indent) // (width + 2))
    lines = [", ".join(items[i : i + per_line]) for i in range(0, len(items), per_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def _brackets(array, show, width: int, indent: int, summarize: bool) -> str:
    """Nested brackets; `indent` is the column of the first."""
    if array.ndim == 0:
        return show(array[()])
    kept = _ends(array) if summarize else range(len(array))
    if array.ndim == 1:
        return _vector(array, kept, show, width, indent)
    slices = [_brackets(array[i], show, width, indent + 1, summarize) for i in kept]
    if len(kept) < len(array):
        slices.insert(_options.edgeitems, "...")
    return "[" + ("," + "\n" * (array.ndim - 1) + " " * (indent + 1)).join(slices) + "]"


def element_text(array, indent: int) -> str:
    """The elements of a non-empty `array` in nested brackets, aligned for printing after `indent` characters."""
    summarize = array.size > _options.threshold
    show, width = _formatter(_corners(array) if summarize else array)
    return _brackets(array, show, width, indent, summarize)


def tensor_text(array, suffixes: list[str], kind: str = "tensor") -> str:
    """`tensor(<elements>, <suffix>, ...)`, with a suffix on a line of its own where it does not fit."""
    prefix = f"{kind}("
    if array.size == 0:
        text = prefix + "[]"
        if array.ndim != 1:
            suffixes = [f"size={array.shape}", *suffixes]
    else:
        text = prefix + element_text(array, len(prefix))
    last_line = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if last_line + len(suffix) + 2 > _options.linewidth:
            text += ",\n" + " " * len(prefix) + suffix
            last_line = len(prefix) + len(suffix)
        else:
            text += ", " + suffix
            last_line += len(suffix) + 2
    return text + ")"
