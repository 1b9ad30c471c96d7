"""Samples of `ops.windows.sliding`."""

import numpy as np

from tests.ops.harness import Sample

A = np.arange(6.0).reshape(2, 3) - 2.5
B = np.arange(24.0).reshape(2, 3, 4) / 7
V = np.array([1.0, -2.0, 3.0])
SCALAR = np.array(1.5)


def _after(h, write):
    write(h)
    return h


SAMPLES = [
    Sample("unfold, overlapping", lambda T, x: x.unfold(1, 2, 1), (B,)),
    Sample("unfold, gaps", lambda T, x: x.unfold(-1, 1, 3), (B,)),
    Sample("unfold of a scalar", lambda T, x: x.unfold(0, 1, 1), (SCALAR,)),
    Sample("unfold, empty windows", lambda T, x: x.unfold(0, 0, 1), (V,)),
    Sample("write through unfold", lambda T, x: _after(x * 1.0, lambda h: h.unfold(1, 1, 2).mul_(3.0)), (A,)),
]
