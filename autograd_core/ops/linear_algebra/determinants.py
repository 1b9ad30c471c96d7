"""Determinants, and their logarithms."""

from __future__ import annotations

import numpy as np

from ...core.call import also_called
from ...core.table import general
from ..elementwise.piecewise import where
from ..making.creation import array_of, zeros_like
from ..reductions.scan import products_of_others
from .factorizations import linalg_svd
from .matrix_checks import check_square, scaled
from .solving import inverse_of

__all__ = ["det", "logdet", "slogdet"]
METHODS = __all__


def _linalg_det(A):
    check_square("linalg.det", A)
    return np.linalg.det(A)


def d_det_dx(g, A, out):
    """g times the matrix of cofactors: det(A) A⁻ᵀ, and where that is 0 times infinity, from the singular values."""
    det = array_of(out)
    singular = abs(det) < 100 * np.finfo(det.dtype).eps
    if not singular.any():
        return scaled(g * out, inverse_of(A).mT)
    n = A.shape[-1]
    mask = singular[..., None, None]
    regular = scaled(g * out, inverse_of(where(mask, np.eye(n, dtype=det.dtype), A)).mT)
    distinct = np.diag(np.arange(1, n + 1, dtype=det.dtype))  # stands in where the other way is taken
    return where(mask, scaled(g, _cofactors(where(mask, A, distinct))), regular)


def _cofactors(A):
    """det(U Vᵀ) U diag(products of the other singular values) Vᵀ, which needs no inverse."""
    U, S, Vh = linalg_svd(A)
    sign = np.linalg.det(array_of(U)) * np.linalg.det(array_of(Vh))
    return scaled(sign, (U * products_of_others(S, -1)[..., None, :]) @ Vh)


det = general(
    "linalg_det",
    _linalg_det,
    "A",
    d_det_dx,
    doc="The determinant of a square matrix (..., n, n), of each in a batch. RuntimeError for matrices that are not "
    "square, integers and float16. Gradient: g times the cofactors, det(A) A⁻ᵀ; for a singular matrix too, from the "
    "singular value decomposition.",
    example="ac.linalg.det(ac.tensor([[1.0, 2.0], [3.0, 4.0]])) -> tensor(-2.)",
)


def _linalg_slogdet(A):
    check_square("linalg.slogdet", A)
    sign, logabsdet = np.linalg.slogdet(A)
    return np.asarray(sign), np.asarray(logabsdet)


def d_slogdet_dx(g_logabsdet, A):
    """g A⁻ᵀ."""
    return zeros_like(A) if g_logabsdet is None else scaled(g_logabsdet, inverse_of(A).mT)


slogdet = general(
    "linalg_slogdet",
    _linalg_slogdet,
    "A",
    d_slogdet_dx,
    outputs="sign logabsdet",
    doc="The sign and the logarithm of the absolute value of the determinant of a square matrix (..., n, n), of each "
    "in a batch, as a named tuple (sign, logabsdet): 0 and -inf for a singular one. Where a determinant is out of the "
    "range of its dtype, its logarithm is not. RuntimeError for matrices that are not square, integers and float16. "
    "Gradient: that of logabsdet, g A⁻ᵀ; the sign has none.",
    example="ac.linalg.slogdet(ac.tensor([[0.0, 1.0], [1.0, 0.0]])).sign -> tensor(-1.)",
)

det, slogdet = map(also_called(input="A"), (det, slogdet))


def logdet(input):
    """The logarithm of a determinant: NaN where that is negative, -inf for 0. Gradient and errors as of `slogdet`.

    >>> import autograd_core as ac
    >>> ac.logdet(ac.tensor([[2.0, 0.0], [0.0, 0.5]]))
    tensor(0.)
    """
    sign, logabsdet = slogdet(input)
    return where(sign == -1, np.nan, logabsdet)
