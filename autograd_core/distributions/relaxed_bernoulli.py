"""A number between 0 and 1 in the place of a trial, so that gradients flow through it.

Source: Maddison, Mnih and Teh, The Concrete Distribution, 2017.
"""

from __future__ import annotations

from ..ops.nn.nonlinearities import softplus
from . import constraints, draws
from .distribution import BINARY, ProbsOrLogits
from .relaxed import Relaxed
from .transforms import SigmoidTransform
from .utils import broadcast_all, clamp_probs


class LogitRelaxedBernoulli(ProbsOrLogits):
    """The log-odds of `RelaxedBernoulli`."""

    arg_constraints = BINARY
    support = constraints.real
    has_rsample = True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        (self.temperature,) = broadcast_all(temperature)
        shape = self._set_either(probs, logits)
        super().__init__(shape, validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        """The same distribution with another batch shape."""
        new = super().expand(batch_shape, _instance)
        new.temperature = self.temperature
        return new

    def rsample(self, sample_shape=()):
        """The logits and the log-odds of a uniform number, over the temperature."""
        probs = clamp_probs(self.probs.expand(self._extended_shape(sample_shape)))
        uniform = clamp_probs(draws.inside_unit(probs.shape, probs))
        return (uniform.log() - (-uniform).log1p() + probs.log() - (-probs).log1p()) / self.temperature

    def log_prob(self, value):
        """log temperature + d - 2 log(1 + exp(d)) with d = logits - temperature · value."""
        d = self.logits - self.temperature * self._checked(value)
        return self.temperature.log() + d - 2 * softplus(d)


class RelaxedBernoulli(Relaxed):
    """Numbers in (0, 1), near 1 about as often as `Bernoulli` gives 1.

    >>> import autograd_core as ac
    >>> ac.distributions.RelaxedBernoulli(ac.tensor(0.5), ac.tensor(0.25)).log_prob(ac.tensor(0.5))
    tensor(-0.9808)
    """

    arg_constraints = BINARY
    support = constraints.unit_interval

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        base = LogitRelaxedBernoulli(temperature, probs, logits, validate_args=validate_args)
        super().__init__(base, SigmoidTransform(), validate_args=validate_args)
