"""Samples of `ops.linear_algebra.matrix_functions`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(11)


def normal(*shape):
    return rng.standard_normal(shape)


SQUARE = normal(3, 3)
MIXED = np.stack([np.zeros((3, 3)), np.triu(normal(3, 3), 1), 0.01 * SQUARE, 12.0 * SQUARE])


def single(*shape):
    return normal(*shape).astype(np.float32)


SAMPLES = [
    Sample("matrix_exp, nothing", lambda T, x: T.matrix_exp(x), (np.zeros((0, 3, 3)),)),
    Sample("matrix_exp of float32", lambda T, x: T.linalg.matrix_exp(x), (single(2, 2),), smooth=False),
    Sample("matrix_exp, sizes mixed", lambda T, x: T.matrix_exp(x[:3]), (MIXED,)),
    Sample("matrix_exp, large", lambda T, x: T.matrix_exp(x), (MIXED[3:],), second=False, smooth=False),
    *(Sample(f"matrix_power {n}", lambda T, x, n=n: T.matrix_power(x, n), (SQUARE,)) for n in (0, 1, 2, 3, 6, -1, -2)),
    Sample("matrix_power of integers", lambda T, x: T.matrix_power(x, 5), (np.array([[1, 1], [1, 0]]),), grad=False),
]
