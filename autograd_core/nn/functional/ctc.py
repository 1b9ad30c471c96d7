"""Connectionist temporal classification: the likelihood of a sequence of labels, summed over all its alignments.

An alignment gives each time step a label or the blank; taking out repetitions, and then the blanks, leaves the target.
It is a walk along the target with blanks put before, between and after its labels: a step stays, goes to the next
position, or skips a blank between two labels that differ. A recursion over time adds up all walks, in logarithms, so
that the cost is time × length. Source: Graves, Fernández, Gomez and Schmidhuber, 2006.
"""

from __future__ import annotations

import math

import numpy as np

from ...core.primitive import general
from ...core.tensor import Tensor, wrap
from ...ops.piecewise import where
from ...ops.reduction import mean, sum
from ...ops.shape import unsqueeze
from .loss import check_reduction

# -- the recursion: arrays (time, batch, position), where the positions are those of the target with its blanks


def _labels(targets, blank):
    """The label at each position, (batch, 2 length + 1): blanks at the even ones."""
    labels = np.full((targets.shape[0], 2 * targets.shape[1] + 1), blank)
    labels[:, 1::2] = targets
    return labels


def _walks(emitted, labels, start, first):
    """log Σ over the walks that begin at a position of the mask `start` at time `first`, and are at each position."""
    may_skip = labels[:, 2:] != labels[:, :-2]
    before = np.where(start, emitted.dtype.type(0), emitted.dtype.type(-math.inf))
    state, out = np.full(emitted.shape[1:], -math.inf, emitted.dtype), np.empty_like(emitted)
    for t, logs in enumerate(emitted):
        here = state.copy()
        here[:, 1:] = np.logaddexp(state[:, 1:], state[:, :-1])
        here[:, 2:] = np.logaddexp(here[:, 2:], np.where(may_skip, state[:, :-2], state.dtype.type(-math.inf)))
        state = np.where((first == t)[:, None], before, here) + logs
        out[t] = state
    return out


def _at_end(labels, target_lengths):
    """The positions where a walk may end: the last label and the blank behind it."""
    position, last = np.arange(labels.shape[1]), 2 * target_lengths[:, None]
    return (position == last) | (position == last - 1)


def _ctc(log_probs, targets, input_lengths, target_lengths, blank=0, zero_infinity=False):
    labels = _labels(targets, blank)
    emitted = np.take_along_axis(log_probs, labels[None], 2)
    log_alpha = _walks(emitted, labels, np.arange(labels.shape[1]) < 2, np.zeros(len(labels)))
    ends = log_alpha[input_lengths - 1, np.arange(len(labels))]
    likelihood = np.logaddexp.reduce(np.where(_at_end(labels, target_lengths), ends, -math.inf), axis=1)
    no_time = np.where(target_lengths == 0, likelihood.dtype.type(0), math.inf)
    return np.where(input_lengths == 0, no_time, -likelihood), log_alpha


def _ctc_slope(log_probs, targets, input_lengths, target_lengths, nll, log_alpha, blank=0, zero_infinity=False):
    """exp(log_probs) minus the probability, given the target, that a walk has the label at that time."""
    labels = _labels(targets, blank)
    times, n, classes = log_probs.shape
    emitted = np.take_along_axis(log_probs, labels[None], 2)
    backwards = (slice(None, None, -1), slice(None), slice(None, None, -1))
    start = _at_end(labels, target_lengths)[:, ::-1]
    log_beta = _walks(emitted[backwards], labels[:, ::-1], start, times - input_lengths)[backwards]
    possible = np.isfinite(nll)
    reached = np.isfinite(log_alpha + log_beta)  # both contain what is emitted here, which counts once
    logs = np.where(reached, log_alpha + log_beta - np.where(reached, emitted, 0), -math.inf)
    visits = np.exp(logs + np.where(possible, nll, 0)[:, None])
    cells = np.arange(times * n).reshape(times, n, 1) * classes + labels
    visited = np.bincount(cells.reshape(-1), visits.reshape(-1), times * n * classes).reshape(log_probs.shape)
    slope = np.exp(log_probs) - visited.astype(log_probs.dtype)
    slope[:, ~possible] = 0 if zero_infinity else math.nan
    slope[np.arange(times)[:, None] >= input_lengths] = 0
    return slope


def no_second_derivative(g):
    """The rule of an op that PyTorch does not differentiate either: an error, not a zero."""
    raise RuntimeError("derivative for ctc_loss_backward is not implemented: ctc_loss has first derivatives only")


ctc_slope = general(
    "ctc_slope",
    _ctc_slope,
    "log_probs targets input_lengths target_lengths nll log_alpha",
    no_second_derivative,
    *[None] * 5,
    doc="The derivative of each loss of `ctc_loss` by `log_probs`, and what PyTorch calls so: see there.",
)
_ctc_loss = general(
    "ctc_loss",
    _ctc,
    "log_probs targets input_lengths target_lengths",
    lambda g, log_probs, targets, input_lengths, target_lengths, out, log_alpha, blank, zero_infinity: (
        unsqueeze(g, -1)
        * ctc_slope(log_probs, targets, input_lengths, target_lengths, out, log_alpha, blank, zero_infinity)
    ),
    *[None] * 3,
    residuals="log_alpha",
)

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
        raise NotImplementedError(f"ctc_loss is not implemented for {log_probs.dtype}; convert it with .float()")
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
    losses = _ctc_loss(x, wrap(labels), wrap(steps), wrap(sizes), blank, zero_infinity)
    if zero_infinity:
        losses = where(losses == math.inf, 0.0, losses)
    if reduction == "mean":
        return mean(losses / wrap(np.maximum(sizes, 1)))
    return sum(losses) if reduction == "sum" else losses.reshape(log_probs.shape[1:-1])
