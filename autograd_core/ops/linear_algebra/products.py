"""Products of several tensors: sums with a product, tensor products, and chains of matrices."""

from __future__ import annotations

import math

import numpy as np

from ...core.silence import nameless
from ...core.table import general
from ...core.whole_numbers import axis_of
from ..precision import carried_wide
from ..reductions.reduction import sum
from ..shapes.shape import axes_of, permute, reshape, several, squeeze, unsqueeze
from .matmul import check_dtypes, matmul, mm, outer, text

__all__ = [
    *("addbmm", "addmm", "addmv", "addr", "baddbmm"),
    *("chain_matmul", "cross", "ger", "inner", "kron", "tensordot"),
]
IN_PLACE = ["addbmm", "addmm", "addmv", "addr", "baddbmm"]
METHODS = [*IN_PLACE, "cross", "ger", "inner", "kron"]
TAKE_OUT = ["cross", "ger", "inner", "kron"]

# -- beta * input + alpha * product


@nameless
def _plus(name: str, x, product, beta, alpha):
    """`beta * x + alpha * product`. For beta 0, `x` is not looked at: its nan and inf are not passed on."""
    if product.dtype.kind in "iu":
        beta, alpha = int(beta), int(alpha)
    if product.dtype.kind == "b":
        beta, alpha = bool(beta), bool(alpha)
    lead = product.ndim - x.ndim
    if lead < 0 or any(n not in (1, m) for n, m in zip(x.shape, product.shape[lead:])):
        raise RuntimeError(
            f"{name}(): The expanded size of the tensor must match the existing size: the input has shape "
            f"{list(x.shape)}, which does not broadcast to the product's {list(product.shape)}"
        )
    if alpha != 1:
        product *= alpha
    if beta:
        product += x if beta == 1 else beta * x
    return product


def _times(g, number):
    return g if number == 1 else g * number


def _check_same_dtype(name: str, x, y, z) -> None:
    check_dtypes(name, y, z)
    check_dtypes(name, x, y)


@carried_wide
@nameless
def _addmm(x, mat1, mat2, *, beta=1, alpha=1):
    for which, mat in (("mat1", mat1), ("mat2", mat2)):
        if mat.ndim != 2:
            raise RuntimeError(f"addmm(): {which} must be a matrix, got {mat.ndim}-D tensor of shape {list(mat.shape)}")
    _check_same_dtype("addmm", x, mat1, mat2)
    if mat1.shape[1] != mat2.shape[0]:
        raise RuntimeError(
            f"addmm(): mat1 and mat2 shapes cannot be multiplied ({text(mat1.shape)} and {text(mat2.shape)})"
        )
    return _plus("addmm", x, np.matmul(mat1, mat2), beta, alpha)


@carried_wide
@nameless
def _addmv(x, mat, vec, *, beta=1, alpha=1):
    if (mat.ndim, vec.ndim) != (2, 1) or x.ndim > 1:
        raise RuntimeError(f"addmv(): vector + matrix @ vector expected, got {x.ndim}, {mat.ndim}, {vec.ndim}")
    _check_same_dtype("addmv", x, mat, vec)
    if mat.shape[1] != vec.shape[0] or (x.ndim and x.shape[0] not in (1, mat.shape[0])):
        raise RuntimeError(
            f"addmv(): size mismatch, got input ({text(x.shape)}), mat ({text(mat.shape)}), vec ({text(vec.shape)})"
        )
    return _plus("addmv", x, np.matmul(mat, vec), beta, alpha)


def _check_batches(name: str, batch1, batch2) -> None:
    for which, batch in (("batch1", batch1), ("batch2", batch2)):
        if batch.ndim != 3:
            raise RuntimeError(f"{name}(): {which} must be a 3D tensor, got shape {list(batch.shape)}")
    if batch1.shape[0] != batch2.shape[0] or batch1.shape[2] != batch2.shape[1]:
        raise RuntimeError(
            f"{name}(): Expected size for first two dimensions of batch2 tensor to be: "
            f"{[batch1.shape[0], batch1.shape[2]]} but got: {list(batch2.shape[:2])}."
        )


@carried_wide
def _addr(x, vec1, vec2, *, beta=1, alpha=1):
    for which, vec in (("vec1", vec1), ("vec2", vec2)):
        if vec.ndim != 1:
            raise RuntimeError(f"addr: Expected 1-D argument {which}, but got {vec.ndim}-D of shape {list(vec.shape)}")
    for which, number in (("beta", beta), ("alpha", alpha)):
        if isinstance(number, float) and x.dtype.kind in "iub":
            raise RuntimeError(
                f"addr: For integral input tensors, argument {which} must not be a floating point number, got {number}."
            )
    return _plus("addr", x, np.multiply.outer(vec1, vec2), beta, alpha)


