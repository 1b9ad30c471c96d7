"""Samples of `ops.shapes.joining`."""

import numpy as np

from tests.ops.harness import Sample

A = np.arange(6.0).reshape(2, 3) - 2.5
C = np.arange(3.0).reshape(1, 3) + 10
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
    Sample("split and cat", lambda T, x: T.cat(list(x.split(2))[::-1]) ** 2, (V,)),
    Sample("block_diag", lambda T, x, y, z: T.block_diag(x, y, z), (A, V[:3], SCALAR)),
    Sample("block_diag, promoted", lambda T, x, y: T.block_diag(x, y), (A, np.array([[1, 2]]))),
    Sample("column_stack", lambda T, x, y: T.column_stack((x, y)), (A, A[:, 0])),
    Sample("dstack", lambda T, x, y: T.dstack((x, y)), (A, A)),
    Sample("row_stack", lambda T, x, y: T.row_stack((x, y)), (A, V[:3])),
]
