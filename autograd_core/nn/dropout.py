"""Dropout as modules: at work while training, and the identity after `eval()`."""

from __future__ import annotations

from ..core.tensor import Tensor
from . import functional as F
from .module import Module


class _DropoutNd(Module):
    def __init__(self, p: float = 0.5, inplace: bool = False):
        super().__init__()
        if not 0.0 <= p <= 1.0:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p, self.inplace = p, inplace

    def extra_repr(self) -> str:
        """The probability, and whether it works in place."""
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_DropoutNd):
    """Zero each element with probability `p`, and divide the others by 1 - p.

    >>> import autograd_core as ac
    >>> ac.nn.Dropout(0.9).eval()(ac.ones(2)), ac.nn.Dropout(1.0)(ac.ones(2))
    (tensor([1., 1.]), tensor([0., 0.]))
    """

    def forward(self, input: Tensor) -> Tensor:
        """`functional.dropout`, if training."""
        return F.dropout(input, self.p, self.training, self.inplace)


class Dropout1d(_DropoutNd):
    """`Dropout` of whole channels of (N, C, L) or (C, L).

    >>> import autograd_core as ac
    >>> ac.nn.Dropout1d(1.0)(ac.ones(1, 2))
    tensor([[0., 0.]])
    """

    def forward(self, input: Tensor) -> Tensor:
        """`functional.dropout1d`, if training."""
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(_DropoutNd):
    """`Dropout` of whole channels of (N, C, H, W).

    >>> import autograd_core as ac
    >>> ac.nn.Dropout2d(1.0)(ac.ones(1, 1, 1, 2)).flatten()
    tensor([0., 0.])
    """

    def forward(self, input: Tensor) -> Tensor:
        """`functional.dropout2d`, if training."""
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(_DropoutNd):
    """`Dropout` of whole channels of (N, C, D, H, W) or (C, D, H, W).

    >>> import autograd_core as ac
    >>> ac.nn.Dropout3d(1.0)(ac.ones(1, 1, 1, 2)).flatten()
    tensor([0., 0.])
    """

    def forward(self, input: Tensor) -> Tensor:
        """`functional.dropout3d`, if training."""
        return F.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(_DropoutNd):
    """Dropout for SELU networks: it keeps mean and variance.

    >>> import autograd_core as ac
    >>> ac.nn.AlphaDropout(0.9).eval()(ac.ones(2))
    tensor([1., 1.])
    """

    def forward(self, input: Tensor) -> Tensor:
        """`functional.alpha_dropout`, if training."""
        return F.alpha_dropout(input, self.p, self.training, self.inplace)


class FeatureAlphaDropout(_DropoutNd):
    """`AlphaDropout` of whole channels, axis 1.

    >>> import autograd_core as ac
    >>> ac.nn.FeatureAlphaDropout(0.9).eval()(ac.ones(1, 2))
    tensor([[1., 1.]])
    """

    def forward(self, input: Tensor) -> Tensor:
        """`functional.feature_alpha_dropout`, if training."""
        return F.feature_alpha_dropout(input, self.p, self.training, self.inplace)
