"""Dropout: zero elements at random while training, and scale up the others so that the expected value stays."""

from __future__ import annotations

from ...ops.random import rand
from ...tensor import Tensor, wrap


def dropout(input, p: float = 0.5, training: bool = True) -> Tensor:
    """Zero each element with probability `p` and divide the others by 1 - p.

    The result is the input itself when `training` is False or p is 0.

    `training` is True by default: a module's `eval()` does not reach this function. The mask is drawn from the
    generator that `manual_seed` sets, and is what the backward pass multiplies by. Raises ValueError for p outside 0 to
    1.

    >>> import autograd_core as ac
    >>> x = ac.tensor([1.0, 2.0])
    >>> ac.nn.functional.dropout(x, p=1.0), ac.nn.functional.dropout(x, training=False)
    (tensor([0., 0.]), tensor([1., 2.]))
    """
    if not 0.0 <= p <= 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not input.is_floating_point():
        raise RuntimeError(f"dropout: the input must be floating point, got {input.dtype}; convert it with .float()")
    if p == 0 or not training:
        return input
    kept = rand(input.shape, dtype=input.dtype)._array >= p
    mask = kept.astype(input._array.dtype)
    if p < 1:
        mask *= 1 / (1 - p)
    return input * wrap(mask)
