"""Samples of joining and splitting."""

import numpy as np

from tests.ops.harness import Sample

A = np.arange(6.0).reshape(2, 3) - 2.5
C = np.arange(3.0).reshape(1, 3) + 10
B = np.arange(24.0).reshape(2, 3, 4) / 7
V = np.array([1.0, -2.0, 3.0, 4.0, 5.0])
SCALAR = np.array(1.5)

SAMPLES = [
    Sample("cat", lambda T, x, y: T.cat([x, y]), (A, C)),
    Sample("cat dim", lambda T, x, y: T.cat((x, y), dim=-1), (A, A * 2)),
    Sample("cat of the same", lambda T, x: T.cat([x, x, x], 1), (A,)),
    Sample("cat with an empty vector", lambda T, x, y: T.cat([x, y]), (A, np.zeros(0))),
    Sample("cat with an empty matrix", lambda T, x, y: T.cat([x, y]), (A, np.zeros((0, 3)))),
    Sample("cat of empty vectors", lambda T, x, y: T.cat([x, y]), (np.zeros(0), np.zeros(0))),
    Sample("cat with integers", lambda T, x, y: T.cat([x, y]), (A, np.array([[1, 2, 3]]))),
    Sample("concat", lambda T, x, y: T.concat([x, y]), (A, C)),
    Sample("stack", lambda T, x, y: T.stack([x, y]), (A, A + 1)),
    Sample("stack last", lambda T, x, y: T.stack([x, y], dim=-1), (A, A + 1)),
    Sample("stack scalars", lambda T, x, y: T.stack([x, y, x]), (SCALAR, SCALAR + 1)),
    Sample("stack promotes", lambda T, x, y: T.stack([x, y]), (V, np.arange(5))),
    Sample("hstack", lambda T, x, y: T.hstack([x, y]), (A, A + 1)),
    Sample("hstack vectors", lambda T, x, y: T.hstack([x, y]), (V, SCALAR)),
    Sample("vstack", lambda T, x, y: T.vstack([x, y]), (A, C)),
    Sample("vstack vectors", lambda T, x, y: T.vstack([x, y]), (V, V + 1)),
    Sample("vstack scalars", lambda T, x, y: T.vstack([x, y]), (SCALAR, SCALAR)),
    Sample("split", lambda T, x: T.split(x, 2), (V,)),
    Sample("split dim", lambda T, x: x.split(2, dim=-1), (B,)),
    Sample("split list", lambda T, x: x.split([1, 0, 4]), (V,)),
    Sample("split of nothing", lambda T, x: x.split(2), (np.zeros((0, 2)),)),
    Sample("split, one part used", lambda T, x: x.split(2)[1] * 3, (V,)),
    Sample("chunk", lambda T, x: T.chunk(x, 2), (V,)),
    Sample("chunk dim", lambda T, x: x.chunk(3, 1), (A,)),
    Sample("chunk too many", lambda T, x: x.chunk(4), (A,)),
    Sample("unbind", lambda T, x: T.unbind(x), (A,)),
    Sample("unbind dim", lambda T, x: x.unbind(-1), (B,)),
    Sample("unbind, one part used", lambda T, x: x.unbind(1)[0] ** 2, (A,)),
    Sample("unpacked rows", lambda T, x: [row * 2 for row in x], (A,)),
    Sample("split and cat", lambda T, x: T.cat(list(x.split(2))[::-1]) ** 2, (V,)),
]
