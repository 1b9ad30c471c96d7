"""`linalg.norm`, which chooses between the norms of vectors and of matrices, and the condition number."""

from __future__ import annotations

import math

from ..core.call import also_called, takes_numpy_names
from ..ops.elementwise.piecewise import where
from ..ops.linear_algebra.factorizations import svdvals
from ..ops.linear_algebra.matrix_checks import check_axes, check_square_axes
from ..ops.linear_algebra.norms import matrix_norm, vector_norm
from ..ops.reductions.reduction import sum
from ..ops.shapes.shape import several
from .systems import inv_ex


@also_called(input="A")
@takes_numpy_names
def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    """The norm of a vector or a matrix.

    Without `ord`: the 2-norm of all elements, or over the axes `dim`. A number `ord` with a vector, or with one axis
    `dim`: `linalg.vector_norm`. A number with a matrix or two axes, or a word: `linalg.matrix_norm`. RuntimeError for
    orders and shapes that do not fit.

    >>> import autograd_core as ac
    >>> A = ac.tensor([[1.0, -2.0], [3.0, 4.0]])
    >>> ac.linalg.norm(A), ac.linalg.norm(A, 1), ac.linalg.norm(A, float("inf"), dim=(0, 1))
    (tensor(5.4772), tensor(6.), tensor(7.))
    """
    rank = A.ndim if dim is None else len(several(dim))
    if dim is not None and rank not in (1, 2):
        raise RuntimeError(f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got {list(dim)}")
    if ord is not None and rank not in (1, 2):
        raise RuntimeError(
            f"linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {A.ndim}D of shape "
            f"{list(A.shape)}."
        )
    if ord is None or (rank == 1 and not isinstance(ord, str)):
        return vector_norm(A, 2 if ord is None else ord, dim, keepdim, dtype=dtype)
    return matrix_norm(A, ord, (-2, -1) if dim is None else dim, keepdim, dtype=dtype)


@also_called(input="A")
def cond(A, p=None):
    """The condition number of a matrix, or of each one of a batch, in the norm `p`: ‖A‖ ‖A⁻¹‖.

    p = None and 2: largest over smallest singular value, of matrices of any shape; -2: the inverse of that. "fro",
    "nuc", 1, -1, inf, -inf: `linalg.matrix_norm` of a square A times that of its inverse; inf if A is singular.
    RuntimeError for another `p`, and for shapes that do not fit. The gradients are those of these compositions.

    >>> import autograd_core as ac
    >>> A = ac.tensor([[2.0, 0.0], [0.0, 0.5]])
    >>> ac.linalg.cond(A), ac.linalg.cond(A, 1)
    (tensor(4.), tensor(4.))
    """
    check_axes("linalg.cond", A)
    if p is None or p in (2, -2):
        values = svdvals(A)
        if values.shape[-1] == 0:
            return sum(values, -1)
        largest, smallest = values[..., 0], values[..., -1]
        return smallest / largest if p == -2 else largest / smallest
    if p not in ("fro", "nuc", 1, -1, math.inf, -math.inf):
        raise RuntimeError(f"linalg.cond got an invalid norm type: {p}; use 'fro', 'nuc', 1, -1, 2, -2, inf or -inf")
    check_square_axes(f"linalg.cond(ord={p})", A)
    inverse, info = inv_ex(A)
    return where(info > 0, math.inf, matrix_norm(A, p) * matrix_norm(inverse, p))
