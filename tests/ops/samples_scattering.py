"""Samples of placing and reducing elements by an index: repeats, ties, zeros, 0-d and empty ones, in place."""

import numpy as np

from tests.ops.harness import Sample

A = np.arange(6.0).reshape(2, 3) - 2.5
V = np.array([1.0, -2.0, 3.0, 4.0])
S = np.array([2.0, 5.0, -3.0])
SCALAR = np.array(1.5)
ROW = np.array([0, 3, 0])
K = np.array([[0, 2], [1, 1]])
W = np.array([[1.0, 2.0], [3.0, -4.0]])
EMPTY = np.zeros((2, 0), np.int64)
WITH_ZEROS = np.array([0.0, 5.0, 2.0])  # one zero on place 0
TIES = np.array([1.0, 4.0, 1.0])  # on places 0, 3, 0 of V: ties with the input and among themselves


def _places():
    yield "index_fill", lambda T, x, i: T.index_fill(x, 0, i, 7.0), (V, ROW)
    yield "index_fill by a tensor, repeats", lambda T, x, i, v: x.index_fill(0, i, v), (V, ROW, SCALAR)
    yield "index_fill columns", lambda T, x, i, v: x.index_fill(-1, i, v), (A, np.array([0, 2]), SCALAR)
    yield "index_fill in place", lambda T, x, i: (x * 1.0).index_fill_(0, i, 7.0), (V, ROW)
    yield "index_copy", lambda T, x, i, s: T.index_copy(x, 0, i, s), (V, np.array([3, 0]), S[:2])
    yield "index_copy columns", lambda T, x, i, s: x.index_copy(1, i, s), (A, np.array([2, 0]), W)
    yield "index_copy of a scalar", lambda T, x, i, s: x.index_copy(0, i, s), (SCALAR, np.array([0]), np.array(3.0))
    yield "index_copy in place", lambda T, x, i, s: (x * 1.0).index_copy_(0, i, s), (V, np.array([3, 0]), S[:2])
    yield "put", lambda T, x, i, s: T.put(x, i, s), (A, np.array([[5], [-6]]), W[0][:, None])
    yield "put, repeats added", lambda T, x, i, s: x.put(i, s, accumulate=True), (V, ROW, S)
    yield "put of a transpose", lambda T, x, i, s: T.put(x.T, i, s), (A, np.array([1, 4, 2]), S)
    yield "put in place", lambda T, x, i, s: (x * 1.0).put_(i, s), (A, np.array([1, 4, 2]), S)
    yield "take", lambda T, x, i: T.take(x, i), (A, np.array([[0, -1], [0, 3]]))
    yield "take nothing", lambda T, x, i: x.take(i), (A, EMPTY)
    yield "take of a scalar", lambda T, x, i: x.take(i), (SCALAR, np.array([0, 0]))
    yield "gather by an empty index", lambda T, x, i: T.gather(x, 0, i), (V, EMPTY)
    yield "scatter by an empty index", lambda T, x, i: T.scatter(x, 0, i, 2.0), (A, EMPTY)
    yield (
        "index_add to a scalar",
        lambda T, x, i, s: x.index_add(0, i, s, alpha=2),
        (SCALAR, np.array([0]), np.array(3.0)),
    )
    yield "index_select of a scalar", lambda T, x, i: x.index_select(0, i), (SCALAR, np.array([0]))


