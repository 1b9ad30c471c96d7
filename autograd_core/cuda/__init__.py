"""What programs ask about CUDA before they begin: there is none here, and what needs it says so."""

from __future__ import annotations

from typing import NoReturn

from .._no_device import device_count, empty_cache, is_available, manual_seed
from ..core.device import REMEDY, check_device
from ..names import facade
from . import amp

TENSORS = [
    *("BFloat16Tensor", "BoolTensor", "ByteTensor", "CharTensor", "DoubleTensor", "FloatTensor", "HalfTensor"),
    *("IntTensor", "LongTensor", "ShortTensor"),
]
__all__ = [
    "amp",
    *TENSORS,
    *("current_device", "device_count", "empty_cache", "get_device_capability", "get_device_name"),
    *("get_device_properties", "init", "is_available", "is_bf16_supported", "is_initialized", "manual_seed"),
    *("manual_seed_all", "max_memory_allocated", "max_memory_reserved", "memory_allocated", "memory_reserved"),
    *("set_device", "synchronize"),
]
__getattr__, __dir__ = facade(__name__, __all__)


def is_initialized() -> bool:
    """False."""
    return False


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """False."""
    return False


def _no_memory(device=None) -> int:
    """0 bytes: there is no such device."""
    return 0


manual_seed_all = manual_seed
memory_allocated = max_memory_allocated = memory_reserved = max_memory_reserved = _no_memory


def _refused(device="cuda"):
    """AssertionError: there is no such device."""
    check_device("cuda")


current_device = get_device_capability = get_device_name = get_device_properties = init = synchronize = _refused


def set_device(device) -> None:
    """AssertionError: there is no such device."""
    raise AssertionError(f"Torch not compiled with CUDA enabled, and device {device!r} is asked for. {REMEDY}")


class AbsentType(type):
    """The type of `cuda.FloatTensor` and its kin, which programs ask for: no tensor is one, and none can be made."""

    def __call__(cls, *data) -> NoReturn:
        raise TypeError(f"type torch.cuda.{cls.__name__} not available. Torch not compiled with CUDA enabled. {REMEDY}")

    def __instancecheck__(cls, value) -> bool:
        return False


for _name in TENSORS:
    globals()[_name] = AbsentType(
        _name,
        (),
        {"__doc__": "PyTorch's old name for a tensor on a GPU: TypeError where one is made.", "__module__": __name__},
    )
