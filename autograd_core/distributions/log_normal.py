"""The distribution of a number whose logarithm is normal."""

from __future__ import annotations

from . import constraints
from .normal import Normal
from .transformed_distribution import TransformedDistribution
from .transforms import ExpTransform


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
