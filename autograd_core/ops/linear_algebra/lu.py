"""The LU decomposition with partial pivoting, A = P L U, and what is solved with it.

NumPy has no such function, so here is one: a recursion on halves of the columns (S. Toledo, 1997, "Locality of
reference in LU decomposition with partial pivoting"), all matrices of a batch together. Pivots are counted from 1, as
in LAPACK: row i was exchanged with row `pivots[i] - 1`.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from ...core.table import general, linear
from ...core.tensor import Tensor, wrap
from ..making.creation import array_of, zeros_like
from ..reductions.selection import argsort
from ..shapes.diagonals import tril, triu
from ..shapes.joining import cat
from .matmul import LinAlgError
from .matrix_checks import check_matrices, check_system, first_failure, kind_name, numpy_dtype
from .triangular import solve_triangular, substitute

__all__ = ["lu", "lu_solve", "lu_unpack"]
METHODS = ["lu", "lu_solve"]
TAKE_OUT = ["lu_solve", "lu_unpack"]

BLOCK = 8


def decompose(A) -> tuple[np.ndarray, np.ndarray]:
    """Put L and U in the place of A (b, m, n).

    The result says which row each of the first min(m, n) was exchanged with, counted from 0, and in which order that
    left all of them: (b, min(m, n)) and (b, m).
    """
    half = min(A.shape[-2:]) // 2
    if half < BLOCK:
        return _decompose_block(A)
    left, right = A[:, :, :half], A[:, :, half:]
    exchanges, order = decompose(left)
    right[...] = reordered(right, order)
    substitute(left[:, :half], right[:, :half], False, True)
    right[:, half:] -= left[:, half:] @ right[:, :half]
    later, order_below = decompose(right[:, half:])
    left[:, half:] = reordered(left[:, half:], order_below)
    order[:, half:] = np.take_along_axis(order[:, half:], order_below, -1)
    return np.concatenate([exchanges, later + half], axis=-1), order


def _decompose_block(A) -> tuple[np.ndarray, np.ndarray]:
    b, m, n = A.shape
    exchanges = np.empty((b, min(m, n)), np.intp)
    order = np.tile(np.arange(m), (b, 1))
    for j in range(min(m, n)):
        exchanges[:, j] = i = j + abs(A[:, j:, j]).argmax(axis=1)
        exchange(A, j, i)
        exchange(order, j, i)
        pivot = A[:, j, j, None]
        A[:, j + 1 :, j] /= np.where(pivot == 0, 1, pivot)
        A[:, j + 1 :, j + 1 :] -= A[:, j + 1 :, j, None] * A[:, j, None, j + 1 :]
    return exchanges, order


def exchange(A, j: int, i) -> None:
    """Exchange row j of each A (b, m, ...) with its row i (b)."""
    every = np.arange(len(A))
    row = A[every, i]
    A[every, i] = A[:, j]
    A[:, j] = row


def reordered(A, order) -> np.ndarray:
    """The rows of matrices (..., m, n) in the order (..., m)."""
    return np.take_along_axis(A, order[..., None], -2)


def order_of(pivots, m: int) -> np.ndarray:
    """The order (..., m) in which LAPACK's pivots (..., k) leave m rows."""
    batch, k = pivots.shape[:-1], pivots.shape[-1]
    exchanges = array_of(pivots).reshape(math.prod(batch), k) - 1
    order = np.tile(np.arange(m), (len(exchanges), 1))
    for j in range(k):
        exchange(order, j, exchanges[:, j])
    return order.reshape(*batch, m)


def matrix_of(order, dtype) -> np.ndarray:
    """The permutation matrix P (..., m, m) that puts rows in `order` (..., m) back: (P B)[order[i]] = B[i]."""
    m = order.shape[-1]
    return np.asarray(np.arange(m)[:, None] == order[..., None, :], dtype)


def like(x, array):
    """`array` as a constant tensor if `x` is a tensor."""
    return wrap(array) if isinstance(x, Tensor) else array


# -- factorizations


def _check_pivot(name: str, pivot) -> None:
    if not pivot:
        raise RuntimeError(f"{name}: LU without pivoting is not implemented on the CPU; leave out pivot=False")


