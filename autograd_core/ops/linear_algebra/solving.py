"""Inverses, systems of equations, pseudoinverses and least squares.

The gradient of the pseudoinverse is that of G. H. Golub and V. Pereyra (1973), "The differentiation of pseudo-inverses
and nonlinear least squares problems whose variables separate".
"""

from __future__ import annotations

import numpy as np

from ...core.call import also_called
from ...core.table import general, nondiff
from ..making.creation import array_of
from .lu import factored, reordered
from .matmul import LinAlgError
from .matrix_checks import (
    broadcast_batches,
    check_matrices,
    check_square,
    check_system,
    first_failure,
    kind_name,
    non_finite,
)
from .triangular import substitute

__all__ = ["inverse", "pinverse"]
METHODS = __all__
TAKE_OUT = ["inverse"]

# -- inverse and solution


def _solutions(A, B):
    """The solutions of A X = B (..., n, k), and for each matrix 0, or the number of the pivot that is zero."""
    batch = np.broadcast_shapes(A.shape[:-2], B.shape[:-2])
    try:
        return np.linalg.solve(A, B), np.zeros(batch, np.int32)
    except np.linalg.LinAlgError:
        return _solutions_where_possible(np.broadcast_to(A, (*batch, *A.shape[-2:])), B)


def _solutions_where_possible(A, B):
    """The solution for each matrix that has one, infinities and NaN for the others."""
    batch = A.shape[:-2]
    info = np.zeros(batch, np.int32)
    LU, _, order = factored(A)
    diagonals = abs(np.diagonal(LU, 0, -2, -1))
    for element in np.ndindex(batch):
        try:
            np.linalg.inv(A[element])
        except np.linalg.LinAlgError:
            info[element] = diagonals[element].argmin() + 1
    X = reordered(np.broadcast_to(B, (*batch, *B.shape[-2:])), order)
    with np.errstate(divide="ignore", invalid="ignore"):  # where there is no solution
        substitute(LU, X, False, True)
        substitute(LU, X, True, False)
    return X, info


def _linalg_inv_ex(A):
    check_square("linalg.inv", A)
    try:
        return np.linalg.inv(A), np.zeros(A.shape[:-2], np.int32)
    except np.linalg.LinAlgError:
        return _solutions_where_possible(A, np.eye(A.shape[-1], dtype=A.dtype))


linalg_inv_ex = general(
    "linalg_inv_ex",
    _linalg_inv_ex,
    "A",
    lambda g_inverse, inverse: -(inverse.mT @ (g_inverse @ inverse.mT)),
    outputs="inverse info",
    doc="`ac.linalg.inv_ex`. Gradient: -A⁻ᵀ g A⁻ᵀ.",
)


def inverse_of(A):
    """The inverses of matrices, infinite or NaN where there is none."""
    return linalg_inv_ex(A)[0]


def inv(A):
    """The inverse of a square matrix (..., n, n), each of a batch.

    Gradient: -A⁻ᵀ g A⁻ᵀ. RuntimeError for matrices that are not square, integers and float16; LinAlgError (a
    RuntimeError) for a singular matrix. To multiply by an inverse, `linalg.solve` is faster and more precise.

    >>> import autograd_core as ac
    >>> ac.linalg.inv(ac.tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    inverse, info = linalg_inv_ex(A)
    check_invertible("linalg.inv", array_of(info))
    return inverse


inverse = also_called(input="A")(inv)


def check_invertible(name: str, info) -> None:
    """LinAlgError where an inversion has failed."""
    if info.any():
        element, k = first_failure(info)
        raise LinAlgError(
            f"{name}: {element}The diagonal element {k} is zero, the inversion could not be completed because the "
            "input matrix is singular; linalg.pinv gives a pseudoinverse"
        )


def is_vector(A_shape, B_shape) -> bool:
    """Whether `solve` takes B of this shape as vectors: PyTorch's rule."""
    return len(B_shape) == 1 or B_shape == A_shape[:-1]


def _linalg_solve_ex(A, B, *, left=True):
    check_square("linalg.solve", A)
    vector = is_vector(A.shape, B.shape)
    if vector and not left:
        raise RuntimeError(
            "linalg.solve: Vector broadcasting of the left hand side is not supported for left=False. In this case "
            "linalg.solve is equivalent to B / A.squeeze(-1)"
        )
    matrices = B[..., None] if vector else B
    check_system("linalg.solve", A, matrices, left)
    if left:
        X, info = _solutions(A, matrices)
        return (X[..., 0] if vector else X), info
    X, info = _solutions(A.mT, matrices.mT)
    return X.mT, info


