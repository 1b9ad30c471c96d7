"""Samples of `ops.special.error_functions`."""

import numpy as np

from tests.ops.calls import INSIDE, LINE, method, one, words
from tests.ops.harness import Sample

INTEGERS = np.array([-3, -1, 0, 2, 7])
UNIT = np.array([0.1, 0.35, 0.5, 0.9])


def special(name, x, **options):
    """`T.special.name(x)`."""
    return Sample(f"special.{name}", lambda T, x: getattr(T.special, name)(x), (np.asarray(x),), **options)


SAMPLES = [
    *one("erf", LINE),
    Sample("erf of ints", lambda T, k: T.erf(k), (INTEGERS,), grad=False),
    method("erf_", LINE),
    *(s for n in words("erfc erfinv") for s in one(n, INSIDE)),
    special("erfcx", np.array([-2.0, 0.0, 3.0, 40.0])),
    special("ndtr", np.array([-8.0, -0.4, 0.0, 2.5])),
    special("log_ndtr", np.array([-5.0, -0.4, 0.0, 2.5])),
    special("ndtri", UNIT),
    *[
        Sample(
            f"{n} float32",
            lambda T, x, n=n: getattr(T.special, n)(x),
            (np.array([0.15, 0.4, 0.7], np.float32),),
            smooth=False,
        )
        for n in words("erfc erfinv erfcx ndtr ndtri log_ndtr")
    ],
]
