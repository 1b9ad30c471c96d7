"""Norms of matrices, and PyTorch's older `norm`, which knows those of vectors too."""

from __future__ import annotations

import math

from ..reductions.reduction import amax, amin, check_floating, sum, vector_norm, widened
from ..shapes.shape import axes_of, movedim, squeeze, unsqueeze
from .factorizations import svdvals
from .matrix_checks import check_axes

__all__ = ["norm"]
METHODS = __all__


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None):
    """The norm of the matrix in two axes `dim`, for each position in the others.

    "fro": 2-norm of the elements. 1 and -1: largest and smallest sum of absolute values of a column; inf and -inf: of a
    row. "nuc": sum of the singular values; 2 and -2: the largest and the smallest. RuntimeError for another `ord`, for
    less than two axes, for integers, and for a `dtype` that is narrower than that of A. Gradients: those of sums and
    absolute values, evenly shared where extremes are equal, and of `linalg.svdvals`.

    >>> import autograd_core as ac
    >>> A = ac.tensor([[3.0, -4.0], [0.0, 0.0]])
    >>> ac.linalg.matrix_norm(A), ac.linalg.matrix_norm(A, "nuc"), ac.linalg.matrix_norm(A, float("inf"))
    (tensor(5.), tensor(5.), tensor(7.))
    """
    check_axes("linalg.matrix_norm", A)
    if isinstance(dim, int) or len(dim) != 2:
        raise RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {dim}")
    axes = axes_of(dim, A.ndim)
    if ord not in ("fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf):
        raise RuntimeError(
            f"linalg.matrix_norm: Order {ord} not supported; use 'fro', 'nuc', 1, -1, 2, -2, inf or -inf"
        )
    check_floating("linalg.matrix_norm", A.dtype.numpy)
    A = widened("linalg.matrix_norm", A, dtype)
    if ord == "fro":
        return vector_norm(A, 2, axes, keepdim)
    if ord in ("nuc", 2, -2):
        return _spectral(A, ord, axes, keepdim)
    summed, compared = axes if abs(ord) == 1 else axes[::-1]
    return _without(_extreme(sum(abs(A), summed, True), ord, compared), axes, keepdim)


def _spectral(A, ord, axes, keepdim: bool):
    values = svdvals(movedim(A, axes, (-2, -1)))
    out = sum(values, -1, True) if ord == "nuc" else _extreme(values, ord, -1)
    if not keepdim:
        return squeeze(out, -1)
    first, second = sorted(axes)
    return unsqueeze(unsqueeze(squeeze(out, -1), first), second)


def _extreme(sizes, ord, dim: int):
    """The largest for a positive `ord`, which is 0 for nothing, else the smallest; the axis stays, with length 1."""
    if ord < 0:
        return amin(sizes, dim, True)
    return amax(sizes, dim, True) if sizes.shape[dim] else sum(sizes, dim, True)


def _without(out, axes, keepdim: bool):
    return out if keepdim else squeeze(out, axes)


def norm(input, p="fro", dim=None, keepdim=False, dtype=None):
    """The p-norm of all elements, or over the axes `dim`, taken as one vector: `linalg.vector_norm`.

    p="fro" and None mean 2. For "nuc" it is the sum of the singular values of the matrix in the axes `dim`, by default
    the last two: `linalg.matrix_norm`, which has the other matrix norms. RuntimeError for any other word.

    >>> import autograd_core as ac
    >>> ac.norm(ac.tensor([[3.0], [4.0]])), ac.norm(ac.tensor([3.0, -4.0]), p=ac.inf)
    (tensor(5.), tensor(4.))
    """
    if isinstance(p, str) and p != "fro":
        if p != "nuc":
            raise RuntimeError(f'norm(): Order {p} is not supported; p may be "fro", "nuc" or a number')
        return matrix_norm(input, p, (-2, -1) if dim is None else dim, keepdim, dtype=dtype)
    return vector_norm(input, 2 if p in (None, "fro") else p, dim, keepdim, dtype=dtype)
