"""Numbers near the corners of a cube or a simplex, which stand for choices so that gradients flow through them."""

from __future__ import annotations

from .transformed_distribution import TransformedDistribution


class Relaxed(TransformedDistribution):
    """Base of the relaxed distributions: the parameters are those of the distribution before it is transformed."""

    @property
    def temperature(self):
        """How far from the corners."""
        return self.base_dist.temperature

    @property
    def probs(self):
        """The probabilities of the corners."""
        return self.base_dist.probs

    @property
    def logits(self):
        """Their log-odds, or their logarithms."""
        return self.base_dist.logits
