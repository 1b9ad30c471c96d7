"""Samples of `ops.nn.softmax`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(6)


def normal(*shape):
    return rng.standard_normal(shape)


M = normal(2, 3)
BATCH = normal(2, 4, 3)

SAMPLES = [
    sample
    for f in ("softmax", "log_softmax")
    for sample in (
        Sample(f, lambda T, x, f=f: getattr(T, f)(x, 1), (BATCH,)),
        Sample(f"{f} negative dim", lambda T, x, f=f: getattr(x, f)(dim=-1), (BATCH,)),
        Sample(f"{f} 0-d", lambda T, x, f=f: getattr(x, f)(0), (np.array(2.0),)),
        Sample(f"{f} empty", lambda T, x, f=f: getattr(x, f)(0), (np.zeros((0, 2)),)),
        Sample(f"{f} size 1", lambda T, x, f=f: getattr(x, f)(0), (normal(1, 2),)),
        Sample(f"{f} large", lambda T, x, f=f: getattr(x, f)(0), (np.array([1000.0, 999.0, -1000.0]),)),
        Sample(f"{f} dtype", lambda T, x, f=f: getattr(x, f)(0, dtype=T.float64), (M,)),
        Sample(f"{f} int", lambda T, n, f=f: getattr(n, f)(0, dtype=T.float64), (np.arange(3),), grad=False),
        Sample(
            f"{f} -inf", lambda T, x, f=f: getattr(x, f)(0), (np.array([-np.inf, 1.0]),), smooth=False, second=False
        ),
    )
]
