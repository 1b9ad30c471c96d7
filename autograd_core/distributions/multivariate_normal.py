"""The normal distribution of vectors."""

from __future__ import annotations

from ..linalg import cholesky, solve_triangular
from ..ops.linear_algebra.triangular import cholesky_inverse
from ..ops.making.creation import eye
from ..ops.making.random_values import randn
from ..ops.shapes.forms import broadcast_shapes
from . import constraints
from .distribution import Distribution
from .utils import lazy_property, log_two_pi

MATRICES = ("covariance_matrix", "precision_matrix", "scale_tril")


class MultivariateNormal(Distribution):
    """Vectors with the mean `loc` and one of: the covariance, its inverse, or its Cholesky factor `scale_tril`.

    ValueError unless exactly one of the three is given, and for a loc or a matrix with too few axes.

    >>> import autograd_core as ac
    >>> ac.distributions.MultivariateNormal(ac.zeros(2), ac.eye(2)).log_prob(ac.zeros(2))
    tensor(-1.8379)
    """

    arg_constraints = {
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }
    support = constraints.real_vector
    has_rsample = True

    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        given = [m for m in zip(MATRICES, (covariance_matrix, precision_matrix, scale_tril)) if m[1] is not None]
        if len(given) != 1:
            raise ValueError(
                "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified, but got "
                f"{[name for name, _ in given]}."
            )
        ((name, matrix),) = given
        if matrix.dim() < 2:
            raise ValueError(f"{name} must be at least two-dimensional, with optional leading batch dimensions")
        batch = tuple(broadcast_shapes(matrix.shape[:-2], loc.shape[:-1]))
        self.loc = loc.expand((*batch, -1))
        setattr(self, name, matrix.expand((*batch, -1, -1)))
        super().__init__(batch, self.loc.shape[-1:], validate_args=validate_args)

    @lazy_property
    def scale_tril(self):
        """The Cholesky factor L of the covariance."""
        if "covariance_matrix" in vars(self):
            return cholesky(self.covariance_matrix)
        flipped = cholesky(self.precision_matrix.flip(-2, -1))
        factor = flipped.flip(-2, -1).mT
        return solve_triangular(factor, eye(factor.shape[-1], dtype=factor.dtype), upper=False)

    @lazy_property
    def covariance_matrix(self):
        """L Lᵀ."""
        return self.scale_tril @ self.scale_tril.mT

    @lazy_property
    def precision_matrix(self):
        """The inverse of the covariance."""
        return cholesky_inverse(self.scale_tril)

    @property
    def mean(self):
        """loc."""
        return self.loc

    @property
    def mode(self):
        """loc."""
        return self.loc

    @property
    def variance(self):
        """The diagonal of the covariance."""
        return (self.scale_tril**2).sum(-1)

    @property
    def _half_log_det(self):
        return self.scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def _distance(self, difference):
        """dᵀ Σ⁻¹ d."""
        shape = (*broadcast_shapes(self.scale_tril.shape[:-2], difference.shape[:-1]), *self.scale_tril.shape[-2:])
        solved = solve_triangular(self.scale_tril.expand(tuple(shape)), difference.unsqueeze(-1), upper=False)
        return (solved**2).sum((-2, -1))

    def rsample(self, sample_shape=()):
        """loc + L · a vector of standard normal numbers."""
        drawn = randn(self._extended_shape(sample_shape), dtype=self.loc.dtype)
        return self.loc + (self.scale_tril @ drawn.unsqueeze(-1)).squeeze(-1)

    def log_prob(self, value):
        """-(k log 2π + (value - loc)ᵀ Σ⁻¹ (value - loc)) / 2 - log |L|."""
        distance = self._distance(self._checked(value) - self.loc)
        return -0.5 * (self._event_shape[0] * log_two_pi + distance) - self._half_log_det

    def entropy(self):
        """k (1 + log 2π) / 2 + log |L|."""
        return 0.5 * self._event_shape[0] * (1 + log_two_pi) + self._half_log_det