def _reductions():
    for reduce in ("sum", "prod", "mean", "amax", "amin"):
        for include in (True, False):
            case = f"{reduce}{'' if include else ' without self'}"

            def scatter(T, x, i, s, reduce=reduce, include=include):
                return T.scatter_reduce(x, 0, i, s, reduce, include_self=include)

            def index(T, x, i, s, reduce=reduce, include=include):
                return T.index_reduce(x, -1, i, s, reduce, include_self=include)

            yield f"scatter_reduce {case}", scatter, (V, ROW, S)
            if reduce != "sum":
                yield f"index_reduce {case}", index, (A, np.array([0, 2]), W)
    yield "scatter_reduce prod, a zero", lambda T, x, i, s: x.scatter_reduce(0, i, s, "prod"), (V, ROW, WITH_ZEROS)
    yield "scatter_reduce prod, zero of self", lambda T, x, i, s: x.scatter_reduce(0, i, s, "prod"), (V * 0, ROW, S)
    yield "index_reduce prod, a zero", lambda T, x, i, s: x.index_reduce(0, i, s, "prod"), (V, ROW, WITH_ZEROS)
    yield "scatter_reduce in place", lambda T, x, i, s: (x * 1.0).scatter_reduce_(0, i, s, "prod"), (V, ROW, S)
    yield "index_reduce in place", lambda T, x, i, s: (x * 1.0).index_reduce_(0, i, s, "amax"), (V, ROW, S)
    yield (
        "scatter_reduce of scalars",
        lambda T, x, i, s: x.scatter_reduce(0, i, s, "mean"),
        (SCALAR, np.array(0), SCALAR),
    )


def _without_gradients():
    integers = np.array([7, -7, 2, 3])
    for reduce in ("sum", "prod", "mean", "amax", "amin"):
        yield (
            f"scatter_reduce ints {reduce}",
            (lambda T, x, i, s, reduce=reduce: T.scatter_reduce(x, 0, i, s, reduce)),
            (integers, ROW, np.array([-3, 4, 1])),
        )
        yield (
            f"scatter_reduce ints {reduce} without self",
            (lambda T, x, i, s, reduce=reduce: T.scatter_reduce(x, 0, i, s, reduce, include_self=False)),
            (integers, ROW, np.array([-3, 4, 1])),
        )
        # PyTorch's gradient is wrong where the source is larger than the index: see test_scattering.py
        yield (
            f"scatter_reduce {reduce}, larger source",
            (lambda T, x, i, s, reduce=reduce: T.scatter_reduce(x, 0, i, s, reduce)),
            (A, K[1:], W),
        )
    yield "scatter add", lambda T, x, i, s: T.scatter(x, 0, i, s, reduce="add"), (integers, ROW, np.array([-3, 4, 1]))
    yield "scatter multiply", lambda T, x, i: T.scatter(x, 0, i, 2, reduce="multiply"), (integers, ROW)
    yield "argwhere", lambda T, x: T.argwhere(x > 0), (A,)
    yield "argwhere of a scalar", lambda T, x: T.argwhere(x), (SCALAR,)
    yield "nonzero_static", lambda T, x: T.nonzero_static(x > 0, size=2), (A,)
    yield "nonzero_static filled", lambda T, x: T.nonzero_static(x > 0, size=5, fill_value=9), (A,)
    yield "where alone", lambda T, x: T.where(x > 0), (A,)
    yield "index_fill from the end", lambda T, x, i: T.index_fill(x, 0, i, 2), (integers, np.array([-1, 2]))
    yield "index_fill ints", lambda T, x, i: T.index_fill(x, 0, i, 2), (integers, ROW)


def _on_ties():
    yield "scatter_reduce amax, ties", lambda T, x, i, s: x.scatter_reduce(0, i, s, "amax"), (V, ROW, TIES)
    yield "index_reduce amin, ties", lambda T, x, i, s: x.index_reduce(0, i, s, "amin"), (V, ROW, TIES)


def _single():
    f = np.float32
    yield "scatter_reduce mean float32", lambda T, x, i, s: x.scatter_reduce(0, i, s, "mean"), (f(V), ROW, f(S))
    yield "index_reduce prod float32", lambda T, x, i, s: x.index_reduce(0, i, s, "prod"), (f(V), ROW, f(S))


SAMPLES = [
    *(Sample(name, f, inputs) for name, f, inputs in (*_places(), *_reductions())),
    *(Sample(name, f, inputs, grad=False) for name, f, inputs in _without_gradients()),
    *(Sample(name, f, inputs, smooth=False) for name, f, inputs in (*_on_ties(), *_single())),
]
