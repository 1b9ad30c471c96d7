"""The random numbers of the process: where they start, where they are, and a block that leaves them there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from .core.device import check_device
from .names import facade
from .ops.making.generator import default_generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state

__all__ = ["default_generator", "fork_rng", "get_rng_state", "initial_seed", "manual_seed", "seed", "set_rng_state"]
__getattr__, __dir__ = facade(__name__, __all__)


@contextmanager
def fork_rng(
    devices: Iterable | None = None,
    enabled: bool = True,
    _caller: str = "fork_rng",
    _devices_kw: str = "devices",
    device_type: str | None = None,
) -> Iterator[None]:
    """A block after which random numbers go on as if it had not been. Nothing of that with `enabled=False`.

    AssertionError where `devices` names any: there are none.

    >>> import autograd_core as ac
    >>> _ = ac.manual_seed(0); expected = ac.rand(2)
    >>> _ = ac.manual_seed(0)
    >>> with ac.random.fork_rng():
    ...     _ = ac.rand(5)
    >>> ac.equal(ac.rand(2), expected)
    True
    """
    if not enabled:
        yield
        return
    for _ in devices or ():
        check_device(device_type or "cuda")
    state = get_rng_state()
    try:
        yield
    finally:
        set_rng_state(state)
