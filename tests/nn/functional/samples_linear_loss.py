"""Samples of `nn.functional.linear_loss`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(21)
X = rng.normal(size=(4, 3))


def in_chunks(size, **options):
    def f(T, x, weight, bias):
        chunks = T.nn.LinearCrossEntropyOptions(batch_chunk_size=size)
        labels = T.tensor([0, 4, -100, 2])
        return T.nn.functional.linear_cross_entropy(x, weight, labels, linear_bias=bias, options=chunks, **options)

    return f


SAMPLES = [
    Sample("linear_cross_entropy chunks", in_chunks(3), (X, rng.normal(size=(5, 3)), rng.normal(size=5)), second=False),
    Sample(
        "linear_cross_entropy chunks each",
        in_chunks(1, reduction="none"),
        (X, rng.normal(size=(5, 3)), rng.normal(size=5)),
        second=False,
    ),
]
