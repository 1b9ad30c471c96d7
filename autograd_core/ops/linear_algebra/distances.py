"""Distances between vectors or whole tensors, and the cosine of the angle between vectors.

A distance is a p-norm of a difference: (Σ |d|^p)^(1/p); for p = 0 the number of coordinates that differ, for p = ∞ the
largest difference.
"""

from __future__ import annotations

import math

import numpy as np

from ...core import dtypes
from ...core.table import elementwise, general
from ..elementwise.piecewise import abs, sign, where
from ..indexing.brackets import index_backward
from ..large_arrays import blocks
from ..making.creation import zeros_like
from ..precision import carried_wide
from ..reductions.reduction import divide_or_zero, sum
from ..shapes.joining import cat
from ..shapes.shape import common_shape, expand, unsqueeze
from .norms import vector_norm

__all__ = ["cdist", "cosine_similarity", "dist", "pairwise_distance", "pdist"]
METHODS = ["dist"]

# -- the length of a difference, and its slope


def _length(d, p):
    """The p-norm along the last axis of `d`, which is overwritten."""
    if p == 0:
        return np.add.reduce(d != 0, axis=-1, dtype=d.dtype)
    if p == 2:
        return np.sqrt(np.einsum("...i,...i", d, d))
    size = np.abs(d, out=d)
    if p == 1:
        return np.add.reduce(size, axis=-1)
    if math.isinf(p):
        return np.maximum.reduce(size, axis=-1, initial=0)
    size **= p
    return np.add.reduce(size, axis=-1) ** (1.0 / p)


def _d_length(g, d, length, p):
    """g sign(d) (|d| / length)^(p - 1) as two factors, one for each length and one for each coordinate.

    It is 0 where d is 0. For p = ∞ each of the largest coordinates gets all of g.
    """
    if p == 0:
        return g, zeros_like(d)
    if p == 1:
        return g, sign(d)
    if p == 2:
        return divide_or_zero(g, length), d
    length = unsqueeze(length, -1)
    if math.isinf(p):
        return g, sign(d) * (abs(d) == length)
    share = where(d == 0, 1.0, abs(d) / where(length == 0, 1.0, length))  # 1 where 0, whose power may be infinite
    return g, sign(d) * share ** (p - 1)


def _check_points(name: str, p, **points) -> None:
    for argument, x in points.items():
        if not x.is_floating_point():
            raise RuntimeError(
                f"{name} only supports floating-point dtypes, {argument} got: {x.dtype}; convert it with .float()"
            )
    if p < 0:
        raise RuntimeError(f"{name} only supports non-negative p values, got {p}")


# -- between the rows of two matrices


def _tiles(distances, columns: int) -> list[slice]:
    """Rows of a matrix of distances, so many at a time that their differences stay in the cache."""
    *others, rows, n = distances
    return blocks(rows, math.prod(others) * n * columns)


def _differences(x1, x2):
    return x1[..., :, None, :] - x2[..., None, :, :]


@carried_wide
def _cdist(x1, x2, p=2.0):
    batch = np.broadcast_shapes(x1.shape[:-2], x2.shape[:-2])
    out = np.empty((*batch, x1.shape[-2], x2.shape[-2]), x1.dtype)
    for rows in _tiles(out.shape, x1.shape[-1]):
        out[..., rows, :] = _length(_differences(x1[..., rows, :], x2), p)
    return out


def d_cdist_dx1(g, x1, x2, out, p):
    """For each row of x1 the sum of its slopes against the rows of x2: a product of matrices for each."""
    sums = []
    for rows in _tiles(out.shape, x1.shape[-1]):
        differences = _differences(x1[..., rows, :], x2)
        w, slopes = _d_length(g[..., rows, :], differences, out[..., rows, :], p)
        sums.append((w[..., :, None, :] @ slopes)[..., 0, :])
    return cat(sums, -2)


def d_cdist_dx2(g, x1, x2, out, p):
    """As for x1, with the roles exchanged."""
    return d_cdist_dx1(g.mT, x2, x1, out.mT, p)


cdist_by_differences = general(
    "cdist",
    _cdist,
    "x1 x2",
    d_cdist_dx1,
    d_cdist_dx2,
    doc="`cdist` of points whose dtypes and sizes fit.",
    example="ac.ops.distances.cdist_by_differences(ac.zeros(1, 2), ac.tensor([[3.0, 4.0]])) -> tensor([[5.]])",
)


