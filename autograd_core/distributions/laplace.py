"""The Laplace distribution."""

from __future__ import annotations

from .location_scale import LocationScale


class Laplace(LocationScale):
    """exp(-|value - loc| / scale) / (2 scale).

    >>> import autograd_core as ac
    >>> ac.distributions.Laplace(0.0, 1.0).log_prob(ac.tensor(2.0))
    tensor(-2.6931)
    """

    @property
    def variance(self):
        """2 scale²."""
        return 2 * self.scale**2

    def log_prob(self, value):
        """-|value - loc| / scale - log(2 scale)."""
        return -self._standard(value).abs() - (2 * self.scale).log()

    def cdf(self, value):
        """exp(z) / 2 below loc, 1 - exp(-z) / 2 above."""
        z = self._standard(value)
        return 0.5 - 0.5 * z.sign() * (-z.abs()).expm1()

    def icdf(self, value):
        """loc ± scale · log(1 - 2 |value - 1/2|)."""
        term = value - 0.5
        return self.loc - self.scale * term.sign() * (-2 * term.abs()).log1p()

    def entropy(self):
        """1 + log(2 scale)."""
        return 1 + (2 * self.scale).log()
