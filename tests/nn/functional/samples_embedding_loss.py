"""Samples of `nn.functional.embedding_loss`."""

import numpy as np

from tests.ops.calls import call
from tests.ops.harness import Sample

rng = np.random.default_rng(21)
X = rng.normal(size=(4, 3))
Y = rng.normal(size=(4, 3))
P = rng.uniform(0.1, 0.9, (4, 3))

SAMPLES = [
    Sample("triplet_margin_loss swap", call("triplet_margin_loss", swap=True, p=1.5), (X, Y, P)),
    Sample(
        "cosine_embedding_loss zeros",
        call("cosine_embedding_loss", np.array([1, -1])),
        (np.zeros((2, 3)), X[:2]),
        smooth=False,
    ),
]
