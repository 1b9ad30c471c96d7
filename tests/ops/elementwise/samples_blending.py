"""Samples of `ops.elementwise.blending`."""

import numpy as np

from tests.ops.calls import COLUMN, INSIDE, LINE, ROW
from tests.ops.harness import Sample

SAMPLES = [
    Sample("lerp by a number", lambda T, x, y: T.lerp(x, y, 0.3), (ROW, COLUMN)),
    Sample("lerp by a tensor", lambda T, x, y, w: T.lerp(x, y, w), (LINE, LINE[::-1] * 2, INSIDE.ravel())),
    Sample(".lerp_", lambda T, x, y: (x * 1.0).lerp_(y, 0.3), (LINE, LINE[::-1])),
    Sample("addcmul", lambda T, x, y, z: T.addcmul(x, y, z, value=0.5), (INSIDE, LINE[:2], np.array(0.7))),
    Sample("addcdiv", lambda T, x, y, z: T.addcdiv(x, y, z, value=-2), (INSIDE, LINE[:2], np.array(0.7))),
    Sample("addcmul_", lambda T, x, y: (x * 1).addcmul_(x, y), (LINE, LINE[::-1])),
    Sample("addcmul of ints", lambda T, n: T.addcmul(n, n, n, value=2), (np.array([1, 2]),), grad=False),
]
