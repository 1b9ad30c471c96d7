"""Products of vectors and matrices."""

from __future__ import annotations

import math

import numpy as np

from ...core.call import also_called
from ...core.dtypes import HALF
from ...core.primitive import narrowed, widened
from ...core.results import written_out
from ...core.silence import nameless
from ...core.table import general
from ..shapes.shape import reshape, squeeze, unsqueeze

__all__ = ["bmm", "dot", "matmul", "mm", "mv", "outer", "vdot"]
METHODS = __all__
TAKE_OUT = ["bmm", "outer"]

BOOL = np.dtype(np.bool_)


class LinAlgError(RuntimeError):
    """A matrix for which the computation has no result, such as a singular one."""


def text(shape) -> str:
    """A shape as PyTorch writes it in messages on matrices: 2x3."""
    return "x".join(map(str, shape))


def check_ranks(name: str, ranks: str, *arrays) -> None:
    """Raise RuntimeError unless each array has the number of axes given by its digit in `ranks`."""
    if any(array.ndim != int(rank) for array, rank in zip(arrays, ranks)):
        got = " and ".join(f"{array.ndim}-D (shape {list(array.shape)})" for array in arrays)
        raise RuntimeError(f"{name}(): expected a {ranks[0]}-D and a {ranks[1]}-D tensor, got {got}")


def check_dtypes(name: str, x, y) -> None:
    """Raise RuntimeError unless both have one dtype: products do not promote, as in PyTorch. Bools have no products."""
    if x.dtype is not y.dtype and x.dtype != y.dtype:
        raise RuntimeError(
            f"{name}(): expected m1 and m2 to have the same dtype, but got: {x.dtype.name} != {y.dtype.name}; convert "
            "one with .to(...)"
        )
    if x.dtype is BOOL:
        raise NotImplementedError(f"{name}() is not implemented for bools; convert them with .int() or .float()")


# -- the four products, by rank; each rule is a product again


@nameless
def _dot(x, tensor):
    check_ranks("dot", "11", x, tensor)
    check_dtypes("dot", x, tensor)
    if x.shape != tensor.shape:
        raise RuntimeError(
            f"dot(): inconsistent tensor size, expected tensor {list(x.shape)} and src {list(tensor.shape)} to have "
            "the same number of elements"
        )
    return np.matmul(x, tensor)


@nameless
def _mv(x, vec):
    check_ranks("mv", "21", x, vec)
    check_dtypes("mv", x, vec)
    if x.shape[1] != vec.shape[0]:
        raise RuntimeError(f"mv(): size mismatch, got mat ({text(x.shape)}) and vec ({text(vec.shape)})")
    return np.matmul(x, vec)


@nameless
def _mm(x, mat2):
    check_ranks("mm", "22", x, mat2)
    check_dtypes("mm", x, mat2)
    if x.shape[1] != mat2.shape[0]:
        raise RuntimeError(f"mm(): mat1 and mat2 shapes cannot be multiplied ({text(x.shape)} and {text(mat2.shape)})")
    return np.matmul(x, mat2)


@nameless
def _bmm(x, mat2):
    check_dtypes("bmm", x, mat2)
    try:
        return np.matmul(x, mat2)
    except ValueError:
        raise RuntimeError(
            f"bmm(): batches of matrices of shapes {list(x.shape)} and {list(mat2.shape)} cannot be multiplied: the "
            "last axis of the first must equal the last but one of the second, and the axes before them must broadcast"
        ) from None


dot = general(
    "dot",
    _dot,
    "x tensor",
    lambda g, tensor: g * tensor,
    lambda g, x: g * x,
    doc="Inner product of two vectors of one length and dtype. RuntimeError for anything else. Gradients: g times the "
    "other vector.",
    example="ac.dot(ac.tensor([1.0, 2.0]), ac.tensor([3.0, 4.0])) -> tensor(11.)",
)
vdot = also_called(other="tensor")(dot)  # for real numbers these are one
mv = general(
    "mv",
    _mv,
    "x vec",
    lambda g, vec: unsqueeze(g, -1) * vec,
    lambda g, x: x.T @ g,
    doc="Matrix (m, n) times vector (n), of one dtype: a vector (m). Gradients: g vecᵀ and inputᵀ g.",
    example="ac.mv(ac.tensor([[1.0, 2.0], [3.0, 4.0]]), ac.tensor([1.0, 1.0])) -> tensor([3., 7.])",
)
mm = general(
    "mm",
    _mm,
    "x mat2",
    lambda g, mat2: g @ mat2.T,
    lambda g, x: x.T @ g,
    doc="Matrix (m, k) times matrix (k, n), of one dtype: a matrix (m, n). Gradients: g mat2ᵀ and inputᵀ g.",
    example="ac.mm(ac.tensor([[1.0, 2.0]]), ac.tensor([[3.0], [4.0]])) -> tensor([[11.]])",
)
batched = general(
    "bmm",
    _bmm,
    "x mat2",
    lambda g, mat2: g @ mat2.mT,
    lambda g, x: x.mT @ g,
    doc="Products of matrices in the last two axes; the axes before them broadcast.",
)


