"""Samples of `ops.indexing.gathering`."""

import numpy as np

from tests.ops.harness import Sample

A = np.arange(6.0).reshape(2, 3) - 2.5
B = np.arange(24.0).reshape(2, 3, 4) / 7
V = np.array([1.0, -2.0, 3.0, 4.0])
SCALAR = np.array(1.5)
P = np.array([0, 1, 1])
K = np.array([[0, 2], [1, 1]])
MASK = np.array([[True, False, True], [False, True, False]])
COLUMNS = np.array([0, 2, 2])
EMPTY = np.zeros((2, 0), np.int64)

SAMPLES = [
    Sample("gather", lambda T, x, i: T.gather(x, 1, i), (A, K)),
    Sample("gather first", lambda T, x, i: x.gather(0, i), (A, np.array([[1, 0, 1], [1, 1, 0], [0, 0, 0]]))),
    Sample("gather, few", lambda T, x, i: x.gather(-1, i), (B, np.array([[[3, 3, 0]]]))),
    Sample("gather nothing", lambda T, x, i: x.gather(1, i), (A, np.zeros((2, 0), int))),
    Sample("gather from a scalar", lambda T, x, i: x.gather(0, i), (SCALAR, np.array(0))),
    Sample("gather int32", lambda T, x, i: x.gather(1, i), (A, K.astype(np.int32))),
    Sample("index_select", lambda T, x, i: T.index_select(x, 0, i), (A, P)),
    Sample("index_select middle", lambda T, x, i: x.index_select(-2, i), (B, COLUMNS)),
    Sample("index_select scalar index", lambda T, x, i: x.index_select(1, i), (A, np.array(2))),
    Sample("take_along_dim", lambda T, x, i: T.take_along_dim(x, i, 1), (A, np.array([[-1], [0]]))),
    Sample("take_along_dim broadcast", lambda T, x, i: x.take_along_dim(i, dim=1), (A, np.array([[2, 0, 2, 1]]))),
    Sample("take_along_dim flat", lambda T, x, i: T.take_along_dim(x, i), (A, np.array([5, 0, 5]))),
    Sample("masked_select", lambda T, x, m: T.masked_select(x, m), (A, MASK)),
    Sample("masked_select broadcast", lambda T, x, m: x.masked_select(m), (V[:3], MASK)),
    Sample("masked_select nothing", lambda T, x, m: x.masked_select(m), (A, MASK & False)),
    Sample("nonzero", lambda T, x: T.nonzero(x > 0), (A,), grad=False),
    Sample("nonzero as_tuple", lambda T, x: (x > 0).nonzero(as_tuple=True), (A,), grad=False),
    Sample("nonzero scalar", lambda T, x: T.nonzero(x), (SCALAR,), grad=False),
    Sample("take", lambda T, x, i: T.take(x, i), (A, np.array([[0, -1], [0, 3]]))),
    Sample("take nothing", lambda T, x, i: x.take(i), (A, EMPTY)),
    Sample("take of a scalar", lambda T, x, i: x.take(i), (SCALAR, np.array([0, 0]))),
    Sample("gather by an empty index", lambda T, x, i: T.gather(x, 0, i), (V, EMPTY)),
    Sample("index_select of a scalar", lambda T, x, i: x.index_select(0, i), (SCALAR, np.array([0]))),
    Sample("argwhere", lambda T, x: T.argwhere(x > 0), (A,), grad=False),
    Sample("argwhere of a scalar", lambda T, x: T.argwhere(x), (SCALAR,), grad=False),
    Sample("nonzero_static", lambda T, x: T.nonzero_static(x > 0, size=2), (A,), grad=False),
    Sample("nonzero_static filled", lambda T, x: T.nonzero_static(x > 0, size=5, fill_value=9), (A,), grad=False),
]
