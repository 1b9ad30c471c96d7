"""What programs ask about MPS devices: there is none."""

from ._no_device import device_count, empty_cache, is_available, manual_seed
from .names import facade

__all__ = ["device_count", "empty_cache", "is_available", "manual_seed"]
__getattr__, __dir__ = facade(__name__, __all__)
