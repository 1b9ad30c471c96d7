"""Parts of a program under names, for PyTorch's profiler: it is not here, and the parts run as they are."""

from __future__ import annotations

from contextlib import ContextDecorator
from enum import Enum
from typing import NoReturn

from .names import facade

__all__ = ["ProfilerActivity", "profile", "record_function"]
__getattr__, __dir__ = facade(__name__, __all__)


class ProfilerActivity(Enum):
    """What PyTorch's profiler can look at, by name."""

    CPU = 0
    XPU = 1
    CUDA = 2
    HPU = 3
    MTIA = 4
    PrivateUse1 = 5


class record_function(ContextDecorator):
    """A `with` block, or a decorator, that gives a name to a part of a program: no profiler asks for it.

    >>> import autograd_core as ac
    >>> with ac.profiler.record_function("forward"):
    ...     print(ac.ones(1))
    tensor([1.])
    """

    def __init__(self, name: str, args: str | None = None):
        self.name, self.args = name, args

    def __enter__(self) -> record_function:
        return self

    def __exit__(self, *exception) -> None:
        """Nothing was measured."""


def profile(*args, **kwargs) -> NoReturn:
    """NotImplementedError: Python's own profilers measure programs that run here.

    >>> import autograd_core as ac
    >>> ac.profiler.profile()
    Traceback (most recent call last):
    NotImplementedError: autograd_core has no profiler of its own: Python's cProfile shows the ops of a program, ...
    """
    raise NotImplementedError(
        "autograd_core has no profiler of its own: Python's cProfile shows the ops of a program, as in "
        "`python -m cProfile -s cumtime -m autograd_core.as_torch program.py`"
    )
