"""Inverses, systems of equations, least squares, and rank; the same for tensors as linear maps."""

from __future__ import annotations

import math
from collections import namedtuple

from ..core.call import also_called
from ..core.tensor import Tensor
from ..ops.linear_algebra.lu import solve_factored
from ..ops.linear_algebra.solving import (
    check_invertible,
    check_solved,
    inv,
    linalg_inv_ex,
    linalg_lstsq,
    linalg_matrix_rank,
    linalg_pinv,
    linalg_solve_ex,
)
from ..ops.making.creation import array_of
from ..ops.shapes.shape import movedim, reshape


def inv_ex(A, *, check_errors=False):
    """`inv` without an error for singular matrices: a named tuple (inverse, info).

    `info` (int32, the shape of the batch) is 0, or the number of the pivot that is zero, from 1: then this inverse is
    infinite or NaN. With `check_errors` that is a LinAlgError after all.

    >>> import autograd_core as ac
    >>> ac.linalg.inv_ex(ac.ones(2, 2)).info
    tensor(2, dtype=autograd_core.int32)
    """
    result = linalg_inv_ex(A)
    if check_errors:
        check_invertible("linalg.inv_ex", array_of(result[1]))
    return result


def solve(A, B, *, left=True):
    """The solution X of A X = B for square matrices A (..., n, n); of X A = B where not `left`.

    B is (..., n, k), or a batch of vectors: (n), or the shape of A without its last axis. Batch axes broadcast.
    Gradients: A⁻ᵀ g for B, and -(A⁻ᵀ g) Xᵀ for A. RuntimeError for shapes and dtypes that do not fit; LinAlgError (a
    RuntimeError) for a singular A.

    >>> import autograd_core as ac
    >>> ac.linalg.solve(ac.tensor([[2.0, 0.0], [1.0, 4.0]]), ac.tensor([2.0, 9.0]))
    tensor([1., 2.])
    """
    result, info = linalg_solve_ex(A, B, left=left)
    check_solved("linalg.solve", array_of(info))
    return result


def solve_ex(A, B, *, left=True, check_errors=False):
    """`solve` without an error for singular matrices: a named tuple (result, info).

    `info` (int32, the shape of the batch) is 0, or the number of the pivot that is zero, from 1: then this result is
    infinite or NaN. With `check_errors` that is a LinAlgError after all.

    >>> import autograd_core as ac
    >>> ac.linalg.solve_ex(ac.eye(2), ac.ones(2)).result
    tensor([1., 1.])
    """
    answer = linalg_solve_ex(A, B, left=left)
    if check_errors:
        check_solved("linalg.solve_ex", array_of(answer[1]))
    return answer


def lu_solve(LU, pivots, B, *, left=True, adjoint=False):
    """The solution X of A X = B (..., n, k), given what `lu_factor` gives for A: two triangular systems.

    Where not `left`, of X A = B; with `adjoint`, of Aᵀ X = B. Batch axes broadcast. Gradients: those of the triangular
    systems, LU's each on its triangle. RuntimeError for shapes and dtypes that do not fit, and for pivots that are not
    int32 or name no row.

    >>> import autograd_core as ac
    >>> LU, pivots = ac.linalg.lu_factor(ac.tensor([[1.0, 2.0], [2.0, 2.0]]))
    >>> ac.linalg.lu_solve(LU, pivots, ac.tensor([[3.0], [4.0]]))
    tensor([[1.],
            [1.]])
    """
    return solve_factored(LU, pivots, B, left, adjoint)


def pinv(input, rcond=None, hermitian=False, *, atol=None, rtol=None):
    """The pseudoinverse P (..., n, m) of Moore and Penrose of a matrix (..., m, n), from its singular values.

    A singular value counts as 0 up to max(atol, rtol times the largest); numbers, or tensors with one for each matrix
    of a batch. By default atol is 0 and rtol is max(m, n) times the precision of the dtype, or 0 where there is an
    atol; `rcond` is an older name of rtol. With `hermitian`, the matrix is taken to be symmetric, and the eigenvalues
    of its lower triangle are used. Gradient: -Pᵀ g Pᵀ + (I - A P) gᵀ P Pᵀ + Pᵀ P gᵀ (I - P A), as long as the rank does
    not change (Golub and Pereyra 1973). RuntimeError for integers and float16; LinAlgError (a RuntimeError) for NaN.

    >>> import autograd_core as ac
    >>> ac.linalg.pinv(ac.tensor([[2.0, 0.0], [0.0, 0.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.0000]])
    """
    if rcond is not None:
        atol, rtol = 0.0, rcond
    return linalg_pinv(input, atol, rtol, hermitian=hermitian)


