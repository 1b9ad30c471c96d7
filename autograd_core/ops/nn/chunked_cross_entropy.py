"""Cross-entropy of a linear layer without the scores of all rows in memory at once.

The forward takes the rows a chunk at a time and keeps the losses alone; the rules compute the scores of each chunk
again. Memory is traded for three more products, as in a checkpoint.
"""

from __future__ import annotations

import numpy as np

from ...core.table import general
from ..elementwise.piecewise import where
from ..indexing.brackets import index_backward
from ..linear_algebra.matmul import linear
from ..reductions.reduction import sum
from ..shapes.joining import cat
from ..shapes.shape import unsqueeze
from .softmax import softmax


def _chunks(n: int, size: int) -> list[slice]:
    return [slice(start, start + size) for start in range(0, max(n, 1), size)]


def shares_of(target, class_weight, ignore_index):
    """What each row's loss is multiplied by, 0 for an ignored one, and a class for each row that exists."""
    counted = target != ignore_index
    labels = where(counted, target, 0)
    return (counted if class_weight is None else class_weight[labels] * counted), labels


def _losses(x, weight, target, bias=None, class_weight=None, chunk=1, ignore_index=-100):
    shares, labels = shares_of(target, class_weight, ignore_index)
    out = np.empty(len(x), x.dtype)
    for rows in _chunks(len(x), chunk):
        scores = x[rows] @ weight.T
        if bias is not None:
            scores += bias
        scores -= scores.max(axis=1, keepdims=True, initial=-np.inf)
        right = np.take_along_axis(scores, labels[rows, None], 1)[:, 0]
        out[rows] = np.log(np.exp(scores, out=scores).sum(axis=1)) - right
    out *= shares
    return out


def _slopes(g, x, weight, bias, shares, chunk):
    """For each chunk its rows, and the part of the gradient by its scores that comes through the normalization."""
    for rows in _chunks(len(x), chunk):
        yield rows, softmax(linear(x[rows], weight, bias), 1) * unsqueeze((g * shares)[rows], 1)


def d_chunked_dx(g, x, weight, bias, target, class_weight, chunk, ignore_index):
    """g (Σ_c softmax(scores)_c weight_c - weight_t), a chunk at a time."""
    shares, labels = shares_of(target, class_weight, ignore_index)
    expected = cat([slope @ weight for _, slope in _slopes(g, x, weight, bias, shares, chunk)])
    return expected - unsqueeze(g * shares, 1) * weight[labels]


def d_chunked_dweight(g, x, weight, bias, target, class_weight, weight_shape, chunk, ignore_index):
    """For each class the rows times their g (softmax(scores) - [the class is the target])."""
    shares, labels = shares_of(target, class_weight, ignore_index)
    total = -index_backward(unsqueeze(g * shares, 1) * x, [labels], weight_shape)
    for rows, slope in _slopes(g, x, weight, bias, shares, chunk):
        total = total + slope.mT @ x[rows]
    return total


def d_chunked_dbias(g, x, weight, bias, target, class_weight, bias_shape, chunk, ignore_index):
    """For each class the sum of g (softmax(scores) - [the class is the target])."""
    shares, labels = shares_of(target, class_weight, ignore_index)
    total = -index_backward(g * shares, [labels], bias_shape)
    for _, slope in _slopes(g, x, weight, bias, shares, chunk):
        total = total + sum(slope, 0)
    return total


chunked_cross_entropy = general(
    "linear_cross_entropy_chunked",
    _losses,
    "x weight target bias class_weight",
    d_chunked_dx,
    d_chunked_dweight,
    None,
    d_chunked_dbias,
    None,
)
