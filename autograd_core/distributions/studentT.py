"""Student's t distribution."""

from __future__ import annotations

import math

from ..core.tensor import Tensor
from ..ops.elementwise.piecewise import where
from ..ops.making.creation import full_like
from ..ops.making.random_values import randn
from . import constraints
from .chi2 import Chi2
from .distribution import Distribution


class StudentT(Distribution):
    """loc + scale · a normal number over √(Chi2(df) / df).

    >>> import autograd_core as ac
    >>> ac.distributions.StudentT(3.0).log_prob(ac.tensor(0.0))
    tensor(-1.0009)
    """

    df: Tensor
    loc: Tensor
    scale: Tensor
    arg_constraints = {"df": constraints.positive, "loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        shape = self._set(df=df, loc=loc, scale=scale)
        super().__init__(shape, validate_args=validate_args)

    @property
    def mean(self):
        """loc; nan for df ≤ 1."""
        return where(self.df <= 1, full_like(self.loc, math.nan), self.loc)

    @property
    def mode(self):
        """loc."""
        return self.loc

    @property
    def variance(self):
        """scale² df / (df - 2); inf for df ≤ 2, nan for df ≤ 1."""
        finite = self.scale**2 * self.df / (self.df - 2).clamp(1e-30)
        wide = where(self.df <= 1, full_like(self.df, math.nan), full_like(self.df, math.inf))
        return where(self.df > 2, finite, wide)

    def rsample(self, sample_shape=()):
        """The quotient."""
        shape = self._extended_shape(sample_shape)
        normal = randn(shape, dtype=self.df.dtype)
        return self.loc + self.scale * normal * (Chi2(self.df).rsample(sample_shape) / self.df).rsqrt()

    def log_prob(self, value):
        """-(df + 1)/2 log(1 + z²/df) - log(scale √(df π)) + log Γ((df + 1)/2) - log Γ(df/2)."""
        z = (self._checked(value) - self.loc) / self.scale
        return -0.5 * (self.df + 1) * (z**2 / self.df).log1p() - self._log_norm()

    def _log_norm(self):
        root = 0.5 * (self.df.log() + math.log(math.pi))
        return self.scale.log() + root + (0.5 * self.df).lgamma() - (0.5 * (self.df + 1)).lgamma()

    def entropy(self):
        """(df + 1)/2 (ψ((df + 1)/2) - ψ(df/2)) + log of the norm."""
        half, more = 0.5 * self.df, 0.5 * (self.df + 1)
        return more * (more.digamma() - half.digamma()) + self._log_norm()
