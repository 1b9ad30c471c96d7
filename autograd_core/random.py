"""The random numbers of the process by the names of PyTorch's module: seeds, states, a block that leaves no trace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .core.device import check_device
from .names import facade
from .ops.making.generator import (
    default_generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)

__all__ = [
    "default_generator",
    "fork_rng",
    "get_rng_state",
    "initial_seed",
    "manual_seed",
    "seed",
    "set_rng_state",
]
__getattr__, __dir__ = facade(__name__, __all__)


@contextmanager
def fork_rng(devices=None, enabled: bool = True, *, device_type: str = "cuda") -> Iterator[None]:
    """A block after which the random numbers go on as if it had drawn none.

    Also a decorator. With `enabled=False` it does nothing. `devices` and `device_type` name accelerators beside the
    CPU, of which there are none: AssertionError where `devices` lists some.

    >>> import autograd_core as ac
    >>> _ = ac.manual_seed(0); a = ac.rand(3)
    >>> _ = ac.manual_seed(0)
    >>> with ac.random.fork_rng():
    ...     _ = ac.rand(100)
    >>> ac.equal(a, ac.rand(3))
    True
    """
    if not enabled:
        yield
        return
    for _ in devices or ():
        check_device(device_type)
    state = get_rng_state()
    try:
        yield
    finally:
        set_rng_state(state)
