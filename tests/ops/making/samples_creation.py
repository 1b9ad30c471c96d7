"""Samples of `ops.making.creation`."""

import numpy as np

from tests.ops.harness import Sample

SAMPLES = [
    *[
        Sample(f"{n} {d} of {m.shape}", lambda T, x, n=n, d=d: getattr(T, n)(x, d), (m,))
        for n in ("tril", "triu")
        for d in (-1, 0, 1)
        for m in (np.arange(6.0).reshape(2, 3) + 1, np.arange(8.0).reshape(2, 2, 2) + 1)
    ],
    *[
        Sample(f".{n}_", lambda T, x, n=n: getattr(x * 1.0, n + "_")(), (np.arange(4.0).reshape(2, 2) + 1,))
        for n in ("tril", "triu")
    ],
]
