"""Matrices as products of simpler ones."""

from __future__ import annotations

from collections import namedtuple

from ..ops.linear_algebra.factorizations import (
    check_driver,
    check_positive_definite,
    linalg_cholesky_ex,
    linalg_eigh,
    linalg_qr,
    linalg_svd,
)
from ..ops.linear_algebra.lu import check_factored, like, linalg_lu, linalg_lu_factor_ex, matrix_of
from ..ops.linear_algebra.matrix_checks import numpy_dtype
from ..ops.making.creation import array_of


def cholesky(input, *, upper=False):
    """The lower triangular L with L Lᵀ = A of a symmetric positive definite matrix (..., n, n), each of a batch.

    With `upper` its transpose U, A = Uᵀ U. Only that triangle is read. Gradient: ½ L⁻ᵀ S L⁻¹, where S mirrors the
    lower triangle of Lᵀ g: symmetric (Giles 2008). RuntimeError for matrices that are not square, integers and float16;
    LinAlgError (a RuntimeError) for a matrix that is not positive definite.

    >>> import autograd_core as ac
    >>> ac.linalg.cholesky(ac.tensor([[4.0, 2.0], [2.0, 5.0]]))
    tensor([[2., 0.],
            [1., 2.]])
    """
    L, info = linalg_cholesky_ex(input, upper=upper)
    check_positive_definite("linalg.cholesky", array_of(info))
    return L


def cholesky_ex(input, *, upper=False, check_errors=False):
    """`cholesky` without an error: a named tuple (L, info).

    `info` (int32, the shape of the batch) is 0, or the order of the first leading minor that is not positive definite:
    then this L is NaN. With `check_errors` that is a LinAlgError after all.

    >>> import autograd_core as ac
    >>> ac.linalg.cholesky_ex(ac.tensor([[1.0, 0.0], [0.0, -1.0]])).info
    tensor(2, dtype=autograd_core.int32)
    """
    result = linalg_cholesky_ex(input, upper=upper)
    if check_errors:
        check_positive_definite("linalg.cholesky_ex", array_of(result[1]))
    return result


def qr(A, mode="reduced"):
    """Q with orthonormal columns and an upper triangular R, A = Q R: a named tuple (Q, R).

    For A of shape (..., m, n) and k = min(m, n): "reduced" gives (..., m, k) and (..., k, n), "complete" (..., m, m)
    and (..., m, n), and "r" an empty Q and the reduced R. Gradient: Walter and Lehmann (2010); RuntimeError for it in
    mode "r", in mode "complete" where m > n. It is finite only where the first k columns of A are independent.
    RuntimeError for another mode, integers and float16.

    >>> import autograd_core as ac
    >>> Q, R = ac.linalg.qr(ac.tensor([[3.0, 1.0], [4.0, 2.0]]))
    >>> Q @ R
    tensor([[3.0000, 1.0000],
            [4.0000, 2.0000]])
    """
    return linalg_qr(A, mode)


def svd(A, full_matrices=True, *, driver=None):
    """The singular value decomposition A = U diag(S) Vh: a named tuple (U, S, Vh), S in descending order.

    For A of shape (..., m, n) and k = min(m, n) the shapes are (..., m, m), (..., k) and (..., n, n), or without
    `full_matrices` (..., m, k), (..., k) and (..., k, n). The columns of U and the rows of Vh are determined but for a
    sign, which a loss must not depend on. Gradient: Giles (2008); through U and Vh it has the differences of the
    squares of the singular values in the denominator, so it is infinite or NaN where two are equal, and it leaves out
    the columns that `full_matrices` adds. RuntimeError for integers and float16; LinAlgError (a RuntimeError) where the
    iteration does not converge, as with NaN.

    >>> import autograd_core as ac
    >>> ac.linalg.svd(ac.tensor([[3.0, 0.0], [4.0, 0.0]])).S
    tensor([5., 0.])
    """
    check_driver("linalg.svd", driver)
    return linalg_svd(A, full_matrices)


def eigh(input, UPLO="L"):
    """The eigenvalues, in ascending order, and the eigenvectors of a symmetric matrix (..., n, n).

    A named tuple: eigenvalues (..., n), eigenvectors (..., n, n) as columns. Only the lower triangle is read, or with
    UPLO="U" the upper one. Each vector is determined but for its sign, which a loss must not depend on. Gradient: V
    (diag(gL) + ½ (M - Mᵀ) / E) Vᵀ with M = Vᵀ gV and E[i, j] = l_j - l_i (Giles 2008), so infinite or NaN for vectors
    of equal eigenvalues. RuntimeError for matrices that are not square, integers and float16; LinAlgError (a
    RuntimeError) where the iteration does not converge.

    >>> import autograd_core as ac
    >>> ac.linalg.eigh(ac.tensor([[2.0, 1.0], [1.0, 2.0]])).eigenvalues
    tensor([1., 3.])
    """
    return linalg_eigh(input, UPLO)


def lu_factor(A, *, pivot=True):
    """The LU decomposition of matrices (..., m, n) in compact form, a named tuple (LU, pivots).

    U is the upper triangle of `LU`, L the part below the diagonal, with ones for its own diagonal; row i was exchanged
    with row `pivots[i] - 1` (int32). `lu_solve` takes both, `lu_unpack` takes them apart. Gradient: that of `lu`.
    RuntimeError for `pivot=False`, integers and float16; LinAlgError (a RuntimeError) where U has a zero on its
    diagonal.

    >>> import autograd_core as ac
    >>> ac.linalg.lu_factor(ac.tensor([[1.0, 2.0], [2.0, 2.0]])).LU
    tensor([[2.0000, 2.0000],
            [0.5000, 1.0000]])
    """
    LU, pivots, info = linalg_lu_factor_ex(A, pivot=pivot)
    check_factored("linalg.lu_factor", array_of(info))
    return LUFactor(LU, pivots)


def lu_factor_ex(A, *, pivot=True, check_errors=False):
    """`lu_factor` without an error for singular matrices: a named tuple (LU, pivots, info).

    `info` (int32, the shape of the batch) is 0, or the number of the first zero on the diagonal of U, from 1. With
    `check_errors` that is a LinAlgError after all.

    >>> import autograd_core as ac
    >>> ac.linalg.lu_factor_ex(ac.ones(2, 2)).info
    tensor(2, dtype=autograd_core.int32)
    """
    result = linalg_lu_factor_ex(A, pivot=pivot)
    if check_errors:
        check_factored("linalg.lu_factor_ex", array_of(result[2]))
    return result


def lu(A, *, pivot=True):
    """The LU decomposition with partial pivoting A = P L U of matrices (..., m, n): a named tuple (P, L, U).

    P (..., m, m) is a permutation, L (..., m, k) lower triangular with ones on its diagonal, U (..., k, n) upper
    triangular, k = min(m, n). Gradient: for square matrices P L⁻ᵀ (tril(Lᵀ gL, -1) + triu(gU Uᵀ)) U⁻ᵀ; it is finite
    only where the first k columns are independent. RuntimeError for `pivot=False`, integers and float16.

    >>> import autograd_core as ac
    >>> P, L, U = ac.linalg.lu(ac.tensor([[1.0, 2.0], [2.0, 2.0]]))
    >>> L
    tensor([[1.0000, 0.0000],
            [0.5000, 1.0000]])
    """
    L, U, order = linalg_lu(A, pivot=pivot)
    return PLU(like(A, matrix_of(array_of(order), numpy_dtype(A))), L, U)


LUFactor = namedtuple("LUFactor", "LU pivots")
PLU = namedtuple("PLU", "P L U")
