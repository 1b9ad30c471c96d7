"""Samples of `ops.linear_algebra.distances`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(21)
X = rng.normal(size=(4, 3))
Y = rng.normal(size=(4, 3))
EQUAL = np.array([[0.0, 1.0], [0.0, 1.0], [2.0, 2.0]])
MANY = rng.normal(size=(30, 2))
A = rng.uniform(0.5, 2.0, (3, 4))
KINK = {"smooth": False, "second": False}


def cdist(**options):
    return lambda T, x, y: T.cdist(x, y, **options)


SAMPLES = [
    Sample(
        "cosine_similarity zeros",
        lambda T, x, y: T.cosine_similarity(x, y, 0),
        (np.zeros(3), X[0]),
        second=False,
        smooth=False,
    ),
    Sample("cosine_similarity broadcast", lambda T, x, y: T.cosine_similarity(x, y, dim=-1), (X, Y[:, None])),
    *[
        Sample(f"cdist equal rows, p={p}", cdist(p=p), (EQUAL, EQUAL[:2]), second=False, smooth=False)
        for p in (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, np.inf)
    ],
    Sample("cdist batches", cdist(p=3.0), (X.reshape(2, 1, 2, 3), Y), second=False),
    Sample("cdist by a product", cdist(compute_mode="use_mm_for_euclid_dist"), (X, Y)),
    Sample("cdist many rows", cdist(), (MANY, MANY[:3] + 1.0)),
    Sample("cdist no columns", cdist(), (np.zeros((2, 0)), np.zeros((3, 0))), second=False),
    *[
        Sample(f"pdist equal rows, p={p}", lambda T, x, p=p: T.pdist(x, p), (EQUAL,), second=False, smooth=False)
        for p in (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, np.inf)
    ],
    Sample("pairwise_distance inf", lambda T, x, y: T.pairwise_distance(x, y, p=np.inf, keepdim=True), (X, Y[0])),
    Sample("dist at 0", lambda T, x: T.dist(x, x.detach().clone()), (A,), **KINK),
    Sample("dist 3", lambda T, x, y: x.dist(y, 3), (A, A[:1] + 3)),
]
