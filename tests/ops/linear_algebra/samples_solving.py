"""Samples of `ops.linear_algebra.solving`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(41)


def normal(*shape):
    return rng.standard_normal(shape)


SQUARE = normal(3, 3) + 2 * np.eye(3)
BATCH = normal(2, 3, 3) + 2 * np.eye(3)
TALL = normal(4, 2)
NONE = np.zeros((0, 0))

SAMPLES = [
    *(
        Sample(f"inv, {case}", lambda T, A: T.linalg.inv(A), (A,))
        for case, A in {"square": SQUARE, "batch": BATCH, "no size": NONE, "1 by 1": np.array([[-2.0]])}.items()
    ),
    Sample("pinverse", lambda T, A: T.pinverse(A), (TALL,)),
]
