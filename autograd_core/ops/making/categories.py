"""Categories drawn by their weights."""

from __future__ import annotations

import numpy as np

from ...core.tensor import Tensor, wrap
from .generator import generator_of

__all__ = ["multinomial"]
METHODS = ["multinomial"]


def multinomial(input, num_samples: int, replacement: bool = False, *, generator=None) -> Tensor:
    """`num_samples` indices for each row of weights, each as likely as its weight says: int64, no history.

    `input` is [categories] or [rows, categories]; weights need not sum to 1. Without `replacement` each index comes
    once, those of weight 0 after all others. RuntimeError for weights that are negative, not finite or all 0, for
    integers, and for more samples than there are to draw.

    >>> import autograd_core as ac
    >>> ac.multinomial(ac.tensor([[0.0, 2.0, 0.0], [1.0, 0.0, 0.0]]), 2, replacement=True)
    tensor([[1, 1],
            [0, 0]])
    """
    weights = input._array
    _check(input, weights, num_samples, replacement)
    rng = generator_of(generator)
    if replacement:
        bounds = np.cumsum(weights, axis=-1, dtype=np.float64)
        drawn = rng.random((*weights.shape[:-1], num_samples)) * bounds[..., -1:]
        return wrap((drawn[..., None] >= bounds[..., None, :]).sum(-1))
    # who is first when each waits an exponential time of the rate of its weight
    waited = rng.standard_exponential(weights.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        order = np.argsort(waited / weights, axis=-1, kind="stable")
    return wrap(order[..., :num_samples].copy())


def _check(input: Tensor, weights: np.ndarray, n: int, replacement: bool) -> None:
    """Raise for what cannot be drawn from."""
    if not isinstance(replacement, bool):
        raise TypeError(f"multinomial(): argument 'replacement' must be bool, not {type(replacement).__name__}")
    if weights.dtype.kind != "f":
        raise RuntimeError(f"multinomial only supports floating-point dtypes for input, got: {input.dtype}")
    if weights.ndim not in (1, 2):
        raise RuntimeError(f"prob_dist must be 1 or 2 dim; the weights have shape {list(weights.shape)}")
    if n <= 0:
        raise RuntimeError(f"cannot sample n_sample <= 0 samples, and {n} are asked for")
    if not replacement and n > weights.shape[-1]:
        raise RuntimeError(
            "cannot sample n_sample > prob_dist.size(-1) samples without replacement: there are "
            f"{weights.shape[-1]} categories, and {n} samples are asked for"
        )
    if not (np.isfinite(weights) & (weights >= 0)).all():
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if not (weights.sum(-1) > 0).all():
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
