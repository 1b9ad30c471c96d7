"""Systems with a triangular matrix, and those with a Cholesky factor, which are two of them.

Substitution goes by halves: half of the unknowns, one matrix product, the other half. So a loop over rows is left for
small blocks only, and the time goes to the products. All matrices of a batch are solved together.
"""

from __future__ import annotations

import numpy as np

from ...core.table import general
from ..shapes.diagonals import tril, triu
from .matrix_checks import broadcast_batches, check_matrices, check_square, check_system

__all__ = ["cholesky_inverse", "cholesky_solve", "triangular_solve"]
METHODS = __all__

BLOCK = 16


def substitute(A, X, upper: bool, unit: bool) -> None:
    """Replace X (..., n, k) by the solution of A Y = X in place, for a triangular A (..., n, n).

    Elements on the other side of the diagonal are not read; with `unit` nor is the diagonal, which stands for ones.
    """
    n = A.shape[-1]
    if n > BLOCK:
        first, second = (slice(n // 2, n), slice(0, n // 2)) if upper else (slice(0, n // 2), slice(n // 2, n))
        substitute(A[..., first, first], X[..., first, :], upper, unit)
        X[..., second, :] -= A[..., second, first] @ X[..., first, :]
        substitute(A[..., second, second], X[..., second, :], upper, unit)
        return
    for i in reversed(range(n)) if upper else range(n):
        known = slice(i + 1, n) if upper else slice(0, i)
        X[..., i : i + 1, :] -= A[..., i : i + 1, known] @ X[..., known, :]
        if not unit:
            X[..., i : i + 1, :] /= A[..., i : i + 1, i : i + 1]


def solved(A, B, upper: bool, left: bool, unit: bool) -> np.ndarray:
    """The solution of A X = B, or of X A = B, for arrays whose batches agree."""
    X = B.copy()
    if left:
        substitute(A, X, upper, unit)
    else:
        substitute(A.mT, X.mT, not upper, unit)
    return X


# -- solve_triangular


def _solve_triangular(A, B, *, upper, left=True, unitriangular=False):
    check_system("linalg.solve_triangular", A, B, left)
    A, B = broadcast_batches("linalg.solve_triangular", A, B)
    return solved(A, B, upper, left, unitriangular)


def d_solve_triangular_dA(g, x, out, upper, left, unitriangular):
    """-(A⁻ᵀ g) Xᵀ on the triangle that was read."""
    g_B = solve_triangular(x.mT, g, upper=not upper, left=left, unitriangular=unitriangular)
    full = -(g_B @ out.mT if left else out.mT @ g_B)
    return triu(full, int(unitriangular)) if upper else tril(full, -int(unitriangular))


solve_triangular = general(
    "linalg_solve_triangular",
    _solve_triangular,
    "x B",
    d_solve_triangular_dA,
    lambda g, x, upper, left, unitriangular: solve_triangular(
        x.mT, g, upper=not upper, left=left, unitriangular=unitriangular
    ),
    doc="The solution X of A X = B for a triangular A = `input` (..., n, n) and B (..., n, k); of X A = B for B (..., "
    "k, n) where not `left`. Batch axes broadcast. Only the upper or the lower triangle is read; with `unitriangular` "
    "the diagonal counts as ones. A zero on the diagonal gives infinities and NaN, no error. RuntimeError for shapes "
    "or dtypes that do not fit. Gradients: A⁻ᵀ g, and -(A⁻ᵀ g) Xᵀ on that triangle.",
    example="ac.linalg.solve_triangular(ac.tensor([[2.0, 0.0], [1.0, 4.0]]), ac.tensor([[2.0], [9.0]]), upper=False) "
    "-> tensor([[1.],\n        [2.]])",
)


def _triangular_solve(b, A, upper=True, transpose=False, unitriangular=False):
    check_square("triangular_solve", A)
    check_factor_fits("triangular_solve", b, A)
    b, A = broadcast_batches("triangular_solve", b, A)
    if transpose:
        return solved(A.mT, b, not upper, True, unitriangular), A.copy()
    return solved(A, b, upper, True, unitriangular), A.copy()


def d_triangular_solve_dA(g_solution, g_cloned_coefficient, A, solution, upper, transpose, unitriangular):
    """-(A⁻ᵀ g) Xᵀ, or its transpose, on the triangle that was read, and what came to the copy of A."""
    if g_solution is None:
        return g_cloned_coefficient
    g_b = d_triangular_solve_db(g_solution, A, upper, transpose, unitriangular)
    full = -(solution @ g_b.mT if transpose else g_b @ solution.mT)
    out = triu(full, int(unitriangular)) if upper else tril(full, -int(unitriangular))
    return out if g_cloned_coefficient is None else out + g_cloned_coefficient


def d_triangular_solve_db(g_solution, A, upper, transpose, unitriangular):
    """A⁻ᵀ g, or A⁻¹ g with `transpose`."""
    if g_solution is None:
        return None
    return triangular_solve(g_solution, A, upper, not transpose, unitriangular)[0]


triangular_solve = general(
    "triangular_solve",
    _triangular_solve,
    "x A",
    d_triangular_solve_db,
    d_triangular_solve_dA,
    outputs="solution cloned_coefficient",
    doc="The solution X of A X = b (Aᵀ X = b with `transpose`) for a triangular A (..., n, n) and b = `input` (..., "
    "n, k), and a copy of A, as a named tuple (solution, cloned_coefficient). `linalg.solve_triangular` is its "
    "successor. Gradients and errors as there.",
    example="ac.triangular_solve(ac.tensor([[3.0]]), ac.tensor([[2.0]])).solution -> tensor([[1.5000]])",
)


# -- with the Cholesky factor of a matrix


def check_factor_fits(name: str, b, A) -> None:
    """Raise RuntimeError unless both are matrices of one dtype, and each b has as many rows as A."""
    if b.ndim < 2:
        raise RuntimeError(f"{name}: b should have at least 2 dimensions, but has {b.ndim} dimensions instead")
    check_matrices(name, b, "b")
    if b.dtype != A.dtype:
        raise RuntimeError(f"{name}: b and A must have one dtype, got {b.dtype.name} and {A.dtype.name}")
    if b.shape[-2] != A.shape[-1]:
        raise RuntimeError(
            f"Incompatible matrix sizes for {name}: each A matrix is {A.shape[-2]} by {A.shape[-1]} but each b matrix "
            f"is {b.shape[-2]} by {b.shape[-1]}"
        )


def _cholesky_solve(B, L, upper=False):
    check_square("cholesky_solve", L)
    check_factor_fits("cholesky_solve", B, L)
    B, L = broadcast_batches("cholesky_solve", B, L)
    lower = L.mT if upper else L
    X = B.copy()
    substitute(lower, X, False, False)
    substitute(lower.mT, X, True, False)
    return X


def d_cholesky_solve_dL(g, input2, out, upper):
    """-(G + Gᵀ) L with G = A⁻¹ g Xᵀ, of the whole matrix: as in PyTorch, not of its triangle alone."""
    common = cholesky_solve(g, input2, upper) @ out.mT
    common = common + common.mT
    return -(input2 @ common) if upper else -(common @ input2)


cholesky_solve = general(
    "cholesky_solve",
    _cholesky_solve,
    "x input2",
    lambda g, input2, upper: cholesky_solve(g, input2, upper),
    d_cholesky_solve_dL,
    doc="The solution X of A X = B for B = `input` (..., n, k), given the Cholesky factor L = `input2` (..., n, n) of "
    "A = L Lᵀ, or with `upper` of A = Lᵀ L. Batch axes broadcast. RuntimeError for shapes or dtypes that do not fit. "
    "Gradients: A⁻¹ g for B, and -(G + Gᵀ) L with G = A⁻¹ g Xᵀ for L, not cut to the triangle.",
    example="ac.cholesky_solve(ac.tensor([[8.0]]), ac.tensor([[2.0]])) -> tensor([[2.]])",
)


def _cholesky_inverse(L, upper=False):
    check_square("cholesky_inverse", L)
    inverse = np.broadcast_to(np.eye(L.shape[-1], dtype=L.dtype), L.shape).copy()
    substitute(L.mT if upper else L, inverse, False, False)
    return inverse.mT @ inverse


def d_cholesky_inverse_dL(g, x, out, upper):
    """-X (g + gᵀ) X L, of the whole matrix: as in PyTorch, not of its triangle alone."""
    common = out @ ((g + g.mT) @ out)
    return -(x @ common) if upper else -(common @ x)


cholesky_inverse = general(
    "cholesky_inverse",
    _cholesky_inverse,
    "x",
    d_cholesky_inverse_dL,
    doc="The inverse X of A (..., n, n), given its Cholesky factor L = `input`: A = L Lᵀ, or with `upper` A = Lᵀ L. "
    "RuntimeError where it is not square. Gradient: -X (g + gᵀ) X L, not cut to the triangle.",
    example="ac.cholesky_inverse(ac.tensor([[2.0]])) -> tensor([[0.2500]])",
)
