"""Placing elements by an index tensor, along an axis or into the flat input, and by a mask.

Every op here gives a copy of its input with some elements overwritten or added to, and has an in-place form. A copy is
made by `np.array`, since a rule may hand over a NumPy scalar, whose own copy cannot be written.
"""

from __future__ import annotations

import numpy as np

from ...core import dtypes
from ...core.table import general, linear
from ...core.tensor import Tensor
from ...core.write import in_place, reading_first
from ..making.creation import array_of, zeros_like
from ..precision import carrier
from ..shapes.shape import along, axis_of, reshape
from .brackets import add_at, slice_backward
from .gathering import (
    as_line,
    check_flat,
    check_mask,
    check_vector,
    dim_first,
    gather,
    index_select,
    masked_select,
    positions_along,
    take,
)

__all__ = [
    *("index_add", "index_copy", "index_fill", "masked_fill", "masked_scatter", "put", "scatter", "scatter_add"),
]
METHODS = [*__all__, "index_add_", "index_copy_", "index_fill_", "put_", "scatter_", "scatter_add_"]
IN_PLACE = ["masked_fill", "masked_scatter"]
TAKE_OUT = ["scatter"]

# -- one index for every element


def source_part(name: str, x, index, src):
    """The part of `src` that is used: a corner of the shape of `index`. A number is one that `x` can hold."""
    if not isinstance(src, np.ndarray):
        return dtypes.stored(src, x.dtype)
    if src.dtype != x.dtype:
        raise RuntimeError(
            f"{name}(): Expected self.dtype to be equal to src.dtype, got {x.dtype} and {src.dtype}; use .to(...)"
        )
    if src.ndim != index.ndim or any(n > m for n, m in zip(index.shape, src.shape)):
        raise RuntimeError(
            f"{name}(): Expected index {list(index.shape)} to have as many axes as src {list(src.shape)} and "
            f"be nowhere larger"
        )
    return src[tuple(slice(n) for n in index.shape)]


def _scatter(x, index, src, dim):
    out = np.array(x, order="C")
    if index.size:
        line = as_line(out)
        line[positions_along("scatter", line, as_line(index), dim)] = source_part("scatter", x, index, src)
    return out


def _scatter_add(x, index, src, dim):
    out = np.array(x, order="C")
    if index.size:
        line, part = as_line(out), source_part("scatter_add", x, index, src)
        add_at(line, positions_along("scatter_add", line, as_line(index), dim), part)
    return out


def d_source(g, index, src_shape, dim):
    """The gradient of a source: what it gave to each position, zeros for the part that the index does not reach."""
    picked = gather(g, dim, index)
    unused = picked.shape != src_shape
    return slice_backward(picked, tuple(src_shape), tuple(slice(0, n, 1) for n in picked.shape)) if unused else picked


_put = linear(
    "scatter",
    _scatter,
    "x index src",
    lambda g, index, dim: scatter(g, dim, index, 0.0),
    None,
    d_source,
    doc="A copy with `src`, a tensor or a number, written at the positions `index` along `dim`.",
)
scatter_add = dim_first(
    linear(
        "scatter_add",
        _scatter_add,
        "x index src",
        lambda g: g,
        None,
        d_source,
        doc="A copy with `src[i, j]` added at `[index[i, j], j]` for dim=0, and likewise along another axis; "
        "every repeat counts.\n\n"
        "`index` is nowhere larger than `src`, nor than `input` but along `dim`; dtypes are equal; else RuntimeError.",
        example="ac.scatter_add(ac.zeros(3), 0, ac.tensor([0, 0, 2]), ac.ones(3)) -> tensor([2., 0., 1.])",
    )
)
_put_ = in_place(_put)
scatter_add_ = dim_first(in_place(scatter_add))


def _refuse(g):
    raise RuntimeError("derivative for scatter with reduce= is not implemented; use scatter_add, or scatter_reduce")


def _scatter_reduced(x, index, src, dim, reduce):
    if reduce not in ("add", "multiply"):
        raise RuntimeError(f"scatter(): reduce argument must be either add or multiply, got {reduce!r}")
    out = np.array(x, order="C")
    if index.size:
        line, part = as_line(out), np.asarray(source_part("scatter", x, index, src), x.dtype)
        ufunc = np.add if reduce == "add" else np.multiply
        ufunc.at(line, positions_along("scatter", line, as_line(index), dim), part)
    return out


_reduced = general(
    "scatter_reduced",
    _scatter_reduced,
    "x index src",
    _refuse,
    None,
    _refuse,
    node_name="NotImplemented",
    doc="`scatter` that adds or multiplies.",
)
_reduced_ = in_place(_reduced)


def _one_source(src, value):
    if (src is None) == (value is None):
        raise TypeError("scatter(): give either src (a tensor or a number) or value (a number)")
    source = value if src is None else src
    return source.item() if isinstance(source, Tensor) and not source.ndim and not source.requires_grad else source


