"""Which kernel PyTorch takes for attention, for programs that say so: here there is one way to compute it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum

from ..backends.cuda import check_kernels
from ..names import facade

__all__ = ["SDPBackend", "sdpa_kernel"]
__getattr__, __dir__ = facade(__name__, __all__)


class SDPBackend(Enum):
    """The kernels that PyTorch has for attention. One computes it here, whichever is named."""

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


@contextmanager
def sdpa_kernel(backends: list[SDPBackend] | SDPBackend, set_priority: bool = False) -> Iterator[None]:
    """A `with` block in which attention may use these kernels alone: there is but one here, so that nothing changes.

    RuntimeError where none of them computes on a CPU, where there are math and flash attention. AssertionError for what
    is neither a backend nor a list of them.

    >>> import autograd_core as ac
    >>> from autograd_core.nn.attention import SDPBackend, sdpa_kernel
    >>> x = ac.ones(1, 2, 4)
    >>> with sdpa_kernel([SDPBackend.FLASH_ATTENTION, SDPBackend.MATH]):
    ...     ac.nn.functional.scaled_dot_product_attention(x, x, x).shape
    Size([1, 2, 4])
    """
    if not isinstance(backends, (list, SDPBackend)):
        raise AssertionError(
            "Backend must be an instance of SDPBackend or a list of SDPBackend instances, got "
            f"{type(backends).__name__}"
        )
    allowed = backends if isinstance(backends, list) else [backends]
    check_kernels(SDPBackend.MATH in allowed or SDPBackend.FLASH_ATTENTION in allowed)
    yield
