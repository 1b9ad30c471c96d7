"""One of several categories, as its number."""

from __future__ import annotations

import math

import numpy as np

from ..core.dtypes import int64
from ..core.size import Size
from ..ops.making.conversion import to
from ..ops.making.creation import arange, full
from ..ops.shapes.forms import broadcast_tensors
from . import constraints, draws
from .distribution import ALONG_AXIS, ProbsOrLogits


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
        drawn = draws.categories(self.probs, Size(sample_shape).numel())
        return drawn.reshape(tuple(self._extended_shape(sample_shape)))

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
