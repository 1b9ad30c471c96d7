"""Integers as vectors: rows of a table (`embedding`), sums of rows (`embedding_bag`), or unit vectors (`one_hot`)."""

from __future__ import annotations

import numpy as np

from ...core.call import also_called
from ...core.modes import no_grad
from ...core.silence import quiet
from ...core.tensor import Tensor, wrap
from ...core.whole_numbers import whole
from ...ops.indexing.brackets import setitem
from ...ops.indexing.gathering import gather
from ...ops.nn.lookup import check_lookup, column, embedding_backward, embedding_lookup
from ...ops.precision import carried_wide
from ...ops.shapes.shape import reshape, unsqueeze


def embedding(
    input,
    weight,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """Rows of the table `weight`, shape (n, d), at integer indices of any shape: (*input.shape, d).

    The gradient of a row is the sum over its uses, with `scale_grad_by_freq` their mean; the row `padding_idx` (may be
    negative, counted from the end) gets none. `max_norm` first scales the rows that are used, in place and without
    history, so that their `norm_type`-norm is at most that.

    Raises IndexError for an index outside the table, RuntimeError for indices that are not integers and for a table
    that has not two axes, AssertionError for a `padding_idx` outside the table, NotImplementedError for `sparse`.

    >>> import autograd_core as ac
    >>> table = ac.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> ac.nn.functional.embedding(ac.tensor([1, 1, 0]), table)
    tensor([[3., 4.],
            [3., 4.],
            [1., 2.]])
    """
    _refuse_sparse("embedding", sparse)
    padding_idx = _padding(padding_idx, weight.shape[0] if weight.ndim else 0)
    if max_norm is not None:
        _limit_norms("embedding", input, weight, max_norm, norm_type)
    return embedding_lookup(input, weight, padding_idx=padding_idx, scale_grad_by_freq=scale_grad_by_freq)


def _refuse_sparse(name: str, sparse: bool) -> None:
    if sparse:
        raise NotImplementedError(f"{name}: gradients are dense tensors here; leave out sparse=True")


def _padding(padding_idx, n: int):
    if padding_idx is None:
        return None
    if not -n <= padding_idx < n:
        raise AssertionError(f"Padding_idx must be within num_embeddings: got {padding_idx} for a table of {n} rows")
    return padding_idx % n


@quiet
def _limit_norms(name: str, input, weight, max_norm: float, norm_type: float) -> None:
    """Scale the rows that are used so that none is longer than `max_norm`."""
    check_lookup(name, input._array, weight._array)
    used = np.unique(input._array)
    rows = weight._array[used]
    norms = np.linalg.norm(rows, norm_type, axis=1)
    long = norms > max_norm
    if long.any():
        with no_grad():
            setitem(weight, wrap(used[long]), wrap(rows[long] * column(max_norm / (norms[long] + 1e-7), rows)))


# -- bags


def embedding_bag(
    input,
    weight,
    offsets=None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights=None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor:
    """The sum, mean or maximum of the rows of the table `weight` (n, d) that each bag of indices names: (bags, d).

    `input` is (bags, k), or one axis that `offsets` cuts into bags: it holds the start of each, and with
    `include_last_offset` the end of the last. With `per_sample_weights`, in the shape of the input and for
    `mode="sum"`, rows are multiplied by them. Indices equal to `padding_idx` do not count; an empty bag gives zeros.
    `max_norm`, `norm_type` and `scale_grad_by_freq` as in `embedding`.

    Gradient: g for each row of a sum, over the number of rows for a mean; for a maximum all to the first row that has
    it. Raises ValueError for arguments that do not go together, NotImplementedError for weights of a mean or maximum,
    IndexError for an index outside the table, RuntimeError for dtypes and offsets that do not fit.

    >>> import autograd_core as ac
    >>> table = ac.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> ac.nn.functional.embedding_bag(ac.tensor([0, 1, 1]), table, ac.tensor([0, 2]))
    tensor([[2., 3.],
            [3., 4.]])
    """
    _check_bags(input, weight, offsets, mode, scale_grad_by_freq, per_sample_weights)
    _refuse_sparse("embedding_bag", sparse)
    check_lookup("embedding_bag", input._array, weight._array)
    padding_idx = _padding(padding_idx, weight.shape[0])
    if max_norm is not None:
        _limit_norms("embedding_bag", input, weight, max_norm, norm_type)
    index, bag, bags = _bags(input._array, offsets, include_last_offset)
    at = np.arange(index.size) if padding_idx is None else np.flatnonzero(index != padding_idx)
    index, bag = index[at], bag[at]
    if mode == "max":
        return _bag_maxima(index, bag, bags, weight)
    rows = embedding_lookup(wrap(index), weight, scale_grad_by_freq=scale_grad_by_freq)
    if per_sample_weights is not None:
        rows = rows * unsqueeze(reshape(per_sample_weights, (-1,))[wrap(at)], 1)
    return _bag_sums(rows, bag, bags, mode)


@carried_wide
def _bag_sums(rows, bag, bags: int, mode: str):
    total = embedding_backward(rows, wrap(bag), (bags, rows.shape[1]))
    if mode == "sum":
        return total
    return total * wrap(column(1 / np.maximum(np.bincount(bag, minlength=bags), 1), rows._array))


def _bag_maxima(index, bag, bags: int, weight):
    """Each maximum is looked up where it stands, so that its gradient goes there."""
    filled, starts = np.unique(bag, return_index=True)
    rows = weight._array[index]
    largest = np.maximum.reduceat(rows, starts, 0) if len(starts) else rows
    places = np.where(rows == largest[np.searchsorted(filled, bag)], np.arange(len(index))[:, None], len(index) - 1)
    first = np.minimum.reduceat(places, starts, 0) if len(starts) else places
    return embedding_backward(gather(weight, 0, wrap(index[first])), wrap(filled), (bags, weight.shape[1]))


def _bags(index, offsets, include_last: bool):
    """The indices in one axis, the bag of each, and the number of bags."""
    if index.ndim == 2:
        return index.reshape(-1), np.repeat(np.arange(len(index)), index.shape[1]), len(index)
    starts = offsets._array
    if include_last and starts.size == 0:
        raise RuntimeError("include_last_offset: number of offsets should be at least 1")
    if starts.size and starts[0] != 0:
        raise RuntimeError(f"offsets[0] has to be 0, the start of the first bag, but got {starts[0]}")
    if starts.size and starts[-1] > index.size:
        raise RuntimeError(f"offsets[-1] can not be greater than input's length {index.size} but got {starts[-1]}")
    bag = np.searchsorted(starts, np.arange(index.size), side="right") - 1
    bags = len(starts) - include_last
    inside = bag < bags
    return index[inside], bag[inside], bags


def _check_bags(input, weight, offsets, mode: str, scale_grad_by_freq: bool, weights) -> None:
    if weights is not None and weights.shape != input.shape:
        raise ValueError(
            f"embedding_bag: per_sample_weights {list(weights.shape)} must have the same shape as the input "
            f"{list(input.shape)}"
        )
    if weight.ndim != 2:
        raise ValueError(f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.ndim}")
    if input.ndim not in (1, 2):
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.ndim}")
    if input.ndim == 2 and offsets is not None:
        raise ValueError("if input is 2D, its rows are the bags, then offsets has to be None")
    if input.ndim == 1 and (offsets is None or offsets.ndim != 1):
        raise ValueError(f"offsets has to be a 1D Tensor but got {None if offsets is None else list(offsets.shape)}")
    if mode not in ("sum", "mean", "max"):
        raise ValueError(f"mode has to be one of sum, mean or max, got {mode}")
    if mode == "max" and scale_grad_by_freq:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if weights is not None and mode != "sum":
        raise NotImplementedError(f"embedding_bag: per_sample_weights is only supported for mode='sum' (got '{mode}')")
    if weights is not None and weights.dtype != weight.dtype:
        raise RuntimeError(
            f"embedding_bag: expected weight and per_sample_weights to have one dtype, got {weight.dtype} and "
            f"{weights.dtype}"
        )


@also_called(input="tensor")
def one_hot(tensor, num_classes: int = -1) -> Tensor:
    """Unit vectors along a new last axis of length `num_classes`: 1 at the index that `tensor` holds (int64), else 0.

    -1 means one more than the largest index. Raises RuntimeError for a negative or too large index, or another dtype.

    >>> import autograd_core as ac
    >>> ac.nn.functional.one_hot(ac.tensor([0, 2]))
    tensor([[1, 0, 0],
            [0, 0, 1]])
    """
    labels, num_classes = tensor._array, whole("num_classes", num_classes)
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
