"""The Cauchy distribution folded at 0."""

from __future__ import annotations

import math

from ..ops.making.creation import full_like
from .cauchy import Cauchy
from .folded import Folded


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
