"""Samples of `ops.indexing.brackets`."""

import numpy as np

from tests.ops.harness import Sample

A = np.arange(6.0).reshape(2, 3) - 2.5
B = np.arange(24.0).reshape(2, 3, 4) / 7
V = np.array([1.0, -2.0, 3.0, 4.0])
SCALAR = np.array(1.5)
P = np.array([0, 1, 1])
Q = np.array([2, 0, -1])
MASK = np.array([[True, False, True], [False, True, False]])


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


SAMPLES = [
    Sample("x[1]", lambda T, x: x[1], (A,)),
    Sample("x[-1]", lambda T, x: x[-1], (V,)),
    Sample("x[0, 1]", lambda T, x: x[0, 1], (A,)),
    Sample("x[1:]", lambda T, x: x[1:], (A,)),
    Sample("x[::2]", lambda T, x: x[::2], (V,)),
    Sample("x[3:1]", lambda T, x: x[3:1], (V,)),
    Sample("x[-3:99]", lambda T, x: x[-3:99], (V,)),
    Sample("x[:, 1]", lambda T, x: x[:, 1], (A,)),
    Sample("x[0, 1:]", lambda T, x: x[0, 1:], (A,)),
    Sample("x[..., 0]", lambda T, x: x[..., 0], (B,)),
    Sample("x[1, ..., 2]", lambda T, x: x[1, ..., 2], (B,)),
    Sample("x[None]", lambda T, x: x[None], (A,)),
    Sample("x[:, None, :, None]", lambda T, x: x[:, None, :, None], (A,)),
    Sample("x[None, 0, ..., None]", lambda T, x: x[None, 0, ..., None], (A,)),
    Sample("x[...]", lambda T, x: x[...], (SCALAR,)),
    Sample("x[()]", lambda T, x: x[()], (A,)),
    Sample("x[None] of a scalar", lambda T, x: x[None], (SCALAR,)),
    Sample("x[:] of nothing", lambda T, x: x[:1], (np.zeros((0, 2)),)),
    Sample("x[np.int64]", lambda T, x: x[np.int64(1)], (A,)),
    Sample("x[0-d tensor]", lambda T, x: x[T.tensor(1)], (A,)),
    Sample("x[0-d tensor:]", lambda T, x: x[T.tensor(1) :], (V,)),
    Sample("x[list]", lambda T, x: x[[1, 0, 1]], (A,)),
    Sample("x[[]]", lambda T, x: x[[]], (A,)),
    Sample("x[range]", lambda T, x: x[range(2)], (A,)),
    Sample("x[:, list]", lambda T, x: x[:, [2, 2, 0]], (A,)),
    Sample("x[..., list]", lambda T, x: x[..., [3, -1]], (B,)),
    Sample("x[list, list]", lambda T, x: x[[0, 1, 1], [2, 0, -1]], (A,)),
    Sample("x[list, :, list]", lambda T, x: x[[0, 1], :, [3, 0]], (B,)),
    Sample("x[:, list, list]", lambda T, x: x[:, [0, 2], [3, 0]], (B,)),
    Sample("x[0, :, list]", lambda T, x: x[0, :, [3, 0]], (B,)),
    Sample("x[:, list, None, list]", lambda T, x: x[:, [[0]], None, [0, 1]], (B,)),
    Sample("x[list, 1:]", lambda T, x: x[[1, 1], 1:], (A,)),
    Sample("x[1:, list]", lambda T, x: x[1:, [1, 1]], (A,)),
    Sample("x[True]", lambda T, x: x[True], (A,)),
    Sample("x[False]", lambda T, x: x[False], (A,)),
    Sample("x[True, 0]", lambda T, x: x[True, 0], (A,)),
    Sample("x[x > 0]", lambda T, x: x[x > 0], (A,)),
    Sample("x[~mask]", lambda T, x: x[x > 99], (A,)),
    Sample("x[list of bools]", lambda T, x: x[[True, False]], (A,)),
    Sample("x[:, mask]", lambda T, x: x[:, [True, False, True]], (A,)),
    Sample("x[mask, list]", lambda T, x: x[[True, True], [2, 2]], (A,)),
    Sample("x[..., mask]", lambda T, x: x[..., T.tensor([[True, False, True, True]] * 3)], (B,)),
    *(Sample(name, f, inputs) for name, f, inputs in _writes()),
    *(Sample(name, f, inputs) for name, f, inputs in _changes()),
    Sample("index_put", lambda T, x, i, v: T.index_put(x, (i,), v), (A, np.array([1]), np.array([7.0, 8.0, 9.0]))),
    Sample(
        "index_put accumulate",
        lambda T, x, i, j, v: x.index_put((i, j), v, accumulate=True),
        (A, P, Q, np.array([7.0, 8.0, 9.0])),
    ),
    Sample("index_put in place", lambda T, x, i, j, v: (x * 1).index_put_((i, j), v, True), (A, P, Q, SCALAR)),
    Sample("index_put mask", lambda T, x, m, v: x.index_put((m,), v), (A, MASK, SCALAR)),
    Sample("x[tensor]", lambda T, x, i: x[i], (A, P)),
    Sample("x[tensor, tensor]", lambda T, x, i, j: x[i, j], (A, P, Q)),
    Sample("x[tensor of tensors]", lambda T, x, i: x[i], (A, np.array([[0, 1], [1, 1]]))),
    Sample("x[:, tensor, tensor]", lambda T, x, i, j: x[:, i, j], (B, P, Q)),
    Sample("x[tensor, :, tensor]", lambda T, x, i, j: x[i, :, j], (B, P, Q)),
    Sample("x[list of lists,]", lambda T, x: x[[[0, 1], [1, 1]],], (A,)),
    Sample("select_scatter", lambda T, x, s: T.select_scatter(x, s, 1, -1), (A, V[:2])),
    Sample("slice_scatter", lambda T, x, s: T.slice_scatter(x, s, 1, start=-2), (A, A[:, :2])),
    Sample("slice_scatter, steps", lambda T, x, s: x.slice_scatter(s, 1, 0, None, 2), (A, A[:, :2])),
    Sample("select", lambda T, x: T.select(x, 1, -1), (B,)),
    Sample("narrow", lambda T, x: T.narrow(x, 1, 1, 2), (B,)),
    Sample("narrow from the end", lambda T, x: x.narrow(-1, -2, 2), (A,)),
]
