"""Singular value, eigenvalue, QR and Cholesky decompositions.

The gradients are in M. Giles (2008), "Collected matrix derivative results for forward and reverse mode algorithmic
differentiation", and, for QR, in S. F. Walter and L. Lehmann (2010), "Algorithmic differentiation of linear algebra
functions with application in optimum experimental design".
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from ...core.call import has_dual
from ...core.modes import is_grad_enabled
from ...core.table import general, nondiff
from ...core.tensor import Tensor, wrap
from ..elementwise.piecewise import where
from ..making.creation import array_of
from ..shapes.diagonals import tril, triu
from ..windows.borders import constant_pad
from .matmul import LinAlgError
from .matrix_checks import check_matrices, check_square, first_failure, non_finite, on_diagonal, skew
from .triangular import solve_triangular

__all__ = ["cholesky", "geqrf", "qr", "svd"]
METHODS = __all__
TAKE_OUT = ["cholesky", "qr", "svd"]


def differentiated(x) -> bool:
    """Whether a gradient or a tangent may be asked of what is computed from `x`."""
    return isinstance(x, Tensor) and ((x.requires_grad and is_grad_enabled()) or has_dual((x,)))


def differences(values):
    """v[j] - v[i] at (i, j), and 1 on the diagonal: what a derivative of vectors is divided by."""
    return where(np.eye(values.shape[-1], dtype=bool), 1.0, values[..., None, :] - values[..., :, None])


# -- singular values


def _linalg_svd(A, full_matrices=False, compute_uv=True):
    check_matrices("linalg.svd", A)
    try:
        if compute_uv:
            return tuple(np.linalg.svd(A, full_matrices))
        empty = np.zeros((*A.shape[:-2], 0, 0), A.dtype)
        return empty, np.linalg.svd(A, compute_uv=False), empty
    except np.linalg.LinAlgError:
        raise non_finite("linalg.svd", A) from None


def d_svd_dx(g_U, g_S, g_Vh, U, S, Vh, A_shape):
    """U (skew(Uᵀ gU) / E S + S skew(Vᵀ gV) / E + diag(gS)) Vᵀ, with E[i, j] = s_j² - s_i², and the parts of gU and
    gV outside the spaces of U and V divided by s.
    """
    m, n = A_shape[-2:]
    k = min(m, n)
    U, Vh = U[..., :, :k], Vh[..., :k, :]
    g_U = None if g_U is None else g_U[..., :, :k]
    g_Vh = None if g_Vh is None else g_Vh[..., :k, :]
    if g_U is None and g_Vh is None:
        return (U * g_S[..., None, :]) @ Vh
    E = differences(S * S)
    inner = 0.0 if g_S is None else on_diagonal(g_S)
    if g_U is not None:
        inner = inner + skew(U.mT @ g_U) / E * S[..., None, :]
    if g_Vh is not None:
        inner = inner + S[..., :, None] * (skew(Vh @ g_Vh.mT) / E)
    out = U @ inner @ Vh
    if g_U is not None and m > k:
        scaled = g_U / S[..., None, :]
        out = out + (scaled - U @ (U.mT @ scaled)) @ Vh
    if g_Vh is not None and n > k:
        scaled = g_Vh / S[..., :, None]
        out = out + U @ (scaled - (scaled @ Vh.mT) @ Vh)
    return out


linalg_svd = general(
    "linalg_svd",
    _linalg_svd,
    "A",
    d_svd_dx,
    outputs="U S Vh",
    doc="`ac.linalg.svd`; without `compute_uv`, U and Vh are empty and there is no gradient. Gradient: "
    "U (skew(Uᵀ gU) / E S + S skew(Vᵀ gV) / E + diag(gS)) Vᵀ with E[i, j] = s_j² - s_i² and skew(M) = M - Mᵀ.",
)


def svdvals(A, *, driver=None):
    """The singular values of a matrix (..., m, n), largest first: shape (..., min(m, n)).

    Gradient: U diag(g) Vᵀ, finite at equal values too, for which any choice of their vectors is a subgradient.
    RuntimeError for integers and float16; LinAlgError (a RuntimeError) where the iteration does not converge, as with
    NaN.

    >>> import autograd_core as ac
    >>> ac.linalg.svdvals(ac.tensor([[3.0, 0.0], [4.0, 0.0]]))
    tensor([5., 0.])
    """
    check_driver("linalg.svdvals", driver)
    return linalg_svd(A, False, differentiated(A))[1]


def check_driver(name: str, driver) -> None:
    """RuntimeError for a `driver`: PyTorch has them on GPUs only."""
    if driver is not None:
        raise RuntimeError(f"{name}: keyword argument `driver=` is only supported on CUDA inputs; leave it out")


def svd(input, some=True, compute_uv=True):
    """The singular value decomposition input = U diag(S) Vᵀ, as a named tuple (U, S, V).

    Its successor is `linalg.svd`, which gives Vᵀ. Shapes (..., m, k), (..., k) and (..., n, k) with k = min(m, n);
    `some=False` completes U and V to square matrices; without `compute_uv` these are zeros. Gradient and errors as
    there.

    >>> import autograd_core as ac
    >>> ac.svd(ac.tensor([[3.0, 0.0], [0.0, 2.0]])).S
    tensor([3., 2.])
    """
    if compute_uv:
        U, S, Vh = linalg_svd(input, not some)
        return SVD(U, S, Vh.mT)
    S = svdvals(input)
    U, V = [wrap(np.zeros((*input.shape[:-2], k, k), S.dtype.numpy)) for k in input.shape[-2:]]
    return SVD(U, S, V)


SVD = namedtuple("SVD", "U S V")

# -- eigenvalues of symmetric matrices


def _linalg_eigh(A, UPLO="L", compute_v=True):
    check_square("linalg.eigh", A)
    triangle: Any = UPLO.upper() if isinstance(UPLO, str) else UPLO
    if triangle not in ("L", "U"):
        raise RuntimeError(f"linalg.eigh: Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    try:
        if compute_v:
            return tuple(np.linalg.eigh(A, triangle))
        return np.linalg.eigvalsh(A, triangle), np.zeros((*A.shape[:-2], 0, 0), A.dtype)
    except np.linalg.LinAlgError:
        raise non_finite("linalg.eigh", A) from None


def d_eigh_dx(g_eigenvalues, g_eigenvectors, eigenvalues, eigenvectors):
    """V (diag(gL) + ½ skew(Vᵀ gV) / E) Vᵀ, with E[i, j] = l_j - l_i: symmetric."""
    V = eigenvectors
    if g_eigenvectors is None:
        return (V * g_eigenvalues[..., None, :]) @ V.mT
    inner = skew(V.mT @ g_eigenvectors) / differences(eigenvalues) * 0.5
    if g_eigenvalues is not None:
        inner = inner + on_diagonal(g_eigenvalues)
    return V @ inner @ V.mT


linalg_eigh = general(
    "linalg_eigh",
    _linalg_eigh,
    "A",
    d_eigh_dx,
    outputs="eigenvalues eigenvectors",
    doc="`ac.linalg.eigh`; without `compute_v`, the eigenvectors are empty and there is no gradient. Gradient: "
    "V (diag(gL) + ½ skew(Vᵀ gV) / E) Vᵀ with E[i, j] = l_j - l_i and skew(M) = M - Mᵀ.",
)


def eigvalsh(input, UPLO="L"):
    """The eigenvalues of a symmetric matrix (..., n, n), in ascending order: shape (..., n).

    Only the lower triangle is read, or with UPLO="U" the upper one. Gradient: V diag(g) Vᵀ, symmetric. RuntimeError for
    matrices that are not square, integers and float16; LinAlgError (a RuntimeError) where the iteration does not
    converge.

    >>> import autograd_core as ac
    >>> ac.linalg.eigvalsh(ac.tensor([[2.0, 1.0], [1.0, 2.0]]))
    tensor([1., 3.])
    """
    return linalg_eigh(input, UPLO, differentiated(input))[0]


# -- QR


def _linalg_qr(A, mode="reduced"):
    check_matrices("linalg.qr", A)
    if mode not in ("reduced", "r", "complete"):
        raise RuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'"
        )
    if mode == "r":
        return np.zeros(0, A.dtype), np.linalg.qr(A, "r")
    return tuple(np.linalg.qr(A, mode))


def d_qr_dx(g_Q, g_R, Q, R, A_shape, mode):
    """With M = gR Rᵀ - Qᵀ gQ: (gQ + Q sym(M)) R⁻ᵀ, where sym mirrors the upper triangle; for a wide matrix, whose R is
    (R1 | R2), Q (tril(Mᵀ - M) R1⁻ᵀ | 0) + Q gR.
    """
    m, n = A_shape[-2:]
    if mode == "r":
        raise RuntimeError(
            "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use "
            "linalg.qr(A, mode='reduced') if you are going to differentiate through linalg.qr."
        )
    if mode == "complete" and m > n:
        raise RuntimeError("The QR decomposition is not differentiable when mode='complete' and nrows > ncols.")
    M = 0.0 if g_R is None else g_R @ R.mT
    M = M if g_Q is None else M - Q.mT @ g_Q
    if m >= n:
        out = Q @ (triu(M) + triu(M, 1).mT)
        return solve_triangular(R.mT, out if g_Q is None else out + g_Q, upper=False, left=False)
    out = solve_triangular(R[..., :, :m].mT, Q @ tril(skew(-M)), upper=False, left=False)
    out = constant_pad(out, (0, n - m))
    return out if g_R is None else out + Q @ g_R


linalg_qr = general(
    "linalg_qr",
    _linalg_qr,
    "A",
    d_qr_dx,
    outputs="Q R",
    doc="`ac.linalg.qr`. Gradient, for m ≥ n: (gQ + Q sym(M)) R⁻ᵀ with M = gR Rᵀ - Qᵀ gQ, sym mirroring the upper "
    "triangle.",
)


def qr(input, some=True):
    """The QR decomposition of a matrix as a named tuple (Q, R).

    Its successor is `linalg.qr`: this is its mode "reduced", or with `some=False` its mode "complete". Gradient and
    errors as there.

    >>> import autograd_core as ac
    >>> abs(ac.qr(ac.tensor([[3.0], [4.0]])).R)
    tensor([[5.]])
    """
    return linalg_qr(input, "reduced" if some else "complete")


def _geqrf(x):
    check_matrices("geqrf", x)
    reflectors, tau = np.linalg.qr(x, "raw")
    return reflectors.mT, tau


geqrf = nondiff(
    "geqrf",
    _geqrf,
    "x",
    outputs="a tau",
    doc="The QR decomposition of a matrix (..., m, n) as LAPACK keeps it, a named tuple (a, tau): R in the upper "
    "triangle of `a`, the Householder vectors below, and their factors `tau` (..., min(m, n)).",
    example="abs(ac.geqrf(ac.tensor([[3.0], [4.0]])).a[0]) -> tensor([5.])",
)

# -- Cholesky


def _linalg_cholesky_ex(A, *, upper=False):
    check_square("linalg.cholesky", A)
    info = np.zeros(A.shape[:-2], np.int32)
    lower = A.mT if upper else A
    try:
        L = np.linalg.cholesky(lower)
    except np.linalg.LinAlgError:
        L = np.full(A.shape, np.nan, A.dtype)
        for element in np.ndindex(info.shape):
            if not _failing_order(lower[element]):
                L[element] = np.linalg.cholesky(lower[element])
    for index in np.argwhere(np.isnan(L).any((-2, -1))):  # LAPACK lets NaN through
        info[tuple(index)] = _failing_order(lower[tuple(index)])
    return (L.mT if upper else L), info


def _failing_order(A) -> int:
    """The order of the first leading minor that is not positive definite, 0 if all are."""
    for order in range(1, len(A) + 1):
        try:
            if np.isnan(np.linalg.cholesky(A[:order, :order])).any():
                return order
        except np.linalg.LinAlgError:
            return order
    return 0


def d_cholesky_dx(g_L, L, upper):
    """½ L⁻ᵀ S L⁻¹, where S mirrors the lower triangle of Lᵀ gL: symmetric."""
    if upper:
        g_L, L = g_L.mT, L.mT
    M = L.mT @ g_L
    S = (tril(M) + tril(M, -1).mT) * 0.5
    half = solve_triangular(L.mT, S, upper=True)
    return solve_triangular(L, half, upper=False, left=False)


linalg_cholesky_ex = general(
    "linalg_cholesky_ex",
    _linalg_cholesky_ex,
    "A",
    d_cholesky_dx,
    outputs="L info",
    doc="`ac.linalg.cholesky_ex`. Gradient: ½ L⁻ᵀ S L⁻¹, where S mirrors the lower triangle of Lᵀ gL.",
)


def check_positive_definite(name: str, info) -> None:
    """LinAlgError where a Cholesky decomposition has failed."""
    if info.any():
        element, order = first_failure(info)
        raise LinAlgError(
            f"{name}: {element}The factorization could not be completed because the input is not positive-definite "
            f"(the leading minor of order {order} is not positive-definite); symmetrize the matrix, or add a small "
            "multiple of the identity"
        )


def cholesky(input, upper=False):
    """The Cholesky factor L of a symmetric positive definite matrix, or its transpose with `upper`.

    Its successor is `linalg.cholesky`; gradient and errors as there.

    >>> import autograd_core as ac
    >>> ac.cholesky(ac.tensor([[4.0]]))
    tensor([[2.]])
    """
    L, info = linalg_cholesky_ex(input, upper=upper)
    check_positive_definite("cholesky", array_of(info))
    return L
