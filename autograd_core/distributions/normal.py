"""The normal distribution, and what is made of it one number at a time."""

from __future__ import annotations

import math

from ..core.tensor import Tensor
from ..ops.elementwise.piecewise import where
from ..ops.making.creation import zeros_like
from ..ops.making.random import randn
from . import constraints
from .distribution import ExponentialFamily
from .transformed_distribution import TransformedDistribution
from .transforms import AbsTransform, ExpTransform
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


class LogNormal(TransformedDistribution):
    """exp of a normal number with mean `loc` and standard deviation `scale`.

    >>> import autograd_core as ac
    >>> ac.distributions.LogNormal(0.0, 1.0).mean
    tensor(1.6487)
    """

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.positive

    def __init__(self, loc, scale, validate_args=None):
        super().__init__(Normal(loc, scale, validate_args=validate_args), ExpTransform(), validate_args=validate_args)

    @property
    def loc(self):
        """The mean of the logarithm."""
        return self.base_dist.loc

    @property
    def scale(self):
        """The standard deviation of the logarithm."""
        return self.base_dist.scale

    @property
    def mean(self):
        """exp(loc + scale² / 2)."""
        return (self.loc + self.scale**2 / 2).exp()

    @property
    def mode(self):
        """exp(loc - scale²)."""
        return (self.loc - self.scale**2).exp()

    @property
    def variance(self):
        """(exp(scale²) - 1) exp(2 loc + scale²)."""
        return (self.scale**2).expm1() * (2 * self.loc + self.scale**2).exp()

    def entropy(self):
        """That of the logarithm, and loc."""
        return self.base_dist.entropy() + self.loc


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

    def icdf(self, value):
        """F⁻¹((value + 1) / 2)."""
        return self.base_dist.icdf((value + 1) / 2)

    def entropy(self):
        """That of the distribution before, without log 2."""
        return self.base_dist.entropy() - math.log(2)


class HalfNormal(Folded):
    """The absolute value of a normal number with mean 0 and standard deviation `scale`.

    >>> import autograd_core as ac
    >>> ac.distributions.HalfNormal(1.0).mean
    tensor(0.7979)
    """

    def __init__(self, scale, validate_args=None):
        super().__init__(Normal(0, scale, validate_args=False), validate_args)

    @property
    def mean(self):
        """scale √(2/π)."""
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def variance(self):
        """scale² (1 - 2/π)."""
        return self.scale**2 * (1 - 2 / math.pi)
