"""The normal distribution."""

from __future__ import annotations

import math

from ..ops.making.random_values import randn
from .distribution import ExponentialFamily
from .location_scale import LocationScale
from .utils import log_two_pi


class Normal(LocationScale, ExponentialFamily):
    """The normal distribution with mean `loc` and standard deviation `scale`.

    >>> import autograd_core as ac
    >>> ac.distributions.Normal(0.0, 1.0).log_prob(ac.tensor(0.0))
    tensor(-0.9189)
    """

    @property
    def stddev(self):
        """scale."""
        return self.scale

    @property
    def variance(self):
        """scale²."""
        return self.scale**2

    def rsample(self, sample_shape=()):
        """loc + scale · a standard normal number."""
        return self.loc + self.scale * randn(self._extended_shape(sample_shape), dtype=self.loc.dtype)

    def log_prob(self, value):
        """-((value - loc) / scale)² / 2 - log(scale √(2π))."""
        return -(self._standard(value) ** 2) / 2 - self.scale.log() - log_two_pi / 2

    def cdf(self, value):
        """Φ((value - loc) / scale)."""
        return 0.5 * (1 + (self._standard(value) / math.sqrt(2)).erf())

    def icdf(self, value):
        """loc + scale · Φ⁻¹(value)."""
        return self.loc + self.scale * (2 * value - 1).erfinv() * math.sqrt(2)

    def entropy(self):
        """log(scale √(2πe))."""
        return 0.5 + log_two_pi / 2 + self.scale.log()