def d_solve_dA(g_result, A, result, left):
    """-(A⁻ᵀ g) Xᵀ, or -Xᵀ (g A⁻ᵀ) where not `left`."""
    g_B = linalg_solve_ex(A.mT, g_result, left=left)[0]
    if is_vector(A.shape, result.shape):
        return -(g_B[..., :, None] * result[..., None, :])
    return -(g_B @ result.mT if left else result.mT @ g_B)


linalg_solve_ex = general(
    "linalg_solve_ex",
    _linalg_solve_ex,
    "A B",
    d_solve_dA,
    lambda g_result, A, left: linalg_solve_ex(A.mT, g_result, left=left)[0],
    outputs="result info",
    doc="`ac.linalg.solve_ex`. Gradients: A⁻ᵀ g for B, and -(A⁻ᵀ g) Xᵀ for A.",
)


def check_solved(name: str, info) -> None:
    """LinAlgError where a system had no solution."""
    if info.any():
        element, _ = first_failure(info)
        raise LinAlgError(
            f"{name}: {element}The solver failed because the input matrix is singular; linalg.lstsq finds the "
            "nearest solution"
        )


# -- pseudoinverse and rank


def _tolerance(largest, shape, atol, rtol):
    """Below which a singular value counts as 0: max(atol, rtol times the largest), with PyTorch's defaults."""
    if rtol is None:
        rtol = max(shape[-2:]) * np.finfo(largest.dtype).eps
        if atol is not None:
            rtol = np.where(np.asarray(atol) > 0, 0.0, rtol)
    return np.maximum(0.0 if atol is None else atol, np.asarray(rtol) * largest)[..., None]


def _significant(values, shape, atol, rtol):
    """Which of the singular values are not negligible."""
    return values > _tolerance(values.max(-1, initial=0), shape, atol, rtol)


def _inverses(values, keep):
    """1/s for the values to keep, 0 for the others."""
    return np.divide(1, values, out=np.zeros_like(values), where=keep)


def _check_symmetric(name: str, A, hermitian: bool) -> None:
    check_matrices(name, A)
    if hermitian:
        check_square(name, A)


def _linalg_pinv(A, atol=None, rtol=None, *, hermitian=False):
    _check_symmetric("linalg.pinv", A, hermitian)
    try:
        if hermitian:
            values, V = np.linalg.eigh(A)
            U = V
        else:
            U, values, Vh = np.linalg.svd(A, full_matrices=False)
            V = Vh.mT
    except np.linalg.LinAlgError:
        raise non_finite("linalg.pinv", A) from None
    keep = _significant(abs(values), A.shape, atol, rtol)
    return (V * _inverses(values, keep)[..., None, :]) @ U.mT


def d_pinv_dA(g, A, out):
    """-Pᵀ g Pᵀ + (I - A P) gᵀ P Pᵀ + Pᵀ P gᵀ (I - P A), multiplied out on the smaller side."""
    P, Pt, gt = out, out.mT, g.mT
    if A.shape[-2] <= A.shape[-1]:
        K = gt @ P
        KPt = K @ Pt
        return KPt - (P @ K).mT - (A @ P) @ KPt + (Pt @ P) @ (gt - K @ A)
    K = P @ gt
    PtK = Pt @ K
    return PtK - (K @ P).mT + ((gt - A @ K) @ P) @ Pt - (PtK @ P) @ A


linalg_pinv = general(
    "linalg_pinv",
    _linalg_pinv,
    "A atol rtol",
    d_pinv_dA,
    None,
    None,
    doc="`ac.linalg.pinv`. Gradient: -Pᵀ g Pᵀ + (I - A P) gᵀ P Pᵀ + Pᵀ P gᵀ (I - P A).",
)


def pinverse(input, rcond=1e-15):
    """The pseudoinverse (..., n, m) of a matrix (..., m, n): `linalg.pinv` with `rtol=rcond`.

    >>> import autograd_core as ac
    >>> ac.pinverse(ac.tensor([[2.0, 0.0], [0.0, 0.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.0000]])
    """
    return linalg_pinv(input, 0.0, rcond)


def _linalg_matrix_rank(A, atol=None, rtol=None, *, hermitian=False):
    _check_symmetric("linalg.matrix_rank", A, hermitian)
    try:
        values = abs(np.linalg.eigvalsh(A)) if hermitian else np.linalg.svd(A, compute_uv=False)
    except np.linalg.LinAlgError:
        raise non_finite("linalg.matrix_rank", A) from None
    return np.count_nonzero(_significant(values, A.shape, atol, rtol), axis=-1)


linalg_matrix_rank = nondiff("linalg_matrix_rank", _linalg_matrix_rank, "A atol rtol", doc="`ac.linalg.matrix_rank`.")

# -- least squares

DRIVERS = ("gels", "gelsy", "gelsd", "gelss")