def scatter(input, dim, index, src=None, *, value=None, reduce=None):
    """A copy with `src[i, j]`, or a number, written at `[index[i, j], j]` for dim=0, and likewise along another axis.

    `index` is nowhere larger than `src`, nor than `input` but along `dim`; dtypes are equal; else RuntimeError. Where
    positions repeat, one of the values stays, and the gradient of `src` is exact only for positions that do not. With
    `reduce`, "add" or "multiply", `src` is combined with what is there, and backward raises RuntimeError: see
    `scatter_add` and `scatter_reduce`.

    >>> import autograd_core as ac
    >>> ac.scatter(ac.zeros(2, 2), 1, ac.tensor([[1], [0]]), 5.0)
    tensor([[0., 5.],
            [5., 0.]])
    """
    source = _one_source(src, value)
    return _put(input, index, source, dim=dim) if reduce is None else _reduced(input, index, source, dim, reduce)


def scatter_(self, dim, index, src=None, *, value=None, reduce=None):
    """`scatter`, written into this tensor."""
    source = _one_source(src, value)
    return _put_(self, index, source, dim=dim) if reduce is None else _reduced_(self, index, source, dim, reduce)


# -- one index for every slice


def check_slices(name: str, x, index, source, dim: int, error=IndexError) -> int:
    """The axis of x on which `index` places the slices of `source`. RuntimeError for another shape or dtype."""
    axis = check_vector(name, x, index, dim, error)
    if source.dtype != x.dtype:
        raise RuntimeError(
            f"{name}(): self ({x.dtype}) and source ({source.dtype}) must have the same dtype; use .to(...)"
        )
    wanted = (*x.shape[:axis], index.size, *x.shape[axis + 1 :])
    if source.shape != wanted and not (source.size == x.size == 1):
        raise RuntimeError(
            f"{name}(): source must have shape {list(wanted)}, that of self with the number of indices in dim {axis}, "
            f"got {list(source.shape)}"
        )
    return axis


def on_axis(index, axis: int) -> list:
    """`index` as a list of indices for the leading axes."""
    return [*[None] * axis, as_line(index)]


def _index_add(x, index, source, dim, *, alpha=1):
    axis = check_slices("index_add", x, index, source, dim, RuntimeError if x.ndim > 1 else IndexError)
    out = np.array(x, order="C")
    if alpha != 1:
        wide = carrier(x.dtype)
        source = source.astype(wide, copy=False) * wide.type(alpha)
    add_at(as_line(out), on_axis(index, axis), as_line(source))
    return out


def _d_index_add(g, index, source, dim, alpha):
    picked = reshape(index_select(g, dim, index), tuple(source.shape))
    return picked if alpha == 1 else picked * alpha


index_add = dim_first(
    linear(
        "index_add",
        _index_add,
        "x index source",
        lambda g: g,
        None,
        _d_index_add,
        doc="A copy with `alpha` times the slices of `source` along `dim` added at the positions `index`; "
        "every repeat counts.",
        example="ac.index_add(ac.zeros(3), 0, ac.tensor([1, 1]), ac.ones(2)) -> tensor([0., 2., 0.])",
    )
)
index_add_ = dim_first(in_place(index_add))


def _index_copy(x, index, source, dim):
    axis = check_slices("index_copy", x, index, source, dim)
    out = np.array(x, order="C")
    as_line(out)[along(axis, as_line(index))] = as_line(source)
    return out


index_copy = dim_first(
    linear(
        "index_copy",
        _index_copy,
        "x index source",
        lambda g, index, dim: index_fill(g, dim, index, 0.0),
        None,
        lambda g, index, source, dim: reshape(index_select(g, dim, index), tuple(source.shape)),
        doc="A copy with the slices of `source` along `dim` written at the positions `index`, a vector.\n\n"
        "Gradient: g without these slices for the input, these slices of g for `source`. Where positions repeat, one "
        "slice stays, but each gets the gradient. RuntimeError for shapes or dtypes that do not fit.",
        example="ac.index_copy(ac.zeros(3), 0, ac.tensor([2, 0]), ac.tensor([1.0, 5.0])) -> tensor([5., 0., 1.])",
    )
)
index_copy_ = dim_first(in_place(index_copy))


def _filling(value, dtype):
    """A number or 0-d array as an element of the type. RuntimeError where the type does not hold it."""
    return dtypes.stored(value.item() if hasattr(value, "dtype") else value, dtype)


def _index_fill(x, index, value, dim):
    size = as_line(x).shape[axis_of(dim, x.ndim)]
    axis = check_vector("index_fill", x, np.where(index < 0, index + size, index), dim)
    if np.ndim(value):
        raise RuntimeError(
            f"index_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.ndim} dimension(s)"
        )
    out = np.array(x, order="C")
    as_line(out)[along(axis, as_line(index))] = _filling(value, x.dtype)
    return out


