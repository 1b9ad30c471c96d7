"""Functions of random numbers with their inverses and slopes, for densities of what they make: each by its name."""

from __future__ import annotations

import math

import numpy as np

from ..core.size import Size
from ..core.tensor import Tensor
from ..linalg import cholesky
from ..names import facade
from ..ops.making.creation import arange
from ..ops.nn.nonlinearities import softplus
from ..ops.shapes.forms import broadcast_shapes
from ..ops.shapes.joining import cat
from . import constraints
from .composition import (  # noqa: F401  # PyTorch has all transforms here
    ComposeTransform,
    IndependentTransform,
    ReshapeTransform,
    Transform,
    identity_transform,
    of_events,
)
from .utils import broadcast_all, sum_rightmost, tiny_of

__all__ = [
    *("AbsTransform", "AffineTransform", "ComposeTransform", "ExpTransform", "IndependentTransform"),
    *("LowerCholeskyTransform", "PositiveDefiniteTransform", "PowerTransform"),
    *("ReshapeTransform", "SigmoidTransform", "SoftmaxTransform", "SoftplusTransform", "StickBreakingTransform"),
    *("TanhTransform", "Transform", "identity_transform"),
]
__getattr__, __dir__ = facade(__name__, __all__)


class ExpTransform(Transform):
    """exp(x).

    >>> import autograd_core as ac
    >>> ac.distributions.ExpTransform()(ac.tensor([0.0, 1.0]))
    tensor([1.0000, 2.7183])
    """

    domain, codomain, bijective, sign = constraints.real, constraints.positive, True, +1

    def _call(self, x):
        return x.exp()

    def _inverse(self, y):
        return y.log()

    def log_abs_det_jacobian(self, x, y):
        """x."""
        return x


class PowerTransform(Transform):
    """x to the power `exponent`, for positive x.

    >>> import autograd_core as ac
    >>> t = ac.distributions.PowerTransform(ac.tensor(2.0))
    >>> t(ac.tensor(3.0)), t.inv(ac.tensor(9.0))
    (tensor(9.), tensor(3.))
    """

    domain, codomain, bijective = constraints.positive, constraints.positive, True

    def __init__(self, exponent, cache_size: int = 0):
        super().__init__(cache_size)
        (self.exponent,) = broadcast_all(exponent)

    @property
    def sign(self):
        """That of the exponent."""
        return self.exponent.sign()

    def _same(self, other):
        return bool((self.exponent == other.exponent).all())

    def _call(self, x):
        return x**self.exponent

    def _inverse(self, y):
        return y ** (1 / self.exponent)

    def log_abs_det_jacobian(self, x, y):
        """log |exponent · y / x|."""
        return (self.exponent * y / x).abs().log()

    def forward_shape(self, shape):
        """Broadcast with the exponent."""
        return Size(broadcast_shapes(shape, self.exponent.shape))

    inverse_shape = forward_shape


class SigmoidTransform(Transform):
    """1 / (1 + exp(-x)), kept inside of (0, 1).

    >>> import autograd_core as ac
    >>> t = ac.distributions.SigmoidTransform()
    >>> t(ac.tensor(0.0)), t.inv(ac.tensor(0.5))
    (tensor(0.5000), tensor(0.))
    """

    domain, codomain, bijective, sign = constraints.real, constraints.unit_interval, True, +1

    def _call(self, x):
        return _inside(x.sigmoid())

    def _inverse(self, y):
        y = _inside(y)
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x, y):
        """-log(1 + exp(-x)) - log(1 + exp(x))."""
        return -softplus(-x) - softplus(x)


def _inside(p):
    return p.clamp(tiny_of(p), 1 - float(np.finfo(p.dtype.numpy).eps))


class SoftplusTransform(Transform):
    """log(1 + exp(x)).

    >>> import autograd_core as ac
    >>> ac.distributions.SoftplusTransform()(ac.tensor(0.0))
    tensor(0.6931)
    """

    domain, codomain, bijective, sign = constraints.real, constraints.positive, True, +1

    def _call(self, x):
        return softplus(x)

    def _inverse(self, y):
        return (-(-y).expm1()).log() + y

    def log_abs_det_jacobian(self, x, y):
        """-log(1 + exp(-x))."""
        return -softplus(-x)


class TanhTransform(Transform):
    """tanh(x). Its inverse is exact in the cache only: near ±1 a float has lost where it came from.

    >>> import autograd_core as ac
    >>> ac.distributions.TanhTransform()(ac.tensor(0.0))
    tensor(0.)
    """

    domain, codomain, bijective, sign = constraints.real, constraints.interval(-1.0, 1.0), True, +1

    def _call(self, x):
        return x.tanh()

    def _inverse(self, y):
        return y.atanh()

    def log_abs_det_jacobian(self, x, y):
        """2 (log 2 - x - log(1 + exp(-2x)))."""
        return 2 * (math.log(2) - x - softplus(-2 * x))


class AbsTransform(Transform):
    """|x|, which takes two numbers to one: the inverse is the positive one.

    >>> import autograd_core as ac
    >>> t = ac.distributions.AbsTransform()
    >>> t(ac.tensor(-2.0)), t.inv(ac.tensor(2.0))
    (tensor(2.), tensor(2.))
    """

    domain, codomain = constraints.real, constraints.positive

    def _call(self, x):
        return x.abs()

    def _inverse(self, y):
        return y


