"""Samples of `ops.reductions.statistics`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(11)
A = rng.uniform(0.5, 2.0, (3, 4))
WITH_NAN = np.array([[2.0, np.nan, 1.0, 4.0], [np.nan, np.nan, np.nan, np.nan], [3.0, 1.0, 2.0, 5.0]])
WHOLE = np.array([[3, 1, 2, 3], [0, 5, 5, 1]])

SAMPLES = [
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
]
