"""What programs ask before they work in several processes: there is one here, and what needs more says so."""

from __future__ import annotations

from typing import NoReturn

from .names import facade

__all__ = [
    *("all_gather", "all_reduce", "barrier", "broadcast", "destroy_process_group", "get_rank", "get_world_size"),
    *("init_process_group", "is_available", "is_initialized", "reduce"),
]
__getattr__, __dir__ = facade(__name__, __all__)


def is_available() -> bool:
    """False.

    >>> import autograd_core as ac
    >>> ac.distributed.is_available()
    False
    """
    return False


def is_initialized() -> bool:
    """False.

    >>> import autograd_core as ac
    >>> ac.distributed.is_initialized()
    False
    """
    return False


def init_process_group(*args, **kwargs) -> NoReturn:
    """RuntimeError: there is one process.

    >>> import autograd_core as ac
    >>> ac.distributed.init_process_group("gloo")
    Traceback (most recent call last):
    RuntimeError: autograd_core works in one process; run the program without processes, as is_available() says
    """
    raise RuntimeError("autograd_core works in one process; run the program without processes, as is_available() says")


def _without_group(*args, **kwargs) -> NoReturn:
    """ValueError: there is no group of processes."""
    raise ValueError(
        "Default process group has not been initialized, and cannot be: autograd_core works in one process. Ask "
        "is_initialized() first"
    )


all_gather = all_reduce = barrier = broadcast = destroy_process_group = get_rank = get_world_size = reduce = (
    _without_group
)
