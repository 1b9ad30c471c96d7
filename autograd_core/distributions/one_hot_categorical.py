"""One of several categories, as a vector with a 1 in its place."""

from __future__ import annotations

from ..ops.making.creation import eye, zeros
from . import constraints
from .categorical import OfCategories


class OneHotCategorical(OfCategories):
    """A vector with a 1 in the place of the category, else zeros.

    >>> import autograd_core as ac
    >>> ac.distributions.OneHotCategorical(ac.tensor([0.0, 1.0])).sample()
    tensor([0., 1.])
    """

    support = constraints.one_hot
    has_enumerate_support = True

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
