"""How often each of several categories comes up."""

from __future__ import annotations

import math

from ..core.size import Size
from ..ops.elementwise.piecewise import where
from ..ops.making.creation import zeros
from . import constraints
from .binomial import Binomial
from .categorical import OfCategories
from .utils import broadcast_all


class Multinomial(OfCategories):
    """The counts of the categories in `total_count` draws, along the last axis. NotImplementedError for several totals.

    >>> import autograd_core as ac
    >>> ac.distributions.Multinomial(4, ac.tensor([0.25, 0.75])).mean
    tensor([1., 3.])
    """

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        super().__init__(probs, logits, validate_args)

    def expand(self, batch_shape, _instance=None):
        """The same distribution with another batch shape."""
        new = super().expand(batch_shape, _instance)
        new.total_count = self.total_count
        return new

    @constraints.dependent_property(is_discrete=True, event_dim=1)
    def support(self):
        """Counts that add up to no more than total_count."""
        return constraints.multinomial(self.total_count)

    @property
    def mean(self):
        """total_count · probs."""
        return self.probs * self.total_count

    @property
    def variance(self):
        """total_count · probs (1 - probs)."""
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        """Counts, without history."""
        drawn = self._categorical.sample((self.total_count, *sample_shape)).movedim(0, -1)
        ones = drawn.type_as(self.probs) * 0 + 1
        return zeros(tuple(self._extended_shape(sample_shape)), dtype=self.probs.dtype).scatter_add(-1, drawn, ones)

    def log_prob(self, value):
        """log n! - Σ log value! + Σ value · log probs."""
        logits, value = broadcast_all(self.logits, self._checked(value))
        logits = where((value == 0) & (logits == -math.inf), 0.0, logits)
        return (value.sum(-1) + 1).lgamma() - (value + 1).lgamma().sum(-1) + (value * logits).sum(-1)

    def entropy(self):
        """n times that of one draw, less log n!, and the mean of Σ log value!."""
        counts = Binomial(self.total_count, self.probs, validate_args=False)
        support = counts.enumerate_support(False)
        factorials = (counts.log_prob(support).exp() * (support + 1).lgamma()).sum((0, -1))
        return self.total_count * self._categorical.entropy() - math.lgamma(self.total_count + 1) + factorials

    def __repr__(self):
        return f"Multinomial(total_count: {self.total_count}, probs: {Size(self.param_shape)})"
