"""Samples of square brackets, gather and scatter, and masks."""

import numpy as np

from tests.ops.harness import Sample

A = np.arange(6.0).reshape(2, 3) - 2.5
B = np.arange(24.0).reshape(2, 3, 4) / 7
V = np.array([1.0, -2.0, 3.0, 4.0])
SCALAR = np.array(1.5)
P, Q = np.array([0, 1, 1]), np.array([2, 0, -1])
K = np.array([[0, 2], [1, 1]])
MASK = np.array([[True, False, True], [False, True, False]])
ROWS = np.array([True, False])
COLUMNS = np.array([0, 2, 2])


def _reads():
    yield "x[1]", lambda T, x: x[1], A
    yield "x[-1]", lambda T, x: x[-1], V
    yield "x[0, 1]", lambda T, x: x[0, 1], A
    yield "x[1:]", lambda T, x: x[1:], A
    yield "x[::2]", lambda T, x: x[::2], V
    yield "x[3:1]", lambda T, x: x[3:1], V
    yield "x[-3:99]", lambda T, x: x[-3:99], V
    yield "x[:, 1]", lambda T, x: x[:, 1], A
    yield "x[0, 1:]", lambda T, x: x[0, 1:], A
    yield "x[..., 0]", lambda T, x: x[..., 0], B
    yield "x[1, ..., 2]", lambda T, x: x[1, ..., 2], B
    yield "x[None]", lambda T, x: x[None], A
    yield "x[:, None, :, None]", lambda T, x: x[:, None, :, None], A
    yield "x[None, 0, ..., None]", lambda T, x: x[None, 0, ..., None], A
    yield "x[...]", lambda T, x: x[...], SCALAR
    yield "x[()]", lambda T, x: x[()], A
    yield "x[None] of a scalar", lambda T, x: x[None], SCALAR
    yield "x[:] of nothing", lambda T, x: x[:1], np.zeros((0, 2))
    yield "x[np.int64]", lambda T, x: x[np.int64(1)], A
    yield "x[0-d tensor]", lambda T, x: x[T.tensor(1)], A
    yield "x[0-d tensor:]", lambda T, x: x[T.tensor(1) :], V
    yield "x[list]", lambda T, x: x[[1, 0, 1]], A
    yield "x[[]]", lambda T, x: x[[]], A
    yield "x[range]", lambda T, x: x[range(2)], A
    yield "x[:, list]", lambda T, x: x[:, [2, 2, 0]], A
    yield "x[..., list]", lambda T, x: x[..., [3, -1]], B
    yield "x[list, list]", lambda T, x: x[[0, 1, 1], [2, 0, -1]], A
    yield "x[list, :, list]", lambda T, x: x[[0, 1], :, [3, 0]], B
    yield "x[:, list, list]", lambda T, x: x[:, [0, 2], [3, 0]], B
    yield "x[0, :, list]", lambda T, x: x[0, :, [3, 0]], B
    yield "x[:, list, None, list]", lambda T, x: x[:, [[0]], None, [0, 1]], B
    yield "x[list, 1:]", lambda T, x: x[[1, 1], 1:], A
    yield "x[1:, list]", lambda T, x: x[1:, [1, 1]], A
    yield "x[True]", lambda T, x: x[True], A
    yield "x[False]", lambda T, x: x[False], A
    yield "x[True, 0]", lambda T, x: x[True, 0], A
    yield "x[x > 0]", lambda T, x: x[x > 0], A
    yield "x[~mask]", lambda T, x: x[x > 99], A
    yield "x[list of bools]", lambda T, x: x[[True, False]], A
    yield "x[:, mask]", lambda T, x: x[:, [True, False, True]], A
    yield "x[mask, list]", lambda T, x: x[[True, True], [2, 2]], A
    yield "x[..., mask]", lambda T, x: x[..., T.tensor([[True, False, True, True]] * 3)], B
    yield "row by row", lambda T, x: sum(row.sum() * i for i, row in enumerate(x)), A


