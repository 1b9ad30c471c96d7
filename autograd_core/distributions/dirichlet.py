"""Several numbers that add up to 1."""

from __future__ import annotations

from ..ops.elementwise.piecewise import where
from ..ops.making.creation import zeros_like
from ..ops.special.entropies import xlogy
from . import constraints, draws
from .distribution import ExponentialFamily


class Dirichlet(ExponentialFamily):
    """Proportions, which add up to 1 along the last axis: Π value^(concentration - 1) over a constant.

    A sample is gamma numbers divided by their sum, and gradients flow through these. PyTorch takes other
    gradients, with the same mean.

    >>> import autograd_core as ac
    >>> ac.distributions.Dirichlet(ac.tensor([1.0, 3.0])).mean
    tensor([0.2500, 0.7500])
    """

    arg_constraints = {"concentration": constraints.independent(constraints.positive, 1)}
    support = constraints.simplex
    has_rsample = True

    def __init__(self, concentration, validate_args=None):
        if concentration.dim() < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:], validate_args=validate_args)

    @property
    def mean(self):
        """concentration / Σ concentration."""
        return self.concentration / self.concentration.sum(-1, keepdim=True)

    @property
    def mode(self):
        """(concentration - 1) over its sum; where all concentrations are below 1 the first corner."""
        above = (self.concentration - 1).clamp(0)
        inside = above / above.sum(-1, keepdim=True)
        corner = zeros_like(self.concentration)
        corner[..., 0] = 1
        return where((self.concentration < 1).all(-1, keepdim=True), corner, inside)

    @property
    def variance(self):
        """m (1 - m) / (Σ concentration + 1) with the mean m."""
        return self.mean * (1 - self.mean) / (self.concentration.sum(-1, keepdim=True) + 1)

    def rsample(self, sample_shape=()):
        """Gamma numbers divided by their sum."""
        drawn = draws.gamma(self.concentration.expand(self._extended_shape(sample_shape)))
        return drawn / drawn.sum(-1, keepdim=True)

    def log_prob(self, value):
        """Σ (concentration - 1) log value + log Γ(Σ concentration) - Σ log Γ(concentration)."""
        a = self.concentration
        return xlogy(a - 1, self._checked(value)).sum(-1) + a.sum(-1).lgamma() - a.lgamma().sum(-1)

    def entropy(self):
        """log B(a) + (Σa - k) ψ(Σa) - Σ (a - 1) ψ(a)."""
        a, total = self.concentration, self.concentration.sum(-1)
        beta = a.lgamma().sum(-1) - total.lgamma()
        return beta + (total - a.shape[-1]) * total.digamma() - ((a - 1) * a.digamma()).sum(-1)
