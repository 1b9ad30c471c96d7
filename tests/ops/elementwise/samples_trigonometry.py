"""Samples of `ops.elementwise.trigonometry`."""

import numpy as np

from tests.ops.calls import INSIDE, LINE, POSITIVE, method, one, two, words
from tests.ops.harness import Sample

INTEGERS = np.array([-3, -1, 0, 2, 7])

SAMPLES = [
    *(s for n in words("sin cos sinh cosh tanh asinh atan") for s in one(n, LINE)),
    *(s for n in words("asin acos atanh tan") for s in one(n, INSIDE)),
    *one("acosh", POSITIVE + 1),
    *two("atan2", LINE, LINE[::-1] + 0.05),
    *(
        Sample(f"{n} of ints", lambda T, k, n=n: getattr(T, n)(k), (INTEGERS,), grad=False)
        for n in words("sin cos tan sinh cosh tanh asinh atan")
    ),
    *(method(n + "_", LINE) for n in words("sin cos sinh cosh tanh atan")),
    *(method(n + "_", INSIDE) for n in words("asin acos tan")),
    *(  # out of place there: PyTorch has no derivative for these in place
        Sample(
            f".{n}_()",
            lambda T, x, n=n: getattr(x * 1.0, n + "_")(),
            (x,),
            torch_f=lambda T, x, n=n: getattr(T, n)(x * 1.0),
        )
        for n, x in (("asinh", LINE), ("acosh", POSITIVE + 1), ("atanh", INSIDE))
    ),
    Sample(".atan2_(y)", lambda T, x, y: (x * 1.0).atan2_(y), (np.abs(LINE), np.array([0.6, 0.7, 0.9, 0.8]))),
    *(s for n in words("sinc deg2rad rad2deg") for s in one(n, LINE)),
    Sample("sinc at 0", lambda T, x: T.sinc(x), (np.array([0.0, 1.0]),), smooth=False),
    Sample("sinc float32", lambda T, x: T.special.sinc(x), (np.array([0.15, 0.4, 0.7], np.float32),), smooth=False),
]