class AffineTransform(Transform):
    """loc + scale · x, for events of `event_dim` axes.

    >>> import autograd_core as ac
    >>> ac.distributions.AffineTransform(1.0, 2.0).inv(ac.tensor(5.0))
    tensor(2.)
    """

    bijective = True

    def __init__(self, loc, scale, event_dim: int = 0, cache_size: int = 0):
        super().__init__(cache_size)
        self.loc, self.scale, self._event_dim = loc, scale, event_dim

    @property
    def event_dim(self):
        """How many axes make one event."""
        return self._event_dim

    @property
    def domain(self):  # type: ignore[override]
        """All numbers."""
        return of_events(constraints.real, self._event_dim)

    codomain = domain

    @property
    def sign(self):
        """That of the scale."""
        if isinstance(self.scale, Tensor):
            return self.scale.sign()
        return (self.scale > 0) - (self.scale < 0)

    def _same(self, other):
        pairs = (self.loc, other.loc), (self.scale, other.scale)
        return all(bool((a == b).all()) if isinstance(a == b, Tensor) else a == b for a, b in pairs)

    def _call(self, x):
        return self.loc + self.scale * x

    def _inverse(self, y):
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x, y):
        """log |scale|, added over an event."""
        scale = self.scale if isinstance(self.scale, Tensor) else x.new_full((), float(self.scale))
        slope = scale.abs().log().expand(broadcast_shapes(x.shape, scale.shape))
        return sum_rightmost(slope, self._event_dim)

    def forward_shape(self, shape):
        """Broadcast with loc and scale."""
        return Size(broadcast_shapes(shape, *[p.shape for p in (self.loc, self.scale) if isinstance(p, Tensor)]))

    inverse_shape = forward_shape


class SoftmaxTransform(Transform):
    """exp(x) over its sum along the last axis: no bijection, and no density.

    >>> import autograd_core as ac
    >>> ac.distributions.SoftmaxTransform()(ac.tensor([0.0, 0.0]))
    tensor([0.5000, 0.5000])
    """

    domain, codomain = constraints.real_vector, constraints.simplex

    def _call(self, x):
        return x.softmax(-1)

    def _inverse(self, y):
        return y.log()


class StickBreakingTransform(Transform):
    """k numbers to k + 1 proportions: each breaks its part off what is left of a stick of length 1.

    >>> import autograd_core as ac
    >>> ac.distributions.StickBreakingTransform()(ac.zeros(2))
    tensor([0.3333, 0.3333, 0.3333])
    """

    domain, codomain, bijective = constraints.real_vector, constraints.simplex, True

    def _shift(self, x):
        return (x.shape[-1] - arange(x.shape[-1], dtype=x.dtype)).log()

    def _call(self, x):
        part = _inside((x - self._shift(x)).sigmoid())
        left, one = (1 - part).cumprod(-1), x.new_ones((*x.shape[:-1], 1))
        return cat([part, one], -1) * cat([one, left], -1)

    def _inverse(self, y):
        left = (1 - y[..., :-1].cumsum(-1)).clamp(tiny_of(y))
        return y[..., :-1].log() - left.log() + self._shift(y[..., :-1])

    def log_abs_det_jacobian(self, x, y):
        """Σ log y - z - log(1 + exp(-z)), z being the log-odds of each break."""
        z = x - self._shift(x)
        return (y[..., :-1].log() - z - softplus(-z)).sum(-1)

    def forward_shape(self, shape):
        """One number more. ValueError for a number without an axis."""
        return self._with(shape, 1)

    def inverse_shape(self, shape):
        """One number less. ValueError for a number without an axis."""
        return self._with(shape, -1)

    def _with(self, shape, change: int) -> Size:
        if not shape:
            raise ValueError("Too few dimensions on input: an event is a vector")
        return Size((*shape[:-1], shape[-1] + change))


class LowerCholeskyTransform(Transform):
    """Square matrices to lower triangular ones with exp of the diagonal: factors of positive definite ones.

    >>> import autograd_core as ac
    >>> ac.distributions.LowerCholeskyTransform()(ac.zeros(2, 2))
    tensor([[1., 0.],
            [0., 1.]])
    """

    domain, codomain = constraints.independent(constraints.real, 2), constraints.lower_cholesky

    def _call(self, x):
        return x.tril(-1) + x.diagonal(dim1=-2, dim2=-1).exp().diag_embed()

    def _inverse(self, y):
        return y.tril(-1) + y.diagonal(dim1=-2, dim2=-1).log().diag_embed()


class PositiveDefiniteTransform(Transform):
    """Square matrices to positive definite ones, L Lᵀ with the L of `LowerCholeskyTransform`.

    >>> import autograd_core as ac
    >>> ac.distributions.PositiveDefiniteTransform()(ac.zeros(2, 2))
    tensor([[1., 0.],
            [0., 1.]])
    """

    domain, codomain = constraints.independent(constraints.real, 2), constraints.positive_definite

    def _call(self, x):
        factor = LowerCholeskyTransform()(x)
        return factor @ factor.mT

    def _inverse(self, y):
        return LowerCholeskyTransform().inv(cholesky(y))
