"""The Pareto distribution: the logarithm is exponential."""

from __future__ import annotations

import math

from ..core.tensor import Tensor
from ..ops.elementwise.piecewise import where
from . import constraints, draws
from .distribution import Distribution


class Pareto(Distribution):
    """alpha · scale^alpha / value^(alpha + 1), from scale on.

    >>> import autograd_core as ac
    >>> ac.distributions.Pareto(1.0, 3.0).mean
    tensor(1.5000)
    """

    scale: Tensor
    alpha: Tensor
    arg_constraints = {"scale": constraints.positive, "alpha": constraints.positive}
    has_rsample = True

    def __init__(self, scale, alpha, validate_args=None):
        super().__init__(self._set(scale=scale, alpha=alpha), validate_args=validate_args)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self):
        """Numbers from scale on."""
        return constraints.greater_than_eq(self.scale)

    @property
    def mean(self):
        """alpha · scale / (alpha - 1); inf for alpha ≤ 1."""
        a = where(self.alpha > 1, self.alpha, 2.0)
        return where(self.alpha > 1, a * self.scale / (a - 1), math.inf)

    @property
    def mode(self):
        """scale."""
        return self.scale

    @property
    def variance(self):
        """scale² alpha / ((alpha - 1)² (alpha - 2)); inf for alpha ≤ 2."""
        a = where(self.alpha > 2, self.alpha, 3.0)
        return where(self.alpha > 2, self.scale**2 * a / ((a - 1) ** 2 * (a - 2)), math.inf)

    def rsample(self, sample_shape=()):
        """The quantile of a uniform number."""
        drawn = draws.inside_unit(self._extended_shape(sample_shape), self.scale)
        return self.scale * (-drawn.log() / self.alpha).exp()

    def log_prob(self, value):
        """log alpha + alpha log scale - (alpha + 1) log value."""
        return self.alpha.log() + self.alpha * self.scale.log() - (self.alpha + 1) * self._checked(value).log()

    def cdf(self, value):
        """1 - (scale / value)^alpha."""
        return 1 - (self.scale / self._checked(value)) ** self.alpha

    def icdf(self, value):
        """scale / (1 - value)^(1/alpha)."""
        return self.scale * (-(-value).log1p() / self.alpha).exp()

    def entropy(self):
        """log(scale / alpha) + 1 + 1/alpha."""
        return (self.scale / self.alpha).log() + 1 + 1 / self.alpha
