"""Samples of `ops.shapes.forms`."""

import numpy as np

from tests.ops.harness import Sample

A = np.arange(6.0).reshape(2, 3) - 2.5
B = np.arange(24.0).reshape(2, 3, 4) / 7
V = np.array([1.0, -2.0, 3.0])
SCALAR = np.array(1.5)
INTEGERS = np.array([2, 0, 1])

SAMPLES = [
    Sample("fliplr", lambda T, x: T.fliplr(x), (A,)),
    Sample("flipud", lambda T, x: x.flipud(), (V,)),
    Sample("rot90 back", lambda T, x: T.rot90(x, -1, (1, 2)), (B,)),
    Sample("rot90 four times", lambda T, x: x.rot90(4), (A,)),
    Sample("repeat_interleave", lambda T, x: T.repeat_interleave(x, 2, 1), (A,)),
    Sample("repeat_interleave flat", lambda T, x: x.repeat_interleave(2), (A,)),
    Sample("repeat_interleave each", lambda T, x, n: x.repeat_interleave(n, 0), (A, np.array([0, 2]))),
    Sample("repeat_interleave of a scalar", lambda T, x: x.repeat_interleave(3), (SCALAR,)),
    Sample("broadcast_tensors", lambda T, x, y: T.broadcast_tensors(x, y), (V, A[:, :1])),
    Sample("atleast_3d", lambda T, x, y, z: T.atleast_3d(x, y, z), (A, V, SCALAR)),
    Sample("repeat_interleave of counts", lambda T, n: T.repeat_interleave(n), (INTEGERS,), grad=False),
]
