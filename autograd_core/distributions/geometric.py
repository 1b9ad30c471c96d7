"""How long until the first success."""

from __future__ import annotations

from ..ops.elementwise.piecewise import where
from ..ops.making.creation import zeros_like
from ..ops.nn.nonlinearities import softplus
from . import constraints, draws
from .distribution import BINARY, ProbsOrLogits
from .utils import broadcast_all


class Geometric(ProbsOrLogits):
    """How many trials fail before one succeeds.

    >>> import autograd_core as ac
    >>> ac.distributions.Geometric(0.25).mean
    tensor(3.)
    """

    arg_constraints = BINARY
    support = constraints.nonnegative_integer

    def __init__(self, probs=None, logits=None, validate_args=None):
        shape = self._set_either(probs, logits)
        super().__init__(shape, validate_args=validate_args)
        if self._validate_args and probs is not None:
            self._check_parameter("probs", constraints.positive, self.probs)

    @property
    def mean(self):
        """1 / probs - 1."""
        return 1 / self.probs - 1

    @property
    def mode(self):
        """0."""
        return zeros_like(self.probs)

    @property
    def variance(self):
        """(1 / probs - 1) / probs."""
        return (1 / self.probs - 1) / self.probs

    def sample(self, sample_shape=()):
        """Counts, without history."""
        probs = self.probs.detach()
        return (draws.inside_unit(self._extended_shape(sample_shape), probs).log() / (-probs).log1p()).floor()

    def log_prob(self, value):
        """value · log(1 - probs) + log probs."""
        value, probs = broadcast_all(self._checked(value), self.probs)
        certain = where((probs == 1) & (value == 0), 0.0, probs)
        return value * (-certain).log1p() + probs.log()

    def entropy(self):
        """That of a trial, over probs."""
        return (softplus(self.logits) - self.probs * self.logits) / self.probs
