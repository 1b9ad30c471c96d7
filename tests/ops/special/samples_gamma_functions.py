"""Samples of `ops.special.gamma_functions`."""

import numpy as np

from tests.ops.calls import INF, POSITIVE, method, one, words
from tests.ops.harness import Sample

SAMPLES = [
    *(s for n in words("lgamma digamma") for s in one(n, POSITIVE)),
    Sample("lgamma below 0", lambda T, x: T.lgamma(x), (np.array([-0.4, -1.3, -2.6]),)),
    Sample("digamma below 0", lambda T, x: T.digamma(x), (np.array([-0.4, -1.3, -2.6]),), second=False),
    Sample(
        "lgamma and digamma at poles",
        lambda T, x: (T.lgamma(x), T.digamma(x)),
        (np.array([0.0, -0.0, INF]),),
        grad=False,
    ),
    *(Sample(f"polygamma({n})", lambda T, x, n=n: T.polygamma(n, x), (POSITIVE,)) for n in (0, 1, 3)),
    method("polygamma", POSITIVE, 2),
    method("polygamma_", POSITIVE, 1),
    Sample("mvlgamma", lambda T, x: T.mvlgamma(x, 3), (POSITIVE + 1,)),
    Sample("mvlgamma 0-d", lambda T, x: T.mvlgamma(x, 2), (np.array(1.7),)),
    Sample(
        "special.zeta in its second argument", lambda T, y: T.special.zeta(T.tensor(2.5, dtype=y.dtype), y), (POSITIVE,)
    ),
    Sample("special.zeta at numbers", lambda T, y: T.special.zeta(3.0, y), (POSITIVE,)),
    Sample(
        "special.gammainc", lambda T, y: T.special.gammainc(T.tensor([0.4, 1.0, 5.0], dtype=y.dtype), y), (POSITIVE,)
    ),
    Sample(
        "special.gammaincc", lambda T, y: T.special.gammaincc(T.tensor([0.4, 1.0, 5.0], dtype=y.dtype), y), (POSITIVE,)
    ),
    Sample(
        "special functions of ints",
        lambda T, n: (
            T.lgamma(n),
            T.erfc(n),
            T.i0(n),
            T.xlogy(n, n),
            T.sinc(n),
            T.deg2rad(n),
            T.copysign(n, -1),
        ),
        (np.array([1, 2, 5]),),
        grad=False,
    ),
    *[
        Sample(
            f"{n} float32",
            lambda T, x, n=n: getattr(T.special, n)(x),
            (np.array([0.15, 0.4, 0.7], np.float32),),
            smooth=False,
        )
        for n in words("digamma gammaln")
    ],
]
