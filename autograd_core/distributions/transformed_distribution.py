"""The distribution of a function of a random number."""

from __future__ import annotations

from typing import Any

from ..core.modes import no_grad
from ..core.size import Size
from . import constraints
from .composition import ComposeTransform, Transform
from .distribution import Distribution
from .independent import Independent
from .utils import sum_rightmost


class TransformedDistribution(Distribution):
    """What `transforms`, one after the other, make of the numbers of a distribution.

    The density is that of the number it was made of, times |dx/dy|: log_prob goes back through the inverses.

    ValueError for what is no transform, and for a base with too few axes.

    >>> import autograd_core as ac
    >>> d = ac.distributions
    >>> parts = [d.SigmoidTransform().inv, d.AffineTransform(0.0, 2.0)]
    >>> logistic = d.TransformedDistribution(d.Uniform(0.0, 1.0), parts)
    >>> logistic.log_prob(ac.tensor(0.0))
    tensor(-2.0794)
    """

    base_dist: Any

    def __init__(self, base_distribution, transforms, validate_args=None):
        self.transforms = [transforms] if isinstance(transforms, Transform) else transforms
        if not isinstance(self.transforms, list) or not all(isinstance(t, Transform) for t in self.transforms):
            raise ValueError(f"transforms must be a Transform or a list of Transforms, but was {transforms!r}")
        whole = ComposeTransform(self.transforms)
        base_event = len(base_distribution.event_shape)
        shape = Size((*base_distribution.batch_shape, *base_distribution.event_shape))
        if len(shape) < whole.domain.event_dim:
            raise ValueError(
                f"base_distribution needs to have shape with size at least {whole.domain.event_dim}, but got {shape}."
            )
        forward = whole.forward_shape(shape)
        needed = whole.inverse_shape(forward)
        if needed != shape:
            base_distribution = base_distribution.expand(needed[: len(needed) - base_event])
        added = whole.domain.event_dim - base_event
        self.base_dist = Independent(base_distribution, added) if added > 0 else base_distribution
        event = max(whole.codomain.event_dim, base_event + whole.codomain.event_dim - whole.domain.event_dim)
        cut = len(forward) - event
        super().__init__(forward[:cut], forward[cut:], validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        """The same distribution with another batch shape."""
        new = type(self).__new__(type(self)) if _instance is None else _instance
        shape = Size((*batch_shape, *self._event_shape))
        for transform in reversed(self.transforms):
            shape = transform.inverse_shape(shape)
        new.base_dist = self.base_dist.expand(shape[: len(shape) - len(self.base_dist.event_shape)])
        new.transforms = self.transforms
        Distribution.__init__(new, Size(batch_shape), self._event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    @constraints.dependent_property(is_discrete=False)
    def support(self):
        """Where the last transform leads."""
        if not self.transforms:
            return self.base_dist.support
        inner = self.transforms[-1].codomain
        more = len(self._event_shape) - inner.event_dim
        return constraints.independent(inner, more) if more > 0 else inner

    @property
    def has_rsample(self):  # type: ignore[override]
        """As of the base."""
        return self.base_dist.has_rsample

    def _forward(self, x):
        for transform in self.transforms:
            x = transform(x)
        return x

    def sample(self, sample_shape=()):
        """The transforms of samples of the base, without history."""
        with no_grad():
            return self._forward(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape=()):
        """The transforms of samples of the base."""
        return self._forward(self.base_dist.rsample(sample_shape))

    def log_prob(self, value):
        """That of the base, less log |dy/dx| of each transform."""
        total: Any = 0.0
        y, event_dim = self._checked(value), len(self._event_shape)
        for transform in reversed(self.transforms):
            x = transform.inv(y)
            event_dim += transform.domain.event_dim - transform.codomain.event_dim
            slope = transform.log_abs_det_jacobian(x, y)
            total, y = total - sum_rightmost(slope, event_dim - transform.domain.event_dim), x
        return total + sum_rightmost(self.base_dist.log_prob(y), event_dim - len(self.base_dist.event_shape))

    def _of_rising(self, probability):
        """A probability seen through the transforms: falling ones turn it around."""
        sign = ComposeTransform(self.transforms).sign
        return probability if isinstance(sign, int) and sign == 1 else sign * (probability - 0.5) + 0.5

    def cdf(self, value):
        """That of the base, at the number that the value was made of."""
        for transform in reversed(self.transforms):
            value = transform.inv(value)
        return self._of_rising(self.base_dist.cdf(value))

    def icdf(self, value):
        """The transform of the base's quantile."""
        return self._forward(self.base_dist.icdf(self._of_rising(value)))
