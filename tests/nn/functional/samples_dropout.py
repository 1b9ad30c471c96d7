"""Samples of `nn.functional.dropout`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(11)
X = rng.normal(size=(4, 3))

SAMPLES = [
    Sample("dropout off", lambda T, x: T.nn.functional.dropout(x, 0.7, training=False) * 1.0, (X,)),
    Sample("dropout all", lambda T, x: T.nn.functional.dropout(x, 1.0), (X,)),
]
