"""What ops on matrices have in common: the checks of their arguments, and errors that name the matrix of a batch."""

from __future__ import annotations

import numpy as np

from ...core import dtypes
from ..making.creation import array_of
from ..shapes.diagonals import put_diagonal
from .matmul import LinAlgError


def kind_name(x) -> str:
    """The name of the dtype of an array."""
    return dtypes.OF_NUMPY[x.dtype].name if x.dtype in dtypes.OF_NUMPY else x.dtype.name


def check_axes(name: str, x, letter: str = "A") -> None:
    """Raise RuntimeError unless `x` has two axes or more."""
    if x.ndim < 2:
        raise RuntimeError(
            f"{name}: The input tensor {letter} must have at least 2 dimensions, got shape {list(x.shape)}"
        )


def check_square_axes(name: str, x, letter: str = "A") -> None:
    """Raise RuntimeError unless `x` is a square matrix, or a batch of them, of any dtype."""
    check_axes(name, x, letter)
    if x.shape[-1] != x.shape[-2]:
        raise RuntimeError(
            f"{name}: {letter} must be batches of square matrices, but they are {x.shape[-2]} by {x.shape[-1]} matrices"
        )


def check_matrices(name: str, x, letter: str = "A") -> None:
    """Raise RuntimeError unless `x` has two axes or more and a dtype that LAPACK computes in."""
    check_axes(name, x, letter)
    if x.dtype.kind != "f":
        raise RuntimeError(
            f"{name}: Expected a floating point tensor as input. Got {kind_name(x)}; convert it with .to(...)"
        )
    if x.dtype.itemsize < 4:
        raise RuntimeError(f"{name}: Low precision dtypes not supported. Got {kind_name(x)}; convert it with .float()")


def check_square(name: str, x, letter: str = "A") -> None:
    """Raise RuntimeError unless `x` is a square matrix, or a batch of them, of a dtype that LAPACK computes in."""
    check_matrices(name, x, letter)
    check_square_axes(name, x, letter)


def check_system(name: str, A, B, left: bool = True) -> None:
    """Raise RuntimeError unless A X = B (X A = B where not `left`) fits, but for batch axes that do not broadcast."""
    check_square(name, A)
    check_matrices(name, B, "B")
    if A.dtype != B.dtype:
        raise RuntimeError(
            f"{name}: Expected A and B to have the same dtype, but found A of type {kind_name(A)} and B of type "
            f"{kind_name(B)} instead; convert one with .to(...)"
        )
    if A.shape[-1] != B.shape[-2 if left else -1]:
        equation = "AX = B" if left else "XA = B"
        raise RuntimeError(
            f"{name}: Incompatible shapes of A and B for the equation {equation} ({A.shape[-2]}x{A.shape[-1]} and "
            f"{B.shape[-2]}x{B.shape[-1]})"
        )


def broadcast_batches(name: str, *arrays) -> list:
    """The arrays with their axes before the last two broadcast against each other. RuntimeError where they do not."""
    try:
        batch = np.broadcast_shapes(*[a.shape[:-2] for a in arrays])
    except ValueError:
        shapes = " and ".join(str(list(a.shape)) for a in arrays)
        raise RuntimeError(f"{name}: the batch axes of shapes {shapes} do not broadcast against each other") from None
    return [np.broadcast_to(a, (*batch, *a.shape[-2:])) for a in arrays]


def first_failure(info) -> tuple[str, int]:
    """Which matrix of a batch failed first, as "(Batch element 1): " or "" for a single one, and its info number."""
    flat = np.reshape(info, -1)
    k = int(np.flatnonzero(flat)[0])
    return f"(Batch element {k}): " if np.ndim(info) else "", int(flat[k])


def non_finite(name: str, x) -> LinAlgError:
    """The error of an iteration that did not converge."""
    bad = ~np.isfinite(x).all((-2, -1))
    where, _ = first_failure(bad) if bad.any() else ("", 0)
    why = "contained non-finite values" if bad.any() else "is ill-conditioned"
    return LinAlgError(
        f"{name}: {where}The algorithm failed to converge because the input matrix {why}; look for the op that made it"
    )


def numpy_dtype(x) -> np.dtype:
    """NumPy's dtype of a tensor or an array."""
    return array_of(x).dtype


def on_diagonal(x):
    """Square matrices with the last axis of `x` on their diagonals."""
    return put_diagonal(x, (*x.shape, x.shape[-1]), 0, -2, -1)


def scaled(x, matrices):
    """Each matrix of a batch times a number of its own."""
    return x[..., None, None] * matrices


def skew(x):
    """x - xᵀ."""
    return x - x.mT
