"""Metal: it is not here."""

from __future__ import annotations


def is_available() -> bool:
    """False.

    >>> import autograd_core as ac
    >>> ac.backends.mps.is_available()
    False
    """
    return False


def is_built() -> bool:
    """False."""
    return False
