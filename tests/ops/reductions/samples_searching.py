"""Samples of `ops.reductions.searching`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(11)
A = rng.uniform(0.5, 2.0, (3, 4))
WITH_NAN = np.array([[2.0, np.nan, 1.0, 4.0], [np.nan, np.nan, np.nan, np.nan], [3.0, 1.0, 2.0, 5.0]])
WHOLE = np.array([[3, 1, 2, 3], [0, 5, 5, 1]])

SAMPLES = [
    Sample("unique", lambda T, n: T.unique(n, return_inverse=True, return_counts=True), (WHOLE,), grad=False),
    Sample("unique dim", lambda T, n: T.unique(n[:, [0, 3, 0]], return_inverse=True, dim=1), (WHOLE,), grad=False),
    Sample("unique NaN", lambda T, x: T.unique(x), (WITH_NAN,), grad=False),
    Sample(
        "unique_consecutive",
        lambda T, n: T.unique_consecutive(n[1], return_inverse=True, return_counts=True),
        (WHOLE,),
        grad=False,
    ),
    Sample("bincount", lambda T, n: (n[0].bincount(), n[1].bincount(n[0].float(), 8)), (WHOLE,), grad=False),
    Sample("histc", lambda T, x: (x.histc(5), x.histc(4, 0, 1), x.histc(3, 2, 2)), (A,), grad=False),
    Sample("bucketize", lambda T, x: (T.bucketize(x, x[0]), T.bucketize(1.0, x[0])), (np.sort(A),), grad=False),
    Sample("isin", lambda T, n: (T.isin(n, n[0]), T.isin(n, 5, invert=True)), (WHOLE,), grad=False),
]
