"""Samples of `ops.linear_algebra.determinants`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(41)


def normal(*shape):
    return rng.standard_normal(shape)


SQUARE = normal(3, 3) + 2 * np.eye(3)
BATCH = normal(2, 3, 3) + 2 * np.eye(3)
ZEROS = np.zeros((2, 2))
NONE = np.zeros((0, 0))

SAMPLES = [
    *(
        Sample(f"{name}, {case}", f, (A,))
        for name, f in {"det": lambda T, A: T.linalg.det(A), "slogdet": lambda T, A: T.linalg.slogdet(A)[1]}.items()
        for case, A in {"square": SQUARE, "batch": BATCH, "no size": NONE, "1 by 1": np.array([[-2.0]])}.items()
    ),
    Sample("det, of zeros", lambda T, A: T.linalg.det(A), (ZEROS,), second=False),
    Sample("det, negative", lambda T, A: T.det(A), (SQUARE[[1, 0, 2]],)),
    Sample("logdet, positive", lambda T, A: T.logdet(A @ A.mT), (SQUARE,)),
]
