"""Samples of `ops.shapes.diagonals`."""

import numpy as np

from tests.ops.harness import Sample

A = np.arange(6.0).reshape(2, 3) - 2.5
B = np.arange(24.0).reshape(2, 3, 4) / 7
V = np.array([1.0, -2.0, 3.0])
EMPTY = np.zeros((0, 3))

SAMPLES = [
    Sample("diag_embed above, other axes", lambda T, x: T.diag_embed(x, 1, 0, -1), (A,)),
    Sample("diagflat below", lambda T, x: T.diagflat(x, -1), (A,)),
    Sample("diagonals of nothing", lambda T, x: T.diag_embed(x), (EMPTY,)),
    Sample("diagonal_scatter", lambda T, x, s: T.diagonal_scatter(x, s, 1), (A, V[:2])),
    Sample("diagonal_scatter, other axes", lambda T, x, s: x.diagonal_scatter(s, -1, 2, 0), (B, B[0, :, :2])),
    Sample("diagonal", lambda T, x: T.diagonal(x), (A,)),
    Sample("diagonal above", lambda T, x: x.diagonal(1, 0, 2), (B,)),
    Sample("diagonal below", lambda T, x: x.diagonal(-1, -1, 0), (B,)),
    Sample("diagonal outside", lambda T, x: x.diagonal(7), (A,)),
    Sample("diag of a vector", lambda T, x: T.diag(x), (V,)),
    Sample("diag of a vector below", lambda T, x: T.diag(x, -2), (V,)),
    Sample("diag of a matrix", lambda T, x: x.diag(1), (A,)),
    *[
        Sample(f"{n} {d} of {m.shape}", lambda T, x, n=n, d=d: getattr(T, n)(x, d), (m,))
        for n in ("tril", "triu")
        for d in (-1, 0, 1)
        for m in (np.arange(6.0).reshape(2, 3) + 1, np.arange(8.0).reshape(2, 2, 2) + 1)
    ],
    *[
        Sample(f".{n}_", lambda T, x, n=n: getattr(x * 1.0, n + "_")(), (np.arange(4.0).reshape(2, 2) + 1,))
        for n in ("tril", "triu")
    ],
]