addmm = general(
    "addmm",
    _addmm,
    "x mat1 mat2",
    lambda g, beta: _times(g, beta),
    lambda g, mat2, alpha: _times(g @ mat2.mT, alpha),
    lambda g, mat1, alpha: _times(mat1.mT @ g, alpha),
    doc="beta * input + alpha * (mat1 @ mat2) for matrices (n, m) and (m, p), and an input that broadcasts to (n, p), "
    "all of one dtype; RuntimeError for anything else. For beta 0, nan and inf in the input are not passed on. For "
    "integers, beta and alpha lose their fractions. Gradients: beta g, alpha g mat2ᵀ, alpha mat1ᵀ g.",
    example="ac.addmm(ac.ones(2), ac.eye(2), ac.eye(2), alpha=3) -> tensor([[4., 1.],\n        [1., 4.]])",
)
addmv = general(
    "addmv",
    _addmv,
    "x mat vec",
    lambda g, beta: _times(g, beta),
    lambda g, vec, alpha: _times(unsqueeze(g, -1) * vec, alpha),
    lambda g, mat, alpha: _times(mat.mT @ g, alpha),
    doc="beta * input + alpha * (mat @ vec) for a matrix (n, m), a vector (m), and an input that broadcasts to (n), "
    "all of one dtype; RuntimeError for anything else. Gradients: beta g, alpha g vecᵀ, alpha matᵀ g.",
    example="ac.addmv(ac.ones(2), ac.eye(2), ac.tensor([1.0, 2.0])) -> tensor([2., 3.])",
)


def _of_batches(name: str, product, **options):
    """The row of `beta * input + alpha * product`, for a product of two batches of matrices."""

    @carried_wide
    def forward(x, batch1, batch2, *, beta=1, alpha=1):
        _check_batches(name, batch1, batch2)
        _check_same_dtype(name, x, batch1, batch2)
        return _plus(name, x, product(batch1, batch2), beta, alpha)

    return general(
        name,
        forward,
        "x batch1 batch2",
        lambda g, beta: _times(g, beta),
        lambda g, batch2, alpha: _times(g @ batch2.mT, alpha),
        lambda g, batch1, alpha: _times(batch1.mT @ g, alpha),
        **options,
    )


baddbmm = _of_batches(
    "baddbmm",
    np.matmul,
    doc="`addmm`, matrix by matrix, for batches (b, n, m) and (b, m, p), and an input that broadcasts to (b, n, p).",
    example="ac.baddbmm(ac.ones(1), ac.ones(1, 1, 3), ac.ones(1, 3, 1)) -> tensor([[[4.]]])",
)
addbmm = _of_batches(
    "addbmm",
    lambda batch1, batch2: np.tensordot(batch1, batch2, ((0, 2), (0, 1))),
    doc="beta * input + alpha * the sum of the products of the matrices of two batches (b, n, m) and (b, m, p); the "
    "input broadcasts to (n, p). All have one dtype; RuntimeError for anything else. Gradients: beta g, and for each "
    "pair of matrices alpha g batch2ᵀ and alpha batch1ᵀ g.",
    example="ac.addbmm(ac.ones(1), ac.ones(2, 1, 3), ac.ones(2, 3, 1)) -> tensor([[7.]])",
)
addr = general(
    "addr",
    _addr,
    "x vec1 vec2",
    lambda g, beta: _times(g, beta),
    lambda g, vec2, alpha: _times(g @ vec2, alpha),
    lambda g, vec1, alpha: _times(g.mT @ vec1, alpha),
    promote="common",
    doc="beta * input + alpha * the outer product of vectors (n) and (m); the input broadcasts to (n, m). RuntimeError "
    "for other shapes, and for floating beta or alpha with integers. Gradients: beta g, alpha g vec2, alpha gᵀ vec1.",
    example="ac.addr(ac.ones(2, 2), ac.tensor([1.0, 2.0]), ac.tensor([1.0, 10.0])) -> tensor([[ 2., 11.],\n"
    "        [ 3., 21.]])",
)

# -- products of vectors along one axis