def matrix_rank(input, tol=None, hermitian=False, *, atol=None, rtol=None):
    """The number of singular values of a matrix (..., m, n) that are not negligible: int64, the shape of the batch.

    Negligible is up to max(atol, rtol times the largest), as in `pinv`; `tol` stands for atol with rtol 0. With
    `hermitian`, from the eigenvalues of the lower triangle. Without gradient. RuntimeError for integers and float16;
    LinAlgError (a RuntimeError) for NaN.

    >>> import autograd_core as ac
    >>> ac.linalg.matrix_rank(ac.ones(3, 2))
    tensor(1)
    """
    if tol is not None:
        atol, rtol = tol, 0.0
    return linalg_matrix_rank(input, atol, rtol, hermitian=hermitian)


def lstsq(input, b, rcond=None, *, driver=None):
    """The X (..., n, k) of least norm that makes |A X - B| least, for A (..., m, n) and B (..., m, k).

    B may be a batch of vectors, as in `solve`. A named tuple (solution, residuals, rank, singular_values): `residuals`
    (..., k), k = 1 for vectors, are the sums of squares of A X - B, empty unless m > n, the rank is full, and the
    driver is not "gelsy", the default. `rank` (int64) is empty for the driver "gels", which takes full rank for
    granted; `singular_values` (..., min(m, n)) are there for "gelsd" and "gelss". Singular values count as 0 up to
    `rcond` times the largest, by default max(m, n) times the precision of the dtype. All drivers compute through the
    singular values here. Gradient: that of `pinv(A) @ B`, and of the residuals. RuntimeError for shapes and dtypes that
    do not fit and for other drivers.

    >>> import autograd_core as ac
    >>> ac.linalg.lstsq(ac.tensor([[2.0], [0.0]]), ac.tensor([[4.0], [1.0]])).solution
    tensor([[2.]])
    """
    solution, residuals, rank, values = linalg_lstsq(input, b, rcond, driver=driver or "gelsy")
    return LeastSquares(solution, residuals, rank, values.detach() if isinstance(values, Tensor) else values)


LeastSquares = namedtuple("LeastSquares", "solution residuals rank singular_values")


@also_called(input="A")
def tensorinv(A, ind=2):
    """The inverse of a tensor as the linear map from its last axes to its first `ind` axes.

    tensordot(tensorinv(A), B, ind) solves tensordot(A, X, X.ndim) = B. The shape is that of A with its first `ind` axes
    moved to the end. RuntimeError unless `ind` is positive and both groups of axes have equally many elements;
    `linalg.LinAlgError` where there is no inverse.

    >>> import autograd_core as ac
    >>> ac.linalg.tensorinv(ac.eye(6).reshape(2, 3, 6)).shape
    Size([6, 2, 3])
    """
    if ind <= 0:
        raise RuntimeError(f"linalg.tensorinv: Expected a strictly positive integer for 'ind', but got {ind}")
    first, rest = tuple(A.shape[:ind]), tuple(A.shape[ind:])
    n, m = math.prod(first), math.prod(rest)
    if n != m:
        raise RuntimeError(
            "linalg.tensorinv: Expected self to satisfy the requirement prod(self.shape[ind:]) == "
            f"prod(self.shape[:ind]), but got {m} != {n} for shape {list(A.shape)}"
        )
    return reshape(inv(reshape(A, (n, m))), rest + first)


@also_called(input="A", other="B")
def tensorsolve(A, B, dims=None):
    """The tensor X with tensordot(A, X, X.ndim) = B.

    The axes `dims` of A are moved to its end first. Then A has the shape of B, followed by that of X. RuntimeError
    unless X and B have equally many elements; `linalg.LinAlgError` where there is no unique solution.

    >>> import autograd_core as ac
    >>> ac.linalg.tensorsolve(2 * ac.eye(6).reshape(2, 3, 6), ac.ones(2, 3)).shape
    Size([6])
    """
    if dims is not None:
        A = movedim(A, dims, tuple(range(A.ndim - len(dims), A.ndim)))
    shape_of_X = tuple(A.shape[B.ndim :])
    n, m = math.prod(A.shape[: B.ndim]), math.prod(shape_of_X)
    if n != m:
        raise RuntimeError(
            "linalg.tensorsolve: Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == "
            f"prod(self.shape[:other.ndim]), but got {m} != {n} for shapes {list(A.shape)} and {list(B.shape)}"
        )
    return reshape(solve(reshape(A, (n, m)), reshape(B, (n,))), shape_of_X)
