"""Matrices made of vectors, diagonals, and systems of equations between tensors."""

from __future__ import annotations

import math

from ..core.dtypes import bool_
from ..ops.creation import ones_like
from ..ops.diagonals import diagonal as diagonal_of
from ..ops.joining import cat
from ..ops.scan import cumprod
from ..ops.shape import expand, movedim, reshape, unsqueeze
from ..ops.solving import inv
from .solving import solve


def diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    """The diagonals of the matrices in the axes `dim1` and `dim2`, as a view: `ac.diagonal` with other defaults.

    >>> import autograd_core as ac
    >>> ac.linalg.diagonal(ac.tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([1., 4.])
    """
    return diagonal_of(A, offset, dim1, dim2)


def vander(x, *, N=None):
    """The Vandermonde matrix: the powers 0 to N - 1 of each element, along a new last axis.

    For x of shape (..., n), the shape is (..., n, N), with N = n by default; a number counts as a vector of one.
    Integers give int64. RuntimeError for bools, and for N below 2. The powers are a cumulative product, so their
    gradient is right at 0 too.

    >>> import autograd_core as ac
    >>> ac.linalg.vander(ac.tensor([2.0, 3.0]), N=3)
    tensor([[1., 2., 4.],
            [1., 3., 9.]])
    """
    if x.dtype == bool_:
        raise RuntimeError(
            f"linalg.vander supports floating point and integer tensors, but got {x.dtype}; convert it with .to(...)"
        )
    if x.ndim == 0:
        x = reshape(x, (1,))
    if N is None:
        N = x.shape[-1]
    if N <= 1:
        raise RuntimeError(f"linalg.vander: N must be greater than 1, got {N}.")
    powers = cumprod(expand(unsqueeze(x, -1), (*x.shape, N - 1)), -1)
    return cat([ones_like(powers[..., :1]), powers], -1)


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