@carried_wide
def _cross(x, y, *, dim=-1):
    if x.ndim != y.ndim:
        raise RuntimeError(
            f"linalg.cross: inputs must have the same number of dimensions, got shapes {list(x.shape)} and "
            f"{list(y.shape)}"
        )
    axis = axis_of(dim, x.ndim)
    if x.shape[axis] != 3 or y.shape[axis] != 3:
        raise RuntimeError(
            f"linalg.cross: inputs dimension {dim} must have length 3. Got {x.shape[axis]} and {y.shape[axis]}"
        )
    check_dtypes("linalg.cross", x, y)
    return np.cross(x, y, axis=axis)


linalg_cross = general(
    "linalg_cross",
    _cross,
    "x y",
    lambda g, y, dim: linalg_cross(y, g, dim=dim),
    lambda g, x, dim: linalg_cross(g, x, dim=dim),
    doc="The cross products of vectors of 3 elements along the axis `dim`; the other axes broadcast. Both have one "
    "dtype and as many axes; RuntimeError for anything else. Gradients: other × g and g × input.",
    example="ac.linalg.cross(ac.tensor([1.0, 0.0, 0.0]), ac.tensor([0.0, 1.0, 0.0])) -> tensor([0., 0., 1.])",
)


def cross(input, other, dim=None):
    """The cross products of vectors of 3 elements along the axis `dim`, by default the first axis of length 3.

    The other axes broadcast. RuntimeError where no axis has length 3, and where `linalg.cross` raises it. Gradients:
    other × g and g × input.

    >>> import autograd_core as ac
    >>> ac.cross(ac.tensor([1.0, 0.0, 0.0]), ac.tensor([0.0, 1.0, 0.0]))
    tensor([0., 0., 1.])
    """
    if dim is None:
        if 3 not in input.shape:
            raise RuntimeError(f"cross(): no dimension of size 3 in input, which has shape {list(input.shape)}")
        dim = input.shape.index(3)
    return linalg_cross(input, other, dim=dim)


@carried_wide
def vecdot(x, y, *, dim=-1):
    """Inner products of the vectors along the axis `dim`; the other axes broadcast.

    Both have one floating dtype, RuntimeError otherwise. Gradients: g y and g x, with g repeated along `dim`.

    >>> import autograd_core as ac
    >>> ac.linalg.vecdot(ac.tensor([[1.0, 2.0], [3.0, 4.0]]), ac.tensor([1.0, 10.0]))
    tensor([21., 43.])
    """
    if not x.dtype.is_floating_point:
        raise RuntimeError(f"linalg.vecdot: Expected a floating point tensor as input. Got {x.dtype}")
    check_dtypes("linalg.vecdot", x, y)
    return sum(x * y, dim)


# -- tensor products


def kron(input, other):
    """The Kronecker product: each element of `input` times all of `other`, block by block.

    The shape is the product of both shapes, axis by axis; the shorter one gets axes of length 1 in front. Dtypes are
    promoted. The gradients are those of a product.

    >>> import autograd_core as ac
    >>> ac.kron(ac.tensor([1.0, 10.0]), ac.tensor([1.0, 2.0, 3.0]))
    tensor([ 1.,  2.,  3., 10., 20., 30.])
    """
    n = max(input.ndim, other.ndim)
    outer_sizes = [1] * (n - input.ndim) + list(input.shape)
    inner_sizes = [1] * (n - other.ndim) + list(other.shape)
    spread = [size for pair in zip(outer_sizes, [1] * n) for size in pair]
    repeated = [size for pair in zip([1] * n, inner_sizes) for size in pair]
    sizes = [a * b for a, b in zip(outer_sizes, inner_sizes)]
    return reshape(reshape(input, spread) * reshape(other, repeated), sizes)


def inner(input, other):
    """Inner products over the last axes: shapes (..., n) and (_, n) give (..., _). A 0-d tensor multiplies.

    RuntimeError where the last axes differ in length, or the dtypes differ.

    >>> import autograd_core as ac
    >>> ac.inner(ac.tensor([[1.0, 2.0], [3.0, 4.0]]), ac.tensor([1.0, 10.0]))
    tensor([21., 43.])
    """
    if input.ndim == 0 or other.ndim == 0:
        return input * other
    if input.shape[-1] != other.shape[-1]:
        raise RuntimeError(
            "inner() the last dimension must match on both input tensors but got shapes "
            f"{list(input.shape)} and {list(other.shape)}"
        )
    return tensordot(input, other, ([-1], [-1]))


