"""The Gumbel distribution."""

from __future__ import annotations

import math

from .location_scale import LocationScale
from .utils import euler_constant


class Gumbel(LocationScale):
    """The distribution of a largest value: exp(-z - exp(-z)) / scale with z = (value - loc) / scale.

    >>> import autograd_core as ac
    >>> ac.distributions.Gumbel(0.0, 1.0).mean
    tensor(0.5772)
    """

    @property
    def mean(self):
        """loc + γ scale, γ being Euler's constant."""
        return self.loc + self.scale * euler_constant

    @property
    def variance(self):
        """π² scale² / 6."""
        return (math.pi / math.sqrt(6) * self.scale) ** 2

    def log_prob(self, value):
        """-z - exp(-z) - log scale."""
        z = self._standard(value)
        return -z - (-z).exp() - self.scale.log()

    def cdf(self, value):
        """exp(-exp(-z))."""
        return (-(-self._standard(value)).exp()).exp()

    def icdf(self, value):
        """loc - scale · log(-log value)."""
        return self.loc - self.scale * (-value.log()).log()

    def entropy(self):
        """log scale + 1 + γ."""
        return self.scale.log() + (1 + euler_constant)
