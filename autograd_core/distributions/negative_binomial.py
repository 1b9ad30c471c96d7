"""How many trials succeed before a number of them has failed."""

from __future__ import annotations

from ..core.tensor import Tensor
from ..ops.elementwise.piecewise import where
from ..ops.nn.nonlinearities import softplus
from . import constraints, draws
from .distribution import ProbsOrLogits


class NegativeBinomial(ProbsOrLogits):
    """The number of successes, each with the probability `probs`, before `total_count` trials have failed.

    >>> import autograd_core as ac
    >>> ac.distributions.NegativeBinomial(3.0, ac.tensor(0.25)).mean
    tensor(1.)
    """

    total_count: Tensor
    arg_constraints = {
        "total_count": constraints.greater_than_eq(0),
        "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }
    support = constraints.nonnegative_integer

    def __init__(self, total_count, probs=None, logits=None, validate_args=None):
        shape = self._set_either(probs, logits, total_count=total_count)
        self.total_count = self.total_count.type_as(self._param)
        super().__init__(shape, validate_args=validate_args)

    @property
    def mean(self):
        """total_count · exp(logits)."""
        return self.total_count * self.logits.exp()

    @property
    def mode(self):
        """(total_count - 1) exp(logits), rounded down, at least 0."""
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(0.0)

    @property
    def variance(self):
        """mean / (1 - probs)."""
        return self.mean / (-self.logits).sigmoid()

    def sample(self, sample_shape=()):
        """Poisson numbers whose rates are gamma numbers."""
        shape = self._extended_shape(sample_shape)
        rate = draws.gamma(self.total_count.detach().expand(shape)) * self.logits.detach().exp()
        return draws.poisson(rate)

    def log_prob(self, value):
        """total_count · log(1 - probs) + value · log probs + the logarithm of the binomial coefficient."""
        n, value = self.total_count, self._checked(value)
        chosen = (n + value).lgamma() - (1 + value).lgamma() - n.lgamma()
        return where(n + value == 0, 0.0, chosen) - n * softplus(self.logits) - value * softplus(-self.logits)
