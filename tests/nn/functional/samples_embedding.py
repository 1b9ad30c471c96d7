"""Samples of `nn.functional.embedding`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(43)
TABLE = rng.normal(size=(5, 2))
FLAT = np.array([1, 1, 0, 3, 1, 4])
PAIRS = FLAT.reshape(3, 2)
OFFSETS = np.array([0, 2, 2, 5])
SHARES = rng.uniform(0.5, 1.5, 6)
LABELS = np.array([0, 2, 1, 2])
LABELS3 = rng.integers(0, 3, (2, 4))
INDEX = np.array([[1, 1, 0], [3, 1, 4]])


def bag(**options):
    return lambda T, index, table: T.nn.functional.embedding_bag(index, table, **options)


def cut(**options):
    def f(T, index, table, *weights):
        named = {"per_sample_weights": weights[0]} if weights else {}
        return T.nn.functional.embedding_bag(index, table, T.from_numpy(OFFSETS.copy()), **named, **options)

    return f


def by_frequency(T, index, table):
    """PyTorch's second derivative forgets the frequency."""
    return T.nn.functional.embedding(index, table, scale_grad_by_freq=True)


def gradient(T, index, table, v):
    """The gradient of the table for a gradient `v` of the rows."""
    return T.func.vjp(lambda table: T.nn.functional.embedding(index, table, padding_idx=1), table)[1](v)


def limited(T, index, table):
    """The rows and the table, whose rows are now short."""
    table = table.detach().clone()
    return T.nn.functional.embedding(index, table, max_norm=0.5, norm_type=1.0), table


def embedding(**options):
    return lambda T, index, table: T.nn.functional.embedding(index, table, **options)


SAMPLES = [
    Sample("gradient of embedding", gradient, (FLAT, TABLE, rng.normal(size=(6, 2)))),
    Sample("embedding by frequency", by_frequency, (FLAT, TABLE), smooth=False, second=False),
    Sample("embedding limited", limited, (FLAT, TABLE), grad=False),
    Sample("embedding_bag mean", bag(), (PAIRS, TABLE), second=False),
    Sample("embedding_bag sum padding", bag(mode="sum", padding_idx=1), (PAIRS, TABLE), second=False),
    Sample("embedding_bag max tie", bag(mode="max"), (PAIRS, TABLE), second=False, smooth=False),
    Sample("embedding_bag empty bag", cut(), (FLAT, TABLE), second=False),
    Sample("embedding_bag empty bag max", cut(mode="max"), (FLAT, TABLE), second=False),
    Sample("embedding_bag last offset", cut(mode="sum", include_last_offset=True), (FLAT[:5], TABLE), second=False),
    Sample("embedding_bag weights", cut(mode="sum"), (FLAT, TABLE, SHARES), second=False),
    Sample("embedding", embedding(), (INDEX, TABLE)),
    Sample("embedding 0-d index", embedding(), (np.array(2), TABLE)),
    Sample("embedding no index", embedding(), (INDEX[:0], TABLE), second=False),  # torch fails there
    # the padding row has no gradient, though the value depends on it
    Sample("embedding padding", embedding(padding_idx=1), (INDEX, TABLE), smooth=False),
    Sample("embedding padding negative", embedding(padding_idx=-1), (np.array([4, 0, 4]), TABLE), smooth=False),
    Sample("one_hot", lambda T, i: T.nn.functional.one_hot(i), (LABELS3,), grad=False),
    Sample("one_hot classes", lambda T, i: T.nn.functional.one_hot(i, 5), (LABELS,), grad=False),
]
