"""What programs ask about accelerators of any kind: there is none."""

from __future__ import annotations

from .core.device import REMEDY
from .names import facade

__all__ = ["current_accelerator", "current_device_index", "device_count", "is_available", "synchronize"]
__getattr__, __dir__ = facade(__name__, __all__)


def is_available() -> bool:
    """False.

    >>> import autograd_core as ac
    >>> ac.accelerator.current_accelerator() if ac.accelerator.is_available() else "cpu"
    'cpu'
    """
    return False


def device_count() -> int:
    """0."""
    return 0


def current_accelerator(check_available: bool = False) -> None:
    """None."""


def current_device_index() -> int:
    """RuntimeError: there is no accelerator."""
    raise RuntimeError(f"Cannot access accelerator device when none is available. {REMEDY}")


def synchronize(device=None) -> None:
    """RuntimeError: there is no accelerator."""
    current_device_index()
