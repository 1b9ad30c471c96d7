"""What numbers a dtype holds: `finfo` for floats, `iinfo` for integers."""

from __future__ import annotations

import numpy as np

from . import dtypes


class finfo:
    """The limits of a floating dtype, by default that of `get_default_dtype`: TypeError for another.

    `eps` is the distance from 1 to the next number, `tiny` or `smallest_normal` the least positive one of full
    precision, and `resolution` the power of ten down to which decimal digits are right.

    >>> import autograd_core as ac
    >>> ac.finfo(ac.float32).eps == 2.0**-23, ac.finfo(ac.float16).max
    (True, 65504.0)
    """

    def __init__(self, type=None):
        kind = dtypes.get_default_dtype() if type is None else dtypes.as_dtype(type)
        if not kind.is_floating_point:
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo': "
                f"{kind} is no floating dtype"
            )
        limits = np.finfo(kind.numpy)
        self.bits, self.dtype = limits.bits, kind.name
        self.min, self.max, self.eps = float(limits.min), float(limits.max), float(limits.eps)
        self.tiny = self.smallest_normal = float(limits.smallest_normal)
        self.resolution = float(f"1e-{limits.precision}")

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
        if kind.is_floating_point:
            raise TypeError(
                "torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo': "
                f"{kind} is no integer dtype"
            )
        if kind is dtypes.bool_:
            raise TypeError(f"{kind} is not supported by iinfo: it holds False and True")
        limits = np.iinfo(kind.numpy)
        self.bits, self.min, self.max, self.dtype = limits.bits, int(limits.min), int(limits.max), kind.name

    def __eq__(self, other) -> bool:
        return isinstance(other, iinfo) and self.dtype == other.dtype

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"
