"""Samples of `ops.making.conversion`."""

import numpy as np

from tests.ops.harness import Sample

A = np.arange(6.0).reshape(2, 3) - 2.5

SAMPLES = [
    Sample("to double", lambda T, x: x.to(T.float64), (A,)),
    Sample("double", lambda T, x: x.double(), (A,)),
    Sample("float and back", lambda T, x: x.to(T.float32).to(T.float64), (np.array([0.5, 0.25]),), smooth=False),
    Sample("long", lambda T, x: x.long(), (A,), grad=False),
    Sample("bool", lambda T, x: x.bool(), (A,), grad=False),
    Sample("int to float", lambda T, x: x.float(), (np.array([1, 2]),), grad=False),
    Sample("type_as", lambda T, x: x.type_as(T.zeros(1, dtype=T.float64)), (A,)),
    Sample("double of a leaf", lambda T, x: x.double().sum(), (A,)),
]
