"""One of several categories, as its number, and what is made of such numbers."""

from __future__ import annotations

import math

import numpy as np

from ..core.dtypes import int64
from ..core.size import Size
from ..ops.making.categories import multinomial
from ..ops.making.conversion import to
from ..ops.making.creation import arange, full
from ..ops.shapes.forms import broadcast_tensors
from . import constraints
from .distribution import ALONG_AXIS, Distribution, ProbsOrLogits


class Categorical(ProbsOrLogits):
    """The number of a category: `probs`, or the logarithms `logits`, along the last axis, are brought to the sum 1.

    >>> import autograd_core as ac
    >>> ac.distributions.Categorical(ac.tensor([1.0, 3.0])).probs
    tensor([0.2500, 0.7500])
    """

    arg_constraints = ALONG_AXIS
    has_enumerate_support = True
    is_binary = False

    def __init__(self, probs=None, logits=None, validate_args=None):
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        name, given = ("probs", probs) if logits is None else ("logits", logits)
        if given.dim() < 1:
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        if logits is None:
            self.probs = probs / probs.sum(-1, keepdim=True)
        else:
            self.logits = logits - logits.logsumexp(-1, keepdim=True)
        super().__init__(given.shape[:-1], validate_args=validate_args)

    @property
    def _num_events(self) -> int:
        return self._param.shape[-1]

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self):
        """The numbers of the categories."""
        return constraints.integer_interval(0, self._num_events - 1)

    @property
    def mean(self):
        """nan: categories have no mean."""
        return full(tuple(self._batch_shape), math.nan, dtype=self._param.dtype)

    @property
    def mode(self):
        """The likeliest category."""
        return self.probs.argmax(-1)

    @property
    def variance(self):
        """nan."""
        return self.mean

    def sample(self, sample_shape=()):
        """Categories as int64, without history."""
        rows = self.probs.reshape(-1, self._num_events)
        drawn = multinomial(rows, Size(sample_shape).numel(), replacement=True)
        return drawn.mT.reshape(tuple(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        """The logarithm of the category's probability."""
        index, logits = broadcast_tensors(to(self._checked(value), int64).unsqueeze(-1), self.logits)
        return logits.gather(-1, index[..., :1]).squeeze(-1)

    def entropy(self):
        """-Σ p log p, where 0 log 0 is 0."""
        return -(self.logits.clamp(float(np.finfo(self.logits.dtype.numpy).min)) * self.probs).sum(-1)

    def enumerate_support(self, expand=True):
        """The numbers of all categories."""
        return self._enumerated(arange(self._num_events), expand)


class OfCategories(Distribution):
    """Base of the distributions whose values are vectors with a place for each category of a `Categorical`."""

    arg_constraints = ALONG_AXIS

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._categorical = Categorical(probs, logits, validate_args=validate_args)
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        """The same distribution with another batch shape."""
        new = super().expand(batch_shape, _instance)
        new._categorical = self._categorical.expand(batch_shape)
        return new

    @property
    def probs(self):
        """The probabilities."""
        return self._categorical.probs

    @property
    def logits(self):
        """Their logarithms."""
        return self._categorical.logits

    @property
    def param_shape(self):
        """The shape of the parameter."""
        return self._categorical.param_shape