def _linalg_lu_factor_ex(A, *, pivot=True):
    check_matrices("linalg.lu_factor", A)
    _check_pivot("linalg.lu_factor", pivot)
    LU, pivots, _ = factored(A)
    zero = np.diagonal(LU, 0, -2, -1) == 0
    info = np.where(zero.any(-1), zero.argmax(-1) + 1, 0) if zero.shape[-1] else np.zeros(zero.shape[:-1])
    return LU, pivots, np.asarray(info, np.int32)


def factored(A) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """L and U in one array, LAPACK's pivots, and the order in which they leave the rows."""
    m, n = A.shape[-2:]
    flat = np.array(A.reshape(math.prod(A.shape[:-2]), m, n), order="C")
    exchanges, order = decompose(flat)
    pivots = np.asarray(exchanges + 1, np.int32)
    return flat.reshape(A.shape), pivots.reshape(*A.shape[:-2], min(m, n)), order.reshape(*A.shape[:-2], m)


def parts(LU) -> tuple:
    """L (..., m, k) with ones on its diagonal, and U (..., k, n)."""
    m, n = LU.shape[-2:]
    k = min(m, n)
    return tril(LU[..., :, :k], -1) + np.eye(m, k, dtype=numpy_dtype(LU)), triu(LU[..., :k, :])


def d_lu_dx(g_L, g_U, L, U, order):
    """P L1⁻ᵀ (tril(L1ᵀ gL1 - gU2 U2ᵀ, -1) + triu(gU1 U1ᵀ - L2ᵀ gL2)) U1⁻ᵀ, where L1 and U1 are the square parts of L
    and U, and L2 or U2 the rest; the rows and columns of that rest get gL2 U1⁻ᵀ and L1⁻ᵀ gU2.
    """
    k = L.shape[-1]
    g_L, g_U = zeros_like(L) if g_L is None else g_L, zeros_like(U) if g_U is None else g_U
    L1, L2, U1, U2 = L[..., :k, :], L[..., k:, :], U[..., :k], U[..., k:]
    lower = L1.mT @ g_L[..., :k, :] - g_U[..., k:] @ U2.mT
    upper = g_U[..., :k] @ U1.mT - L2.mT @ g_L[..., k:, :]
    out = solve_triangular(U1.mT, tril(lower, -1) + triu(upper), upper=False, left=False)
    out = solve_triangular(L1.mT, cat([out, g_U[..., k:]], -1), upper=True, unitriangular=True)
    if L.shape[-2] > k:
        out = cat([out, solve_triangular(U1.mT, g_L[..., k:, :], upper=False, left=False)], -2)
    return permute_rows(out, argsort(order))


def d_lu_factor_dx(g_LU, LU, pivots):
    """The gradient of L and U, which lie in one array."""
    k = min(LU.shape[-2:])
    L, U = parts(LU)
    return d_lu_dx(g_LU[..., :, :k], g_LU[..., :k, :], L, U, like(LU, order_of(pivots, LU.shape[-2])))


linalg_lu_factor_ex = general(
    "linalg_lu_factor_ex",
    _linalg_lu_factor_ex,
    "A",
    d_lu_factor_dx,
    outputs="LU pivots info",
    doc="`ac.linalg.lu_factor_ex`. Gradient: that of L and of U, which lie in one matrix.",
)


def _linalg_lu(A, *, pivot=True):
    check_matrices("linalg.lu", A)
    _check_pivot("linalg.lu", pivot)
    LU, _, order = factored(A)
    return *parts(LU), order


linalg_lu = general(
    "linalg_lu",
    _linalg_lu,
    "A",
    d_lu_dx,
    outputs="L U order",
    doc="`ac.linalg.lu`, P as the order of the rows. Gradient, for m = n: P L⁻ᵀ (tril(Lᵀ gL, -1) + triu(gU Uᵀ)) U⁻ᵀ.",
)


def _permute_rows(x, order):
    batch = np.broadcast_shapes(x.shape[:-2], order.shape[:-1])
    x = np.broadcast_to(x, (*batch, *x.shape[-2:]))
    return reordered(x, np.broadcast_to(order, (*batch, order.shape[-1])))


permute_rows = linear(
    "permute_rows",
    _permute_rows,
    "x order",
    lambda g, order: permute_rows(g, argsort(order)),
    None,
    doc="Row `order[i]` of each matrix as row i, for a permutation `order`.",
)


# -- with the factors at hand


