"""Samples of `ops.elementwise.conjugation`."""

import numpy as np

from tests.ops.calls import INSIDE, LINE, NAN, at_kinks, one, words
from tests.ops.harness import Sample

SAMPLES = [
    *(s for n in words("angle positive") for s in one(n, LINE)),
    at_kinks("angle at 0 and NaN", lambda T, x: T.angle(x), np.array([0.0, -0.0, NAN, -1.0])),
    Sample("H, mH and adjoint", lambda T, x: (x.H * 2, x.mH * 3, T.adjoint(x)), (INSIDE,)),
    Sample("real and conjugates", lambda T, x: (T.real(x) * 2, x.conj() * 3, x.resolve_neg() * 4, (+x) * 5), (LINE,)),
]
