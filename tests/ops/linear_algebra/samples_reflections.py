"""Samples of `ops.linear_algebra.reflections`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(11)
TAU = np.array([0.7, 0.0, 1.3])


def normal(*shape):
    return rng.standard_normal(shape)


SAMPLES = [
    Sample("linalg.householder_product", lambda T, x, t: T.linalg.householder_product(x, t), (normal(4, 3), TAU)),
    Sample(
        "linalg.householder_product, few",
        lambda T, x, t: T.linalg.householder_product(x, t),
        (normal(2, 4, 3), normal(2, 1)),
    ),
    # With no reflections there is nothing that a gradient could pass.
    Sample(
        "linalg.householder_product of none",
        lambda T, x, t: T.linalg.householder_product(x, t),
        (normal(3, 2), np.zeros(0)),
    ),
    Sample("ormqr", lambda T, x, t, y: T.ormqr(x, t, y, False, True), (normal(4, 3), TAU, normal(2, 4))),
]
