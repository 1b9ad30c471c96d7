"""Linear algebra under PyTorch's names: `ac.linalg`."""

from __future__ import annotations

from ..names import facade
from ..ops.determinants import det, slogdet
from ..ops.factorizations import eigvalsh, svdvals
from ..ops.linalg import LinAlgError, matmul
from ..ops.matrix_functions import matrix_exp, matrix_power
from ..ops.norms import matrix_norm
from ..ops.products import linalg_cross as cross
from ..ops.products import multi_dot, vecdot
from ..ops.reduction import vector_norm
from ..ops.reflections import householder_product
from ..ops.solving import inv
from ..ops.triangular import solve_triangular
from .decompositions import cholesky, cholesky_ex, eigh, lu, lu_factor, lu_factor_ex, qr, svd
from .norms import cond, norm
from .products import diagonal, tensorinv, tensorsolve, vander
from .solving import inv_ex, lstsq, lu_solve, matrix_rank, pinv, solve, solve_ex

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
