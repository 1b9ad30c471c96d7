"""Weighted sums of pixels: three ops that are each other's gradients.

The sum over the taps of a place is linear in the image and in the weights, and so are its derivatives.
"""

from __future__ import annotations

import numpy as np

from ...core.table import general

# Arrays: x (N, C, pixels), weight and index (taps, N, places). Pixels are counted through all the images of the batch;
# what lies outside has the number after the last.


def _lines(x):
    """For each channel the pixels of all images in one line, and a 0 at its end for what lies outside."""
    n, channels, pixels = x.shape
    lines = np.zeros((channels, n * pixels + 1), x.dtype)
    lines[:, :-1].reshape(channels, n, pixels)[...] = x.transpose(1, 0, 2)
    return lines


def _pick(x, weight, index):
    out = np.empty((len(x), x.shape[1], index.shape[2]), x.dtype)
    with np.errstate(invalid="ignore"):  # the weights of a place at infinity
        for c, line in enumerate(_lines(x)):
            out[:, c] = np.einsum("knp,knp->np", weight, line.take(index))
    return out


def _spread(grad, weight, index, pixels):
    n, channels, _ = grad.shape
    out = np.empty((n, channels, pixels), grad.dtype)
    for c in range(channels):
        line = np.bincount(index.reshape(-1), (weight * grad[:, c]).reshape(-1), n * pixels + 1)
        out[:, c] = line[:-1].reshape(n, pixels)
    return out


def _weigh(grad, x, index):
    out = np.zeros(index.shape, grad.dtype)
    for c, line in enumerate(_lines(x)):
        part = line.take(index)
        part *= grad[:, c]
        out += part
    return out


pick_taps = general(
    "pick_taps",
    _pick,
    "x weight index",
    lambda g, x, weight, index: spread_taps(g, weight, index, x.shape[2]),
    lambda g, x, index: weigh_taps(g, x, index),
    None,
    doc="Σ over taps k of weight[k, n, p] x[n, c, index[k, n, p]].",
)

spread_taps = general(
    "spread_taps",
    _spread,
    "grad weight index",
    lambda g, weight, index: pick_taps(g, weight, index),
    lambda g, grad, index: weigh_taps(grad, g, index),
    None,
    doc="The gradient of `pick_taps` for the image: each element added to its taps, times their weights.",
)

weigh_taps = general(
    "weigh_taps",
    _weigh,
    "grad x index",
    lambda g, x, index: pick_taps(x, g, index),
    lambda g, grad, x, index: spread_taps(grad, g, index, x.shape[2]),
    None,
    doc="The gradient of `pick_taps` for the weights: Σ over channels of grad[n, c, p] x[n, c, index[k, n, p]].",
)
