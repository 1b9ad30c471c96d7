"""Negative log-likelihood of classes: the entries of a table at the target classes, and the op that puts them back."""

from __future__ import annotations

import numpy as np

from ...core.silence import complete, nameless
from ...core.table import general, linear
from ..floats_only import check_floats
from ..precision import carried_wide


def _as_rows(x):
    """Scores as (rows, classes); a view where the memory allows."""
    if x.ndim == 2:
        return x
    if x.ndim == 1:
        return x[None]
    last = np.moveaxis(x, 1, -1)
    return last.reshape(-1, x.shape[1])


def _from_rows(rows, shape):
    """The inverse of `_as_rows`."""
    if len(shape) < 3:
        return rows.reshape(shape)
    return np.moveaxis(rows.reshape(shape[0], *shape[2:], shape[1]), -1, 1)


def _counted(target, n_classes, ignore_index):
    """The rows whose target counts, and their classes. Raises IndexError for a class that does not exist."""
    labels = target.reshape(-1)
    if _all_exist(labels, n_classes) and not 0 <= ignore_index < n_classes:
        return np.arange(labels.size), labels
    at = (labels != ignore_index).nonzero()[0]
    check_range(labels[at], n_classes, ignore_index)
    return at, labels[at]


def _all_exist(labels, n_classes) -> bool:
    """Whether all are classes; read without a sign, a negative number is larger than any of them."""
    unsigned = labels.view(np.uint64) if labels.dtype == np.int64 else labels
    return not labels.size or bool(np.maximum.reduce(unsigned) < n_classes)


def check_range(labels, n_classes, ignore_index) -> None:
    """Raise IndexError for an array of classes with one that does not exist."""
    if not _all_exist(labels, n_classes):
        bad = labels[(labels < 0) | (labels >= n_classes)][0]
        raise IndexError(
            f"Target {bad} is out of bounds: there are {n_classes} classes, and ignore_index is {ignore_index}."
        )


@carried_wide
@nameless
def _nll(x, target, weight=None, ignore_index=-100, reduction="mean"):
    check_floats("nll_loss", x)
    rows = _as_rows(x)
    at, labels = _counted(target, rows.shape[1], ignore_index)
    losses = -rows[at, labels]
    if weight is None:
        total = float(len(at))
    else:
        losses *= weight[labels]
        total = float(np.add.reduce(weight[labels]))
    if reduction == "none":
        out = np.zeros(len(rows), x.dtype)
        out[at] = losses
        return out.reshape(target.shape), total
    loss = np.add.reduce(losses)
    if reduction == "mean":
        loss = loss / total if total else loss.dtype.type(np.nan)
    return loss, total


@nameless
def _nll_spread(x, target, weight=None, total=1.0, shape=(), ignore_index=-100, reduction="mean"):
    n_classes = shape[1] if len(shape) > 1 else shape[0]
    rows = np.zeros((target.size, n_classes), x.dtype)
    if weight is None and total == target.size:  # the forward has seen that all count
        at, labels = np.arange(target.size), target.reshape(-1)
    else:
        at, labels = _counted(target, n_classes, ignore_index)
    if reduction == "none":
        share = -x.reshape(-1)[at]
    elif reduction == "mean":
        share = -x / (total or np.nan)
    else:
        share = -x
    rows[at, labels] = share if weight is None else share * weight[labels]
    return _from_rows(rows, shape)


nll_loss = general(
    "nll_loss",
    _nll,
    "x target weight",
    lambda g, x, target, weight, total, ignore_index, reduction: nll_loss_backward(
        g, target, weight, total, tuple(x.shape), ignore_index, reduction
    ),
    None,
    None,
    residuals="total",
)

nll_loss_backward = linear(
    "nll_loss_backward",
    _nll_spread,
    "x target weight",
    lambda g, target, weight, ignore_index, reduction: nll_loss(g, target, weight, ignore_index, reduction),
    None,
    None,
    doc="A cotangent of `nll_loss` placed at the target classes: the adjoint of a loss that is linear in its input.",
)

complete()  # this module is read after `ops`
