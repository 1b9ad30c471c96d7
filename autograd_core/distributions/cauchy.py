"""The Cauchy distribution."""

from __future__ import annotations

import math

from ..ops.making.creation import full_like
from .location_scale import LocationScale


class Cauchy(LocationScale):
    """1 / (π scale (1 + z²)) with z = (value - loc) / scale: no mean, no variance.

    >>> import autograd_core as ac
    >>> ac.distributions.Cauchy(0.0, 1.0).log_prob(ac.tensor(0.0))
    tensor(-1.1447)
    """

    @property
    def mean(self):
        """nan."""
        return full_like(self.loc, math.nan)

    @property
    def variance(self):
        """inf."""
        return full_like(self.loc, math.inf)

    def log_prob(self, value):
        """-log(π scale) - log(1 + z²)."""
        return -math.log(math.pi) - self.scale.log() - (self._standard(value) ** 2).log1p()

    def cdf(self, value):
        """1/2 + atan(z) / π."""
        return self._standard(value).atan() / math.pi + 0.5

    def icdf(self, value):
        """loc + scale · tan(π (value - 1/2))."""
        return self.loc + self.scale * (math.pi * (value - 0.5)).tan()

    def entropy(self):
        """log(4π scale)."""
        return math.log(4 * math.pi) + self.scale.log()