def _d_filled(g, index, dim):
    """The gradient of the value: a slice that is filled twice counts once."""
    size = g.shape[axis_of(dim, g.ndim)] if g.ndim else 1
    return index_select(g, dim, np.unique(array_of(index) % size)).sum()


index_fill = dim_first(
    linear(
        "index_fill",
        _index_fill,
        "x index value",
        lambda g, index, dim: index_fill(g, dim, index, 0.0),
        None,
        _d_filled,
        doc="A copy with `value`, a number or 0-d tensor, in the slices along `dim` at the positions `index`, a "
        "vector; negative ones count from the end.\n\n"
        "Gradient: g without these slices for the input, their sum for `value`. IndexError where there is no such "
        "slice.",
        example="ac.index_fill(ac.zeros(3), 0, ac.tensor([0, 2]), 7.0) -> tensor([7., 0., 7.])",
    )
)
index_fill_ = dim_first(in_place(index_fill))


# -- into the flat input


def _put_flat(x, index, source, accumulate=False):
    check_flat("put", x, index)
    if source.dtype != x.dtype:
        raise RuntimeError(
            f"put(): self and source expected to have the same dtype, but got self.dtype = {x.dtype} and source.dtype "
            f"= {source.dtype}"
        )
    if index.size != source.size:
        raise RuntimeError(
            f"put(): Expected source and index to have the same number of elements, but got source.numel() = "
            f"{source.size}, index.numel() = {index.size}"
        )
    out = np.array(x, order="C")
    flat, index, source = out.reshape(-1), index.reshape(-1), source.reshape(-1)
    if accumulate:
        add_at(flat, (index,), source)
    else:
        flat[index] = source
    return out


def _d_put_dx(g, index, source, accumulate):
    return g if accumulate else put(g, index, zeros_like(source))


put = linear(
    "put",
    _put_flat,
    "x index source",
    _d_put_dx,
    None,
    lambda g, index, source: reshape(take(g, index), tuple(source.shape)),
    doc="A copy with the elements of `source` written, or with `accumulate` added, at the positions `index` of the "
    "input seen as one row-major vector; negative ones count from the end.\n\n"
    "Gradient: for the input g, without these elements unless they accumulate; for `source` the elements of g there. "
    "IndexError where there is no such position, RuntimeError for unequal dtypes or numbers of elements.",
    example="ac.put(ac.zeros(2, 2), ac.tensor([3, 0]), ac.tensor([1.0, 5.0])) -> tensor([[5., 0.],\n        [0., 1.]])",
)
put_ = in_place(put)


# -- by a mask


def _masked_fill(x, mask, value):
    check_mask("masked_fill", mask)
    if np.ndim(value):
        raise RuntimeError(
            f"masked_fill only supports a 0-dimensional value tensor, but got tensor with {value.ndim} "
            f"dimension(s); use where()"
        )
    return np.where(mask, np.asarray(_filling(value, x.dtype), x.dtype), x)


masked_fill = linear(
    "masked_fill",
    _masked_fill,
    "x mask value",
    lambda g, mask: masked_fill(g, mask, 0.0),
    None,
    lambda g, mask: masked_fill(g, ~mask, 0.0),
    doc="A copy with `value`, a number or 0-d tensor, where `mask` is True. The mask broadcasts with the input.",
    example="ac.masked_fill(ac.ones(3), ac.tensor([True, False, True]), 0.0) -> tensor([0., 1., 0.])",
)


def _masked_scatter(x, mask, source):
    check_mask("masked_scatter", mask)
    if source.dtype != x.dtype:
        raise RuntimeError(
            f"masked_scatter: expected input and source to have same dtypes but got {x.dtype} and {source.dtype}"
        )
    x, mask = np.broadcast_arrays(x, mask)
    n = int(np.count_nonzero(mask))
    if source.size < n:
        raise RuntimeError(f"masked_scatter: source has {source.size} elements, but the mask is True at {n}")
    out = np.array(x, order="C")
    out[mask] = source.reshape(-1)[:n]
    return out


def _d_masked_source(g, mask, source_shape):
    picked = masked_select(g, mask)
    placed = slice_backward(picked, (int(np.prod(source_shape)),), (slice(0, picked.shape[0], 1),))
    return reshape(placed, tuple(source_shape))


masked_scatter = linear(
    "masked_scatter",
    _masked_scatter,
    "x mask source",
    lambda g, mask: masked_fill(g, mask, 0.0),
    None,
    lambda g, mask, source_shape: _d_masked_source(g, mask, source_shape),
    doc="A copy with the elements of `source`, in order, at the places where `mask` is True.",
    example="ac.masked_scatter(ac.zeros(3), ac.tensor([True, False, True]), ac.tensor([5.0, 6.0])) -> "
    "tensor([5., 0., 6.])",
)

reading_first.update(op.primitive for op in (index_fill, masked_fill, masked_scatter))
