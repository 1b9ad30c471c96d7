"""cuDNN: it is not here. Its switches may be set; there is nothing that they could change, as in PyTorch on a CPU."""

from __future__ import annotations

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
