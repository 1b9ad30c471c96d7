"""Samples of `ops.nn.nonlinearities`."""

import numpy as np

from tests.ops.calls import LINE, NAN, at_kinks, method, one, words
from tests.ops.harness import Sample

POINTS = np.array([-3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 3.0, 6.0])
INTEGERS = np.array([-3, -1, 0, 2, 7])


def functional(name, *args, **params):
    return lambda T, x: getattr(T.nn.functional, name)(x, *args, **params)


SAMPLES = [
    *(Sample(f"F.{n}", functional(n), (LINE,)) for n in words("softshrink hardshrink")),
    # The second order at a kink is left out: PyTorch's belongs now to one side, now to the other.
    *(
        Sample(f"F.{n} at kinks", functional(n), (POINTS,), smooth=False, second=False)
        for n in words("softshrink hardshrink")
    ),
    *(
        Sample(f"F.{n} of NaN", functional(n), (np.array([NAN, 1.0]),), smooth=False, second=False)
        for n in words("softshrink hardshrink")
    ),
    Sample("prelu", lambda T, x, w: T.prelu(x, w), (np.array([[[-1.0, 2.0], [-0.5, -2.0]]]), np.array([0.3, 0.6]))),
    Sample(
        "prelu at 0 and NaN",
        lambda T, x, w: T.prelu(x, w),
        (np.array([0.0, -0.0, NAN, -1.0]), np.array([0.3])),
        smooth=False,
        second=False,
    ),
    Sample("prelu 0-d", lambda T, x, w: T.prelu(x, w), (np.array(-0.6), np.array([0.3]))),
    *one("sigmoid", LINE),
    *one("relu", LINE),
    at_kinks("relu at 0 and NaN", lambda T, x: T.relu(x), np.array([0.0, -0.0, NAN, 1.0])),
    *(
        Sample(f"F.{n}", lambda T, x, n=n: getattr(T.nn.functional, n)(x), (LINE,))
        for n in words("logsigmoid softplus gelu")
    ),
    Sample("sigmoid far from 0", lambda T, x: T.sigmoid(x), (np.array([-800.0, -30.0, 30.0, 800.0]),)),
    Sample(
        "F.logsigmoid far from 0", lambda T, x: T.nn.functional.logsigmoid(x), (np.array([-800.0, -30.0, 30.0, 800.0]),)
    ),
    Sample(
        "F.softplus far from 0",
        lambda T, x: T.nn.functional.softplus(x),
        (np.array([-800.0, -30.0, 19.0, 25.0, 800.0]),),
    ),
    Sample("F.softplus with beta and threshold", lambda T, x: T.nn.functional.softplus(x, 2, 1), (LINE,)),
    Sample("F.gelu tanh", lambda T, x: T.nn.functional.gelu(x, approximate="tanh"), (LINE,)),
    Sample("F.gelu 0-d", lambda T, x: T.nn.functional.gelu(x), (np.array(0.6),)),
    Sample("sigmoid of ints", lambda T, k: T.sigmoid(k), (INTEGERS,), grad=False),
    Sample("relu of ints", lambda T, k: T.relu(k), (INTEGERS,), grad=False),
    *(method(n + "_", LINE) for n in words("sigmoid relu")),
]