def bmm(input, mat2):
    """A batch of matrices (b, m, k) times a batch (b, k, n), of one dtype: a batch (b, m, n).

    RuntimeError for other shapes: `matmul` broadcasts batches. Gradients: g mat2ᵀ and inputᵀ g, matrix by matrix.

    >>> import autograd_core as ac
    >>> ac.bmm(ac.ones(5, 2, 3), ac.ones(5, 3, 4)).shape
    Size([5, 2, 4])
    """
    check_ranks("bmm", "33", input, mat2)
    if input.shape[0] != mat2.shape[0]:
        raise RuntimeError(
            f"bmm(): the batches have {input.shape[0]} and {mat2.shape[0]} matrices; matmul broadcasts a batch of 1"
        )
    return batched(input, mat2)


def matmul(input, other, *, out=None):
    """The product `input @ other` of vectors, matrices, or batches of matrices, of one dtype.

    Two vectors give their inner product, a 0-d tensor. A vector on the left is a row, on the right a column, whose axis
    of length 1 is then dropped. Axes before the last two are batch axes and broadcast. RuntimeError for 0-d operands,
    and for shapes or dtypes that do not fit. Gradients: g otherᵀ and inputᵀ g, summed over broadcast batches.

    >>> import autograd_core as ac
    >>> ac.matmul(ac.ones(2, 3), ac.ones(3)), ac.matmul(ac.ones(5, 2, 3), ac.ones(3, 4)).shape
    (tensor([3., 3.]), Size([5, 2, 4]))
    """
    if out is not None:
        return written_out("matmul", matmul(input, other), out)
    try:
        m, n = input.ndim, other.ndim
    except AttributeError:
        given = f"{type(input).__name__} and {type(other).__name__}"
        raise TypeError(f"matmul(): both arguments must be Tensors, not {given}; multiply by a number with *") from None
    if m == 2 and n == 2:
        return mm(input, other)
    if m == 0 or n == 0:
        raise RuntimeError(
            f"both arguments to matmul need to be at least 1D, but they are {m}D and {n}D; multiply by a scalar with *"
        )
    if n == 1:
        return dot(input, other) if m == 1 else _rows(mv, input, other)
    if n == 2 and m > 2:
        return _rows(mm, input, other)
    if m == 1:
        return squeeze(matmul(unsqueeze(input, 0), other), -2)
    return batched(input, other)


def rmatmul(input, other):
    """`other @ input`, for an array on the left of a tensor."""
    return matmul(other, input)


def _rows(product, x, y):
    """A product whose left side has batch axes and whose right side has none: one product of all rows."""
    if x.ndim == 2:
        return product(x, y)
    return reshape(product(_flat(x), y), (*x.shape[:-1], *y.shape[1:]))


def _flat(x):
    """The rows of `x` under each other, as one matrix."""
    return x if x.ndim == 2 else reshape(x, (math.prod(x.shape[:-1]), x.shape[-1]))


def outer(input, vec2):
    """The outer product of vectors (m) and (n): a matrix (m, n). RuntimeError for other ranks; dtypes are promoted.

    >>> import autograd_core as ac
    >>> ac.outer(ac.tensor([1.0, 2.0]), ac.tensor([1.0, 10.0]))
    tensor([[ 1., 10.],
            [ 2., 20.]])
    """
    check_ranks("outer", "11", input, vec2)
    return unsqueeze(input, -1) * vec2


# -- the affine map of a layer


@nameless
def _linear(x, weight, bias=None):
    check_dtypes("linear", x, weight)
    if weight.ndim != 2 or x.ndim == 0 or x.shape[-1] != weight.shape[1]:
        raise RuntimeError(
            f"linear(): mat1 and mat2 shapes cannot be multiplied: input {list(x.shape)} needs a weight of shape "
            f"(out_features, {x.shape[-1] if x.ndim else 'in_features'}), got {list(weight.shape)}"
        )
    if x.dtype is HALF:  # the bias is added before the result is rounded
        return narrowed(_linear(*[widened(a) for a in (x, weight, bias)]))
    out = np.matmul(_flat(x), weight.T)
    if bias is not None:
        check_dtypes("linear", x, bias)
        if bias.shape not in ((), (1,), weight.shape[:1]):
            raise RuntimeError(f"linear(): the bias must have shape {list(weight.shape[:1])}, got {list(bias.shape)}")
        out += bias
    return out if x.ndim == 2 else out.reshape(*x.shape[:-1], weight.shape[0])


def d_linear_dweight(g, x):
    """gᵀ x, summed over all rows of the batch."""
    return _flat(g).T @ _flat(x)


linear = general(
    "linear",
    _linear,
    "x weight bias",
    lambda g, weight: g @ weight,
    d_linear_dweight,
    lambda g: g,
    doc="x weightᵀ + bias, for x of shape (..., in_features), weight (out_features, in_features) and bias "
    "(out_features), of one dtype. RuntimeError where they do not fit. Gradients: g weight, gᵀ x, and g summed over "
    "the batch.",
    example="ac.nn.functional.linear(ac.ones(2, 3), ac.ones(1, 3)) -> tensor([[3.],\n        [3.]])",
)
