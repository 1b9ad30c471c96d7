"""Samples of `linalg.structured`."""

import numpy as np

from tests.ops.harness import Sample

SAMPLES = [
    Sample("linalg.vander with 0", lambda T, x: T.linalg.vander(x, N=4), (np.array([0.0, 2.0, -1.0]),)),
]
