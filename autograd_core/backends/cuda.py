"""CUDA's libraries: they are not here. Switches may be set, and there is nothing that they could change."""

from __future__ import annotations

from types import SimpleNamespace

matmul = SimpleNamespace(allow_tf32=False)


def is_built() -> bool:
    """False.

    >>> import autograd_core as ac
    >>> ac.backends.cuda.is_built()
    False
    """
    return False
