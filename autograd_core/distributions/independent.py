"""A batch of distributions seen as one, whose values are the batch's."""

from __future__ import annotations

from ..core.size import Size
from . import constraints
from .distribution import Distribution
from .utils import sum_rightmost


class Independent(Distribution):
    """The last `reinterpreted_batch_ndims` axes of the batch become the event's: log_prob and entropy add over them.

    ValueError for more axes than the batch has.

    >>> import autograd_core as ac
    >>> d = ac.distributions.Independent(ac.distributions.Normal(ac.zeros(3, 2), 1.0), 1)
    >>> d.batch_shape, d.event_shape
    (Size([3]), Size([2]))
    """

    def __init__(self, base_distribution, reinterpreted_batch_ndims: int, validate_args=None):
        batch = base_distribution.batch_shape
        if reinterpreted_batch_ndims > len(batch):
            raise ValueError(
                "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual "
                f"{reinterpreted_batch_ndims} vs {len(batch)}"
            )
        cut = len(batch) - reinterpreted_batch_ndims
        self.base_dist, self.reinterpreted_batch_ndims = base_distribution, reinterpreted_batch_ndims
        super().__init__(batch[:cut], (*batch[cut:], *base_distribution.event_shape), validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        """The same distribution with another batch shape."""
        new = self._get_checked_instance(Independent, _instance)
        new.base_dist = self.base_dist.expand((*batch_shape, *self._event_shape[: self.reinterpreted_batch_ndims]))
        new.reinterpreted_batch_ndims = self.reinterpreted_batch_ndims
        Distribution.__init__(new, Size(batch_shape), self._event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    @property
    def has_rsample(self):  # type: ignore[override]
        """As of the base."""
        return self.base_dist.has_rsample

    @property
    def has_enumerate_support(self):  # type: ignore[override]
        """As of the base, where no axis is added."""
        return self.base_dist.has_enumerate_support and not self.reinterpreted_batch_ndims

    @constraints.dependent_property
    def support(self):
        """Events of the base's support."""
        inner = self.base_dist.support
        return (
            constraints.independent(inner, self.reinterpreted_batch_ndims) if self.reinterpreted_batch_ndims else inner
        )

    @property
    def mean(self):
        """As of the base."""
        return self.base_dist.mean

    @property
    def mode(self):
        """As of the base."""
        return self.base_dist.mode

    @property
    def variance(self):
        """As of the base."""
        return self.base_dist.variance

    def sample(self, sample_shape=()):
        """As of the base."""
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=()):
        """As of the base."""
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value):
        """The sum over the added axes."""
        return sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self):
        """The sum over the added axes."""
        return sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def enumerate_support(self, expand=True):
        """As of the base. NotImplementedError where axes are added: they would be a product of sets."""
        if self.reinterpreted_batch_ndims:
            raise NotImplementedError("Enumeration over cartesian product is not implemented")
        return self.base_dist.enumerate_support(expand)

    def __repr__(self):
        return f"{type(self).__name__}({self.base_dist}, {self.reinterpreted_batch_ndims})"
