"""The grad modes by the name of PyTorch's module, and a switch for threads, of which a backward pass here has none."""

from __future__ import annotations

from contextlib import ContextDecorator
from contextvars import ContextVar

from ..core.modes import checked_switch, enable_grad, inference_mode, no_grad, set_grad_enabled
from ..names import facade

_enabled: ContextVar[bool] = ContextVar("autograd_core.multithreading", default=True)


def is_multithreading_enabled() -> bool:
    """What `set_multithreading_enabled` set last in this thread; True before.

    >>> import autograd_core as ac
    >>> ac.autograd.is_multithreading_enabled()
    True
    """
    return _enabled.get()


class set_multithreading_enabled(ContextDecorator):
    """Whether a backward pass may use threads for other devices: taken, and of no effect, as in PyTorch on the CPU.

    At once when called, until the block ends in a `with`, around each call as a decorator. TypeError unless `mode` is a
    bool.

    >>> import autograd_core as ac
    >>> with ac.autograd.set_multithreading_enabled(False):
    ...     ac.autograd.is_multithreading_enabled()
    False
    """

    def __init__(self, mode: bool):
        self.mode, self._before = checked_switch("set_multithreading_enabled", "enabled", mode), _enabled.get()
        _enabled.set(mode)

    def _recreate_cm(self):
        return type(self)(self.mode)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_exception) -> None:
        _enabled.set(self._before)


__all__ = ["enable_grad", "inference_mode", "no_grad", "set_grad_enabled", "set_multithreading_enabled"]
__getattr__, __dir__ = facade(__name__, __all__)
