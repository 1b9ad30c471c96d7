"""How many of several trials succeed."""

from __future__ import annotations

from ..core.tensor import Tensor
from ..ops.making.creation import arange
from ..ops.nn.nonlinearities import softplus
from . import constraints, draws
from .distribution import BINARY, ProbsOrLogits


class Binomial(ProbsOrLogits):
    """How many of `total_count` trials succeed.

    >>> import autograd_core as ac
    >>> ac.distributions.Binomial(10, ac.tensor(0.25)).mean
    tensor(2.5000)
    """

    total_count: Tensor
    arg_constraints = {"total_count": constraints.nonnegative_integer, **BINARY}
    has_enumerate_support = True

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        shape = self._set_either(probs, logits, total_count=total_count)
        self.total_count = self.total_count.type_as(self._param)
        super().__init__(shape, validate_args=validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self):
        """The integers from 0 to total_count."""
        return constraints.integer_interval(0, self.total_count)

    @property
    def mean(self):
        """total_count · probs."""
        return self.total_count * self.probs

    @property
    def mode(self):
        """(total_count + 1) probs, rounded down."""
        return ((self.total_count + 1) * self.probs).floor().minimum(self.total_count)

    @property
    def variance(self):
        """total_count · probs (1 - probs)."""
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        """Counts, without history."""
        shape = self._extended_shape(sample_shape)
        return draws.binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value):
        """value · logits - total_count · log(1 + exp(logits)) + the logarithm of the binomial coefficient."""
        n, value = self.total_count, self._checked(value)
        chosen = (n + 1).lgamma() - (value + 1).lgamma() - (n - value + 1).lgamma()
        return value * self.logits - n * softplus(self.logits) + chosen

    def entropy(self):
        """The sum over all counts. NotImplementedError for several total counts."""
        log_prob = self.log_prob(self.enumerate_support(False))
        return -(log_prob.exp() * log_prob).sum(0)

    def enumerate_support(self, expand=True):
        """0 ... total_count. NotImplementedError for several total counts."""
        most = int(self.total_count.max())
        if int(self.total_count.min()) != most:
            raise NotImplementedError("Inhomogeneous total count not supported by `enumerate_support`.")
        return self._enumerated(arange(1 + most, dtype=self._param.dtype), expand)
