"""Distributions that a shift and a stretch make of one of their kind."""

from __future__ import annotations

from ..core.tensor import Tensor
from . import constraints
from .distribution import Distribution
from .draws import inside_unit


class LocationScale(Distribution):
    """Base: loc + scale · z with z of loc 0 and scale 1, drawn by its quantiles unless a subclass says otherwise."""

    loc: Tensor
    scale: Tensor
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        super().__init__(self._set(loc=loc, scale=scale), validate_args=validate_args)

    def _standard(self, value):
        return (self._checked(value) - self.loc) / self.scale

    @property
    def mean(self):
        """loc."""
        return self.loc

    @property
    def mode(self):
        """loc."""
        return self.loc

    def rsample(self, sample_shape=()):
        """The quantile of a uniform number."""
        return self.icdf(inside_unit(self._extended_shape(sample_shape), self.loc))
