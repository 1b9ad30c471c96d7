"""Connectionist temporal classification: the walks along a target, summed by a recursion over time.

An alignment gives each time step a label or the blank; taking out repetitions, and then the blanks, leaves the target.
It is a walk along the target with blanks put before, between and after its labels: a step stays, goes to the next
position, or skips a blank between two labels that differ. A recursion over time adds up all walks, in logarithms, so
that the cost is time × length. Source: Graves, Fernández, Gomez and Schmidhuber, 2006.
"""

from __future__ import annotations

import math

import numpy as np

from ...core.table import general
from ..shapes.shape import unsqueeze

# -- arrays (time, batch, position), where the positions are those of the target with its blanks


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

ctc_loss = general(
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
