"""A choice of one category that gradients pass through."""

from __future__ import annotations

import warnings

from ...core.tensor import Tensor
from ...ops.making.creation import zeros_like
from ...ops.making.random_values import rand_like
from ...ops.nn.softmax import softmax


def gumbel_softmax(logits, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Tensor:
    """softmax((logits + g) / tau) along `dim`, where g is Gumbel noise: close to a category drawn by its probability.

    A smaller `tau` brings it closer. With `hard` the result is that category, 1 among zeros, and the gradient is that
    of the softmax. `eps` has no effect. From Jang, Gu and Poole, "Categorical Reparameterization with Gumbel-Softmax"
    (2017).

    >>> import autograd_core as ac
    >>> y = ac.nn.functional.gumbel_softmax(ac.zeros(4, 3), hard=True)
    >>> y.sum(1).tolist(), y.amax(1).tolist()
    ([1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0])
    """
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=2)
    waited = -(1 - rand_like(logits)).log()  # exponential, so that -log of it is Gumbel noise
    soft = softmax((logits - waited.clamp(min=1e-38).log()) / tau, dim)
    if not hard:
        return soft
    chosen = soft.argmax(dim, keepdim=True)
    return zeros_like(soft).scatter(dim, chosen, 1.0) - soft.detach() + soft
