"""The Poisson distribution."""

from __future__ import annotations

from ..core.tensor import Tensor
from ..ops.special.entropies import xlogy
from . import constraints, draws
from .distribution import ExponentialFamily
from .utils import broadcast_all


class Poisson(ExponentialFamily):
    """rate^value exp(-rate) / value!

    >>> import autograd_core as ac
    >>> ac.distributions.Poisson(2.0).log_prob(ac.tensor(0.0))
    tensor(-2.)
    """

    rate: Tensor
    arg_constraints = {"rate": constraints.nonnegative}
    support = constraints.nonnegative_integer

    def __init__(self, rate, validate_args=None):
        super().__init__(self._set(rate=rate), validate_args=validate_args)

    @property
    def mean(self):
        """rate."""
        return self.rate

    @property
    def mode(self):
        """rate, rounded down."""
        return self.rate.floor()

    @property
    def variance(self):
        """rate."""
        return self.rate

    def sample(self, sample_shape=()):
        """Counts, without history."""
        return draws.poisson(self.rate.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        """value · log rate - rate - log value!"""
        rate, value = broadcast_all(self.rate, self._checked(value))
        return xlogy(value, rate) - rate - (value + 1).lgamma()
