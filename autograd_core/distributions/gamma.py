"""The gamma distribution."""

from __future__ import annotations

from ..core.tensor import Tensor
from ..ops.making.creation import tensor
from ..ops.special.entropies import xlogy
from ..ops.special.gamma_functions import igamma
from . import constraints, draws
from .distribution import ExponentialFamily


class Gamma(ExponentialFamily):
    """value^(concentration - 1) exp(-rate · value) rate^concentration / Γ(concentration).

    Gradients flow through `rsample` to both parameters; to the concentration once, there is no second derivative.

    >>> import autograd_core as ac
    >>> ac.distributions.Gamma(2.0, 4.0).mean
    tensor(0.5000)
    """

    concentration: Tensor
    rate: Tensor
    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True

    def __init__(self, concentration, rate, validate_args=None):
        shape = self._set(concentration=concentration, rate=rate)
        super().__init__(shape, validate_args=validate_args)

    @property
    def mean(self):
        """concentration / rate."""
        return self.concentration / self.rate

    @property
    def mode(self):
        """(concentration - 1) / rate, at least 0."""
        return ((self.concentration - 1) / self.rate).clamp(0)

    @property
    def variance(self):
        """concentration / rate²."""
        return self.concentration / self.rate**2

    def rsample(self, sample_shape=()):
        """A number of rate 1, divided by the rate."""
        shape = self._extended_shape(sample_shape)
        return draws.gamma(self.concentration.expand(shape)) / self.rate

    def log_prob(self, value):
        """(concentration - 1) log value - rate · value + concentration · log rate - log Γ(concentration)."""
        value = self._checked(value if isinstance(value, Tensor) else tensor(value, dtype=self.rate.dtype))
        a, rate = self.concentration, self.rate
        return xlogy(a, rate) + xlogy(a - 1, value) - rate * value - a.lgamma()

    def cdf(self, value):
        """The incomplete gamma function; a gradient that reaches the concentration is a NotImplementedError."""
        return igamma(self.concentration, self.rate * self._checked(value))

    def entropy(self):
        """concentration - log rate + log Γ(concentration) + (1 - concentration) ψ(concentration)."""
        a = self.concentration
        return a - self.rate.log() + a.lgamma() + (1 - a) * a.digamma()
