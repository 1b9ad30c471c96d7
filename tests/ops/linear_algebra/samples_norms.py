"""Samples of `ops.linear_algebra.norms`."""

import math

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(11)


def normal(*shape):
    return rng.standard_normal(shape)


BATCH = normal(2, 4, 3)
TIES = np.array([[1.0, -1.0], [-2.0, 2.0]])
A = rng.uniform(0.5, 2.0, (2, 3))
B = rng.uniform(-2.0, 2.0, (2, 3, 4))
SCALAR = np.array(1.7)
EMPTY = np.zeros((0, 3))

SAMPLES = [
    *(
        Sample(f"linalg.matrix_norm {p}", lambda T, x, p=p: T.linalg.matrix_norm(x, p, (2, 0), keepdim=True), (BATCH,))
        for p in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf)
    ),
    Sample(
        "linalg.matrix_norm at ties",
        lambda T, x: (T.linalg.matrix_norm(x, 1), T.linalg.matrix_norm(x, -np.inf)),
        (TIES,),
        smooth=False,
    ),
    Sample(
        "linalg.matrix_norm of no columns",
        lambda T, x: (T.linalg.matrix_norm(x, 1), T.linalg.matrix_norm(x, 2)),
        (np.zeros((2, 0)),),
        grad=False,
    ),
    Sample("norm nuc", lambda T, x: T.norm(x, "nuc", (1, 2)), (BATCH,)),
    Sample("norm", lambda T, x: x.norm(), (B,)),
    Sample("norm dim", lambda T, x: T.norm(x, dim=1), (B,)),
    Sample("norm dims kept", lambda T, x: x.norm(2, (0, 1), True), (B,)),
    Sample("norm fro", lambda T, x: x.norm(p="fro", dim=(0, 2)), (B,)),
    Sample("norm 0", lambda T, x: x.norm(0), (A,), grad=False),
    *[Sample(f"norm {p}", lambda T, x, p=p: x.norm(p, 1), (B,)) for p in (0.5, 1, 1.5, 3, 2.5, -1)],
    *[Sample(f"norm {p}", lambda T, x, p=p: x.norm(p, -1, True), (B,)) for p in (math.inf, -math.inf)],
    Sample("norm inf ties", lambda T, x: x.norm(math.inf), (np.array([1.0, -3.0, 3.0]),), smooth=False),
    Sample("norm 0-d", lambda T, x: x.norm(), (SCALAR,)),
    Sample("norm at 0", lambda T, x: x.norm(), (np.zeros(2),), smooth=False, second=False),
    *[
        Sample(f"norm {p} at 0", lambda T, x, p=p: x.norm(p), (np.zeros(2),), smooth=False, second=False)
        for p in (0.5, 1, 1.5, 3, math.inf)
    ],
    *[
        Sample(
            f"norm {p} with 0", lambda T, x, p=p: x.norm(p), (np.array([0.0, 2.0, -2.0]),), smooth=False, second=False
        )
        for p in (0.5, 1, 1.5, 2, 3, math.inf)
    ],
    Sample("norm empty", lambda T, x: (x.norm(), x.norm(1, 0)), (EMPTY,)),
    Sample("norm squared at 0", lambda T, x: x.norm() ** 2, (np.zeros(2),), smooth=False, second=False),
    Sample("linalg.vector_norm", lambda T, x: T.linalg.vector_norm(x, 3, (0, 1)), (B,)),
    Sample("renorm", lambda T, x: T.renorm(x, 1.5, 1, 1.2), (A,)),
]
