"""A number between 0 and 1."""

from __future__ import annotations

from ..core.tensor import Tensor
from ..ops.shapes.joining import stack
from . import constraints
from .dirichlet import Dirichlet
from .distribution import ExponentialFamily


class Beta(ExponentialFamily):
    """A proportion: value^(concentration1 - 1) (1 - value)^(concentration0 - 1) / B. Gradients flow as in `Dirichlet`.

    >>> import autograd_core as ac
    >>> ac.distributions.Beta(1.0, 3.0).mean
    tensor(0.2500)
    """

    concentration1: Tensor
    concentration0: Tensor
    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support = constraints.unit_interval
    has_rsample = True

    def __init__(self, concentration1, concentration0, validate_args=None):
        shape = self._set(concentration1=concentration1, concentration0=concentration0)
        super().__init__(shape, validate_args=validate_args)

    @property
    def _dirichlet(self):
        return Dirichlet(stack([self.concentration1, self.concentration0], -1), validate_args=False)

    @property
    def mean(self):
        """concentration1 / (concentration1 + concentration0)."""
        return self.concentration1 / (self.concentration1 + self.concentration0)

    @property
    def mode(self):
        """(concentration1 - 1) / (concentration1 + concentration0 - 2), or an end of the interval."""
        return self._dirichlet.mode[..., 0]

    @property
    def variance(self):
        """m (1 - m) / (concentration1 + concentration0 + 1) with the mean m."""
        return self._dirichlet.variance[..., 0]

    def rsample(self, sample_shape=()):
        """The first of two gamma numbers over their sum."""
        return self._dirichlet.rsample(sample_shape)[..., 0]

    def log_prob(self, value):
        """(concentration1 - 1) log value + (concentration0 - 1) log(1 - value) - log B."""
        value = self._checked(value)
        return self._dirichlet.log_prob(stack([value, 1 - value], -1))

    def entropy(self):
        """That of the two proportions."""
        return self._dirichlet.entropy()
