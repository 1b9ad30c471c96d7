"""What complex conjugation, real parts and angles come to for real numbers: mostly the tensor itself, as in PyTorch."""

from __future__ import annotations

import math

import numpy as np

from ...core import dtypes
from ...core.table import elementwise
from ...core.tensor import Tensor
from ..making.creation import ones_like, zeros_like
from ..shapes.shape import transpose

__all__ = [
    "adjoint",
    "angle",
    "conj",
    "conj_physical",
    "is_complex",
    "is_conj",
    "is_neg",
    "isreal",
    "positive",
    "real",
    "resolve_conj",
    "resolve_neg",
]
METHODS = [*(name for name in __all__ if name != "real"), "conj_physical_"]
PROPERTIES = ["H", "mH", "real"]


def real(input):
    """The tensor itself: its numbers are real. So are its conjugates `conj`, `conj_physical`, and `resolve_conj`.

    >>> import autograd_core as ac
    >>> x = ac.tensor([1.0, 2.0])
    >>> ac.real(x) is x and ac.conj(x) is x
    True
    """
    if not isinstance(input, Tensor):
        raise TypeError(f"real(): argument 'input' must be a Tensor, not {type(input).__name__}")
    return input


conj = conj_physical = conj_physical_ = resolve_conj = resolve_neg = real


def positive(input):
    """The tensor itself, which the operator + returns. RuntimeError for bools.

    >>> import autograd_core as ac
    >>> ac.positive(ac.tensor([-1.0, 2.0]))
    tensor([-1.,  2.])
    """
    if real(input).dtype is dtypes.bool_:
        raise RuntimeError("The `+` operator, on a bool tensor is not supported; convert it with .int()")
    return input


def is_complex(input) -> bool:
    """False: autograd_core computes with real numbers. So are `is_conj` and `is_neg`, which ask for lazy views.

    >>> import autograd_core as ac
    >>> ac.is_complex(ac.ones(2))
    False
    """
    real(input)
    return False


is_conj = is_neg = is_complex


def isreal(input):
    """True for every element.

    >>> import autograd_core as ac
    >>> ac.isreal(ac.tensor([1.0, 2.0]))
    tensor([True, True])
    """
    return ones_like(real(input), dtype=dtypes.bool_)


angle = elementwise(
    "angle",
    lambda x: np.where(np.isnan(x), x, np.where(x < 0, math.pi, 0)).astype(x.dtype, copy=False),
    "x",
    lambda g, x: zeros_like(g),  # x because PyTorch keeps it
    promote="float",
    doc="The angle of a real number in the complex plane: π below 0, else 0. Gradient: 0, at the jump x = 0 too.",
    example="ac.angle(ac.tensor([-1.0, 2.0])) -> tensor([3.1416, 0.0000])",
    kinks={0.0: 0.0},
)

# -- the conjugate transpose


def adjoint(input):
    """A view with the last two axes exchanged, which a conjugate transpose comes to. RuntimeError for one axis.

    >>> import autograd_core as ac
    >>> ac.adjoint(ac.tensor([[1.0, 2.0]])).shape
    Size([2, 1])
    """
    if input.ndim == 1:
        raise RuntimeError("tensor.adjoint() is only supported on matrices or batches of matrices. Got 1-D tensor.")
    return transpose(input, -2, -1)


def mH(input):
    """`adjoint`, and the tensor itself if it has no axes. RuntimeError for one axis.

    >>> import autograd_core as ac
    >>> ac.tensor([[1.0, 2.0]]).mH.shape
    Size([2, 1])
    """
    if input.ndim == 1:
        raise RuntimeError("tensor.mH is only supported on matrices or batches of matrices. Got 1-D tensor.")
    return input if input.ndim == 0 else adjoint(input)


def H(input):
    """The transpose of a matrix, a view; the tensor itself if it has no axes, RuntimeError for other numbers of axes.

    >>> import autograd_core as ac
    >>> ac.tensor([[1.0, 2.0]]).H.shape
    Size([2, 1])
    """
    if input.ndim not in (0, 2):
        raise RuntimeError(
            f"tensor.H is only supported on matrices (2-D tensors). Got {input.ndim}-D tensor; for batches of "
            "matrices take mH"
        )
    return input if input.ndim == 0 else transpose(input, 0, 1)
