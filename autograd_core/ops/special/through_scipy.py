"""SciPy's functions as forwards.

SciPy is imported by the first call. Without it `erf`, `erfc` and `lgamma` are Python's own, element by element, and
the others raise an ImportError that says what to install.
"""

from __future__ import annotations

import functools
import importlib
import math

import numpy as np


def _log_gamma(x: float) -> float:
    try:
        return math.lgamma(x)
    except ValueError:  # a pole
        return math.inf


_WITHOUT_SCIPY = {"erf": math.erf, "erfc": math.erfc, "gammaln": _log_gamma}


@functools.cache
def compiled(name: str):
    """SciPy's function of that name, or Python's if SciPy is not installed. ImportError where there is neither."""
    try:
        return getattr(importlib.import_module("scipy.special"), name)
    except ImportError:
        if name in _WITHOUT_SCIPY:
            return np.frompyfunc(_WITHOUT_SCIPY[name], 1, 1)
        raise ImportError(f"this op computes with scipy.special.{name}; install SciPy: pip install scipy") from None


def of_one(name: str):
    """SciPy's function of one number, with a result of the input's dtype."""
    return lambda x: np.asarray(compiled(name)(x)).astype(x.dtype, copy=False)


def of_two(name: str):
    """SciPy's function of two numbers, with a result of the inputs' dtype."""

    def forward(x, y):
        kind = x.dtype if hasattr(x, "dtype") else y.dtype
        return np.asarray(compiled(name)(x, y)).astype(kind, copy=False)

    return forward
