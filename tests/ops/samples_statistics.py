"""Samples of quantiles, statistics, scans of extremes, finite differences, searches, and of masked reductions."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(11)
A = rng.uniform(0.5, 2.0, (3, 4))
B = rng.permutation(24).reshape(2, 3, 4) / 7.0 - 1.0
SCALAR = np.array(1.7)
EMPTY = np.zeros((0, 3))
TIES = np.array([2.0, 3.0, 1.0, 3.0, 1.0, 1.0])
WITH_NAN = np.array([[2.0, np.nan, 1.0, 4.0], [np.nan, np.nan, np.nan, np.nan], [3.0, 1.0, 2.0, 5.0]])
WHOLE = np.array([[3, 1, 2, 3], [0, 5, 5, 1]])
SINGLE = rng.uniform(0.5, 2.0, (3, 4)).astype(np.float32)
MASK = np.array([[True, False, True, True], [False, False, True, False], [True, True, False, True]])
FAR = np.array([-np.inf, 0.0, 800.0, 1.0])
KINK = {"smooth": False, "second": False}

SAMPLES = [
    # scans
    *[Sample(f"{f} ties", lambda T, x, f=f: getattr(T, f)(x, 0), (TIES,), smooth=False) for f in ("cummax", "cummin")],
    *[Sample(f"{f} NaN", lambda T, x, f=f: getattr(x, f)(1), (WITH_NAN,), **KINK) for f in ("cummax", "cummin")],
    *[Sample(f"{f} 0-d", lambda T, x, f=f: getattr(x, f)(0), (SCALAR,)) for f in ("cummax", "logcumsumexp")],
    *[Sample(f"{f} empty", lambda T, x, f=f: getattr(x, f)(1), (EMPTY.T,)) for f in ("cummax", "logcumsumexp")],
    Sample("logcumsumexp", lambda T, x: x.logcumsumexp(-1), (B,)),
    Sample("logcumsumexp far apart", lambda T, x: x.logcumsumexp(0), (FAR[1:] * 10,)),
    Sample("logcumsumexp infinite", lambda T, x: x.logcumsumexp(0), (FAR,), grad=False),
    Sample("logcumsumexp single", lambda T, x: x.logcumsumexp(0), (SINGLE,), smooth=False),
    # picking
    Sample("kthvalue NaN", lambda T, x: x.kthvalue(4, keepdim=True), (WITH_NAN[::2],), **KINK),
    Sample("kthvalue 0-d", lambda T, x: x.kthvalue(1), (SCALAR,)),
    Sample("mode ties", lambda T, x: T.mode(x), (TIES,), smooth=False),
    Sample("mode dim", lambda T, n: (*n.mode(0), *T.mode(n, 1, True)), (WHOLE,), grad=False),
    Sample("nanmedian NaN", lambda T, x: (x.nanmedian(), T.nanmedian(x, 1).values), (WITH_NAN[::2],), **KINK),
    Sample("nanmedian empty", lambda T, x: x.nanmedian(), (EMPTY,), **KINK),
    Sample("aminmax ties", lambda T, x: T.aminmax(x), (TIES,), smooth=False),
    Sample("aminmax one of two", lambda T, x: x.aminmax(dim=1, keepdim=True).max, (B,)),
    Sample("aminmax 0-d", lambda T, x: x.aminmax(dim=0), (SCALAR,)),
    Sample("msort", lambda T, x: x.msort(), (B,)),
    # quantiles
    *[
        Sample(
            f"quantile {how}",
            lambda T, x, q, how=how: T.quantile(x, q, 1, interpolation=how),
            (B, np.array([0.3, 0.95])),
        )
        for how in ("linear", "lower", "higher", "nearest", "midpoint")
    ],
    Sample("quantile of all", lambda T, x: (x.quantile(0.35), x.quantile(0.35, keepdim=True)), (B,)),
    Sample("quantile NaN", lambda T, x: x.quantile(0.5, 1), (WITH_NAN,), **KINK),
    Sample("nanquantile NaN", lambda T, x: x.nanquantile(0.4, 1), (WITH_NAN,), **KINK),
    # sums and statistics
    Sample("nansum", lambda T, x: (x.nansum(), T.nansum(x, 1, True)), (WITH_NAN,), smooth=False),
    Sample("nansum int", lambda T, n: (n.nansum(), (n > 1).nansum(0)), (WHOLE,), grad=False),
    Sample("nanmean", lambda T, x: x.nanmean(1), (WITH_NAN[::2],), smooth=False),
    Sample("var_mean", lambda T, x: (*T.var_mean(x, 1), *T.std_mean(x, correction=2)), (A,)),
    Sample("cov", lambda T, x, a: T.cov(x, aweights=a), (A, np.array([0.5, 1.0, 2.0, 0.25]))),
    Sample("cov int", lambda T, n: (T.cov(n), n[0].cov()), (WHOLE,), grad=False),
    Sample("cov counted", lambda T, x, n: T.cov(x, correction=0, fweights=n[0]), (A, WHOLE)),
    Sample("corrcoef", lambda T, x: T.corrcoef(x), (A,)),
    Sample("trace", lambda T, x: x.trace(), (A,)),
    Sample("trace int", lambda T, n: T.trace(n.int()), (WHOLE,), grad=False),
    Sample("count_nonzero", lambda T, n: (T.count_nonzero(n), n.count_nonzero(dim=(0, 1))), (WHOLE,), grad=False),
    Sample("dist at 0", lambda T, x: T.dist(x, x.detach().clone()), (A,), **KINK),
    Sample("dist 3", lambda T, x, y: x.dist(y, 3), (A, A[:1] + 3)),
    Sample("renorm", lambda T, x: T.renorm(x, 1.5, 1, 1.2), (A,)),
    # differences
    Sample("diff", lambda T, x, y: T.diff(x, 2, 1, prepend=y), (A, A[:, :1] + 1)),
    Sample("diff to nothing", lambda T, x: (x.diff(4), (x > 1).diff()), (A,), grad=False),
    Sample("diff none", lambda T, x: x.diff(0), (A,)),
    Sample("trapezoid points", lambda T, y, x: T.trapezoid(y, x, dim=0), (A, np.array([0.0, 0.5, 2.0]))),
    Sample("trapezoid empty", lambda T, y: (T.trapezoid(y, dim=0), T.trapezoid(y[:, :1], dx=3)), (EMPTY,), **KINK),
    Sample("trapezoid int", lambda T, n: (T.trapz(n), T.cumulative_trapezoid(n, dx=2)), (WHOLE,), grad=False),
    Sample("cumulative_trapezoid points", lambda T, y, x: T.cumulative_trapezoid(y, x), (A, A.cumsum(1))),
    Sample(
        "gradient points",
        lambda T, y, x: T.gradient(y, spacing=(x,), dim=1, edge_order=2),
        (A, np.array([0.0, 0.5, 2.0, 2.5])),
    ),
    Sample("gradient spacing", lambda T, y: T.gradient(y, spacing=[2.0, 0.5]), (A,)),
    # searches
    Sample("unique", lambda T, n: T.unique(n, return_inverse=True, return_counts=True), (WHOLE,), grad=False),
    Sample("unique dim", lambda T, n: T.unique(n[:, [0, 3, 0]], return_inverse=True, dim=1), (WHOLE,), grad=False),
    Sample("unique NaN", lambda T, x: T.unique(x), (WITH_NAN,), grad=False),
    Sample(
        "unique_consecutive",
        lambda T, n: T.unique_consecutive(n[1], return_inverse=True, return_counts=True),
        (WHOLE,),
        grad=False,
    ),
    Sample("bincount", lambda T, n: (n[0].bincount(), n[1].bincount(n[0].float(), 8)), (WHOLE,), grad=False),
    Sample("histc", lambda T, x: (x.histc(5), x.histc(4, 0, 1), x.histc(3, 2, 2)), (A,), grad=False),
    Sample("bucketize", lambda T, x: (T.bucketize(x, x[0]), T.bucketize(1.0, x[0])), (np.sort(A),), grad=False),
    Sample(
        "searchsorted",
        lambda T, x, n: (T.searchsorted(x, x + 0.1, side="right"), T.searchsorted(n[0], n, sorter=n[0].argsort())),
        (np.sort(A), WHOLE),
        grad=False,
    ),
    Sample("isin", lambda T, n: (T.isin(n, n[0]), T.isin(n, 5, invert=True)), (WHOLE,), grad=False),
    # masked
    *[
        Sample(f"masked.{name}", lambda T, x, m, name=name: getattr(T.masked, name)(x, dim=1, mask=m), (A, MASK))
        for name in ("sum", "prod", "amax", "amin", "mean", "median", "logsumexp", "norm", "softmax", "cumsum")
    ],
    Sample("masked nothing", lambda T, x, m: T.masked.sum(x, mask=m & ~m), (A, MASK)),
    Sample("masked.amax int", lambda T, n, m: T.masked.amax(n, 1, mask=m[:2]), (WHOLE, MASK), grad=False),
    Sample("masked broadcast", lambda T, x, m: T.masked.sum(x, mask=m[0]), (A, MASK)),
    Sample("masked.std", lambda T, x, m: T.masked.std(x, 1, unbiased=False, mask=m[::2]), (A[::2], MASK)),
    Sample("masked.normalize", lambda T, x, m: T.masked.normalize(x, 3.0, 1, mask=m[::2]), (A[::2], MASK)),
]
