"""Reducing elements onto places given by an index: `scatter_reduce`, one index for each element, and `index_reduce`,
one for each slice.

Both are made of the same four steps, which `Along` holds for either kind of index. The gradients are PyTorch's, in
`scatter_reduce_backward` and `index_reduce_backward`.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from ...core.table import general, linear
from ...core.tensor import Tensor
from ...core.write import in_place
from ..elementwise.piecewise import where
from ..precision import carrier
from ..shapes.shape import reshape
from .brackets import accumulate_at, key_of, slice_backward, slice_view
from .gathering import as_line, gather, index_select, positions_along
from .scattering import check_slices, index_add, index_fill, masked_fill, on_axis, scatter, scatter_add, source_part

__all__ = ["index_reduce", "scatter_reduce"]
METHODS = [*__all__, "index_reduce_", "scatter_reduce_"]
TAKE_OUT = ["index_reduce", "scatter_reduce"]

UFUNCS = {"sum": np.add, "mean": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum}


def _neutral(reduce: str, dtype):
    """What changes no result: 0, 1, or the end of the range of the type."""
    if reduce not in ("amax", "amin"):
        return int(reduce == "prod")
    if dtype.kind == "b":
        return reduce == "amin"
    if dtype.kind == "f":
        return -np.inf if reduce == "amax" else np.inf
    return np.iinfo(dtype).min if reduce == "amax" else np.iinfo(dtype).max


def _reduced(x, source, places, reduce: str, include_self: bool):
    """A copy of x with `source` reduced onto it; float16 is summed in float32."""
    out = as_line(x).astype(carrier(x.dtype), order="C")
    if not include_self:
        out[key_of(places)] = _neutral(reduce, x.dtype)
    accumulate_at(UFUNCS[reduce], out, places, as_line(source))
    if reduce == "mean":
        counts = np.full(out.shape, int(include_self))
        accumulate_at(np.add, counts, places, np.ones_like(as_line(source), counts.dtype))
        np.maximum(counts, 1, out=counts)
        out = np.floor_divide(out, counts) if x.dtype.kind != "f" else out / counts.astype(out.dtype)
    return out.astype(x.dtype, copy=False).reshape(x.shape)


def _check_reduce(name: str, reduce: str, known: tuple) -> None:
    if reduce not in known:
        raise RuntimeError(f"{name}(): reduce argument must be one of {', '.join(known)}, got {reduce}")


# -- the gradients

# pick: the elements of an array at the places of the source. add: an array with a source added at its places. clear: an
# array with zeros there. reduce: the op itself, on other values.
Along = namedtuple("Along", "pick add clear reduce")


def _raw(value):
    """The value as an array, for what carries no gradient: where two values are equal, and how often."""
    return value._array if isinstance(value, Tensor) else np.asarray(value)


def _same(x, y):
    return np.asarray(x == y)


def _counts(along: Along, x, source, include_self: bool):
    start = np.full(x.shape, int(include_self), x.dtype)
    return np.maximum(along.add(start, np.ones(source.shape, x.dtype)), 1)


def _shared(along: Along, g, x, source, out):
    """For an extreme: g over the number of elements that attain it, and which ones of x and of the source these are."""
    x, source, out = _raw(x), _raw(source), _raw(out)
    x_is, source_is = _same(x, out).astype(x.dtype), _same(source, along.pick(out)).astype(x.dtype)
    return g / along.add(x_is, source_is), x_is, source_is


def _d_input(along: Along, g, x, source, out, reduce: str, include_self: bool):
    if reduce == "mean":
        g = g / _counts(along, _raw(x), _raw(source), include_self)
    elif reduce == "prod":
        without_zeros = masked_fill(x, _same(_raw(x), 0), 1.0)
        g = g * along.reduce(without_zeros, source) / without_zeros
    elif reduce != "sum":
        share, x_is, _ = _shared(along, g, x, source, out)
        g = share * x_is
    return g if include_self else along.clear(g)


def _d_source(along: Along, g, x, source, out, reduce: str, include_self: bool):
    if reduce == "sum":
        return along.pick(g)
    if reduce == "mean":
        return along.pick(g / _counts(along, _raw(x), _raw(source), include_self))
    if reduce == "prod":
        return _d_factors(along, g, x, source, out)
    share, _, source_is = _shared(along, g, x, source, out)
    return along.pick(share) * source_is


def _d_factors(along: Along, g, x, source, out):
    """The product of the other factors: by division where the factor is not 0, computed anew for a single 0."""
    zero = _same(_raw(source), 0)
    many = along.pick(along.add(np.zeros(x.shape, _raw(x).dtype), zero.astype(_raw(x).dtype)))
    single = np.asarray(zero & _same(many, 1))
    others = along.reduce(x, masked_fill(source, single, 1.0))
    found = where(single, along.pick(g * others), along.pick(g * out) / masked_fill(source, zero, 1.0))
    return once(found) if np.any(many > 1) else found


def _refuse(g):
    raise RuntimeError(
        "scatter_reduce(), index_reduce(): Double backward is unsupported for the source when >1 zeros in it are "
        "multiplied onto the same position"
    )


once = linear(
    "once",
    lambda x: x.copy(),
    "x",
    _refuse,
    doc="A gradient that is right, but cannot be differentiated again: it has lost what several zeros hide.",
)


# -- one index for each element


def _scatter_reduce(x, index, src, dim, reduce, include_self=True):
    _check_reduce("scatter_reduce", reduce, ("sum", "prod", "mean", "amax", "amin"))
    if not index.size:
        return x.copy()
    index = index if x.ndim or index.ndim < 2 else index.reshape(-1)
    places = positions_along("scatter_reduce", as_line(x), as_line(index), dim)
    return _reduced(x, source_part("scatter_reduce", x, index, src), places, reduce, include_self)


def _along_elements(index, dim, reduce, include_self) -> Along:
    index = _raw(index)
    return Along(
        lambda value: gather(value, dim, index),
        lambda value, source: scatter_add(value, dim, index, source),
        lambda value: scatter(value, dim, index, 0.0),
        lambda value, source: scatter_reduce(value, dim, index, source, reduce, include_self=include_self),
    )


def _corner(src, index):
    """The part of the source that the index reaches."""
    return src if src.shape == index.shape else slice_view(src, tuple(slice(0, n, 1) for n in index.shape))


def _d_scatter_dx(g, x, index, src, out, dim, reduce, include_self):
    along = _along_elements(index, dim, reduce, include_self)
    return _d_input(along, g, x, _corner(src, index), out, reduce, include_self)


def _d_scatter_dsrc(g, x, index, src, out, dim, reduce, include_self):
    along = _along_elements(index, dim, reduce, include_self)
    found = _d_source(along, g, x, _corner(src, index), out, reduce, include_self)
    if src.shape == index.shape:
        return found
    return slice_backward(found, tuple(src.shape), tuple(slice(0, n, 1) for n in index.shape))


_by_elements = general(
    "scatter_reduce",
    _scatter_reduce,
    "x index src",
    _d_scatter_dx,
    None,
    _d_scatter_dsrc,
    doc="The elements of `src` reduced onto the places of the input that `index` gives along `dim`.",
)
_by_elements_ = in_place(_by_elements)


def scatter_reduce(input, dim, index, src, reduce, *, include_self=True):
    """A copy with `src[i, j]` reduced onto `[index[i, j], j]` for dim=0, and likewise along another axis.

    `reduce` is "sum", "prod", "mean", "amax" or "amin"; with `include_self=False` what was there does not take part.
    `index` is nowhere larger than `src`, nor than `input` but along `dim`; dtypes are equal; else RuntimeError.

    Gradient: that of the reduction. Elements that attain an extreme together share it evenly. Where several zeros of
    `src` are multiplied onto one place, the second derivative raises RuntimeError.

    >>> import autograd_core as ac
    >>> ac.scatter_reduce(ac.ones(2), 0, ac.tensor([0, 0, 1]), ac.tensor([3.0, 4.0, 5.0]), "prod")
    tensor([12.,  5.])
    """
    return _by_elements(input, index, src, dim, reduce, include_self)


def scatter_reduce_(self, dim, index, src, reduce, *, include_self=True):
    """`scatter_reduce`, written into this tensor."""
    return _by_elements_(self, index, src, dim, reduce, include_self)


# -- one index for each slice


def _index_reduce(x, index, source, dim, reduce, include_self=True):
    _check_reduce("index_reduce", reduce, ("prod", "mean", "amax", "amin"))
    axis = check_slices("index_reduce", x, index, source, dim)
    return _reduced(x, source, on_axis(index, axis), reduce, include_self)


def _along_slices(index, dim, reduce, include_self) -> Along:
    index = _raw(index)
    return Along(
        lambda value: index_select(value, dim, index),
        lambda value, source: index_add(value, dim, index, source),
        lambda value: index_fill(value, dim, index, 0.0),
        lambda value, source: index_reduce(value, dim, index, source, reduce, include_self=include_self),
    )


def _d_index_dx(g, x, index, source, out, dim, reduce, include_self):
    return _d_input(_along_slices(index, dim, reduce, include_self), g, x, source, out, reduce, include_self)


def _d_index_dsource(g, x, index, source, out, dim, reduce, include_self):
    along = _along_slices(index, dim, reduce, include_self)
    return reshape(_d_source(along, g, x, source, out, reduce, include_self), tuple(source.shape))


_by_slices = general(
    "index_reduce",
    _index_reduce,
    "x index source",
    _d_index_dx,
    None,
    _d_index_dsource,
    doc="The slices of `source` along `dim` reduced onto those of the input that `index` gives.",
)
_by_slices_ = in_place(_by_slices)


def index_reduce(input, dim, index, source, reduce, *, include_self=True):
    """A copy with slice k of `source` along `dim` reduced onto slice `index[k]`, for every k.

    `reduce` is "prod", "mean", "amax" or "amin" (for sums there is `index_add`); with `include_self=False` what was
    there does not take part. RuntimeError for shapes or dtypes that do not fit, IndexError where there is no such
    slice.

    Gradient: that of the reduction. Elements that attain an extreme together share it evenly. Where several zeros of
    `source` are multiplied onto one place, the second derivative raises RuntimeError.

    >>> import autograd_core as ac
    >>> ac.index_reduce(ac.ones(2), 0, ac.tensor([0, 0]), ac.tensor([3.0, 4.0]), "mean", include_self=False)
    tensor([3.5000, 1.0000])
    """
    return _by_slices(input, index, source, dim, reduce, include_self)


def index_reduce_(self, dim, index, source, reduce, *, include_self=True):
    """`index_reduce`, written into this tensor."""
    return _by_slices_(self, index, source, dim, reduce, include_self)
