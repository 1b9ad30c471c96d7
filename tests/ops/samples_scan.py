"""Samples of cumulative sums and products."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(4)
B = rng.uniform(0.5, 2.0, (2, 3, 2))
ZEROS = np.array([[0.0, 2.0, 3.0, 0.0], [1.5, 0.0, 2.0, 0.5], [1.0, 5.0, 0.5, 2.0]])
WHOLE = np.arange(1, 7).reshape(2, 3)

SAMPLES = [
    Sample("cumsum", lambda T, x: x.cumsum(0), (B,)),
    Sample("cumsum negative dim", lambda T, x: T.cumsum(x, dim=-1), (B,)),
    Sample("cumsum 0-d", lambda T, x: x.cumsum(0), (np.array(2.0),)),
    Sample("cumsum empty", lambda T, x: (x.cumsum(0), x.cumsum(1)), (np.zeros((0, 2)),)),
    Sample("cumsum dtype", lambda T, x: x.cumsum(0, dtype=T.float64), (B,)),
    Sample("cumsum int", lambda T, n: (n.cumsum(0), n.int().cumsum(1), (n > 2).cumsum(1)), (WHOLE,), grad=False),
    Sample("cumprod", lambda T, x: x.cumprod(1), (B,)),
    Sample("cumprod negative dim", lambda T, x: T.cumprod(x, dim=-1), (B,)),
    Sample("cumprod 0-d", lambda T, x: x.cumprod(0), (np.array(2.0),)),
    Sample("cumprod 0-d zero", lambda T, x: x.cumprod(0), (np.array(0.0),)),
    Sample("cumprod empty", lambda T, x: (x.cumprod(0), x.cumprod(1)), (np.zeros((0, 2)),)),
    Sample("cumprod size 1", lambda T, x: x.cumprod(0), (np.zeros((1, 2)),)),
    Sample("cumprod zeros", lambda T, x: x.cumprod(1), (ZEROS,)),
    Sample("cumprod zeros first dim", lambda T, x: x.cumprod(0), (ZEROS,)),
    Sample("cumsum_", lambda T, x: x.clone().cumsum_(0), (B,)),
    Sample("cumprod_", lambda T, x: x.clone().cumprod_(1), (B,)),
    Sample("cumprod int", lambda T, n: (n.cumprod(0), n.int().cumprod(1)), (WHOLE,), grad=False),
]
