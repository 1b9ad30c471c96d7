"""Losses of embeddings: what belongs together should be close, what does not should be far apart."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...core.tensor import Tensor
from ...ops.elementwise.arithmetic import sqrt
from ...ops.elementwise.piecewise import clamp_min, minimum, where
from ...ops.linear_algebra.distances import pairwise_distance
from ...ops.reductions.reduction import sum
from .old_reduction import with_old_reduction
from .regression import check_reduction, reduced

SMALL = float(np.float32(1e-12))  # PyTorch's constant is a number of single precision, in every dtype


@with_old_reduction
def cosine_embedding_loss(input1, input2, target, margin: float = 0, *, reduction: str = "mean") -> Tensor:
    """1 - cos(input1, input2) where `target` is 1, and max(0, cos - margin) where it is -1.

    Inputs (n, k) and a target (n), or inputs (k) and a 0-d target; RuntimeError for other ranks. The squared norms are
    raised by 1e-12, so that a vector of zeros has the cosine 0. At the kink the gradient is that of cos - margin.

    >>> import autograd_core as ac
    >>> x, y = ac.tensor([[1.0, 0.0], [1.0, 0.0]]), ac.tensor([[3.0, 4.0], [3.0, 4.0]])
    >>> ac.nn.functional.cosine_embedding_loss(x, y, ac.tensor([1, -1]), reduction="none")
    tensor([0.4000, 0.6000])
    """
    check_reduction(reduction)
    if target.ndim > 1:
        raise RuntimeError(f"0D or 1D target tensor expected, multi-target not supported; got {list(target.shape)}")
    if not input1.ndim == input2.ndim == target.ndim + 1:
        raise RuntimeError(
            f"{target.ndim}D target tensor expects {target.ndim + 1}D input tensors, but found inputs with sizes "
            f"{list(input1.shape)} and {list(input2.shape)}."
        )
    products, squares1, squares2 = (sum(x * y, -1) for x, y in ((input1, input2), (input1, input1), (input2, input2)))
    cosine = products / sqrt((squares1 + SMALL) * (squares2 + SMALL))
    apart = where(target == -1, clamp_min(cosine - margin, 0), 0.0)
    return reduced(where(target == 1, 1 - cosine, 0.0) + apart, reduction)


@with_old_reduction
def triplet_margin_loss(
    anchor,
    positive,
    negative,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    *,
    reduction: str = "mean",
) -> Tensor:
    """max(0, margin + d(anchor, positive) - d(anchor, negative)), with d the `pairwise_distance` with p and eps.

    Tensors (n, k) or (k); RuntimeError where they differ in rank or do not broadcast, ValueError unless margin > 0.
    `swap` takes d(positive, negative) where that is smaller. At the kink the gradient is that of the difference.
    Source: Balntas, Riba, Ponsa and Mikolajczyk, 2016.

    >>> import autograd_core as ac
    >>> anchor, positive, negative = ac.tensor([[0.0, 0.0]]), ac.tensor([[3.0, 4.0]]), ac.tensor([[0.0, 2.0]])
    >>> ac.nn.functional.triplet_margin_loss(anchor, positive, negative)
    tensor(4.0000)
    """

    def distance(x, y):
        return pairwise_distance(x, y, p, eps)

    return triplet_margin_with_distance_loss(
        anchor, positive, negative, distance_function=distance, margin=margin, swap=swap, reduction=reduction
    )


def triplet_margin_with_distance_loss(
    anchor,
    positive,
    negative,
    *,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """`triplet_margin_loss` with a distance of your own: a function of two tensors, by default `pairwise_distance`.

    >>> import autograd_core as ac
    >>> anchor, positive, negative = ac.tensor([0.0]), ac.tensor([3.0]), ac.tensor([2.0])
    >>> ac.nn.functional.triplet_margin_with_distance_loss(
    ...     anchor, positive, negative, distance_function=lambda x, y: (x - y).abs().sum(-1)
    ... )
    tensor(2.)
    """
    check_reduction(reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    if not anchor.ndim == positive.ndim == negative.ndim:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
            f"anchor {anchor.ndim}D, positive {positive.ndim}D, and negative {negative.ndim}D inputs"
        )
    distance = distance_function or pairwise_distance
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = minimum(far, distance(positive, negative))
    return reduced(clamp_min(margin + near - far, 0), reduction)
