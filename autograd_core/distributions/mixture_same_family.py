"""A mixture of distributions of one kind."""

from __future__ import annotations

from ..core.modes import no_grad
from . import constraints
from .categorical import Categorical
from .distribution import Distribution


class MixtureSameFamily(Distribution):
    """One of the distributions along the last axis of the batch of `component_distribution`, by `mixture_distribution`.

    ValueError for a mixture that is no Categorical, and for shapes that do not fit.

    >>> import autograd_core as ac
    >>> d = ac.distributions
    >>> mixed = d.MixtureSameFamily(d.Categorical(ac.ones(2)), d.Normal(ac.tensor([-1.0, 3.0]), 1.0))
    >>> mixed.mean
    tensor(1.)
    """

    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError(
                " The Mixture distribution needs to be an  instance of torch.distributions.Categorical, not "
                f"{type(mixture_distribution).__name__}"
            )
        if not isinstance(component_distribution, Distribution):
            raise ValueError(
                "The Component distribution needs to be an instance of torch.distributions.Distribution, not "
                f"{type(component_distribution).__name__}"
            )
        weights, batch = mixture_distribution.batch_shape, component_distribution.batch_shape
        if any(1 != i != j != 1 for i, j in zip(reversed(weights), reversed(batch[:-1]))):
            raise ValueError(
                f"`mixture_distribution.batch_shape` ({weights}) is not compatible with "
                f"`component_distribution.batch_shape`({batch[:-1]})"
            )
        if mixture_distribution.param_shape[-1] != batch[-1]:
            raise ValueError(
                f"`mixture_distribution component` ({mixture_distribution.param_shape[-1]}) does not equal "
                f"`component_distribution.batch_shape[-1]` ({batch[-1]})"
            )
        self.mixture_distribution, self.component_distribution = mixture_distribution, component_distribution
        super().__init__(batch[:-1], component_distribution.event_shape, validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        """The same mixture with another batch shape."""
        new = super().expand(batch_shape, _instance)
        new.mixture_distribution = self.mixture_distribution.expand(batch_shape)
        new.component_distribution = self.component_distribution.expand(
            (*batch_shape, self.component_distribution.batch_shape[-1])
        )
        return new

    @property
    def _axis(self) -> int:
        """The axis of the components, from the right."""
        return -1 - len(self._event_shape)

    @constraints.dependent_property
    def support(self):
        """That of the components."""
        return constraints.MixtureSameFamilyConstraint(self.component_distribution.support)

    def _mixed(self, of_components):
        """The mean over the components."""
        probs = self.mixture_distribution.probs
        probs = probs.reshape((*probs.shape, *[1] * len(self._event_shape)))
        return (probs * of_components).sum(self._axis)

    @property
    def mean(self):
        """The mean of the means."""
        return self._mixed(self.component_distribution.mean)

    @property
    def variance(self):
        """The mean of the variances, and the variance of the means."""
        away = self.component_distribution.mean - self.mean.unsqueeze(self._axis)
        return self._mixed(self.component_distribution.variance + away**2)

    def cdf(self, x):
        """The mean of the components'."""
        return (self.component_distribution.cdf(x.unsqueeze(self._axis)) * self.mixture_distribution.probs).sum(-1)

    def log_prob(self, x):
        """The logarithm of the mean of the densities."""
        of_components = self.component_distribution.log_prob(self._checked(x).unsqueeze(self._axis))
        return (of_components + self.mixture_distribution.logits.log_softmax(-1)).logsumexp(-1)

    def sample(self, sample_shape=()):
        """Values of components drawn at random, without history."""
        with no_grad():
            drawn = self.component_distribution.sample(sample_shape)
            which = self.mixture_distribution.expand(self._batch_shape).sample(sample_shape)
            axis = which.dim()
            which = which.reshape((*which.shape, 1, *[1] * len(self._event_shape)))
            which = which.expand((*which.shape[: axis + 1], *self._event_shape))
            return drawn.gather(axis, which).squeeze(axis)

    def __repr__(self):
        return f"MixtureSameFamily(\n  {self.mixture_distribution},\n  {self.component_distribution})"
