"""Samples of `ops.elementwise.comparison`."""

import numpy as np

from tests.ops.calls import INF, LINE, NAN, words
from tests.ops.harness import Sample

CONDITION = np.array([[True], [False]])
INTEGERS = np.array([-3, -1, 0, 2, 7])

SAMPLES = [
    *(
        Sample(f"{n} of ints", lambda T, k, n=n: getattr(T, n)(k), (INTEGERS,), grad=False)
        for n in words("isnan isinf isfinite logical_not bitwise_not")
    ),
    *(
        Sample(f"{n} of ints and a number", lambda T, k, n=n: getattr(T, n)(k, 2), (INTEGERS,), grad=False)
        for n in words("eq ne lt le gt ge bitwise_and bitwise_or bitwise_xor")
    ),
    *(
        Sample(
            f"{n} of floats",
            lambda T, x, y, n=n: getattr(T, n)(x, y),
            (LINE, np.array([-1.7, 0.4, NAN, INF])),
            grad=False,
        )
        for n in words("eq ne lt le gt ge logical_and logical_or logical_xor isclose equal allclose")
    ),
    *(
        Sample(f"{n} of bools", lambda T, x, y, n=n: getattr(T, n)(x, y), (CONDITION, CONDITION.T), grad=False)
        for n in words("logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor eq")
    ),
    *(
        Sample(f"{n} of specials", lambda T, x, n=n: getattr(T, n)(x), (np.array([1.0, NAN, INF, -INF]),), grad=False)
        for n in ("isnan", "isinf", "isfinite")
    ),
    Sample(
        "comparison operators",
        lambda T, x: (x == 0.3, x != 0.3, x < 0.3, x <= 0.3, x > 0.3, x >= 0.3, x > 1),
        (LINE,),
        grad=False,
    ),
    Sample(
        "logical operators",
        lambda T, x: ((x > 0) & (x < 1), (x < 0) | (x > 1), (x > 0) ^ (x > 1), ~(x > 0)),
        (LINE,),
        grad=False,
    ),
    Sample("bit operators", lambda T, k: (k & 3, 3 | k, k ^ 1, ~k), (INTEGERS,), grad=False),
    Sample(
        "a 0-d float64 compared in float32",
        lambda T, x, y: x == y,
        (np.array([0.1], np.float32), np.array(0.1)),
        grad=False,
    ),
    Sample("isclose with tolerances", lambda T, x: T.isclose(x, x + 0.1, rtol=0.0, atol=0.2), (LINE,), grad=False),
    Sample(
        "isclose of NaN",
        lambda T, x: (T.isclose(x, x), T.isclose(x, x, equal_nan=True)),
        (np.array([NAN, INF]),),
        grad=False,
    ),
    Sample("equal of different shapes", lambda T, x: (T.equal(x, x[:2]), T.equal(x, x)), (LINE,), grad=False),
    *(
        Sample(
            f".{n}_ of bools",
            lambda T, x, y, n=n: getattr(x.clone(), n + "_")(y),
            (np.array([True, True, False]), np.array([True, False, False])),
            grad=False,
        )
        for n in words("logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor eq ne")
    ),
    *(
        Sample(
            f".{n}_ of bools", lambda T, x, n=n: getattr(x.clone(), n + "_")(), (np.array([True, False]),), grad=False
        )
        for n in ("logical_not", "bitwise_not")
    ),
    Sample(
        "isposinf and isneginf",
        lambda T, x: (T.isposinf(x), T.isneginf(x), T.isreal(x)),
        (np.array([INF, -INF, NAN, 1.0]),),
        grad=False,
    ),
]
