"""Parametrizations that are in use: weights with a norm apart, with a bounded largest singular value, orthogonal."""

from __future__ import annotations

import numpy as np

from ...core.modes import no_grad
from ...core.tensor import Tensor
from ...linalg import householder_product, matrix_exp, solve
from ...ops.elementwise.comparison import allclose
from ...ops.linear_algebra.factorizations import geqrf
from ...ops.linear_algebra.matmul import dot, mv
from ...ops.making.creation import empty, eye, zeros, zeros_like
from ...ops.shapes.joining import cat
from .. import functional as F
from ..module import Module
from .parametrize import register_parametrization
from .spectral_norm import as_matrix, check_iterations, direction, output_axis
from .weight_norm import norm_except_dim, scaled

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]


def _tensor_named(module: Module, name: str) -> Tensor:
    tensor = getattr(module, name, None)
    if not isinstance(tensor, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    return tensor


# -- a direction and a length


class _WeightNorm(Module):
    def __init__(self, dim: int | None = 0):
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Tensor, weight_v: Tensor) -> Tensor:
        """The weight."""
        return scaled(weight_v, weight_g, self.dim)

    def right_inverse(self, weight: Tensor) -> tuple[Tensor, Tensor]:
        """The lengths and the directions of a weight."""
        return norm_except_dim(weight, self.dim), weight


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Let a weight be v g / |v|, a direction and a length, which are trained apart. Returns the module.

    There is a length for each place along `dim`, or with None one. In `parametrizations.weight` they are `original0`
    and `original1`; a state with `weight_g` and `weight_v`, the older names, loads too.
    Source: Salimans and Kingma, Weight Normalization, 2016.

    >>> import autograd_core as ac
    >>> layer = ac.nn.utils.parametrizations.weight_norm(ac.nn.Linear(2, 3))
    >>> layer.parametrizations.weight.original0.shape
    Size([3, 1])
    """
    register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def rename(state_dict, prefix: str, *_rest) -> None:
        old = [f"{prefix}{name}_{part}" for part in ("g", "v")]
        if all(key in state_dict for key in old):
            for number, key in enumerate(old):
                state_dict[f"{prefix}parametrizations.{name}.original{number}"] = state_dict.pop(key)

    module._register_load_state_dict_pre_hook(rename)
    return module


# -- a bounded largest singular value


class _SpectralNorm(Module):
    _u: Tensor
    _v: Tensor

    def __init__(self, weight: Tensor, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12):
        super().__init__()
        ndim = weight.ndim
        if not -ndim <= dim < ndim:
            raise IndexError(f"Dimension out of range (expected to be in range of [-{ndim}, {ndim - 1}] but got {dim})")
        check_iterations(n_power_iterations)
        self.dim, self.eps, self.n_power_iterations = dim % ndim, eps, n_power_iterations
        if ndim > 1:
            matrix = as_matrix(weight.detach(), self.dim)
            self.register_buffer("_u", direction(matrix.shape[0], weight, eps))
            self.register_buffer("_v", direction(matrix.shape[1], weight, eps))
            self._power_method(matrix, 15)

    def _power_method(self, matrix: Tensor, times: int) -> None:
        with no_grad():
            for _ in range(times):
                self._u.copy_(F.normalize(mv(matrix, self._v), dim=0, eps=self.eps))
                self._v.copy_(F.normalize(mv(matrix.T, self._u), dim=0, eps=self.eps))

    def forward(self, weight: Tensor) -> Tensor:
        """The weight over its largest singular value, as far as it is known."""
        if weight.ndim == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = as_matrix(weight, self.dim)
        if self.training:
            self._power_method(matrix, self.n_power_iterations)
        return weight / dot(self._u.clone(), mv(matrix, self._v.clone()))  # the next call overwrites them

    def right_inverse(self, value: Tensor) -> Tensor:
        """The value: it may be normalized already."""
        return value


def spectral_norm(
    module: Module,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Module:
    """Let a weight be divided by its largest singular value, as a matrix whose rows are along `dim`.

    Returns the module. The singular value is estimated by the power method, `n_power_iterations` at each use while
    training.
    Source: Miyato et al., Spectral Normalization for Generative Adversarial Networks, 2018.

    >>> import autograd_core as ac
    >>> layer = ac.nn.utils.parametrizations.spectral_norm(ac.nn.Linear(2, 2, bias=False))
    >>> for _ in range(20): _ = layer(ac.ones(1, 2))
    >>> abs(ac.linalg.matrix_norm(layer.weight, 2).item() - 1) < 1e-3
    True
    """
    weight = _tensor_named(module, name)
    made = _SpectralNorm(weight, n_power_iterations, output_axis(module) if dim is None else dim, eps)
    return register_parametrization(module, name, made)


# -- orthonormal columns, or rows where there are fewer

MAPS = ("matrix_exp", "cayley", "householder")


def _is_orthogonal(q: Tensor) -> bool:
    n, k = q.shape[-2:]
    return allclose(q.mT @ q, eye(k, dtype=q.dtype), atol=10.0 * n * float(np.finfo(q.dtype.numpy).eps))


def _orthogonalized(a: Tensor) -> Tensor:
    reflections, tau = geqrf(a)
    return householder_product(reflections, tau) * reflections.diagonal(dim1=-2, dim2=-1).sign().unsqueeze(-2)


class _Orthogonal(Module):
    """Q from any matrix, times `base`, which remembers where it was set to."""

    def __init__(self, weight: Tensor, orthogonal_map: str, *, use_trivialization: bool = True):
        super().__init__()
        self.shape, self.orthogonal_map = weight.shape, orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, x: Tensor) -> Tensor:
        """The orthogonal matrix."""
        wide = x.shape[-2] < x.shape[-1]
        x = x.mT if wide else x
        q = self._by_reflections(x) if self.orthogonal_map == "householder" else self._by_a_skew_matrix(x)
        if "base" in self._buffers:
            q = self.base @ q
        return q.mT if wide else q

    def _by_reflections(self, x: Tensor) -> Tensor:
        a = x.tril(-1)
        tau = 2.0 / (1.0 + (a * a).sum(-2))
        return householder_product(a, tau) * x.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)

    def _by_a_skew_matrix(self, x: Tensor) -> Tensor:
        n, k = x.shape[-2:]
        x = x.tril()
        if n != k:
            x = cat([x, zeros(*x.shape[:-1], n - k, dtype=x.dtype)], -1)
        a = x - x.mT
        if self.orthogonal_map == "matrix_exp":
            q = matrix_exp(a)
        else:
            one = eye(n, dtype=a.dtype)
            q = solve(one - a * 0.5, one + a * 0.5)
        return q[..., :k]

    def right_inverse(self, q: Tensor) -> Tensor:
        """What makes `q`, which is made orthogonal first where it is not."""
        if q.shape != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {list(self.shape)}. Got a tensor of shape "
                f"{list(q.shape)}."
            )
        with no_grad():
            wide = q.shape[-2] < q.shape[-1]
            tall = q.mT if wide else q
            if "base" in self._buffers:
                return self._rebased(q, tall)
            if self.orthogonal_map != "householder":
                raise NotImplementedError(
                    "It is not possible to assign to the matrix exponential or the Cayley parametrizations when "
                    "use_trivialization=False."
                )
            a, tau = geqrf(tall)
            signs = a.diagonal(dim1=-2, dim2=-1)
            signs.sign_()
            signs[tau == 0.0] *= -1
            return a.mT if wide else a

    def _rebased(self, q: Tensor, tall: Tensor) -> Tensor:
        n, k = tall.shape[-2:]
        if n != k:
            tall = _orthogonalized(cat([tall, empty(*tall.shape[:-1], n - k, dtype=q.dtype).normal_(0, 1)], -1))
        self.base = tall.clone() if _is_orthogonal(tall) else _orthogonalized(tall)
        origin = zeros_like(q)
        origin.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
        return origin


def orthogonal(
    module: Module, name: str = "weight", orthogonal_map: str | None = None, *, use_trivialization: bool = True
) -> Module:
    """Let a weight be a matrix with orthonormal columns, or rows where there are fewer. Returns the module.

    `orthogonal_map` makes it of any matrix: "matrix_exp" of a skew-symmetric one (if None, for a square weight),
    "cayley", or a product of reflections, "householder" (else). With `use_trivialization` a value that is assigned
    becomes the origin, which makes assignment possible for all three.
    Source: Lezcano-Casado, Trivializations for Gradient-Based Optimization on Manifolds, 2019.

    >>> import autograd_core as ac
    >>> layer = ac.nn.utils.parametrizations.orthogonal(ac.nn.Linear(3, 3))
    >>> ac.allclose(layer.weight @ layer.weight.T, ac.eye(3), atol=1e-5)
    True
    """
    weight = _tensor_named(module, name)
    if weight.ndim < 2:
        raise ValueError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions.")
    if orthogonal_map is None:
        orthogonal_map = "matrix_exp" if weight.shape[-2] == weight.shape[-1] else "householder"
    if orthogonal_map not in MAPS:
        raise ValueError(
            f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {orthogonal_map}'
        )
    made = _Orthogonal(weight, orthogonal_map, use_trivialization=use_trivialization)
    return register_parametrization(module, name, made, unsafe=True)
