"""Samples of `ops.elementwise.integers`."""

import numpy as np

from tests.ops.harness import Sample

SAMPLES = [
    Sample(
        "gcd and lcm",
        lambda T, n, m: (T.gcd(n, m), T.lcm(n, m)),
        (np.array([12, 0, -4]), np.array([18, 0, 6])),
        grad=False,
    ),
    Sample(
        "shifts",
        lambda T, n, m: (n << m, n >> m, n << 1, n >> 1, 3 << m),
        (np.array([5, -5, 1, 7]), np.array([1, 2, 63, 0])),
        grad=False,
    ),
    Sample("shifts too far", lambda T, n, m: (n << m, n >> m), (np.array([5, -5]), np.array([70, -1])), grad=False),
]