def _writes():
    def write(key, value):
        def f(T, x, *more):
            h = x * 1.0
            h[key(T, *more)] = value(T, h, *more)
            return h

        return f

    yield "x[0] = 5", write(lambda T: 0, lambda T, h: 5.0), (A,)
    yield "x[:, 1:] = 0", write(lambda T: (slice(None), slice(1, None)), lambda T, h: 0.0), (A,)
    yield "x[...] = 2", write(lambda T: ..., lambda T, h: 2.0), (A,)
    yield "x[0] = row", write(lambda T, v: 0, lambda T, h, v: v), (A, np.array([7.0, 8.0, 9.0]))
    yield "x[:] = row", write(lambda T, v: slice(None), lambda T, h, v: v), (A, np.array([7.0, 8.0, 9.0]))
    yield "x[1] = scalar", write(lambda T, v: 1, lambda T, h, v: v), (A, SCALAR)
    yield "x[0] = more axes", write(lambda T, v: 0, lambda T, h, v: v), (A, np.array([[[7.0, 8.0, 9.0]]]))
    yield "x[None, 0] = row", write(lambda T, v: (None, 0), lambda T, h, v: v), (A, np.array([7.0, 8.0, 9.0]))
    yield "x[list] = 3", write(lambda T: [1, 1], lambda T, h: 3.0), (A,)
    yield "x[list] = rows", write(lambda T, v: [1, 0], lambda T, h, v: v), (A, A[::-1] * 3)
    yield "x[list] = more axes", write(lambda T, v: [1], lambda T, h, v: v), (A, A[None, :1] * 3)
    yield (
        "x[:, list] = column",
        write(lambda T, v: (slice(None), [2, 0]), lambda T, h, v: v),
        (A, np.array([[1.0], [2.0]])),
    )
    yield "x[0, list] = values", write(lambda T, v: (0, [2, 0]), lambda T, h, v: v), (A, np.array([4.0, 5.0]))
    yield "x[mask] = 0", write(lambda T, m: m, lambda T, h, m: 0.0), (A, MASK)
    yield "x[mask] = values", write(lambda T, m, v: m, lambda T, h, m, v: v), (A, MASK, np.array([4.0, 5.0, 6.0]))
    yield "x[True] = 1", write(lambda T: True, lambda T, h: 1.0), (A,)
    yield "x[False] = 1", write(lambda T: False, lambda T, h: 1.0), (A,)


def _changes():
    def change(T, x, v):
        h = x * 1.0
        h[0] *= v
        h[[0, 1]] -= v
        h[:, 1:] += h[:, :2].clone() * v[1:]
        return h

    yield "x[...] op= value", change, (A, np.array([7.0, 8.0, 9.0]))


