"""Samples of `ops.reductions.scan`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(11)
B = rng.uniform(0.5, 2.0, (2, 3, 2))
MIXED = rng.permutation(24).reshape(2, 3, 4) / 7.0 - 1.0
ZEROS = np.array([[0.0, 2.0, 3.0, 0.0], [1.5, 0.0, 2.0, 0.5], [1.0, 5.0, 0.5, 2.0]])
WHOLE = np.arange(1, 7).reshape(2, 3)
SCALAR = np.array(1.7)
EMPTY = np.zeros((0, 3))
TIES = np.array([2.0, 3.0, 1.0, 3.0, 1.0, 1.0])
WITH_NAN = np.array([[2.0, np.nan, 1.0, 4.0], [np.nan, np.nan, np.nan, np.nan], [3.0, 1.0, 2.0, 5.0]])
SINGLE = rng.uniform(0.5, 2.0, (3, 4)).astype(np.float32)
FAR = np.array([-np.inf, 0.0, 800.0, 1.0])
KINK = {"smooth": False, "second": False}

SAMPLES = [
    Sample("cumsum", lambda T, x: x.cumsum(0), (B,)),
    Sample("cumsum negative dim", lambda T, x: T.cumsum(x, dim=-1), (B,)),
    Sample("cumsum 0-d", lambda T, x: x.cumsum(0), (np.array(2.0),)),
    Sample("cumsum empty", lambda T, x: (x.cumsum(0), x.cumsum(1)), (np.zeros((0, 2)),)),
    Sample("cumsum dtype", lambda T, x: x.cumsum(0, dtype=T.float64), (B,)),
    Sample("cumsum int", lambda T, n: (n.cumsum(0), n.int().cumsum(1), (n > 2).cumsum(1)), (WHOLE,), grad=False),
    Sample("cumprod", lambda T, x: x.cumprod(1), (B,)),
    Sample("cumprod negative dim", lambda T, x: T.cumprod(x, dim=-1), (B,)),
    Sample("cumprod 0-d", lambda T, x: x.cumprod(0), (np.array(2.0),)),
    Sample("cumprod 0-d zero", lambda T, x: x.cumprod(0), (np.array(0.0),)),
    Sample("cumprod empty", lambda T, x: (x.cumprod(0), x.cumprod(1)), (np.zeros((0, 2)),)),
    Sample("cumprod size 1", lambda T, x: x.cumprod(0), (np.zeros((1, 2)),)),
    Sample("cumprod zeros", lambda T, x: x.cumprod(1), (ZEROS,)),
    Sample("cumprod zeros first dim", lambda T, x: x.cumprod(0), (ZEROS,)),
    Sample("cumsum_", lambda T, x: x.clone().cumsum_(0), (B,)),
    Sample("cumprod_", lambda T, x: x.clone().cumprod_(1), (B,)),
    Sample("cumprod int", lambda T, n: (n.cumprod(0), n.int().cumprod(1)), (WHOLE,), grad=False),
    *[Sample(f"{f} ties", lambda T, x, f=f: getattr(T, f)(x, 0), (TIES,), smooth=False) for f in ("cummax", "cummin")],
    *[Sample(f"{f} NaN", lambda T, x, f=f: getattr(x, f)(1), (WITH_NAN,), **KINK) for f in ("cummax", "cummin")],
    *[Sample(f"{f} 0-d", lambda T, x, f=f: getattr(x, f)(0), (SCALAR,)) for f in ("cummax", "logcumsumexp")],
    *[Sample(f"{f} empty", lambda T, x, f=f: getattr(x, f)(1), (EMPTY.T,)) for f in ("cummax", "logcumsumexp")],
    Sample("logcumsumexp", lambda T, x: x.logcumsumexp(-1), (MIXED,)),
    Sample("logcumsumexp far apart", lambda T, x: x.logcumsumexp(0), (FAR[1:] * 10,)),
    Sample("logcumsumexp infinite", lambda T, x: x.logcumsumexp(0), (FAR,), grad=False),
    Sample("logcumsumexp single", lambda T, x: x.logcumsumexp(0), (SINGLE,), smooth=False),
]
