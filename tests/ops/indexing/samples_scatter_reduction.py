"""Samples of `ops.indexing.scatter_reduction`."""

import numpy as np

from tests.ops.harness import Sample

A = np.arange(6.0).reshape(2, 3) - 2.5
V = np.array([1.0, -2.0, 3.0, 4.0])
S = np.array([2.0, 5.0, -3.0])
SCALAR = np.array(1.5)
ROW = np.array([0, 3, 0])
K = np.array([[0, 2], [1, 1]])
W = np.array([[1.0, 2.0], [3.0, -4.0]])
INTEGERS = np.array([7, -7, 2, 3])
WITH_ZEROS = np.array([0.0, 5.0, 2.0])  # one zero on place 0
TIES = np.array([1.0, 4.0, 1.0])  # on places 0, 3, 0 of V: ties with the input and among themselves


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


def _single():
    f = np.float32
    yield "scatter_reduce mean float32", lambda T, x, i, s: x.scatter_reduce(0, i, s, "mean"), (f(V), ROW, f(S))
    yield "index_reduce prod float32", lambda T, x, i, s: x.index_reduce(0, i, s, "prod"), (f(V), ROW, f(S))


def _of_integers():
    for reduce in ("sum", "prod", "mean", "amax", "amin"):
        yield (
            f"scatter_reduce ints {reduce}",
            (lambda T, x, i, s, reduce=reduce: T.scatter_reduce(x, 0, i, s, reduce)),
            (INTEGERS, ROW, np.array([-3, 4, 1])),
        )
        yield (
            f"scatter_reduce ints {reduce} without self",
            (lambda T, x, i, s, reduce=reduce: T.scatter_reduce(x, 0, i, s, reduce, include_self=False)),
            (INTEGERS, ROW, np.array([-3, 4, 1])),
        )
        # PyTorch's gradient is wrong where the source is larger than the index: see test_scattering.py
        yield (
            f"scatter_reduce {reduce}, larger source",
            (lambda T, x, i, s, reduce=reduce: T.scatter_reduce(x, 0, i, s, reduce)),
            (A, K[1:], W),
        )


SAMPLES = [
    *(Sample(name, f, inputs) for name, f, inputs in _reductions()),
    *(Sample(name, f, inputs, grad=False) for name, f, inputs in _of_integers()),
    Sample(
        "scatter_reduce amax, ties", lambda T, x, i, s: x.scatter_reduce(0, i, s, "amax"), (V, ROW, TIES), smooth=False
    ),
    Sample("index_reduce amin, ties", lambda T, x, i, s: x.index_reduce(0, i, s, "amin"), (V, ROW, TIES), smooth=False),
    *(Sample(name, f, inputs, smooth=False) for name, f, inputs in _single()),
]
