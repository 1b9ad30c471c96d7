"""autograd_core: eager automatic differentiation in pure Python on NumPy, with PyTorch's names."""

import importlib
from math import e, inf, nan, pi
from typing import TYPE_CHECKING

from . import autograd, linalg, ops
from .dtypes import bool_ as bool
from .dtypes import (
    double,
    dtype,
    float16,
    float32,
    float64,
    get_default_dtype,
    half,
    int8,
    int16,
    int32,
    int64,
    long,
    set_default_dtype,
    short,
    uint8,
)
from .dtypes import float_ as float
from .dtypes import int_ as int
from .modes import enable_grad, inference_mode, is_grad_enabled, is_inference_mode_enabled, no_grad, set_grad_enabled
from .tensor import Size, Tensor

if TYPE_CHECKING:
    from ._functions import *  # noqa: F403

for _family in ops.FAMILIES:
    globals().update({_name: getattr(_family, _name) for _name in _family.__all__})
del _family

_SUBMODULES = ("classroom", "nn", "optim", "testing", "viz")  # imported when first used


def __getattr__(name: str):
    if name in _SUBMODULES:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(
        f"module 'autograd_core' has no attribute '{name}': it follows PyTorch's names, and provides the part "
        f"of them listed by dir()"
    )


def __dir__() -> list[str]:
    return sorted({*globals(), *_SUBMODULES})
