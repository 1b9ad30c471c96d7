"""Samples of `ops.indexing.scattering`."""

import numpy as np

from tests.ops.harness import Sample

A = np.arange(6.0).reshape(2, 3) - 2.5
V = np.array([1.0, -2.0, 3.0, 4.0])
SCALAR = np.array(1.5)
ROW = np.array([0, 3, 0])
P = np.array([0, 1, 1])
K = np.array([[0, 2], [1, 1]])
MASK = np.array([[True, False, True], [False, True, False]])
ROWS = np.array([True, False])
COLUMNS = np.array([0, 2, 2])
S = np.array([2.0, 5.0, -3.0])
W = np.array([[1.0, 2.0], [3.0, -4.0]])
EMPTY = np.zeros((2, 0), np.int64)
INTEGERS = np.array([7, -7, 2, 3])

SAMPLES = [
    Sample(
        "scatter",
        lambda T, x, i, s: T.scatter(x, 1, i, s),
        (A, np.array([[0, 2], [1, 2]]), np.array([[8.0, 9.0], [7.0, 6.0]])),
    ),
    Sample("scatter number", lambda T, x, i: x.scatter(1, i, 4.0), (A, K)),
    Sample("scatter value=", lambda T, x, i: x.scatter(0, i, value=4.0), (A, np.array([[1, 0]]))),
    Sample("scatter in place", lambda T, x, i: (x * 1).scatter_(1, i, 4.0), (A, K)),
    Sample("scatter_add", lambda T, x, i, s: T.scatter_add(x, 1, i, s), (A, K, np.array([[8.0, 9.0], [7.0, 6.0]]))),
    Sample(
        "scatter_add first", lambda T, x, i, s: x.scatter_add(0, i, s), (A, np.array([[1, 1, 0], [1, 0, 0]]), A * 2)
    ),
    Sample(
        "scatter_add in place",
        lambda T, x, i, s: (x * 1).scatter_add_(0, i, s),
        (V, np.array([3, 3]), np.array([1.0, 2.0])),
    ),
    Sample("index_add", lambda T, x, i, s: T.index_add(x, 0, i, s), (A, P, np.arange(9.0).reshape(3, 3))),
    Sample("index_add alpha", lambda T, x, i, s: x.index_add(1, i, s, alpha=-2), (A, COLUMNS, A * 3)),
    Sample("index_add in place", lambda T, x, i, s: (x * 1).index_add_(1, i, s), (A, COLUMNS, A * 3)),
    Sample("masked_fill", lambda T, x, m: T.masked_fill(x, m, -1.0), (A, MASK)),
    Sample("masked_fill broadcast", lambda T, x, m: x.masked_fill(m, 2.0), (V[:3], MASK)),
    Sample("masked_fill tensor", lambda T, x, m, v: x.masked_fill(m, v), (A, MASK, SCALAR)),
    Sample("masked_fill in place", lambda T, x, m, v: (x * 1).masked_fill_(m, v), (A, ROWS[:, None], SCALAR)),
    Sample("masked_scatter", lambda T, x, m, s: x.masked_scatter(m, s), (A, MASK, V)),
    Sample("masked_scatter in place", lambda T, x, m, s: (x * 1).masked_scatter_(m, s), (A, MASK, V.reshape(2, 2))),
    Sample("masked_scatter row mask", lambda T, x, m, s: T.masked_scatter(x, m, s), (A, MASK[:1], V)),
    Sample("index_fill", lambda T, x, i: T.index_fill(x, 0, i, 7.0), (V, ROW)),
    Sample("index_fill by a tensor, repeats", lambda T, x, i, v: x.index_fill(0, i, v), (V, ROW, SCALAR)),
    Sample("index_fill columns", lambda T, x, i, v: x.index_fill(-1, i, v), (A, np.array([0, 2]), SCALAR)),
    Sample("index_fill in place", lambda T, x, i: (x * 1.0).index_fill_(0, i, 7.0), (V, ROW)),
    Sample("index_copy", lambda T, x, i, s: T.index_copy(x, 0, i, s), (V, np.array([3, 0]), S[:2])),
    Sample("index_copy columns", lambda T, x, i, s: x.index_copy(1, i, s), (A, np.array([2, 0]), W)),
    Sample("index_copy of a scalar", lambda T, x, i, s: x.index_copy(0, i, s), (SCALAR, np.array([0]), np.array(3.0))),
    Sample("index_copy in place", lambda T, x, i, s: (x * 1.0).index_copy_(0, i, s), (V, np.array([3, 0]), S[:2])),
    Sample("put", lambda T, x, i, s: T.put(x, i, s), (A, np.array([[5], [-6]]), W[0][:, None])),
    Sample("put, repeats added", lambda T, x, i, s: x.put(i, s, accumulate=True), (V, ROW, S)),
    Sample("put of a transpose", lambda T, x, i, s: T.put(x.T, i, s), (A, np.array([1, 4, 2]), S)),
    Sample("put in place", lambda T, x, i, s: (x * 1.0).put_(i, s), (A, np.array([1, 4, 2]), S)),
    Sample("scatter by an empty index", lambda T, x, i: T.scatter(x, 0, i, 2.0), (A, EMPTY)),
    Sample(
        "index_add to a scalar",
        lambda T, x, i, s: x.index_add(0, i, s, alpha=2),
        (SCALAR, np.array([0]), np.array(3.0)),
    ),
    Sample(
        "scatter add",
        lambda T, x, i, s: T.scatter(x, 0, i, s, reduce="add"),
        (INTEGERS, ROW, np.array([-3, 4, 1])),
        grad=False,
    ),
    Sample("scatter multiply", lambda T, x, i: T.scatter(x, 0, i, 2, reduce="multiply"), (INTEGERS, ROW), grad=False),
    Sample(
        "index_fill from the end", lambda T, x, i: T.index_fill(x, 0, i, 2), (INTEGERS, np.array([-1, 2])), grad=False
    ),
    Sample("index_fill ints", lambda T, x, i: T.index_fill(x, 0, i, 2), (INTEGERS, ROW), grad=False),
]
