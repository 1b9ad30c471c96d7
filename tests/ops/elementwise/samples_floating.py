"""Samples of `ops.elementwise.floating`."""

import numpy as np

from tests.ops.calls import INF, LINE, NAN, at_kinks, two
from tests.ops.harness import Sample

SAMPLES = [
    *two("copysign", LINE, LINE[::-1]),
    Sample(
        "copysign of and by zeros",
        lambda T, x, y: T.copysign(x, y),
        (np.array([0.0, 2.0, -2.0]), np.array([-1.0, -0.0, 0.0])),
        smooth=False,
        second=False,  # PyTorch's is NaN where it divides 0 by 0
    ),
    Sample("copysign by a number", lambda T, x: T.copysign(x, -1), (LINE,)),
    Sample("frexp", lambda T, x: T.frexp(x), (np.array([0.0, -0.3, 1e30, 5.0]),), smooth=False),
    Sample("ldexp", lambda T, x, n: T.ldexp(x, n), (LINE, np.array([0, 1, 2, 3]))),
    Sample("ldexp by floats", lambda T, x, y: T.ldexp(x, y), (LINE, LINE[::-1])),
    Sample("ldexp_", lambda T, x, n: (x * 1).ldexp_(n), (LINE, np.array([0, 1, 2, 3]))),
    at_kinks("nextafter", lambda T, x, y: T.nextafter(x, y), LINE, np.array([1.0, -0.4, NAN, INF])),
    Sample("signbit", lambda T, x: T.signbit(x), (np.array([-0.0, 0.0, -NAN, 2.0]),), grad=False),
]
