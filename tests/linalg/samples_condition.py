"""Samples of `linalg.condition`."""

import math

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(11)


def normal(*shape):
    return rng.standard_normal(shape)


SQUARE = normal(3, 3)
A = rng.uniform(0.5, 2.0, (2, 3))
B = rng.uniform(-2.0, 2.0, (2, 3, 4))

SAMPLES = [
    *(Sample(f"linalg.cond {p}", lambda T, x, p=p: T.linalg.cond(x, p), (SQUARE,)) for p in (None, -2)),
    *(
        Sample(
            f"linalg.cond {p}",
            lambda T, x, p=p: T.linalg.cond(x, p),
            (SQUARE,),
            # PyTorch's own has no gradient: it writes into the inverse, which is saved
            torch_f=lambda T, x, p=p: T.linalg.matrix_norm(x, p) * T.linalg.matrix_norm(T.linalg.inv(x), p),
        )
        for p in ("fro", "nuc", 1, -np.inf)
    ),
    Sample("linalg.cond of a singular matrix", lambda T, x: T.linalg.cond(x, 1), (np.ones((2, 2)),), grad=False),
    Sample("linalg.norm", lambda T, x: (T.linalg.norm(x), T.linalg.norm(x, dim=1)), (A,)),
    Sample("linalg.norm vector", lambda T, x: (T.linalg.norm(x, 3), T.linalg.norm(x, 1)), (B[0, 0],)),
    *[
        Sample(f"linalg.norm {p}", lambda T, x, p=p: T.linalg.norm(x, p), (B[0],))
        for p in ("fro", 1, -1, math.inf, -math.inf)
    ],
    Sample("linalg.norm dims", lambda T, x: T.linalg.norm(x, 1, (2, 0), True), (B,)),
]
