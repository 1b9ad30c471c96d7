"""Samples of `nn.functional.regression`."""

import numpy as np

from tests.ops.calls import call, each_reduction
from tests.ops.harness import Sample

rng = np.random.default_rng(11)
X = rng.normal(size=(4, 3))
Y = rng.normal(size=(4, 3))
P = rng.uniform(0.1, 0.9, (4, 3))
Q = rng.uniform(0.1, 0.9, (4, 3))
W = rng.uniform(0.5, 1.5, 3)
FAR = np.array([800.0, -800.0])
STEPS = np.array([-1.0, -0.5, 0.0, 0.5, 1.0, 1.5])  # a loss with its kinks at 0, ±1 and ±1/2

SAMPLES = [
    *each_reduction("mse_loss", "mse_loss", (X, Y)),
    Sample("mse_loss 0-d", call("mse_loss"), (np.array(2.0), np.array(0.5))),
    Sample("mse_loss constant target", call("mse_loss", Y), (X,)),
    Sample("mse_loss empty sum", call("mse_loss", reduction="sum"), (np.zeros((0, 3)), np.zeros((0, 3)))),
    *[
        Sample(f"l1_loss {r}", lambda T, x, y, r=r: T.nn.functional.l1_loss(x * x, y * y, reduction=r), (X, Y))
        for r in ("mean", "sum", "none")
    ],
    *each_reduction("bce_with_logits", "binary_cross_entropy_with_logits", (X, P)),
    *each_reduction("bce_with_logits weight", "binary_cross_entropy_with_logits", (X, P), weight=W),
    *each_reduction("bce_with_logits pos_weight", "binary_cross_entropy_with_logits", (X, P), pos_weight=W),
    *each_reduction("bce_with_logits both", "binary_cross_entropy_with_logits", (X, P), weight=Q, pos_weight=W),
    Sample("bce_with_logits 0-d", call("binary_cross_entropy_with_logits"), (np.array(2.0), np.array(0.5))),
    Sample("bce_with_logits large", call("binary_cross_entropy_with_logits"), (FAR, np.zeros(2))),
    # torch adds 1e-12 to factors of the second derivative; tests/nn checks ours by central differences
    *each_reduction("binary_cross_entropy", "binary_cross_entropy", (P, Q), second=False),
    *each_reduction("binary_cross_entropy weight", "binary_cross_entropy", (P, Q), weight=W, second=False),
    Sample(
        "binary_cross_entropy certain",
        call("binary_cross_entropy", np.array([0.0, 1.0, 1.0, 0.0])),
        (np.array([0.0, 1.0, 0.0, 1.0]),),
        grad=False,  # torch bounds a denominator by 1e-12 in float32: tests/nn has the gradient
    ),
    Sample("smooth_l1_loss kinks", call("smooth_l1_loss", reduction="none"), (STEPS, np.zeros(6)), smooth=False),
    Sample(
        "smooth_l1_loss beta 0", call("smooth_l1_loss", reduction="none", beta=0), (STEPS, np.zeros(6)), smooth=False
    ),
    Sample("huber_loss kinks", call("huber_loss", reduction="none", delta=0.5), (STEPS, np.zeros(6)), smooth=False),
    Sample("huber_loss weight", call("huber_loss", weight=P, delta=0.5), (X, Y)),
    *each_reduction("mse_loss weight", "mse_loss", (X, Y), weight=P),
    Sample("l1_loss weight", call("l1_loss", weight=P), (X, Y)),
]
