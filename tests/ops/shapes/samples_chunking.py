"""Samples of `ops.shapes.chunking`."""

import numpy as np

from tests.ops.harness import Sample

A = np.arange(6.0).reshape(2, 3) - 2.5
B = np.arange(24.0).reshape(2, 3, 4) / 7
V = np.array([1.0, -2.0, 3.0, 4.0, 5.0])


def _after(h, write):
    write(h)
    return h


SAMPLES = [
    Sample("row by row", lambda T, x: sum(row.sum() * i for i, row in enumerate(x)), (A,)),
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
    Sample("tensor_split, uneven", lambda T, x: T.tensor_split(x, 3, 2), (B,)),
    Sample("tensor_split, crossed positions", lambda T, x: x.tensor_split((2, 1, 9), 2), (B,)),
    Sample("hsplit", lambda T, x: T.hsplit(x, 3), (A,)),
    Sample("dsplit", lambda T, x: x.dsplit([1]), (B,)),
    Sample("split_with_sizes", lambda T, x: x.split_with_sizes([0, 3], 1), (A,)),
    Sample("unsafe_chunk", lambda T, x: T.unsafe_chunk(x, 2, 1), (A,)),
    Sample("unsafe_split_with_sizes", lambda T, x: T.unsafe_split_with_sizes(x, [1, 2], 1), (A,)),
    Sample("unsafe_split written", lambda T, x: T.unsafe_split(x * 1.0, 2, 1)[0].mul_(2.0), (A,)),
    Sample(
        "write through tensor_split", lambda T, x: _after(x * 1.0, lambda h: h.tensor_split(2, 1)[0].mul_(3.0)), (A,)
    ),
]