def tensordot(a, b, dims=2):
    """The product of two tensors summed over pairs of axes, as one matrix product.

    `dims` is a number n, for the last n axes of `a` with the first n of `b`, or two lists of axes, paired in order. The
    result has the other axes of `a`, then those of `b`. An axis of length 1 is repeated for its partner. RuntimeError
    for unequal lengths, dtypes, or numbers of axes.

    >>> import autograd_core as ac
    >>> ac.tensordot(ac.ones(2, 3, 4), ac.ones(4, 3, 5), dims=([1, 2], [1, 0])).shape
    Size([2, 5])
    """
    if a.dtype != b.dtype:
        raise RuntimeError(
            f"tensordot(): both inputs should have same dtype, got {a.dtype} and {b.dtype}; use .to(...)"
        )
    dims_a, dims_b = _paired(dims, a, b)
    for i, j in zip(dims_a, dims_b):
        if a.shape[i] != b.shape[j] and 1 not in (a.shape[i], b.shape[j]):
            raise RuntimeError(
                f"tensordot(): contracted dimensions need to match, but first has size {a.shape[i]} in dim {i} and "
                f"second has size {b.shape[j]} in dim {j}"
            )
    a, b = _summed_for(a, dims_a, b, dims_b), _summed_for(b, dims_b, a, dims_a)
    free_a, free_b = (tuple(k for k in range(t.ndim) if k not in dims) for t, dims in ((a, dims_a), (b, dims_b)))
    sizes_a, sizes_b = [a.shape[k] for k in free_a], [b.shape[k] for k in free_b]
    n = math.prod(a.shape[k] for k in dims_a)
    left = reshape(permute(a, free_a + dims_a), (math.prod(sizes_a), n))
    right = reshape(permute(b, dims_b + free_b), (n, math.prod(sizes_b)))
    return reshape(mm(left, right), sizes_a + sizes_b)


def _summed_for(x, dims, partner, partner_dims):
    """`x` summed over those of `dims` whose partner is one element that would be repeated."""
    repeated = [k for k, j in zip(dims, partner_dims) if partner.shape[j] == 1 != x.shape[k]]
    return sum(x, repeated, True, dtype=x.dtype) if repeated else x


