"""Samples of `masked`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(11)
A = rng.uniform(0.5, 2.0, (3, 4))
WHOLE = np.array([[3, 1, 2, 3], [0, 5, 5, 1]])
MASK = np.array([[True, False, True, True], [False, False, True, False], [True, True, False, True]])

SAMPLES = [
    *[
        Sample(f"masked.{name}", lambda T, x, m, name=name: getattr(T.masked, name)(x, dim=1, mask=m), (A, MASK))
        for name in ("sum", "prod", "amax", "amin", "mean", "median", "logsumexp", "norm", "softmax", "cumsum")
    ],
    Sample("masked nothing", lambda T, x, m: T.masked.sum(x, mask=m & ~m), (A, MASK)),
    Sample("masked.amax int", lambda T, n, m: T.masked.amax(n, 1, mask=m[:2]), (WHOLE, MASK), grad=False),
    Sample("masked broadcast", lambda T, x, m: T.masked.sum(x, mask=m[0]), (A, MASK)),
    Sample("masked.std", lambda T, x, m: T.masked.std(x, 1, unbiased=False, mask=m[::2]), (A[::2], MASK)),
    Sample("masked.normalize", lambda T, x, m: T.masked.normalize(x, 3.0, 1, mask=m[::2]), (A[::2], MASK)),
]
