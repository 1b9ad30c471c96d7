"""Samples of `ops.reductions.integration`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(11)
A = rng.uniform(0.5, 2.0, (3, 4))
EMPTY = np.zeros((0, 3))
WHOLE = np.array([[3, 1, 2, 3], [0, 5, 5, 1]])
KINK = {"smooth": False, "second": False}

SAMPLES = [
    Sample("diff", lambda T, x, y: T.diff(x, 2, 1, prepend=y), (A, A[:, :1] + 1)),
    Sample("diff to nothing", lambda T, x: (x.diff(4), (x > 1).diff()), (A,), grad=False),
    Sample("diff none", lambda T, x: x.diff(0), (A,)),
    Sample("trapezoid points", lambda T, y, x: T.trapezoid(y, x, dim=0), (A, np.array([0.0, 0.5, 2.0]))),
    Sample("trapezoid empty", lambda T, y: (T.trapezoid(y, dim=0), T.trapezoid(y[:, :1], dx=3)), (EMPTY,), **KINK),
    Sample("trapezoid int", lambda T, n: (T.trapz(n), T.cumulative_trapezoid(n, dx=2)), (WHOLE,), grad=False),
    Sample("cumulative_trapezoid points", lambda T, y, x: T.cumulative_trapezoid(y, x), (A, A.cumsum(1))),
    Sample(
        "gradient points",
        lambda T, y, x: T.gradient(y, spacing=(x,), dim=1, edge_order=2),
        (A, np.array([0.0, 0.5, 2.0, 2.5])),
    ),
    Sample("gradient spacing", lambda T, y: T.gradient(y, spacing=[2.0, 0.5]), (A,)),
]