def _paired(dims, a, b) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes of `a` and those of `b` that a `dims` argument pairs."""
    if hasattr(dims, "tolist"):
        dims = dims.tolist()
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(a.ndim, b.ndim):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        return tuple(range(a.ndim - dims, a.ndim)), tuple(range(dims))
    dims_a, dims_b = (list(several(one)) for one in dims)
    if len(dims_a) != len(dims_b):
        raise RuntimeError(f"tensordot(): both dimension lists should have same length, got {dims_a} and {dims_b}")
    return (axes_of(dims_a, a.ndim), axes_of(dims_b, b.ndim)) if dims_a else ((), ())


# -- chains of matrices


def multi_dot(tensors):
    """The product of two or more matrices in the order of brackets that needs the fewest multiplications.

    The first may be a vector, taken as a row, and the last one, taken as a column; their axis is then dropped.
    RuntimeError for fewer than two, for other ranks, and for shapes or dtypes that do not fit. The order is found by
    dynamic programming (Cormen et al., Introduction to Algorithms, matrix-chain multiplication).

    >>> import autograd_core as ac
    >>> ac.linalg.multi_dot([ac.ones(10, 100), ac.ones(100, 5), ac.ones(5)]).shape
    Size([10])
    """
    tensors = list(tensors)
    if len(tensors) < 2:
        raise RuntimeError(f"multi_dot(): expected at least 2 tensors but got {len(tensors)}")
    last = len(tensors) - 1
    for i, t in enumerate(tensors):
        if t.ndim != 2 and not (t.ndim == 1 and i in (0, last)):
            what = "1D or 2D" if i in (0, last) else "2D"
            raise RuntimeError(f"multi_dot(): tensor {i} must be {what} but got {t.ndim}D of shape {list(t.shape)}")
        if t.dtype != tensors[0].dtype:
            raise RuntimeError(
                f"multi_dot(): all tensors must have be the same dtype but tensor 0 is {tensors[0].dtype} and tensor "
                f"{i} {t.dtype}"
            )
    as_row, as_column = tensors[0].ndim == 1, tensors[last].ndim == 1
    if as_row:
        tensors[0] = unsqueeze(tensors[0], 0)
    if as_column:
        tensors[last] = unsqueeze(tensors[last], 1)
    for i in range(last):
        if tensors[i].shape[1] != tensors[i + 1].shape[0]:
            raise RuntimeError(
                f"multi_dot(): tensors {i} and {i + 1} with shapes {list(tensors[i].shape)} and "
                f"{list(tensors[i + 1].shape)} cannot be multiplied"
            )
    product = _bracketed(tensors, _best_cuts([t.shape[0] for t in tensors] + [tensors[last].shape[1]]), 0, last)
    if as_column:
        product = squeeze(product, 1)
    return squeeze(product, 0) if as_row else product


def _best_cuts(sizes: list[int]) -> dict[tuple[int, int], int]:
    """For each run of matrices (first, last), of shapes sizes[i] by sizes[i + 1]: after which to cut it in two."""
    n = len(sizes) - 1
    cost = {(i, i): 0 for i in range(n)}
    cuts = {}
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            cost[i, j], cuts[i, j] = min(
                (cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1], k) for k in range(i, j)
            )
    return cuts


def _bracketed(matrices: list, cuts: dict, first: int, last: int):
    if first == last:
        return matrices[first]
    cut = cuts[first, last]
    return mm(_bracketed(matrices, cuts, first, cut), _bracketed(matrices, cuts, cut + 1, last))


def chain_matmul(*matrices):
    """The product of matrices in the cheapest order: `linalg.multi_dot`, with one matrix allowed and no vectors.

    >>> import autograd_core as ac
    >>> ac.chain_matmul(ac.ones(2, 3), ac.ones(3, 4), ac.ones(4, 1)).shape
    Size([2, 1])
    """
    if not matrices:
        raise RuntimeError("chain_matmul(): Expected one or more matrices")
    for matrix in matrices:
        if matrix.ndim != 2:
            raise RuntimeError(f"chain_matmul(): Tensor dimension is {matrix.ndim}, expected 2 instead.")
    return multi_dot(matrices) if len(matrices) > 1 else matrices[0]


# -- the bilinear map of a layer


@carried_wide
def bilinear(input1, input2, weight, bias=None):
    """x₁ᵀ W x₂ + b for each pair of vectors, with one matrix W for each output.

    `input1` is (..., n), `input2` (..., m), `weight` (out_features, n, m), `bias` (out_features); the result is
    (..., out_features). RuntimeError where shapes or dtypes do not fit. The gradients are those of its two products.

    >>> import autograd_core as ac
    >>> ac.nn.functional.bilinear(ac.ones(4, 2), ac.ones(4, 3), ac.ones(5, 2, 3)).shape
    Size([4, 5])
    """
    _check_bilinear(input1, input2, weight, bias)
    features, n, m = weight.shape
    rows = math.prod(input1.shape[:-1])
    left, right = reshape(input1, (rows, n)), reshape(input2, (rows, m))
    mixed = reshape(mm(left, reshape(permute(weight, (1, 0, 2)), (n, features * m))), (rows, features, m))
    out = reshape(squeeze(matmul(mixed, unsqueeze(right, -1)), -1), (*input1.shape[:-1], features))
    return out if bias is None else out + bias


def _check_bilinear(input1, input2, weight, bias) -> None:
    given = {"input1": input1, "input2": input2, "weight": weight, **({} if bias is None else {"bias": bias})}
    if len({t.dtype for t in given.values()}) > 1:
        dtypes = ", ".join(f"{name}: {t.dtype}" for name, t in given.items())
        raise RuntimeError(f"bilinear(): All tensors must have the same dtype, got {dtypes}")
    if input1.ndim != input2.ndim or input1.shape[:-1] != input2.shape[:-1]:
        raise RuntimeError(
            f"bilinear(): input batch dimensions do not match: got shapes {list(input1.shape)} and {list(input2.shape)}"
        )
    if weight.ndim != 3 or input1.ndim == 0:
        raise RuntimeError(f"bilinear(): the weight must be 3-D, got {list(weight.shape)}, and the inputs not 0-d")
    for name, t, size in (("input1", input1, weight.shape[1]), ("input2", input2, weight.shape[2])):
        if t.shape[-1] != size:
            raise RuntimeError(
                f"bilinear(): {name} size does not match weight size: got {t.shape[-1]} but expected {size}"
            )
    if bias is not None and tuple(bias.shape) != (weight.shape[0],):
        raise RuntimeError(
            f"bilinear(): bias size does not match weight size: got {list(bias.shape)} but expected {weight.shape[0]}"
        )


ger = outer  # PyTorch's other name
