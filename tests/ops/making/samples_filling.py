"""Samples of `ops.making.filling`."""

import numpy as np

from tests.ops.calls import LINE, method
from tests.ops.harness import Sample

SAMPLES = [
    method("zero_", LINE),
    method("fill_", LINE, 2.0),
    Sample(".copy_(y)", lambda T, x, y: (x * 1.0).copy_(y), (np.abs(LINE), np.array([0.6, 0.7, 0.9, 0.8]))),
    Sample(".fill_ tensor", lambda T, x, v: (x * 1.0).fill_(v), (LINE, np.array(2.0))),
    Sample(
        ".copy_ broadcast and converted",
        lambda T, x, y: (x * 1.0).copy_(y),
        (np.ones((2, 3)), np.float32([0.5, 1.5, 2.5])),
        smooth=False,
    ),
    Sample(
        ".copy_ into ints",
        lambda T, n, x: n.clone().copy_(x.detach()),
        (np.array([1, 2]), np.array([1.7, -1.7])),
        grad=False,
    ),
]
