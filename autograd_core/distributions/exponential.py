"""The exponential distribution."""

from __future__ import annotations

from ..core.tensor import Tensor
from ..ops.making.creation import zeros_like
from . import constraints, draws
from .distribution import ExponentialFamily


class Exponential(ExponentialFamily):
    """rate · exp(-rate · value).

    >>> import autograd_core as ac
    >>> ac.distributions.Exponential(2.0).mean
    tensor(0.5000)
    """

    rate: Tensor
    arg_constraints = {"rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True

    def __init__(self, rate, validate_args=None):
        super().__init__(self._set(rate=rate), validate_args=validate_args)

    @property
    def mean(self):
        """1 / rate."""
        return 1 / self.rate

    @property
    def mode(self):
        """0."""
        return zeros_like(self.rate)

    @property
    def variance(self):
        """1 / rate²."""
        return self.rate**-2

    def rsample(self, sample_shape=()):
        """A number of rate 1, divided by the rate."""
        return -draws.inside_unit(self._extended_shape(sample_shape), self.rate).log() / self.rate

    def log_prob(self, value):
        """log rate - rate · value."""
        return self.rate.log() - self.rate * self._checked(value)

    def cdf(self, value):
        """1 - exp(-rate · value)."""
        return 1 - (-self.rate * self._checked(value)).exp()

    def icdf(self, value):
        """-log(1 - value) / rate."""
        return -(-value).log1p() / self.rate

    def entropy(self):
        """1 - log rate."""
        return 1 - self.rate.log()
