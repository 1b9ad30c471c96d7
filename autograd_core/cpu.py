"""What programs ask about the CPU: there is one, and it is available."""

from __future__ import annotations

from .names import facade

__all__ = ["current_device", "device_count", "is_available", "is_initialized", "synchronize"]
__getattr__, __dir__ = facade(__name__, __all__)


def is_available() -> bool:
    """True.

    >>> import autograd_core as ac
    >>> ac.cpu.is_available()
    True
    """
    return True


def is_initialized() -> bool:
    """True."""
    return True


def device_count() -> int:
    """1."""
    return 1


def current_device() -> str:
    """The name of the device."""
    return "cpu"


def synchronize(device=None) -> None:
    """Nothing: an op has ended when it returns."""
