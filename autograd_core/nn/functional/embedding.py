"""Integers as vectors: the rows of a table (`embedding`), or unit vectors (`one_hot`)."""

from __future__ import annotations

import numpy as np

from ...ops.indexing import add_at
from ...primitive import linear
from ...tensor import Tensor, wrap


def _lookup(x, weight, padding_idx=None):
    if x.dtype.kind not in "iu":
        raise RuntimeError(f"embedding: expected integer indices, got {x.dtype.name}; convert them with .long()")
    if x.size and (x.min() < 0 or x.max() >= len(weight)):
        bad = x[(x < 0) | (x >= len(weight))].flat[0]
        raise IndexError(f"index out of range in self: embedding got index {bad} for a table of {len(weight)} rows")
    return weight.take(x, axis=0)


def _add_rows(x, index, shape, padding_idx=None):
    table = np.zeros(shape, x.dtype)
    if padding_idx is not None:
        counted = index != padding_idx
        x, index = x[counted], index[counted]
    add_at(table, (index,), x)
    return table


def _lookup_counted(g, x, padding_idx):
    """The adjoint of adding rows: what was dropped there is zero here."""
    found = embedding_lookup(x, g)
    if padding_idx is None:
        return found
    counted = (x != padding_idx).reshape((*x.shape, *[1] * (g.ndim - 1)))
    return found * counted


embedding_lookup = linear(
    "embedding",
    _lookup,
    "x weight",
    None,
    lambda g, x, weight_shape, padding_idx: embedding_backward(g, x, weight_shape, padding_idx),
)
embedding_backward = linear(
    "embedding_backward",
    _add_rows,
    "x index",
    lambda g, index, padding_idx: _lookup_counted(g, index, padding_idx),
    None,
    doc="Rows summed into a table at their indices: the gradient of looking rows up.",
)


def embedding(input, weight, padding_idx: int | None = None) -> Tensor:
    """Rows of the table `weight`, shape (n, d), at integer indices of any shape: (*input.shape, d).

    The gradient of a row is the sum over its uses; the row `padding_idx` (may be negative, counted from the end) gets
    none.

    Raises IndexError for an index outside the table, RuntimeError for indices that are not integers, AssertionError for
    a `padding_idx` outside the table.

    >>> import autograd_core as ac
    >>> table = ac.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> ac.nn.functional.embedding(ac.tensor([1, 1, 0]), table)
    tensor([[3., 4.],
            [3., 4.],
            [1., 2.]])
    """
    if padding_idx is not None:
        n = weight.shape[0]
        if not -n <= padding_idx < n:
            raise AssertionError(
                f"Padding_idx must be within num_embeddings: got {padding_idx} for a table of {n} rows"
            )
        padding_idx %= n
    return embedding_lookup(input, weight, padding_idx=padding_idx)


def one_hot(tensor, num_classes: int = -1) -> Tensor:
    """Unit vectors along a new last axis of length `num_classes`: 1 at the index that `tensor` holds (int64), else 0.

    -1 means one more than the largest index. Raises RuntimeError for a negative or too large index, or another dtype.

    >>> import autograd_core as ac
    >>> ac.nn.functional.one_hot(ac.tensor([0, 2]))
    tensor([[1, 0, 0],
            [0, 0, 1]])
    """
    labels = tensor._array
    if labels.dtype != np.int64:
        raise RuntimeError(
            f"one_hot is only applicable to index tensor of type int64, got {tensor.dtype}; convert it with .long()"
        )
    if labels.size == 0 and num_classes <= 0:
        raise RuntimeError("Can not infer total number of classes from empty tensor; pass num_classes.")
    if labels.size and labels.min() < 0:
        raise RuntimeError(f"Class values must be non-negative, got {labels.min()}.")
    largest = int(labels.max()) if labels.size else -1
    if num_classes == -1:
        num_classes = largest + 1
    if largest >= num_classes:
        raise RuntimeError(
            f"Class values must be smaller than num_classes: got {largest}, num_classes is {num_classes}."
        )
    return wrap((labels[..., None] == np.arange(num_classes)).astype(np.int64))
