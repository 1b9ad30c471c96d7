"""CUDA's libraries: they are not here. Switches may be set, and there is nothing that they could change."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

matmul = SimpleNamespace(allow_tf32=False)


def is_built() -> bool:
    """False.

    >>> import autograd_core as ac
    >>> ac.backends.cuda.is_built()
    False
    """
    return False


@contextmanager
def sdp_kernel(
    enable_flash: bool = True,
    enable_math: bool = True,
    enable_mem_efficient: bool = True,
    enable_cudnn: bool = True,
) -> Iterator[None]:
    """A `with` block in which attention may use these kernels: `nn.attention.sdpa_kernel` under its old name.

    FutureWarning as in PyTorch. RuntimeError where neither `enable_flash` nor `enable_math` is true.
    """
    warnings.warn(
        "torch.backends.cuda.sdp_kernel() is deprecated. In the future, this context manager will be removed. Use "
        "nn.attention.sdpa_kernel()",
        FutureWarning,
        stacklevel=3,
    )
    check_kernels(enable_flash or enable_math)
    yield


def check_kernels(viable: bool) -> None:
    """Raise RuntimeError where none of the kernels is allowed that compute attention on a CPU."""
    if not viable:
        raise RuntimeError(
            "No viable backend for scaled_dot_product_attention was found: on the CPU there are flash attention and "
            "math; allow one of them"
        )
