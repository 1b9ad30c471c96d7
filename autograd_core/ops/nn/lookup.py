"""Rows of a table looked up at integers, and summed back into a table at them: each op the adjoint of the other."""

from __future__ import annotations

import numpy as np

from ...core.silence import complete, nameless
from ...core.table import linear
from ..indexing.brackets import add_at
from ..precision import carried_wide


def check_lookup(name: str, index, weight) -> None:
    """Raise unless `index` holds integers that are rows of the table `weight`."""
    if index.dtype.kind not in "iu":
        raise RuntimeError(f"{name}: expected integer indices, got {index.dtype.name}; convert them with .long()")
    if weight.ndim != 2:
        raise RuntimeError(f"{name}: 'weight' must be 2-D, got shape {list(weight.shape)}")
    if index.size and (index.min() < 0 or index.max() >= len(weight)):
        bad = index[(index < 0) | (index >= len(weight))].flat[0]
        raise IndexError(f"index out of range in self: {name} got index {bad} for a table of {len(weight)} rows")


@nameless
def _lookup(x, weight, padding_idx=None, scale_grad_by_freq=False):
    check_lookup("embedding", x, weight)
    return weight.take(x, axis=0)


@carried_wide
def _add_rows(x, index, shape, padding_idx=None, scale_grad_by_freq=False):
    table = np.zeros(shape, x.dtype)
    if scale_grad_by_freq and index.size:
        x = x * column(1 / np.bincount(index.reshape(-1))[index], x)
    if padding_idx is not None:
        counted = index != padding_idx
        x, index = x[counted], index[counted]
    add_at(table, (index,), x)
    return table


def column(weights, rows):
    """One weight for each row, in the dtype of the rows."""
    return weights.astype(rows.dtype, copy=False)[..., None]


def _lookup_counted(x, index, padding_idx=None, scale_grad_by_freq=False):
    out = x.take(index, axis=0)
    if scale_grad_by_freq and index.size:
        out *= column(1 / np.bincount(index.reshape(-1))[index], out)
    if padding_idx is not None:
        out[index == padding_idx] = 0
    return out


embedding_lookup = linear(
    "embedding",
    _lookup,
    "x weight",
    None,
    lambda g, x, weight_shape, padding_idx, scale_grad_by_freq: embedding_backward(
        g, x, weight_shape, padding_idx, scale_grad_by_freq
    ),
)

embedding_backward = linear(
    "embedding_backward",
    _add_rows,
    "x index",
    lambda g, index, padding_idx, scale_grad_by_freq: embedding_double_backward(
        g, index, padding_idx, scale_grad_by_freq
    ),
    None,
    doc="Rows summed into a table at their indices: the gradient of looking rows up.",
)

embedding_double_backward = linear(
    "embedding_double_backward",
    _lookup_counted,
    "x index",
    lambda g, x_shape, index, padding_idx, scale_grad_by_freq: embedding_backward(
        g, index, x_shape, padding_idx, scale_grad_by_freq
    ),
    None,
    doc="Rows looked up, with what `embedding_backward` leaves out as zeros: its adjoint.",
)

complete()  # this module is read after `ops`
