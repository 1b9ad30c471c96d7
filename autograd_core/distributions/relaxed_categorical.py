"""Proportions in the place of a category, so that gradients flow through them.

Source: Maddison, Mnih and Teh, The Concrete Distribution, 2017.
"""

from __future__ import annotations

from ..ops.making.creation import full_like
from . import constraints, draws
from .categorical import OfCategories
from .distribution import ALONG_AXIS
from .relaxed import Relaxed
from .transforms import ExpTransform
from .utils import broadcast_all, clamp_probs


class ExpRelaxedCategorical(OfCategories):
    """The logarithms of `RelaxedOneHotCategorical`."""

    support = constraints.real_vector
    has_rsample = True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        (self.temperature,) = broadcast_all(temperature)
        super().__init__(probs, logits, validate_args)

    def expand(self, batch_shape, _instance=None):
        """The same distribution with another batch shape."""
        new = super().expand(batch_shape, _instance)
        new.temperature = self.temperature
        return new

    def rsample(self, sample_shape=()):
        """Logarithms of proportions, from the logits and Gumbel numbers over the temperature."""
        uniform = clamp_probs(draws.inside_unit(self._extended_shape(sample_shape), self.logits))
        scores = (self.logits - (-uniform.log()).log()) / self.temperature
        return scores - scores.logsumexp(-1, keepdim=True)

    def log_prob(self, value):
        """log Γ(k) + (k - 1) log temperature + Σ log of the proportions of logits - temperature · value."""
        k = self._event_shape[0]
        score = self.logits - self.temperature * self._checked(value)
        score = (score - score.logsumexp(-1, keepdim=True)).sum(-1)
        norm = full_like(self.temperature, float(k)).lgamma() - self.temperature.log() * (1 - k)
        return score + norm


class RelaxedOneHotCategorical(Relaxed):
    """Proportions, near a corner about as often as `OneHotCategorical` gives it.

    >>> import autograd_core as ac
    >>> d = ac.distributions.RelaxedOneHotCategorical(ac.tensor(0.5), ac.tensor([0.25, 0.75]))
    >>> d.rsample().sum().round()
    tensor(1.)
    """

    arg_constraints = ALONG_AXIS
    support = constraints.simplex

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        base = ExpRelaxedCategorical(temperature, probs, logits, validate_args=validate_args)
        super().__init__(base, ExpTransform(), validate_args=validate_args)
