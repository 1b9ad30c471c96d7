"""One trial that succeeds or fails."""

from __future__ import annotations

import math

from ..ops.elementwise.piecewise import where
from ..ops.making.creation import arange
from ..ops.making.random_values import bernoulli
from ..ops.nn.nonlinearities import softplus
from . import constraints
from .distribution import BINARY, ExponentialFamily, ProbsOrLogits
from .utils import broadcast_all


class Bernoulli(ProbsOrLogits, ExponentialFamily):
    """1 with the probability `probs`, or with the log-odds `logits`, else 0.

    >>> import autograd_core as ac
    >>> ac.distributions.Bernoulli(0.25).log_prob(ac.tensor(1.0))
    tensor(-1.3863)
    """

    arg_constraints = BINARY
    support = constraints.boolean
    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        shape = self._set_either(probs, logits)
        super().__init__(shape, validate_args=validate_args)

    @property
    def mean(self):
        """probs."""
        return self.probs

    @property
    def mode(self):
        """The likelier value; nan where both are alike."""
        likelier = (self.probs >= 0.5).type_as(self.probs)
        return where(self.probs == 0.5, math.nan, likelier)

    @property
    def variance(self):
        """probs (1 - probs)."""
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        """Zeros and ones, without history."""
        return bernoulli(self.probs.detach().expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        """value · logits - log(1 + exp(logits))."""
        logits, value = broadcast_all(self.logits, self._checked(value))
        return value * logits - softplus(logits)

    def entropy(self):
        """log(1 + exp(logits)) - probs · logits."""
        return softplus(self.logits) - self.probs * self.logits

    def enumerate_support(self, expand=True):
        """0 and 1."""
        return self._enumerated(arange(2, dtype=self._param.dtype), expand)