def lu(A, pivot=True, get_infos=False):
    """L and U in one matrix and the pivots, (LU, pivots); a third, `info`, with `get_infos`.

    Its successors are `linalg.lu_factor` and `linalg.lu_factor_ex`; gradient and errors as there.

    >>> import autograd_core as ac
    >>> LU, pivots = ac.lu(ac.tensor([[1.0, 2.0], [2.0, 2.0]]))
    >>> LU, pivots
    (tensor([[2.0000, 2.0000],
            [0.5000, 1.0000]]), tensor([2, 2], dtype=autograd_core.int32))
    """
    LU, pivots, info = linalg_lu_factor_ex(A, pivot=pivot)
    return LUWithInfo(LU, pivots, info) if get_infos else (LU, pivots)


LUWithInfo = namedtuple("LUWithInfo", "LU pivots info")


def check_pivots(name: str, pivots, rows: int) -> None:
    """RuntimeError unless the pivots are int32 and name rows."""
    if numpy_dtype(pivots) != np.int32:
        raise RuntimeError(
            f"{name}: pivots should be a Tensor of scalar type int32, got {kind_name(array_of(pivots))}; take them "
            "from linalg.lu_factor"
        )
    given = array_of(pivots)
    if given.size and not (given.min() >= 1 and given.max() <= rows):
        raise RuntimeError(f"{name}: pivots must be between 1 and {rows} inclusive; take them from linalg.lu_factor")


def lu_unpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True):
    """P, L and U with A = P L U, from what `linalg.lu_factor` gives, as a named tuple (P, L, U).

    P (..., m, m) is a permutation matrix, L (..., m, k) has ones on its diagonal, U is (..., k, n), k = min(m, n). What
    is not unpacked is empty. Gradient: that of L and of U, each on its triangle. RuntimeError for pivots that are not
    int32 or name no row.

    >>> import autograd_core as ac
    >>> P, L, U = ac.lu_unpack(*ac.linalg.lu_factor(ac.tensor([[1.0, 2.0], [2.0, 2.0]])))
    >>> P @ L @ U
    tensor([[1., 2.],
            [2., 2.]])
    """
    dtype = numpy_dtype(LU_data)
    nothing = like(LU_data, np.zeros(0, dtype))
    P, (L, U) = nothing, (nothing, nothing)
    if unpack_pivots:
        check_pivots("lu_unpack", LU_pivots, LU_data.shape[-2])
        P = like(LU_data, matrix_of(order_of(LU_pivots, LU_data.shape[-2]), dtype))
    if unpack_data:
        L, U = parts(LU_data)
    return LUUnpack(P, L, U)


LUUnpack = namedtuple("LUUnpack", "P L U")


def solve_factored(LU, pivots, B, left=True, adjoint=False):
    """`ac.linalg.lu_solve`, made of two triangular systems; its gradient is theirs."""
    check_system("linalg.lu_solve", array_of(LU), array_of(B), left)
    check_pivots("linalg.lu_solve", pivots, LU.shape[-2])
    if not left:
        return solve_factored(LU, pivots, B.mT, adjoint=not adjoint).mT
    order = like(LU, order_of(pivots, LU.shape[-2]))
    if adjoint:
        X = solve_triangular(LU.mT, B, upper=False)
        X = solve_triangular(LU.mT, X, upper=True, unitriangular=True)
        return permute_rows(X, argsort(order))
    X = solve_triangular(LU, permute_rows(B, order), upper=False, unitriangular=True)
    return solve_triangular(LU, X, upper=True)


def lu_solve(input, LU_data, LU_pivots):
    """The solution X of A X = B for B = `input` (..., n, k), given what `linalg.lu_factor` gives for A.

    Its successor is `linalg.lu_solve`, where B comes last; gradient and errors as there.

    >>> import autograd_core as ac
    >>> LU, pivots = ac.linalg.lu_factor(ac.tensor([[1.0, 2.0], [2.0, 2.0]]))
    >>> ac.lu_solve(ac.tensor([[3.0], [4.0]]), LU, pivots)
    tensor([[1.],
            [1.]])
    """
    return solve_factored(LU_data, LU_pivots, input)


def check_factored(name: str, info) -> None:
    """LinAlgError where U has a zero on its diagonal."""
    if info.any():
        element, k = first_failure(info)
        raise LinAlgError(
            f"{name}: {element}U[{k},{k}] is zero and using it on lu_solve would result in a division by zero. If you "
            "still want to perform the factorization, consider calling linalg.lu(A) or linalg.lu_factor_ex(A)"
        )
