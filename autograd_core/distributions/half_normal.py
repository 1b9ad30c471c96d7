"""The normal distribution folded at 0."""

from __future__ import annotations

import math

from .folded import Folded
from .normal import Normal


class HalfNormal(Folded):
    """The absolute value of a normal number with mean 0 and standard deviation `scale`.

    >>> import autograd_core as ac
    >>> ac.distributions.HalfNormal(1.0).mean
    tensor(0.7979)
    """

    def __init__(self, scale, validate_args=None):
        super().__init__(Normal(0, scale, validate_args=False), validate_args)

    @property
    def mean(self):
        """scale √(2/π)."""
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def variance(self):
        """scale² (1 - 2/π)."""
        return self.scale**2 * (1 - 2 / math.pi)
