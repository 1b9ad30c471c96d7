"""Linear algebra under PyTorch's names: `ac.linalg`."""

from __future__ import annotations

from ..names import facade
from ..ops.linear_algebra.determinants import det, slogdet
from ..ops.linear_algebra.factorizations import eigvalsh, svdvals
from ..ops.linear_algebra.matmul import LinAlgError, matmul
from ..ops.linear_algebra.matrix_functions import matrix_exp, matrix_power
from ..ops.linear_algebra.norms import matrix_norm, vector_norm
from ..ops.linear_algebra.products import linalg_cross as cross
from ..ops.linear_algebra.products import multi_dot, vecdot
from ..ops.linear_algebra.reflections import householder_product
from ..ops.linear_algebra.solving import inv
from ..ops.linear_algebra.triangular import solve_triangular
from .condition import cond, norm
from .decompositions import cholesky, cholesky_ex, eigh, lu, lu_factor, lu_factor_ex, qr, svd
from .structured import diagonal, vander
from .systems import inv_ex, lstsq, lu_solve, matrix_rank, pinv, solve, solve_ex, tensorinv, tensorsolve

__all__ = [
    "LinAlgError",
    "cholesky",
    "cholesky_ex",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eigh",
    "eigvalsh",
    "householder_product",
    "inv",
    "inv_ex",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_factor_ex",
    "lu_solve",
    "matmul",
    "matrix_exp",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "multi_dot",
    "norm",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "solve_ex",
    "solve_triangular",
    "svd",
    "svdvals",
    "tensorinv",
    "tensorsolve",
    "vander",
    "vecdot",
    "vector_norm",
]
__getattr__, __dir__ = facade(__name__, __all__)
