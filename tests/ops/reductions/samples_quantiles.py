"""Samples of `ops.reductions.quantiles`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(11)
B = rng.permutation(24).reshape(2, 3, 4) / 7.0 - 1.0
WITH_NAN = np.array([[2.0, np.nan, 1.0, 4.0], [np.nan, np.nan, np.nan, np.nan], [3.0, 1.0, 2.0, 5.0]])
KINK = {"smooth": False, "second": False}

SAMPLES = [
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
]
