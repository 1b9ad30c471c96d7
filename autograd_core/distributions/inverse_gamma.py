"""The inverse of a gamma number."""

from __future__ import annotations

import math

from ..ops.elementwise.piecewise import where
from . import constraints
from .gamma import Gamma
from .transformed_distribution import TransformedDistribution
from .transforms import PowerTransform


class InverseGamma(TransformedDistribution):
    """1 / x, where x is a gamma number.

    >>> import autograd_core as ac
    >>> ac.distributions.InverseGamma(3.0, 4.0).mean
    tensor(2.)
    """

    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support = constraints.positive

    def __init__(self, concentration, rate, validate_args=None):
        base = Gamma(concentration, rate, validate_args=validate_args)
        super().__init__(base, PowerTransform(-base.rate.new_ones(())), validate_args=validate_args)

    @property
    def concentration(self):
        """That of the gamma number."""
        return self.base_dist.concentration

    @property
    def rate(self):
        """That of the gamma number."""
        return self.base_dist.rate

    @property
    def mean(self):
        """rate / (concentration - 1); inf for a concentration ≤ 1."""
        return where(self.concentration > 1, self.rate / (self.concentration - 1), math.inf)

    @property
    def mode(self):
        """rate / (concentration + 1)."""
        return self.rate / (self.concentration + 1)

    @property
    def variance(self):
        """rate² / ((concentration - 1)² (concentration - 2)); inf for a concentration ≤ 2."""
        a = self.concentration
        return where(a > 2, self.rate**2 / ((a - 1) ** 2 * (a - 2)), math.inf)

    def entropy(self):
        """a + log rate + log Γ(a) - (1 + a) ψ(a) with the concentration a."""
        a = self.concentration
        return a + self.rate.log() + a.lgamma() - (1 + a) * a.digamma()
