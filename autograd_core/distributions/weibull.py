"""The Weibull distribution: a power of an exponential number."""

from __future__ import annotations

from ..core.tensor import Tensor
from . import constraints, draws
from .distribution import Distribution
from .utils import euler_constant


class Weibull(Distribution):
    """k/scale · z^(k-1) exp(-z^k) with z = value / scale and k = `concentration`.

    >>> import autograd_core as ac
    >>> ac.distributions.Weibull(1.0, 2.0).cdf(ac.tensor(1.0))
    tensor(0.6321)
    """

    scale: Tensor
    concentration: Tensor
    arg_constraints = {"scale": constraints.positive, "concentration": constraints.positive}
    support = constraints.positive
    has_rsample = True

    def __init__(self, scale, concentration, validate_args=None):
        super().__init__(self._set(scale=scale, concentration=concentration), validate_args=validate_args)

    def _moment(self, n: int):
        """The mean of (value / scale)^n: Γ(1 + n/k)."""
        return (1 + n / self.concentration).lgamma().exp()

    @property
    def mean(self):
        """scale · Γ(1 + 1/k)."""
        return self.scale * self._moment(1)

    @property
    def mode(self):
        """scale · (1 - 1/k)^(1/k)."""
        return self.scale * ((self.concentration - 1) / self.concentration) ** (1 / self.concentration)

    @property
    def variance(self):
        """scale² (Γ(1 + 2/k) - Γ(1 + 1/k)²)."""
        return self.scale**2 * (self._moment(2) - self._moment(1) ** 2)

    def rsample(self, sample_shape=()):
        """The quantile of a uniform number."""
        drawn = draws.inside_unit(self._extended_shape(sample_shape), self.scale)
        return self.scale * (-drawn.log()) ** (1 / self.concentration)

    def log_prob(self, value):
        """log k - log scale + (k - 1) log z - z^k."""
        z, k = self._checked(value) / self.scale, self.concentration
        return k.log() - self.scale.log() + (k - 1) * z.log() - z**k

    def cdf(self, value):
        """1 - exp(-z^k)."""
        return -(-((self._checked(value) / self.scale) ** self.concentration)).expm1()

    def icdf(self, value):
        """scale · (-log(1 - value))^(1/k)."""
        return self.scale * (-(-value).log1p()) ** (1 / self.concentration)

    def entropy(self):
        """γ (1 - 1/k) + log(scale / k) + 1, γ being Euler's constant."""
        return euler_constant * (1 - 1 / self.concentration) + (self.scale / self.concentration).log() + 1
