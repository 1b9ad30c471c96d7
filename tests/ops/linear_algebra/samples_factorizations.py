"""Samples of `ops.linear_algebra.factorizations`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(41)


def normal(*shape):
    return rng.standard_normal(shape)


SQUARE = normal(3, 3) + 2 * np.eye(3)
BATCH = normal(2, 3, 3) + 2 * np.eye(3)
TALL = normal(4, 2)
WIDE = normal(2, 4)
EMPTY = np.zeros((0, 2, 2))

SAMPLES = [
    *(
        Sample(f"svdvals, {case}", lambda T, A: T.linalg.svdvals(A), (A,))
        for case, A in {"square": SQUARE, "tall": TALL, "wide": WIDE, "batch": BATCH, "no matrix": EMPTY}.items()
    ),
    Sample("svdvals, equal ones", lambda T, A: T.linalg.svdvals(A), (2 * np.eye(2),), second=False, smooth=False),
    Sample("geqrf", lambda T, A: list(T.geqrf(A)), (TALL,), grad=False),
]
