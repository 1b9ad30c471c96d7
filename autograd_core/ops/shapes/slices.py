"""The part of a base that a view shows: cut out, cleared, replaced. They are the history of a write through a view."""

from __future__ import annotations

import numpy as np

from ...core.table import linear
from ...core.view import replay


def _like_base(g, base_strides):
    """A copy of `g` whose axes lie in memory in the order of the base's, so that it can be cut like the base."""
    order = sorted(range(g.ndim), key=lambda axis: -abs(base_strides[axis]))
    copy = (
        np.empty([g.shape[axis] for axis in order], g.dtype).transpose(np.argsort(order))
        if g.ndim
        else np.empty((), g.dtype)
    )
    copy[...] = g
    return copy


def _without_slices(x, chain, strides):
    kept = _like_base(x, strides)
    replay(kept, chain)[...] = 0
    return kept


def _only_slices(x, chain, strides):
    return replay(_like_base(x, strides), chain)


def _with_slices(base, value, region):
    chain, strides = region
    joined = _like_base(base, strides)
    replay(joined, chain)[...] = value
    return joined, region


def _put_slices(x, shape, chain, strides):
    placed = _like_base(np.zeros(shape, x.dtype), strides)
    replay(placed, chain)[...] = x
    return placed


# The region is a residual, so it goes when the node is released: PyTorch's CopySlices cannot be walked twice either.
copy_slices = linear(
    "copy_slices",
    _with_slices,
    "base value",
    lambda g, where: clear_slices(g, *where),
    lambda g, where: take_slices(g, *where),
    residuals="where",
    node_name="CopySlices",
    doc="The base with the region that a view shows replaced by a value: the history of a write through that view.",
)
clear_slices = linear(
    "clear_slices",
    _without_slices,
    "x",
    lambda g, chain, strides: clear_slices(g, chain, strides),
    doc="A copy with zeros in the region that a view shows.",
)
take_slices = linear(
    "take_slices",
    _only_slices,
    "x",
    lambda g, x_shape, chain, strides: put_slices(g, x_shape, chain, strides),
    doc="A copy of the region that a view shows.",
)
put_slices = linear(
    "put_slices",
    _put_slices,
    "x",
    lambda g, chain, strides: take_slices(g, chain, strides),
    doc="Zeros with a value in the region that a view shows.",
)