def _along():
    yield "gather", lambda T, x, i: T.gather(x, 1, i), (A, K)
    yield "gather first", lambda T, x, i: x.gather(0, i), (A, np.array([[1, 0, 1], [1, 1, 0], [0, 0, 0]]))
    yield "gather, few", lambda T, x, i: x.gather(-1, i), (B, np.array([[[3, 3, 0]]]))
    yield "gather nothing", lambda T, x, i: x.gather(1, i), (A, np.zeros((2, 0), int))
    yield "gather from a scalar", lambda T, x, i: x.gather(0, i), (SCALAR, np.array(0))
    yield "gather int32", lambda T, x, i: x.gather(1, i), (A, K.astype(np.int32))
    yield (
        "scatter",
        lambda T, x, i, s: T.scatter(x, 1, i, s),
        (A, np.array([[0, 2], [1, 2]]), np.array([[8.0, 9.0], [7.0, 6.0]])),
    )
    yield "scatter number", lambda T, x, i: x.scatter(1, i, 4.0), (A, K)
    yield "scatter value=", lambda T, x, i: x.scatter(0, i, value=4.0), (A, np.array([[1, 0]]))
    yield "scatter in place", lambda T, x, i: (x * 1).scatter_(1, i, 4.0), (A, K)
    yield "scatter_add", lambda T, x, i, s: T.scatter_add(x, 1, i, s), (A, K, np.array([[8.0, 9.0], [7.0, 6.0]]))
    yield "scatter_add first", lambda T, x, i, s: x.scatter_add(0, i, s), (A, np.array([[1, 1, 0], [1, 0, 0]]), A * 2)
    yield (
        "scatter_add in place",
        lambda T, x, i, s: (x * 1).scatter_add_(0, i, s),
        (V, np.array([3, 3]), np.array([1.0, 2.0])),
    )
    yield "index_select", lambda T, x, i: T.index_select(x, 0, i), (A, P)
    yield "index_select middle", lambda T, x, i: x.index_select(-2, i), (B, COLUMNS)
    yield "index_select scalar index", lambda T, x, i: x.index_select(1, i), (A, np.array(2))
    yield "index_add", lambda T, x, i, s: T.index_add(x, 0, i, s), (A, P, np.arange(9.0).reshape(3, 3))
    yield "index_add alpha", lambda T, x, i, s: x.index_add(1, i, s, alpha=-2), (A, COLUMNS, A * 3)
    yield "index_add in place", lambda T, x, i, s: (x * 1).index_add_(1, i, s), (A, COLUMNS, A * 3)
    yield "index_put", lambda T, x, i, v: T.index_put(x, (i,), v), (A, np.array([1]), np.array([7.0, 8.0, 9.0]))
    yield (
        "index_put accumulate",
        lambda T, x, i, j, v: x.index_put((i, j), v, accumulate=True),
        (A, P, Q, np.array([7.0, 8.0, 9.0])),
    )
    yield "index_put in place", lambda T, x, i, j, v: (x * 1).index_put_((i, j), v, True), (A, P, Q, SCALAR)
    yield "index_put mask", lambda T, x, m, v: x.index_put((m,), v), (A, MASK, SCALAR)
    yield "take_along_dim", lambda T, x, i: T.take_along_dim(x, i, 1), (A, np.array([[-1], [0]]))
    yield "take_along_dim broadcast", lambda T, x, i: x.take_along_dim(i, dim=1), (A, np.array([[2, 0, 2, 1]]))
    yield "take_along_dim flat", lambda T, x, i: T.take_along_dim(x, i), (A, np.array([5, 0, 5]))
    yield "x[tensor]", lambda T, x, i: x[i], (A, P)
    yield "x[tensor, tensor]", lambda T, x, i, j: x[i, j], (A, P, Q)
    yield "x[tensor of tensors]", lambda T, x, i: x[i], (A, np.array([[0, 1], [1, 1]]))
    yield "x[:, tensor, tensor]", lambda T, x, i, j: x[:, i, j], (B, P, Q)
    yield "x[tensor, :, tensor]", lambda T, x, i, j: x[i, :, j], (B, P, Q)


def _masks():
    yield "masked_fill", lambda T, x, m: T.masked_fill(x, m, -1.0), (A, MASK)
    yield "masked_fill broadcast", lambda T, x, m: x.masked_fill(m, 2.0), (V[:3], MASK)
    yield "masked_fill tensor", lambda T, x, m, v: x.masked_fill(m, v), (A, MASK, SCALAR)
    yield "masked_fill in place", lambda T, x, m, v: (x * 1).masked_fill_(m, v), (A, ROWS[:, None], SCALAR)
    yield "masked_select", lambda T, x, m: T.masked_select(x, m), (A, MASK)
    yield "masked_select broadcast", lambda T, x, m: x.masked_select(m), (V[:3], MASK)
    yield "masked_select nothing", lambda T, x, m: x.masked_select(m), (A, MASK & False)
    yield "masked_scatter", lambda T, x, m, s: x.masked_scatter(m, s), (A, MASK, V)
    yield "masked_scatter in place", lambda T, x, m, s: (x * 1).masked_scatter_(m, s), (A, MASK, V.reshape(2, 2))
    yield "masked_scatter row mask", lambda T, x, m, s: T.masked_scatter(x, m, s), (A, MASK[:1], V)


SAMPLES = [
    *(Sample(name, f, (x,)) for name, f, x in _reads()),
    *(Sample(name, f, inputs) for family in (_writes(), _changes(), _along(), _masks()) for name, f, inputs in family),
    # torch still reads a list of lists as a tuple of lists
    Sample(
        "x[list of lists]", lambda T, x: x[[[0, 1], [1, 1]]], (A,), torch_f=lambda T, x: x[T.tensor([[0, 1], [1, 1]])]
    ),
    Sample("nonzero", lambda T, x: T.nonzero(x > 0), (A,), grad=False),
    Sample("nonzero as_tuple", lambda T, x: (x > 0).nonzero(as_tuple=True), (A,), grad=False),
    Sample("nonzero scalar", lambda T, x: T.nonzero(x), (SCALAR,), grad=False),
]
