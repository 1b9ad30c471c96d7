"""What programs ask about MPS devices: there is none."""

from __future__ import annotations

from .names import facade

__all__ = ["device_count", "empty_cache", "is_available", "manual_seed"]
__getattr__, __dir__ = facade(__name__, __all__)


def is_available() -> bool:
    """False.

    >>> import autograd_core as ac
    >>> ac.mps.is_available()
    False
    """
    return False


def device_count() -> int:
    """0."""
    return 0


def manual_seed(seed: int) -> None:
    """Nothing: there are no generators of such devices. `ac.manual_seed` is for those of the CPU."""
    int(seed)


def empty_cache() -> None:
    """Nothing: no memory of such a device is kept."""
