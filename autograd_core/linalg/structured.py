"""Diagonals of matrices, and the matrix of the powers of a vector."""

from __future__ import annotations

from ..core.dtypes import bool_
from ..ops.making.creation import ones_like
from ..ops.reductions.scan import cumprod
from ..ops.shapes.diagonals import diagonal as diagonal_of
from ..ops.shapes.joining import cat
from ..ops.shapes.shape import expand, reshape, unsqueeze


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
