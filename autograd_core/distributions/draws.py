"""Arrays drawn by NumPy from distributions for which the package has no function of its own."""

from __future__ import annotations

import numpy as np

from ..core.tensor import Tensor, wrap
from ..ops.making import random_values
from ..ops.making.generator import default_generator
from ..ops.special.gamma_samples import gamma_quantile
from .utils import tiny_of


def inside_unit(shape, like: Tensor) -> Tensor:
    """Uniform numbers in (0, 1): their logarithms, and those of what they leave, are finite."""
    drawn = random_values.rand(shape, dtype=like.dtype)
    return drawn.clamp(tiny_of(like), 1 - float(np.finfo(like.dtype.numpy).epsneg))


def gamma(concentration: Tensor) -> Tensor:
    """Numbers of the gamma distribution of rate 1, through which gradients flow to the concentration."""
    drawn = default_generator.standard_gamma(concentration.detach().numpy().astype(np.float64))
    value = np.maximum(drawn, tiny_of(concentration)).astype(concentration.dtype.numpy)
    return gamma_quantile(concentration, wrap(np.asarray(value)))


def poisson(rate: Tensor) -> Tensor:
    """Counts, in the dtype of the rate."""
    return _like(rate, default_generator.poisson(rate.detach().numpy()))


def binomial(total_count: Tensor, probs: Tensor) -> Tensor:
    """Numbers of successes, in the dtype of the probabilities."""
    counts = total_count.detach().numpy().astype(np.int64)
    return _like(probs, default_generator.binomial(counts, probs.detach().numpy()))


def _like(parameter: Tensor, drawn) -> Tensor:
    return wrap(np.asarray(drawn).astype(parameter.dtype.numpy))
