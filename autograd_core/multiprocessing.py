"""Processes that work on the same tensors: Python's `multiprocessing`, under PyTorch's name for it.

A process that is forked, as on Linux, works on the memory of its parent where `share_memory_` moved it before the fork.
What goes through a queue or a pipe arrives as a copy, shared or not. PyTorch shares that too.
"""

from __future__ import annotations

import multiprocessing
from multiprocessing import *  # noqa: F403

from .names import facade

__all__ = [*multiprocessing.__all__, "get_all_sharing_strategies", "get_sharing_strategy", "set_sharing_strategy"]
__getattr__, __dir__ = facade(__name__, __all__)

STRATEGIES = {"file_descriptor", "file_system"}
_strategy = "file_descriptor"


def get_all_sharing_strategies() -> set[str]:
    """The names that `set_sharing_strategy` takes."""
    return set(STRATEGIES)


def get_sharing_strategy() -> str:
    """The name that `set_sharing_strategy` took.

    >>> import autograd_core as ac
    >>> ac.multiprocessing.get_sharing_strategy()
    'file_descriptor'
    """
    return _strategy


def set_sharing_strategy(new_strategy: str) -> None:
    """Take the name of a way to share, which changes nothing. AssertionError for another word."""
    global _strategy
    if new_strategy not in STRATEGIES:
        raise AssertionError(f"invalid sharing strategy {new_strategy!r}: {sorted(STRATEGIES)} are known")
    _strategy = new_strategy
