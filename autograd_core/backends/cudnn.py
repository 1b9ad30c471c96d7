"""cuDNN: it is not here. Its switches may be set; there is nothing that they could change, as in PyTorch on a CPU."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

enabled, benchmark, deterministic, allow_tf32 = True, False, False, True


def is_available() -> bool:
    """False.

    >>> import autograd_core as ac
    >>> ac.backends.cudnn.is_available()
    False
    """
    return False


def version() -> None:
    """None."""


@contextmanager
def flags(**switches: bool | int | str) -> Iterator[None]:
    """A block with other switches, by name; after it they are as before.

    >>> import autograd_core as ac
    >>> with ac.backends.cudnn.flags(benchmark=True):
    ...     ac.backends.cudnn.benchmark
    True
    >>> ac.backends.cudnn.benchmark
    False
    """
    names = globals()
    before = {name: names[name] for name in switches if name in names}
    names.update(switches)
    try:
        yield
    finally:
        for name in switches:
            del names[name]
        names.update(before)
