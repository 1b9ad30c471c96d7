"""What numbers a dtype holds: `finfo` for floats, `iinfo` for integers."""

from __future__ import annotations

from math import floor, log10

from . import dtypes

# Bits of a floating number behind the binary point, and its greatest exponent.
FORMATS = {
    dtypes.float16: (10, 15),
    dtypes.bfloat16: (7, 127),
    dtypes.float32: (23, 127),
    dtypes.float64: (52, 1023),
}


class finfo:
    """The limits of a floating dtype, by default that of `get_default_dtype`: TypeError for another.

    Those of a complex one are those of its real part.

    `eps` is the distance from 1 to the next number, `tiny` or `smallest_normal` the least positive one of full
    precision, and `resolution` the power of ten down to which decimal digits are right.

    >>> import autograd_core as ac
    >>> ac.finfo(ac.float32).eps == 2.0**-23, ac.finfo(ac.float16).max
    (True, 65504.0)
    """

    def __init__(self, type=None):
        kind = dtypes.get_default_dtype() if type is None else dtypes.as_dtype(type)
        if not (kind.is_floating_point or kind.is_complex):
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo': "
                f"{kind} is no floating dtype"
            )
        kind = kind.to_real()
        digits, exponent = FORMATS[kind]
        self.bits, self.dtype, self.eps = 8 * kind.itemsize, kind.name, 2.0**-digits
        self.max = (2 - self.eps) * 2.0**exponent
        self.min, self.tiny = -self.max, 2.0 ** (1 - exponent)
        self.smallest_normal = self.tiny
        self.resolution = float(f"1e-{floor(-log10(self.eps))}")

    def __eq__(self, other) -> bool:
        return isinstance(other, finfo) and self.dtype == other.dtype

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        names = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
        return f"finfo({', '.join(f'{name}={getattr(self, name):g}' for name in names)}, dtype={self.dtype})"


class iinfo:
    """The limits of an integer dtype: TypeError for another.

    >>> import autograd_core as ac
    >>> ac.iinfo(ac.int8).min, ac.iinfo(ac.int64).max == 2**63 - 1
    (-128, True)
    """

    def __init__(self, type):
        kind = dtypes.as_dtype(type)
        if kind.is_floating_point or kind.is_complex:
            raise TypeError(
                "torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo': "
                f"{kind} is no integer dtype"
            )
        if kind is dtypes.bool_:
            raise TypeError(f"{kind} is not supported by iinfo: it holds False and True")
        self.bits, self.dtype = 8 * kind.itemsize, kind.name
        self.min = -(2 ** (self.bits - 1)) if kind.is_signed else 0
        self.max = 2**self.bits - 1 + self.min

    def __eq__(self, other) -> bool:
        return isinstance(other, iinfo) and self.dtype == other.dtype

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"