@carried_wide
def _euclidean_by_product(x1, x2):
    x2 = x2.astype(x1.dtype, copy=False)
    squares = np.add.reduce(x1 * x1, axis=-1)[..., :, None] + np.add.reduce(x2 * x2, axis=-1)[..., None, :]
    squares -= 2 * np.matmul(x1, x2.swapaxes(-1, -2))
    return np.sqrt(np.maximum(squares, 0, out=squares), out=squares)


def d_euclidean_dx1(g, x1, x2, out):
    """Σ_j w_j (x1 - x2_j) = x1 Σ_j w_j - Σ_j w_j x2_j, with w = g / out, and 0 where the distance is 0."""
    w = divide_or_zero(g, out)
    return x1 * sum(w, -1, True) - w @ x2


def d_euclidean_dx2(g, x1, x2, out):
    """As for x1, with the roles exchanged."""
    w = divide_or_zero(g, out).mT
    return x2 * sum(w, -1, True) - w @ x1


cdist_by_product = general(
    "euclidean_dist",
    _euclidean_by_product,
    "x1 x2",
    d_euclidean_dx1,
    d_euclidean_dx2,
    doc="Euclidean distances as √(|x|² + |y|² - 2 x·y): one matrix product, and less exact for points close together.",
    example="ac.ops.distances.cdist_by_product(ac.zeros(1, 2), ac.tensor([[3.0, 4.0]])) -> tensor([[5.]])",
)

MANY_ROWS = 25  # from here on a matrix product pays, says PyTorch's documentation
COMPUTE_MODES = {
    "use_mm_for_euclid_dist_if_necessary": lambda rows: rows > MANY_ROWS,
    "use_mm_for_euclid_dist": lambda rows: True,
    "donot_use_mm_for_euclid_dist": lambda rows: False,
}


