"""autograd_core: eager automatic differentiation in pure Python on NumPy, with PyTorch's names."""

import importlib
import sys
import types
import typing
from math import e, inf, nan, pi

from . import autograd, linalg, moved, names, ops
from .amp import autocast
from .autograd.anomaly import is_anomaly_check_nan_enabled, is_anomaly_enabled
from .core.device import (
    contiguous_format,
    device,
    get_default_device,
    layout,
    memory_format,
    preserve_format,
    set_default_device,
    strided,
)
from .core.dtypes import (
    bfloat16,
    cdouble,
    cfloat,
    chalf,
    complex32,
    complex64,
    complex128,
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
    uint16,
    uint32,
    uint64,
)
from .core.dtypes import bool_ as bool
from .core.dtypes import float_ as float
from .core.dtypes import int_ as int
from .core.info import finfo, iinfo
from .core.modes import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from .core.printing import set_printoptions
from .core.size import Size
from .core.tensor import Tensor, is_inference
from .ops.making.generator import default_generator
from .serialization import load, save
from .switches import (
    are_deterministic_algorithms_enabled,
    compile,
    get_float32_matmul_precision,
    get_num_interop_threads,
    get_num_threads,
    is_deterministic_algorithms_warn_only_enabled,
    set_float32_matmul_precision,
    set_num_interop_threads,
    set_num_threads,
    use_deterministic_algorithms,
)

if typing.TYPE_CHECKING:
    from ._functions import *  # noqa: F403

moved.install()

for _family in ops.FAMILIES:
    globals().update({_name: getattr(_family, _name) for _name in _family.__all__})
del _family

# imported when first used
_ON_DEMAND = (
    *("accelerator", "amp", "backends", "cpu", "cuda", "distributed", "distributions", "eager", "explain", "func"),
    *("jit", "masked", "mps", "multiprocessing", "nn", "onnx", "optim", "special", "testing", "utils", "xpu"),
)

__all__ = sorted(
    {"__version__", "autograd", "linalg", *_ON_DEMAND}
    | {name for name, value in globals().items() if name[0] != "_" and not isinstance(value, types.ModuleType)}
)


def _version() -> str:
    """The version of the installed package; "unknown" where only its files are there."""
    from importlib.metadata import PackageNotFoundError, version  # takes longer than all of the package

    try:
        return version("autograd-core")
    except PackageNotFoundError:
        return "unknown"


def __getattr__(name: str):
    if name in _ON_DEMAND or name in moved.MOVED:
        return importlib.import_module(f".{name}", __name__)
    if name == "__version__":
        return _version()
    if name.startswith("_foreach_"):
        from .foreach import function

        return function(name.removeprefix("_foreach_"))
    raise names.missing(sys.modules[__name__], "ac", name)


def __dir__() -> list[str]:
    return __all__
