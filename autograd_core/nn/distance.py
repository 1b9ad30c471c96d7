"""How far vectors are apart."""

from __future__ import annotations

from ..core.tensor import Tensor
from . import functional as F
from .module import Module


class CosineSimilarity(Module):
    """The cosine of the angle between vectors along `dim`, whose lengths count as at least `eps`.

    >>> import autograd_core as ac
    >>> ac.nn.CosineSimilarity(0)(ac.tensor([3.0, 4.0]), ac.tensor([1.0, 0.0]))
    tensor(0.6000)
    """

    def __init__(self, dim: int = 1, eps: float = 1e-8):
        super().__init__()
        self.dim, self.eps = dim, eps

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        """`functional.cosine_similarity`."""
        return F.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    """The `p`-norm of x₁ - x₂ + eps along the last axis.

    >>> import autograd_core as ac
    >>> ac.nn.PairwiseDistance()(ac.tensor([3.0, 4.0]), ac.zeros(2))
    tensor(5.0000)
    """

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False):
        super().__init__()
        self.norm, self.eps, self.keepdim = p, eps, keepdim

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        """`functional.pairwise_distance`."""
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)
