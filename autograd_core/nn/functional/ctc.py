"""Connectionist temporal classification: the likelihood of a sequence of labels, summed over all its alignments."""

from __future__ import annotations

import math

import numpy as np

from ...core.tensor import Tensor, wrap
from ...ops.elementwise.piecewise import where
from ...ops.floats_only import refuse_type
from ...ops.nn import alignments as rows
from ...ops.reductions.reduction import mean, sum
from ...ops.shapes.shape import unsqueeze
from .regression import check_reduction

# -- the arguments


def _lengths(name: str, lengths, batch: int) -> np.ndarray:
    array = np.asarray(lengths._array if isinstance(lengths, Tensor) else lengths).reshape(-1)
    if array.dtype.kind not in "iu":
        raise RuntimeError(f"ctc_loss: {name} must be integral, got {array.dtype}")
    if len(array) != batch:
        raise RuntimeError(f"ctc_loss: {name} must be of size batch_size, {batch}, got {len(array)}")
    if (array < 0).any():
        raise RuntimeError(f"ctc_loss: expected {name} to have value at least 0, but got value {array.min()}")
    return array.astype(np.int64)


def _padded(targets, lengths, blank: int, classes: int) -> np.ndarray:
    """Targets (batch, longest), blank behind their ends, from rows or from one vector of all of them."""
    longest = lengths.max(initial=0)
    inside = np.arange(longest) < lengths[:, None]
    out = np.full(inside.shape, blank)
    if targets.ndim == 1:
        if len(targets) != lengths.sum():
            raise RuntimeError(
                f"ctc_loss: expected targets to have size {lengths.sum()} at dimension 0, the sum of target_lengths, "
                f"but got size {len(targets)}"
            )
        out[inside] = targets
    elif targets.ndim != 2 or len(targets) != len(lengths) or targets.shape[1] < longest:
        raise RuntimeError(
            f"ctc_loss: expected targets of shape [{len(lengths)}, {longest}] or longer, by target_lengths, but got "
            f"{list(targets.shape)}"
        )
    else:
        out[inside] = targets[:, :longest][inside]
    if ((out < 0) | (out >= classes)).any():
        raise RuntimeError(f"ctc_loss: a target is out of the label range 0 to {classes - 1}")
    return out


def ctc_loss(
    log_probs,
    targets,
    input_lengths,
    target_lengths,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """-log of the probability of `targets`, summed over all their alignments with the time steps.

    `log_probs` (time, batch, classes), or (time, classes), are logarithms of probabilities: the result of
    `log_softmax`. `targets` (batch, longest), or all of them in one vector, are classes other than `blank`. The lengths
    say how much of each is used. "mean" divides each loss by the length of its target first. A target that has no
    alignment has an infinite loss, whose gradient is NaN; with `zero_infinity` both are 0.

    Gradient, as in PyTorch: exp(log_probs) minus the probability of the class at that time given the target. That is
    the derivative by the scores under a `log_softmax`; by `log_probs` alone it would be the second part. RuntimeError
    for a second derivative, which PyTorch has not either.

    RuntimeError for sizes, lengths and classes that do not fit; NotImplementedError for float16 and integers.

    >>> import autograd_core as ac
    >>> log_probs = ac.full((3, 1, 2), 0.5).log()
    >>> ac.nn.functional.ctc_loss(log_probs, ac.tensor([[1]]), [3], [1])  # 6 of the 8 alignments
    tensor(0.2877)
    """
    check_reduction(reduction)
    if log_probs._array.dtype not in (np.float32, np.float64):
        refuse_type("ctc_loss", log_probs.dtype)
    if log_probs.ndim not in (2, 3) or not log_probs.numel():
        raise RuntimeError(
            f"ctc_loss: log_probs must be of shape (time, batch, classes) and not empty, got {list(log_probs.shape)}"
        )
    x = log_probs if log_probs.ndim == 3 else unsqueeze(log_probs, 1)
    times, batch, classes = x.shape
    if not 0 <= blank < classes:
        raise RuntimeError(f"ctc_loss: blank must be in label range 0 to {classes - 1}, got {blank}")
    steps, sizes = _lengths("input_lengths", input_lengths, batch), _lengths("target_lengths", target_lengths, batch)
    if steps.max() > times:
        raise RuntimeError(f"ctc_loss: expected input_lengths to have value at most {times}, but got {steps.max()}")
    labels = _padded(targets._array, sizes, blank, classes)
    losses = rows.ctc_loss(x, wrap(labels), wrap(steps), wrap(sizes), blank, zero_infinity)
    if zero_infinity:
        losses = where(losses == math.inf, 0.0, losses)
    if reduction == "mean":
        return mean(losses / wrap(np.maximum(sizes, 1)))
    return sum(losses) if reduction == "sum" else losses.reshape(log_probs.shape[1:-1])
