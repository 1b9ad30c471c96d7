"""Trials that succeed or fail: one, several, and how long until the first success."""

from __future__ import annotations

import math

from ..core.tensor import Tensor
from ..ops.elementwise.piecewise import where
from ..ops.making.creation import arange, zeros_like
from ..ops.making.random import bernoulli
from ..ops.nn.nonlinearities import softplus
from . import constraints, draws
from .distribution import ExponentialFamily, ProbsOrLogits
from .utils import broadcast_all

BINARY = {"probs": constraints.unit_interval, "logits": constraints.real}


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
