"""Samples of `ops.reductions.selection`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(5)
B = rng.permutation(24).reshape(2, 3, 4) / 7.0 - 1.0
SCALAR = np.array(1.7)
TIES = np.array([2.0, 3.0, 1.0, 3.0, 1.0])
MIDDLE_TIES = np.array([5.0, 2.0, 2.0, 1.0, 2.0])
WITH_NAN = np.array([2.0, np.nan, 1.0, np.nan])
WHOLE = np.array([[3, 1, 2], [0, 5, 5]])
A = rng.uniform(0.5, 2.0, (3, 4))
EMPTY = np.zeros((0, 3))
MORE_TIES = np.array([2.0, 3.0, 1.0, 3.0, 1.0, 1.0])
ROWS_WITH_NAN = np.array([[2.0, np.nan, 1.0, 4.0], [np.nan, np.nan, np.nan, np.nan], [3.0, 1.0, 2.0, 5.0]])
REPEATED = np.array([[3, 1, 2, 3], [0, 5, 5, 1]])
KINK = {"smooth": False, "second": False}

SAMPLES = [
    *[Sample(f"{name}", lambda T, x, f=name: getattr(T, f)(x), (B,)) for name in ("max", "min", "median")],
    *[Sample(f"{name} dim", lambda T, x, f=name: getattr(x, f)(1), (B,)) for name in ("max", "min", "median")],
    *[
        Sample(f"{name} kept", lambda T, x, f=name: getattr(x, f)(dim=-1, keepdim=True), (B,))
        for name in ("max", "min", "median")
    ],
    *[Sample(f"{name} 0-d", lambda T, x, f=name: getattr(x, f)(), (SCALAR,)) for name in ("max", "min", "median")],
    *[
        Sample(f"{name} 0-d dim", lambda T, x, f=name: getattr(x, f)(-1), (SCALAR,))
        for name in ("max", "min", "median")
    ],
    *[Sample(f"{name} ties", lambda T, x, f=name: getattr(x, f)(), (TIES,), smooth=False) for name in ("max", "min")],
    *[
        Sample(f"{name} ties dim", lambda T, x, f=name: getattr(x, f)(0), (TIES,), smooth=False)
        for name in ("max", "min")
    ],
    Sample("median ties", lambda T, x: x.median(), (MIDDLE_TIES,), smooth=False),
    Sample("median even", lambda T, x: x.median(), (np.array([4.0, 1.0, 3.0, 2.0]),)),
    Sample("median nothing", lambda T, x: x.median(), (np.zeros(0),), smooth=False, second=False),
    *[
        Sample(f"{name} NaN", lambda T, x, f=name: getattr(x, f)(), (WITH_NAN,), smooth=False, second=False)
        for name in ("max", "min", "median")
    ],
    *[
        Sample(f"{name} NaN dim", lambda T, x, f=name: getattr(x, f)(0), (WITH_NAN,), smooth=False, second=False)
        for name in ("max", "min", "median")
    ],
    Sample("max of two", lambda T, x, y: T.max(x, y), (B, B[:, ::-1].copy())),
    Sample("min of two", lambda T, x, y: x.min(y), (B, B[:, ::-1].copy())),
    Sample("max int", lambda T, n: (n.max(), *n.max(1), *n.median(0), n.median()), (WHOLE,), grad=False),
    Sample("argmax", lambda T, x: (x.argmax(), T.argmax(x, 1), x.argmax(-1, keepdim=True)), (B,), grad=False),
    Sample("argmin", lambda T, x: (x.argmin(), T.argmin(x, 1), x.argmin(dim=0, keepdim=True)), (B,), grad=False),
    Sample("argmax 0-d", lambda T, x: (x.argmax(), x.argmax(0), x.argmin(-1)), (SCALAR,), grad=False),
    Sample("argmax NaN", lambda T, x: (x.argmax(), x.argmin()), (WITH_NAN,), grad=False),
    Sample("argmax ties", lambda T, x: (x.argmax(0), x.argmin(0)), (TIES,), grad=False),
    Sample("sort", lambda T, x: x.sort(), (B,)),
    Sample("sort descending", lambda T, x: T.sort(x, 1, descending=True), (B,)),
    Sample("sort stable", lambda T, x: x.sort(stable=True), (TIES,), smooth=False),
    Sample("sort stable descending", lambda T, x: x.sort(stable=True, descending=True), (TIES,), smooth=False),
    Sample("sort NaN", lambda T, x: (*x.sort(), *x.sort(descending=True)), (WITH_NAN,), smooth=False, second=False),
    Sample("sort 0-d", lambda T, x: x.sort(), (SCALAR,)),
    Sample("sort empty", lambda T, x: x.sort(0), (np.zeros((0, 2)),)),
    Sample("sort int", lambda T, n: (*n.sort(1), n.argsort(0)), (WHOLE,), grad=False),
    Sample("argsort", lambda T, x: (x.argsort(), T.argsort(x, 0, True)), (B,), grad=False),
    Sample("topk", lambda T, x: x.topk(2), (B,)),
    Sample("topk smallest", lambda T, x: T.topk(x, 1, 1, largest=False), (B,)),
    Sample("topk 0-d", lambda T, x: x.topk(1), (SCALAR,)),
    Sample("topk none", lambda T, x: x.topk(0), (B,)),
    Sample("kthvalue NaN", lambda T, x: x.kthvalue(4, keepdim=True), (ROWS_WITH_NAN[::2],), **KINK),
    Sample("kthvalue 0-d", lambda T, x: x.kthvalue(1), (SCALAR,)),
    Sample("mode ties", lambda T, x: T.mode(x), (MORE_TIES,), smooth=False),
    Sample("mode dim", lambda T, n: (*n.mode(0), *T.mode(n, 1, True)), (REPEATED,), grad=False),
    Sample("nanmedian NaN", lambda T, x: (x.nanmedian(), T.nanmedian(x, 1).values), (ROWS_WITH_NAN[::2],), **KINK),
    Sample("nanmedian empty", lambda T, x: x.nanmedian(), (EMPTY,), **KINK),
    Sample("aminmax ties", lambda T, x: T.aminmax(x), (MORE_TIES,), smooth=False),
    Sample("aminmax one of two", lambda T, x: x.aminmax(dim=1, keepdim=True).max, (B,)),
    Sample("aminmax 0-d", lambda T, x: x.aminmax(dim=0), (SCALAR,)),
    Sample("msort", lambda T, x: x.msort(), (B,)),
    Sample(
        "searchsorted",
        lambda T, x, n: (T.searchsorted(x, x + 0.1, side="right"), T.searchsorted(n[0], n, sorter=n[0].argsort())),
        (np.sort(A), REPEATED),
        grad=False,
    ),
]
