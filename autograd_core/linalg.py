"""Linear algebra under PyTorch's names: `ac.linalg`."""

from __future__ import annotations

import math

from .calling import takes_numpy_names
from .names import facade
from .ops.linalg import matmul
from .ops.reduction import amax, amin, sum, vector_norm
from .ops.shape import axes_of

__all__ = ["LinAlgError", "matmul", "norm", "vector_norm"]
__getattr__, __dir__ = facade(__name__, __all__)


class LinAlgError(RuntimeError):
    """A matrix for which the computation has no result, such as a singular one."""


@takes_numpy_names
def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    """The norm of a vector or a matrix.

    Without `ord`: the 2-norm of all elements, or over the axes `dim`. A number `ord` with a vector, or with one axis
    `dim`: `vector_norm`. With a matrix, or with two axes: the matrix norm "fro" (2-norm of the elements), 1 or -1
    (largest or smallest sum of absolute values of a column), inf or -inf (of a row). NotImplementedError for the norms
    made of singular values (2, -2, "nuc"), RuntimeError for other words and for shapes that do not fit.

    >>> import autograd_core as ac
    >>> A = ac.tensor([[1.0, -2.0], [3.0, 4.0]])
    >>> ac.linalg.norm(A), ac.linalg.norm(A, 1), ac.linalg.norm(A, float("inf"), dim=(0, 1))
    (tensor(5.4772), tensor(6.), tensor(7.))
    """
    if dtype is not None:
        A = A.to(dtype)
    if ord is None:
        return vector_norm(A, 2, dim, keepdim)
    axes = axes_of(dim, A.ndim)
    if len(axes) == 1 and not isinstance(ord, str):
        return vector_norm(A, ord, dim, keepdim)
    if len(axes) != 2:
        raise RuntimeError(
            f"linalg.norm(): ord={ord!r} needs a matrix, or two axes in dim; got shape {list(A.shape)} and dim={dim}"
        )
    return _matrix_norm(A, ord, axes, keepdim)


def _matrix_norm(A, ord, axes, keepdim):
    if ord == "fro":
        return vector_norm(A, 2, axes, keepdim)
    if ord in (2, -2, "nuc"):
        raise NotImplementedError(
            f"linalg.norm(): ord={ord!r} needs singular values, which autograd_core does not have yet"
        )
    if ord not in (1, -1, math.inf, -math.inf):
        raise RuntimeError(f"linalg.norm(): Order {ord!r} not supported for a matrix; use 'fro', 1, -1, inf or -inf")
    rows, columns = axes
    summed, compared = (rows, columns) if abs(ord) == 1 else (columns, rows)
    out = (amax if ord > 0 else amin)(sum(abs(A), summed, True), compared, True)
    return out if keepdim else out.squeeze(axes)
