"""One of several categories, as its number or as a vector with a 1 in its place."""

from __future__ import annotations

import math

import numpy as np

from ..core.dtypes import int64
from ..core.tensor import Size
from ..ops.making.conversion import to
from ..ops.making.creation import arange, eye, full, zeros
from ..ops.shapes.forms import broadcast_tensors
from . import constraints, draws
from .distribution import Distribution, ProbsOrLogits

ALONG_AXIS = {"probs": constraints.simplex, "logits": constraints.real_vector}


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


class OneHotCategorical(Distribution):
    """A vector with a 1 in the place of the category, else zeros.

    >>> import autograd_core as ac
    >>> ac.distributions.OneHotCategorical(ac.tensor([0.0, 1.0])).sample()
    tensor([0., 1.])
    """

    arg_constraints = ALONG_AXIS
    support = constraints.one_hot
    has_enumerate_support = True

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

    @property
    def mean(self):
        """probs."""
        return self.probs

    @property
    def mode(self):
        """The likeliest vector."""
        return self._vectors(self._categorical.mode)

    @property
    def variance(self):
        """probs (1 - probs)."""
        return self.probs * (1 - self.probs)

    def _vectors(self, categories):
        shape = (*categories.shape, self._event_shape[0])
        return zeros(shape, dtype=self._categorical._param.dtype).scatter(-1, categories.unsqueeze(-1), 1.0)

    def sample(self, sample_shape=()):
        """Vectors, without history."""
        return self._vectors(self._categorical.sample(sample_shape))

    def log_prob(self, value):
        """The logarithm of the probability of the category in whose place the 1 is."""
        return self._categorical.log_prob(self._checked(value).argmax(-1))

    def entropy(self):
        """-Σ p log p."""
        return self._categorical.entropy()

    def enumerate_support(self, expand=True):
        """The rows of the identity matrix."""
        return self._enumerated(eye(self._event_shape[0], dtype=self._categorical._param.dtype), expand)

    def __repr__(self):
        return repr(self._categorical).replace("Categorical", type(self).__name__, 1)


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """The same, with the gradient of `probs` in the place of that of the vectors. Source: Bengio and others, 2013.

    >>> import autograd_core as ac
    >>> p = ac.tensor([0.25, 0.75], requires_grad=True)
    >>> ac.distributions.OneHotCategoricalStraightThrough(p).rsample()[1].backward(); p.grad
    tensor([-0.7500,  0.2500])
    """

    has_rsample = True

    def rsample(self, sample_shape=()):
        """Vectors whose gradient goes to the probabilities."""
        return self.sample(sample_shape) + (self.probs - self.probs.detach())
