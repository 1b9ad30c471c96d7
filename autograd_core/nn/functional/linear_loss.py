"""Cross-entropy of a linear layer, for many classes: whole, or in chunks of rows."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass

import numpy as np

from ...core.dtypes import dtype
from ...core.tensor import Tensor, wrap
from ...ops.floats_only import check_floats
from ...ops.linear_algebra.matmul import linear
from ...ops.nn.chunked_cross_entropy import chunked_cross_entropy, shares_of
from ...ops.nn.nll import check_range
from ...ops.reductions.reduction import sum
from .classification import check_classes, cross_entropy
from .regression import check_constant, check_reduction


@dataclass(frozen=True)
class LinearCrossEntropyOptions:
    """How `linear_cross_entropy` cuts its batch into chunks.

    `batch_chunk_size` is the number of rows of a chunk. Or it is chosen by `chunking_method`: "aspect_ratio" makes the
    scores of a chunk about as large as the input, "aspect_ratio:N" N times smaller, and "auto" is "aspect_ratio:2".
    With neither there is one chunk. ValueError for another method, and for a size that is not a positive integer.
    The others change nothing: the graph may always be retained, and sums are carried wide whatever the dtype.

    >>> import autograd_core as ac
    >>> ac.nn.LinearCrossEntropyOptions(batch_chunk_size=64).chunking_method
    'auto'
    """

    allow_retain_graph: bool = False
    batch_chunk_size: int | None = None
    chunking_method: str | None = "auto"
    acc_policy: str = "auto"
    acc_dtype: dtype | None = None

    def __post_init__(self):
        if self.acc_policy not in ("accurate", "balanced", "compact", "auto"):
            raise ValueError(f"invalid acc_policy: {self.acc_policy!r}; say accurate, balanced, compact or auto")
        size, method = self.batch_chunk_size, self.chunking_method
        if size is not None and not (isinstance(size, int) and size > 0):
            raise ValueError(f"batch_chunk_size must be positive int or None, got {size!r}")
        if method not in (None, "auto"):
            name, colon, factor = method.partition(":")
            if name != "aspect_ratio" or (colon and not (factor.isdigit() and int(factor))):
                raise ValueError(f"invalid chunking_method: {method!r}; say 'aspect_ratio:N', 'auto' or None")


def _chunk_size(options, rows: int, features: int, classes: int) -> int:
    """The number of rows in a chunk."""
    size, method = options.batch_chunk_size, options.chunking_method
    if method is None or (method == "auto" and size is not None):
        return max(1, min(rows, size or rows))
    factor = int(["aspect_ratio", "2"][1] if method == "auto" else method.partition(":")[2] or 1)
    like_input = math.ceil(rows / math.ceil(classes / max(features, 1)))
    chosen = max(1, min(rows, (1 << max(like_input - 1, 0).bit_length()) // factor))
    if size is not None and size != chosen:
        raise ValueError(
            f"batch_chunk_size (={size}) and chunking_method ('{method}') give different chunk sizes ({size} vs "
            f"{chosen}); pass only one."
        )
    return chosen


def linear_cross_entropy(
    input,
    linear_weight,
    target,
    *,
    linear_bias=None,
    weight=None,
    reduction: str = "mean",
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
    options: LinearCrossEntropyOptions | None = None,
) -> Tensor:
    """`cross_entropy(linear(input, linear_weight, linear_bias), target, ...)`, in chunks if `options` are given.

    Input (n, k) or (k); `linear_weight` (C, k), with a bias (C), or (C, d1, ..., k), whose scores are (n, C, d1, ...);
    the target as in `cross_entropy`. `ignore_index` is -100 unless given. The chunks are for class indices, C classes
    and no smoothing; otherwise `options` are ignored, with a warning.

    RuntimeError where ranks or sizes do not fit, and for an `ignore_index` with probabilities.

    >>> import autograd_core as ac
    >>> x, w = ac.tensor([[1.0, 0.0], [0.0, 2.0]]), ac.eye(2)
    >>> ac.nn.functional.linear_cross_entropy(x, w, ac.tensor([0, 1]), reduction="none")
    tensor([0.3133, 0.1269])
    """
    check_reduction(reduction)
    shape = _scores_shape(input, linear_weight, linear_bias)
    if tuple(target.shape) == shape and ignore_index is not None:
        raise RuntimeError("ignore_index cannot be specified when target contains probabilities")
    ignore_index = -100 if ignore_index is None else ignore_index
    if options is not None:
        if len(shape) == input.ndim and label_smoothing == 0.0 and target._array.dtype == np.int64:
            size = _chunk_size(options, len(input) if input.ndim == 2 else 1, input.shape[-1], shape[-1])
            return _in_chunks(input, linear_weight, linear_bias, target, weight, reduction, ignore_index, size)
        warnings.warn(
            "linear_cross_entropy: `options` ignored; chunks need label_smoothing == 0, a target of int64 and a weight "
            f"matrix. Got label_smoothing={label_smoothing}, target.dtype={target.dtype}, linear_weight of shape "
            f"{list(linear_weight.shape)}.",
            UserWarning,
            stacklevel=2,
        )
    rows = linear_weight.reshape((-1, linear_weight.shape[-1]))
    bias = None if linear_bias is None else linear_bias.reshape((-1,))
    return cross_entropy(
        linear(input, rows, bias).reshape(shape),
        target,
        weight=weight,
        reduction=reduction,
        ignore_index=ignore_index,
        label_smoothing=label_smoothing,
    )


def _scores_shape(input, weight, bias) -> tuple[int, ...]:
    if input.ndim not in (1, 2):
        raise RuntimeError(f"expected input with dimensionality 1 or 2, got {input.ndim}")
    if weight.ndim < 2:
        raise RuntimeError(f"expected linear_weight with dimensionality at least 2, got {weight.ndim}")
    if input.shape[-1] != weight.shape[-1]:
        raise RuntimeError(
            "expected equal input and linear_weight last dimensions (in_features), got "
            f"{input.shape[-1]} and {weight.shape[-1]}, respectively"
        )
    scores = tuple(weight.shape[:-1])
    if bias is not None and tuple(bias.shape) != scores:
        raise RuntimeError(f"expected linear_bias shape {scores}, got {tuple(bias.shape)}")
    if len(scores) > 1 and input.ndim == 1:
        raise RuntimeError(
            f"K-dimensional loss defined by linear_weight shape {tuple(weight.shape)} requires batched input, "
            f"(N, {input.shape[0]}), got unbatched input with shape {tuple(input.shape)}"
        )
    return (*input.shape[:-1], *scores)


def _in_chunks(input, linear_weight, bias, target, weight, reduction, ignore_index, size) -> Tensor:
    check_floats("linear_cross_entropy", input)
    check_constant("linear_cross_entropy", weight=weight)
    check_classes((*input.shape[:-1], len(linear_weight)), target, weight)
    labels = target.reshape((-1,))
    check_range(labels._array[labels._array != ignore_index], len(linear_weight), ignore_index)
    x = input.reshape((-1, input.shape[-1]))
    losses = chunked_cross_entropy(x, linear_weight, labels, bias, weight, size, ignore_index)
    if reduction == "none":
        return losses.reshape(target.shape)
    if reduction == "sum":
        return sum(losses)
    shares, _ = shares_of(labels._array, None if weight is None else weight._array, ignore_index)
    return sum(losses) / wrap(np.add.reduce(shares, dtype=x._array.dtype, keepdims=True)[0, ...])
