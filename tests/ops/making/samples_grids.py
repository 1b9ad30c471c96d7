"""Samples of `ops.making.grids`."""

import numpy as np

from tests.ops.harness import Sample

A = np.arange(6.0).reshape(2, 3) - 2.5
V = np.array([1.0, -2.0, 3.0])
SCALAR = np.array(1.5)
INTEGERS = np.array([2, 0, 1])

SAMPLES = [
    Sample("meshgrid", lambda T, x, y: T.meshgrid(x, y, indexing="ij"), (V, SCALAR)),
    Sample("meshgrid xy", lambda T, x, y: T.meshgrid([x, y, x], indexing="xy"), (V, A[0])),
    Sample("cartesian_prod", lambda T, x, y: T.cartesian_prod(x, y), (V, A[0])),
    Sample("combinations", lambda T, x: T.combinations(x), (V,)),
    Sample("combinations again", lambda T, x: T.combinations(x, 3, with_replacement=True), (V,)),
    Sample("combinations of too few", lambda T, x: T.combinations(x, 4), (V,)),
    Sample("tril_indices", lambda T: T.tril_indices(3, 4, 1), (), grad=False),
    Sample("triu_indices", lambda T: T.triu_indices(3, 2, -1), (), grad=False),
    Sample("unravel_index", lambda T, n: T.unravel_index(n, (2, 2)), (INTEGERS,), grad=False),
]
