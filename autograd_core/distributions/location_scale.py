"""Distributions that a shift and a stretch make of one of their kind, by their quantiles."""

from __future__ import annotations

import math

from ..core.tensor import Tensor
from ..ops.making.creation import full_like
from . import constraints
from .distribution import Distribution
from .draws import inside_unit
from .normal import Folded
from .utils import euler_constant


class LocationScale(Distribution):
    """Base: loc + scale · z, where z is drawn by the quantile function of loc 0 and scale 1."""

    loc: Tensor
    scale: Tensor
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        super().__init__(self._set(loc=loc, scale=scale), validate_args=validate_args)

    def _standard(self, value):
        return (self._checked(value) - self.loc) / self.scale

    @property
    def mean(self):
        """loc."""
        return self.loc

    @property
    def mode(self):
        """loc."""
        return self.loc

    def rsample(self, sample_shape=()):
        """The quantile of a uniform number."""
        return self.icdf(inside_unit(self._extended_shape(sample_shape), self.loc))


class Laplace(LocationScale):
    """exp(-|value - loc| / scale) / (2 scale).

    >>> import autograd_core as ac
    >>> ac.distributions.Laplace(0.0, 1.0).log_prob(ac.tensor(2.0))
    tensor(-2.6931)
    """

    @property
    def variance(self):
        """2 scale²."""
        return 2 * self.scale**2

    def log_prob(self, value):
        """-|value - loc| / scale - log(2 scale)."""
        return -self._standard(value).abs() - (2 * self.scale).log()

    def cdf(self, value):
        """exp(z) / 2 below loc, 1 - exp(-z) / 2 above."""
        z = self._standard(value)
        return 0.5 - 0.5 * z.sign() * (-z.abs()).expm1()

    def icdf(self, value):
        """loc ± scale · log(1 - 2 |value - 1/2|)."""
        term = value - 0.5
        return self.loc - self.scale * term.sign() * (-2 * term.abs()).log1p()

    def entropy(self):
        """1 + log(2 scale)."""
        return 1 + (2 * self.scale).log()


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


class HalfCauchy(Folded):
    """The absolute value of a Cauchy number with loc 0.

    >>> import autograd_core as ac
    >>> ac.distributions.HalfCauchy(1.0).log_prob(ac.tensor(0.0))
    tensor(-0.4516)
    """

    def __init__(self, scale, validate_args=None):
        super().__init__(Cauchy(0, scale, validate_args=False), validate_args)

    @property
    def mean(self):
        """inf."""
        return full_like(self.scale, math.inf)

    @property
    def variance(self):
        """inf."""
        return self.base_dist.variance


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
