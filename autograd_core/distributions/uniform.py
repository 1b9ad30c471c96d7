"""Numbers that are all alike in an interval."""

from __future__ import annotations

import math

from ..core.tensor import Tensor
from ..ops.making.random_values import rand
from . import constraints
from .distribution import Distribution


class Uniform(Distribution):
    """Equally likely everywhere in [low, high).

    >>> import autograd_core as ac
    >>> ac.distributions.Uniform(0.0, 4.0).log_prob(ac.tensor(1.0))
    tensor(-1.3863)
    """

    low: Tensor
    high: Tensor
    has_rsample = True

    def __init__(self, low, high, validate_args=None):
        super().__init__(self._set(low=low, high=high), validate_args=validate_args)

    @property
    def arg_constraints(self):
        """low < high."""
        return {"low": constraints.less_than(self.high), "high": constraints.greater_than(self.low)}

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self):
        """The interval."""
        return constraints.interval(self.low, self.high)

    @property
    def mean(self):
        """(low + high) / 2."""
        return (self.low + self.high) / 2

    @property
    def mode(self):
        """nan."""
        return math.nan * self.high

    @property
    def variance(self):
        """(high - low)² / 12."""
        return (self.high - self.low) ** 2 / 12

    def rsample(self, sample_shape=()):
        """low + (high - low) · a number in [0, 1)."""
        drawn = rand(self._extended_shape(sample_shape), dtype=self.low.dtype)
        return self.low + drawn * (self.high - self.low)

    def log_prob(self, value):
        """-log(high - low), and -inf outside of [low, high)."""
        inside = (self.low <= self._checked(value)) & (value < self.high)
        return inside.type_as(self.low).log() - (self.high - self.low).log()

    def cdf(self, value):
        """(value - low) / (high - low), between 0 and 1."""
        return ((self._checked(value) - self.low) / (self.high - self.low)).clamp(0, 1)

    def icdf(self, value):
        """low + (high - low) · value."""
        return self.low + value * (self.high - self.low)

    def entropy(self):
        """log(high - low)."""
        return (self.high - self.low).log()
