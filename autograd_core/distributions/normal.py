"""The normal distribution."""

from __future__ import annotations

import math

from ..core.tensor import Tensor
from ..ops.making.random import randn
from . import constraints
from .distribution import ExponentialFamily
from .utils import log_two_pi


class Normal(ExponentialFamily):
    """The normal distribution with mean `loc` and standard deviation `scale`.

    >>> import autograd_core as ac
    >>> ac.distributions.Normal(0.0, 1.0).log_prob(ac.tensor(0.0))
    tensor(-0.9189)
    """

    loc: Tensor
    scale: Tensor
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        super().__init__(self._set(loc=loc, scale=scale), validate_args=validate_args)

    @property
    def mean(self):
        """loc."""
        return self.loc

    @property
    def mode(self):
        """loc."""
        return self.loc

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
        return -(((self._checked(value) - self.loc) / self.scale) ** 2) / 2 - self.scale.log() - log_two_pi / 2

    def cdf(self, value):
        """Φ((value - loc) / scale)."""
        return 0.5 * (1 + ((self._checked(value) - self.loc) / self.scale / math.sqrt(2)).erf())

    def icdf(self, value):
        """loc + scale · Φ⁻¹(value)."""
        return self.loc + self.scale * (2 * value - 1).erfinv() * math.sqrt(2)

    def entropy(self):
        """log(scale √(2πe))."""
        return 0.5 + log_two_pi / 2 + self.scale.log()
