"""Samples of `nn.functional.classification`."""

import numpy as np

from tests.ops.calls import call, each_reduction
from tests.ops.harness import Sample

rng = np.random.default_rng(11)
X = rng.normal(size=(4, 3))
X3 = rng.normal(size=(2, 3, 4))
LABELS = np.array([0, 2, 1, 2])
LABELS3 = rng.integers(0, 3, (2, 4))
P = rng.uniform(0.1, 0.9, (4, 3))
W = rng.uniform(0.5, 1.5, 3)
B = rng.normal(size=3)

SAMPLES = [
    *each_reduction("nll_loss", "nll_loss", (X,), LABELS),
    *each_reduction("nll_loss weight", "nll_loss", (X,), LABELS, weight=W),
    *each_reduction("nll_loss ignored", "nll_loss", (X,), LABELS, ignore_index=2),
    *each_reduction("nll_loss ignored weight", "nll_loss", (X,), LABELS, ignore_index=2, weight=W),
    *each_reduction("nll_loss images", "nll_loss", (X3,), LABELS3, weight=W),
    *each_reduction("nll_loss one row", "nll_loss", (B,), np.array(1)),
    Sample("nll_loss bytes", call("nll_loss", LABELS.astype(np.uint8)), (X,)),
    *each_reduction("cross_entropy", "cross_entropy", (X,), LABELS),
    *each_reduction("cross_entropy weight", "cross_entropy", (X,), LABELS, weight=W),
    *each_reduction("cross_entropy images", "cross_entropy", (X3,), LABELS3, ignore_index=1),
    *each_reduction("cross_entropy smoothed", "cross_entropy", (X,), LABELS, label_smoothing=0.2),
    *each_reduction("cross_entropy smoothed weight", "cross_entropy", (X,), LABELS, label_smoothing=0.2, weight=W),
    *each_reduction("cross_entropy smoothed skip", "cross_entropy", (X,), LABELS, label_smoothing=0.2, ignore_index=0),
    *each_reduction("cross_entropy smoothed images", "cross_entropy", (X3,), LABELS3, label_smoothing=0.1, weight=W),
    *each_reduction("cross_entropy probabilities", "cross_entropy", (X, P)),
    *each_reduction("cross_entropy probabilities weight", "cross_entropy", (X, P), weight=W, label_smoothing=0.3),
    *each_reduction("cross_entropy one row", "cross_entropy", (B,), np.array(1)),
]
