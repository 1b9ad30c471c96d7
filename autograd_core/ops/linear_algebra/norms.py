"""Norms: of vectors, with slices held to a length, and of matrices, and PyTorch's older `norm`, which knows both."""

from __future__ import annotations

import math

import numpy as np

from ...core.call import also_called, takes_numpy_names
from ...core.results import written_out
from ...core.silence import nameless
from ...core.table import general
from ..elementwise.piecewise import sign, where
from ..precision import add_up, carried_wide
from ..reductions.reduction import amax, amin, check_floating, count, divide_or_zero, kept, numpy_axis, share, sum
from ..shapes.shape import axes_of, axis_of, movedim, several, squeeze, unsqueeze
from .factorizations import svdvals
from .matrix_checks import check_axes

__all__ = ["norm", "renorm"]
METHODS = __all__
TAKE_OUT = ["renorm"]

inf = math.inf

# -- of vectors


@carried_wide
@nameless
def _vector_norm(x, ord=2, dim=None, keepdim=False):
    check_floating("linalg.vector_norm", x.dtype)
    axis = numpy_axis(dim, x.ndim)
    if ord == 2:
        return np.sqrt(add_up(x * x, axis, keepdim))
    if ord == 0:
        return np.add.reduce(x != 0, axis=axis, keepdims=keepdim, dtype=x.dtype)
    size = np.abs(x)
    if ord == 1:
        return add_up(size, axis, keepdim)
    if math.isinf(ord):
        if count(x.shape, dim) == 0:
            raise RuntimeError(
                f"linalg.vector_norm cannot compute the {ord} norm on an empty tensor (shape {list(x.shape)}) because "
                "the operation does not have an identity"
            )
        return (np.maximum if ord > 0 else np.minimum).reduce(size, axis=axis, keepdims=keepdim)
    return add_up(size**ord, axis, keepdim) ** (1.0 / ord)


def d_vector_norm_dx(g, x, out, ord, dim):
    """sign(x) (|x| / norm) ** (ord - 1): x / norm for ord 2. At a zero norm 0, the subgradient PyTorch takes."""
    if ord == 0:
        return None
    g, out = kept(g, x.shape, dim), kept(out, x.shape, dim)
    if ord == 1:
        return g * sign(x)
    if ord == 2:
        return g * divide_or_zero(x, out)
    if math.isinf(ord):
        return share(g, abs(x) == out, dim) * sign(x)
    size = abs(x)
    if ord < 1:  # the power is negative: infinity in place of 0 makes the gradient there 0
        return sign(x) * where(size == 0, inf, size) ** (ord - 1) * (g * out ** (1 - ord))
    return sign(x) * size ** (ord - 1) * divide_or_zero(g, out ** (ord - 1))


plain_vector_norm = general(
    "linalg_vector_norm", _vector_norm, "x", d_vector_norm_dx, doc="The vector norm in the dtype of the input."
)


def widened(name: str, x, dtype):
    """`x` in the floating `dtype`, if one is given. RuntimeError where digits would be lost, and for integers."""
    if dtype is None:
        return x
    check_floating(name, x.dtype.numpy)
    check_floating(f"{name}: dtype", dtype.numpy)
    if dtype.numpy.itemsize < x.dtype.numpy.itemsize:
        raise RuntimeError(
            f"{name}: the dtype of the input ({x.dtype}) should be convertible without narrowing to the specified "
            f"dtype ({dtype}); convert the result instead"
        )
    return x.to(dtype)


@also_called(input="x")
@takes_numpy_names
def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    """(Σ |x| ** ord) ** (1 / ord) over all elements, or over the axes `dim`; the largest or smallest |x| for ord ±inf.

    ord 0 counts the nonzero elements and has no gradient. RuntimeError for integers, for a `dtype` that is narrower
    than the input's, and for ord ±inf on nothing. Gradient: g sign(x) (|x| / norm) ** (ord - 1); 0 at a zero norm; for
    ±inf shared evenly between equal extremes. Saves for backward: input and the result.

    >>> import autograd_core as ac
    >>> ac.linalg.vector_norm(ac.tensor([3.0, 4.0])), ac.linalg.vector_norm(ac.tensor([3.0, -4.0]), ord=1)
    (tensor(5.), tensor(7.))
    """
    return plain_vector_norm(widened("linalg.vector_norm", x, dtype), ord, dim, keepdim)


@carried_wide
def renorm(input, p, dim, maxnorm):
    """`input` with each slice along `dim` whose p-norm exceeds `maxnorm` scaled down to it.

    The factor is maxnorm / (norm + 1e-7), as in PyTorch. RuntimeError for p <= 0, a negative `maxnorm`, and fewer than
    two axes.

    >>> import autograd_core as ac
    >>> ac.renorm(ac.tensor([[3.0, 4.0], [0.3, 0.4]]), 2, 0, 1.0)
    tensor([[0.6000, 0.8000],
            [0.3000, 0.4000]])
    """
    if p <= 0:
        raise RuntimeError(f"renorm: non-positive-norm not supported, got p={p}")
    if maxnorm < 0:
        raise RuntimeError(f"renorm: expected maxnorm to be >= 0 but got {maxnorm}")
    if input.ndim < 2:
        raise RuntimeError(f"renorm: input needs at least 2 dimensions, got {input.ndim} dimensions")
    axis = axis_of(dim, input.ndim)
    norms = vector_norm(input, p, [a for a in range(input.ndim) if a != axis], True)
    return input * where(norms > maxnorm, maxnorm / (norms + 1e-7), 1.0)


# -- of matrices


@also_called(input="A")
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
    if len(several(dim)) != 2:
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


def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
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
        found = matrix_norm(input, p, (-2, -1) if dim is None else dim, keepdim, dtype=dtype)
    else:
        found = vector_norm(input, 2 if p in (None, "fro") else p, dim, keepdim, dtype=dtype)
    return found if out is None else written_out("norm", found, out)


def norm_method(self, p="fro", dim=None, keepdim=False, dtype=None):
    """`norm` as a method, which has no place for a result."""
    return norm(self, p, dim, keepdim, dtype=dtype)