def cdist(x1, x2, p: float = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary"):
    """The p-norm distance of each row of `x1` (..., m, k) from each row of `x2` (..., n, k): a tensor (..., m, n).

    The axes in front broadcast. `compute_mode` says whether Euclidean distances are computed by a matrix product, which
    is faster and less exact: by default if there are more than 25 rows. Gradient: g sign(d) (|d| / distance)^(p - 1)
    for each difference d, and 0 at distance 0; for p = ∞ each of the largest differences gets all of g.

    RuntimeError for a negative p, for dtypes that are not floating or differ, and for shapes that do not fit;
    ValueError for another mode.

    >>> import autograd_core as ac
    >>> ac.cdist(ac.tensor([[0.0, 0.0], [3.0, 0.0]]), ac.tensor([[3.0, 4.0]]))
    tensor([[5.],
            [4.]])
    """
    if compute_mode not in COMPUTE_MODES:
        raise ValueError(
            f"{compute_mode} is not a valid value for compute_mode; choose from {', '.join(COMPUTE_MODES)}"
        )
    for name, x in (("X1", x1), ("X2", x2)):
        if x.ndim < 2:
            raise RuntimeError(f"cdist only supports at least 2D tensors, {name} got: {x.ndim}D")
    _check_points("cdist", p, X1=x1, X2=x2)
    if x1.dtype != x2.dtype:
        raise RuntimeError(f"cdist: expected two tensors of one dtype, found {x1.dtype} and {x2.dtype}; convert one")
    if x1.shape[-1] != x2.shape[-1]:
        raise RuntimeError(
            f"X1 and X2 must have the same number of columns. X1: {x1.shape[-1]} X2: {x2.shape[-1]} "
            f"(shapes {list(x1.shape)} and {list(x2.shape)})"
        )
    common_shape("cdist", x1.shape[:-2], x2.shape[:-2])
    if p == 2 and COMPUTE_MODES[compute_mode](max(x1.shape[-2], x2.shape[-2])):
        return cdist_by_product(x1, x2)
    return cdist_by_differences(x1, x2, p)


# -- between the rows of one matrix


def _pairs(n: int) -> tuple[np.ndarray, np.ndarray]:
    """The row numbers (i, j) of all pairs i < j, in the order of the result."""
    return np.triu_indices(n, 1)


@carried_wide
def _pdist(x, p=2.0):
    lines = [np.empty(0, x.dtype)]
    for rows in _tiles((len(x), len(x)), x.shape[1]):
        lengths = _length(_differences(x[rows], x[rows.start + 1 :]), p)
        lines += [line[k:] for k, line in enumerate(lengths)]
    return np.concatenate(lines)


def d_pdist_dx(g, x, out, x_shape, p):
    """The gradient of `cdist(x, x)` for x on one side, with each pair on both sides of the diagonal."""
    n = x_shape[0]
    at = list(_pairs(n))
    weights, lengths = (index_backward(value, at, (n, n)) for value in (g, out))
    lengths = where(np.eye(n, dtype=bool), 1.0, lengths + lengths.mT)  # a row and itself weigh 0, whatever this is
    return d_cdist_dx1(weights + weights.mT, x, x, lengths, p)


pdist_of_rows = general(
    "pdist",
    _pdist,
    "x",
    d_pdist_dx,
    doc="`pdist` of a floating matrix.",
    example="ac.ops.distances.pdist_of_rows(ac.tensor([[0.0, 0.0], [3.0, 4.0]])) -> tensor([5.])",
)


def pdist(input, p: float = 2):
    """The p-norm distance between every two rows of a matrix (n, k): a vector of n (n - 1) / 2.

    It holds the part of `cdist(input, input)` above the diagonal, row by row. Gradient as in `cdist`. RuntimeError for
    other ranks, for dtypes that are not floating, and for a negative p.

    >>> import autograd_core as ac
    >>> ac.pdist(ac.tensor([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]]))
    tensor([5.0000, 1.0000, 4.2426])
    """
    if input.ndim != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {input.ndim}D")
    _check_points("pdist", p, input=input)
    return pdist_of_rows(input, p)


# -- between vectors that stand at the same place


@carried_wide
def dist(input, other, p=2):
    """The p-norm of `input` - `other`, which broadcast, as one vector: a 0-d tensor.

    Gradient: that of `linalg.vector_norm`, so 0 where the two are equal.

    >>> import autograd_core as ac
    >>> ac.dist(ac.tensor([3.0, 0.0]), ac.tensor([0.0, 4.0]))
    tensor(5.)
    """
    return vector_norm(input - other, p)


@carried_wide
def pairwise_distance(x1, x2, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False):
    """The p-norm of x1 - x2 + eps along the last axis. Shapes broadcast, else RuntimeError.

    Gradient: that of `linalg.vector_norm`; `eps` keeps it away from the kink where the vectors are equal.

    >>> import autograd_core as ac
    >>> ac.pairwise_distance(ac.tensor([[0.0, 0.0], [1.0, 1.0]]), ac.tensor([3.0, 4.0]))
    tensor([5.0000, 3.6056])
    """
    common_shape("pairwise_distance", x1.shape, x2.shape)
    return vector_norm(x1 - x2 + eps, p, -1, keepdim)


raised = elementwise(
    "raised",
    lambda x, low: np.maximum(x, low),
    "x",
    lambda g: g,
    promote="float",
    doc="`input`, at least the number `low`. Gradient: g everywhere, as if nothing had been raised.",
    example="ac.ops.distances.raised(ac.tensor([0.0, 2.0]), 1.0) -> tensor([1., 2.])",
)


@carried_wide
def cosine_similarity(x1, x2, dim: int = 1, eps: float = 1e-8):
    """The cosine of the angle between vectors along `dim`: x1·x2 / (max(|x1|, eps) max(|x2|, eps)).

    Shapes broadcast, and `dim` counts in the common shape. Gradient: that of the quotient, in which a norm that was
    raised to `eps` still counts as the norm; that of a zero norm is 0. RuntimeError for shapes that do not broadcast
    and for integers, IndexError for a `dim` that does not exist.

    >>> import autograd_core as ac
    >>> ac.cosine_similarity(ac.tensor([[1.0, 0.0], [1.0, 1.0]]), ac.tensor([[0.0, 2.0], [3.0, 4.0]]))
    tensor([0.0000, 0.9899])
    """
    shape = common_shape("cosine_similarity", x1.shape, x2.shape)
    common = dtypes.OF_NUMPY[dtypes.result_type(x1._array, x2._array)]
    if not common.is_floating_point:
        raise RuntimeError(f"expected common dtype to be floating point, yet common dtype is {common}")
    units = []
    for x in (expand(x.to(common), shape) for x in (x1, x2)):
        units.append(x / raised(vector_norm(x, 2, dim, True), eps))
    return sum(units[0] * units[1], dim)
