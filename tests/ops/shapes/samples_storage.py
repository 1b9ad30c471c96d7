"""Samples of `ops.shapes.storage`."""

import numpy as np

from tests.ops.harness import Sample

A = np.arange(6.0).reshape(2, 3) - 2.5
V = np.array([1.0, -2.0, 3.0])


# The place is counted in the memory, so the inputs, which a check lays out otherwise, are made contiguous.
SAMPLES = [
    Sample("as_strided", lambda T, x: T.as_strided(x.contiguous(), (2, 2), (3, 1)), (A,)),
    Sample("as_strided that overlaps", lambda T, x: x.contiguous().as_strided((4, 3), (1, 1)), (A,)),
    Sample("as_strided of an overlap", lambda T, x: x.contiguous().expand(2, 3).as_strided((2, 2), (0, 1)), (V,)),
    Sample("as_strided from the third element", lambda T, x: x.contiguous().as_strided((2,), (2,), 2), (A,)),
    Sample("as_strided of nothing", lambda T, x: x.contiguous().as_strided((0, 2), (1, 1)), (A,)),
    Sample("as_strided to 0-d", lambda T, x: x.contiguous().as_strided((), (), 4), (A,)),
]