def check_least_squares(A, B, driver) -> None:
    """Raise RuntimeError unless `lstsq` takes these arguments, but for batch axes that do not broadcast."""
    check_matrices("linalg.lstsq", A, "input")
    if not 0 <= A.ndim - B.ndim <= 1 or not B.ndim:
        raise RuntimeError(
            "linalg.lstsq: input.dim() must be greater or equal to other.dim() and (input.dim() - other.dim()) <= 1, "
            f"and other must have at least 1 dimension; got shapes {list(A.shape)} and {list(B.shape)}"
        )
    axis = -1 if is_vector(A.shape, B.shape) else -2
    if A.shape[-2] != B.shape[axis]:
        raise RuntimeError(
            f"linalg.lstsq: input.size(-2) should match other.size({axis}), got shapes {list(A.shape)} and "
            f"{list(B.shape)}"
        )
    if A.dtype != B.dtype:
        raise RuntimeError(
            f"linalg.lstsq: Expected input and other to have the same dtype, but got {kind_name(A)} and {kind_name(B)}"
        )
    if driver not in DRIVERS:
        raise RuntimeError(f"linalg.lstsq: parameter `driver` should be one of {', '.join(DRIVERS)}, not {driver!r}")


def _linalg_lstsq(A, B, rcond=None, *, driver="gelsy"):
    """Through the singular values, whatever the driver: each finds the solution that this is, where it finds one."""
    check_least_squares(A, B, driver)
    m, n = A.shape[-2:]
    vector = is_vector(A.shape, B.shape)
    A, B = broadcast_batches("linalg.lstsq", A, B[..., None] if vector else B)
    try:
        U, S, Vh = np.linalg.svd(A, full_matrices=False)
    except np.linalg.LinAlgError:
        raise non_finite("linalg.lstsq", A) from None
    keep = _significant(S, A.shape, None, 0.0 if driver == "gels" else rcond)
    X = Vh.mT @ (_inverses(S, keep)[..., None] * (U.mT @ B))
    rank, none = np.count_nonzero(keep, axis=-1), np.zeros(0, A.dtype)
    residuals = none
    if m > n and driver != "gelsy" and np.all(rank == n):
        residuals = np.square(A @ X - B).sum(-2)
    return (
        X[..., 0] if vector else X,
        residuals,
        np.zeros(0, np.int64) if driver == "gels" else np.asarray(rank, np.int64),
        S if driver in ("gelsd", "gelss") else none,
    )


def _gradient_of_solution(A, P, g, X, B):
    """With R = B - A X: -(Pᵀ g) Xᵀ + R (P Pᵀ g)ᵀ + (Pᵀ X) (g - Aᵀ Pᵀ g)ᵀ."""
    g_B = P.mT @ g
    return (B - A @ X) @ (P @ g_B).mT - g_B @ X.mT + (P.mT @ X) @ (g - A.mT @ g_B).mT


def d_lstsq_dA(g_solution, g_residuals, A, B, solution, rcond):
    """That of the solution, and -2 R diag(g) Xᵀ of the residuals, R = B - A X."""
    X = solution
    if is_vector(A.shape, B.shape):
        B, X, g_solution = B[..., None], X[..., None], None if g_solution is None else g_solution[..., None]
    out = None
    if g_solution is not None:
        out = _gradient_of_solution(A, linalg_pinv(A, None, rcond), g_solution, X, B)
    if g_residuals is not None and g_residuals.shape != (0,):
        of_residuals = -2 * (B - A @ X) * g_residuals[..., None, :] @ X.mT
        out = of_residuals if out is None else out + of_residuals
    return out


def d_lstsq_dB(g_solution, g_residuals, A, B, solution, rcond):
    """Pᵀ g, and 2 R diag(g) of the residuals."""
    vector, out, X = is_vector(A.shape, B.shape), None, solution
    if vector:
        B, X, g_solution = B[..., None], X[..., None], None if g_solution is None else g_solution[..., None]
    if g_solution is not None:
        out = linalg_pinv(A, None, rcond).mT @ g_solution
    if g_residuals is not None and g_residuals.shape != (0,):
        of_residuals = 2 * (B - A @ X) * g_residuals[..., None, :]
        out = of_residuals if out is None else out + of_residuals
    return out[..., 0] if vector and out is not None else out


linalg_lstsq = general(
    "linalg_lstsq",
    _linalg_lstsq,
    "A B",
    d_lstsq_dA,
    d_lstsq_dB,
    outputs="solution residuals rank singular_values",
    doc="`ac.linalg.lstsq`. Gradients, with P = pinv(A) and R = B - A X: Pᵀ g for B, and for A -(Pᵀ g) Xᵀ + R (P Pᵀ "
    "g)ᵀ + (Pᵀ X) (g - Aᵀ Pᵀ g)ᵀ.",
)
