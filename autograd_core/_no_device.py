"""What programs ask about a kind of device of which there is none: CUDA, MPS and XPU answer alike.

Seeds and the emptying of caches are for programs that may have no such device, and do nothing, as in PyTorch.
"""

from __future__ import annotations


def is_available() -> bool:
    """False.

    >>> import autograd_core as ac
    >>> "cuda" if ac.cuda.is_available() else "xpu" if ac.xpu.is_available() else "cpu"
    'cpu'
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
