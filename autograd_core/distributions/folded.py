"""Absolute values of numbers whose distribution is symmetric around 0."""

from __future__ import annotations

import math

from ..ops.elementwise.piecewise import where
from ..ops.making.creation import zeros_like
from . import constraints
from .transformed_distribution import TransformedDistribution
from .transforms import AbsTransform


class Folded(TransformedDistribution):
    """The absolute value of a number whose distribution is symmetric around 0."""

    arg_constraints = {"scale": constraints.positive}
    support = constraints.nonnegative

    def __init__(self, base, validate_args=None):
        super().__init__(base, AbsTransform(), validate_args=False)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._check_parameter("scale", constraints.positive, self.scale)

    @property
    def scale(self):
        """The scale of the distribution before it is folded."""
        return self.base_dist.scale

    @property
    def mode(self):
        """0."""
        return zeros_like(self.scale)

    def log_prob(self, value):
        """Twice the density, and nothing below 0."""
        return where(self._checked(value) >= 0, self.base_dist.log_prob(value) + math.log(2), -math.inf)

    def cdf(self, value):
        """2 F(value) - 1."""
        return 2 * self.base_dist.cdf(self._checked(value)) - 1

    def icdf(self, prob):
        """F⁻¹((prob + 1) / 2)."""
        return self.base_dist.icdf((prob + 1) / 2)

    def entropy(self):
        """That of the distribution before, without log 2."""
        return self.base_dist.entropy() - math.log(2)
