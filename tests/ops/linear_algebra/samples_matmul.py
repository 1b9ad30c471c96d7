"""Samples of `ops.linear_algebra.matmul`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(6)


def normal(*shape):
    return rng.standard_normal(shape)


V = normal(3)
W = normal(3)
M = normal(2, 3)
N = normal(3, 4)
BATCH = normal(2, 4, 3)
OTHER = normal(2, 3, 2)
SQUARE = normal(3, 3)
RANKS = {
    "1-1": (V, W),
    "2-1": (M, V),
    "1-2": (V, N),
    "2-2": (M, N),
    "3-1": (BATCH, V),
    "1-3": (V, OTHER),
    "3-2": (BATCH, N),
    "2-3": (normal(4, 3), OTHER),
    "3-3": (BATCH, OTHER),
    "broadcast": (normal(5, 1, 2, 3), normal(2, 3, 2)),
    "4-1": (normal(2, 1, 2, 3), V),
    "size 1": (normal(1, 1), normal(1, 2)),
    "no rows": (np.zeros((0, 3)), N),
    "no inner": (np.zeros((2, 0)), np.zeros((0, 3))),
    "no batch": (np.zeros((0, 2, 3)), N),
    "no inner, batch": (np.zeros((2, 3, 0)), np.zeros((0, 4))),
    "no inner, vector": (np.zeros((2, 3, 0)), np.zeros(0)),
}

SAMPLES = [
    *[Sample(f"matmul {name}", lambda T, x, y: T.matmul(x, y), pair) for name, pair in RANKS.items()],
    Sample("@", lambda T, x, y: x @ y, (M, N)),
    Sample("matmul of one", lambda T, x: x @ x, (SQUARE,)),
    Sample("matmul int", lambda T, m, n: m @ n, (np.arange(6).reshape(2, 3), np.arange(3)), grad=False),
    Sample("mm", lambda T, x, y: x.mm(y), (M, N)),
    Sample("bmm", lambda T, x, y: T.bmm(x, y), (BATCH, OTHER)),
    Sample("mv", lambda T, x, y: x.mv(y), (M, V)),
    Sample("dot", lambda T, x, y: T.dot(x, y), (V, W)),
    Sample("outer", lambda T, x, y: T.outer(x, y), (V, normal(2))),
    Sample("ger", lambda T, x, y: T.ger(x, y), (normal(3), normal(2))),
    Sample("linear", lambda T, x, w, b: T.nn.functional.linear(x, w, b), (M, normal(4, 3), normal(4))),
    Sample("linear without bias", lambda T, x, w: T.nn.functional.linear(x, w), (M, normal(4, 3))),
    Sample("linear vector", lambda T, x, w, b: T.nn.functional.linear(x, w, b), (V, normal(4, 3), normal(4))),
    Sample("linear batch", lambda T, x, w, b: T.nn.functional.linear(x, w, bias=b), (BATCH, normal(2, 3), normal(2))),
    Sample(
        "linear empty", lambda T, x, w, b: T.nn.functional.linear(x, w, b), (np.zeros((0, 3)), normal(2, 3), normal(2))
    ),
    Sample("vdot", lambda T, x, y: T.vdot(x, y), (normal(3), normal(3))),
]
