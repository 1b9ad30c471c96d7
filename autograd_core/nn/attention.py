"""Which kernel PyTorch takes for attention, for programs that say so: here there is one way to compute it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum

from ..names import facade

__all__ = ["SDPBackend", "sdpa_kernel"]
__getattr__, __dir__ = facade(__name__, __all__)


class SDPBackend(Enum):
    """PyTorch's kernels for `scaled_dot_product_attention`, by name."""

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


@contextmanager
def sdpa_kernel(backends: list[SDPBackend] | SDPBackend, set_priority: bool = False) -> Iterator[dict]:
    """A block in which attention is to be computed by one of these kernels, which all compute the same.

    AssertionError for what is no kernel and no list of them.

    >>> import autograd_core as ac
    >>> from autograd_core.nn.attention import SDPBackend, sdpa_kernel
    >>> with sdpa_kernel(SDPBackend.MATH):
    ...     ac.nn.functional.scaled_dot_product_attention(ac.ones(1, 1), ac.ones(1, 1), ac.ones(1, 1))
    tensor([[1.]])
    """
    if not isinstance(backends, (list, SDPBackend)):
        raise AssertionError(
            "Backend must be an instance of SDPBackend or a list of SDPBackend instances, got "
            f"{type(backends).__name__}"
        )
    yield {}
