"""Samples of `nn.functional.activation`."""

import numpy as np

from tests.ops.calls import LINE, NAN, at_kinks, words
from tests.ops.harness import Sample

rng = np.random.default_rng(11)
POINTS = np.array([-3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 3.0, 6.0])
MAY_WRITE = {
    **dict.fromkeys(words("relu relu6 elu selu celu silu mish hardswish hardtanh rrelu"), ()),
    "celu": (0.5,),
    "threshold": (0.1, -2.0),
}
X = rng.normal(size=(4, 3))


def functional(name, *args, **params):
    return lambda T, x: getattr(T.nn.functional, name)(x, *args, **params)


SAMPLES = [
    *(
        Sample(f"F.{n}", functional(n), (LINE,))
        for n in words("elu selu celu silu mish hardswish tanhshrink softsign rrelu")
    ),
    # The second order at a kink is left out: PyTorch's belongs now to one side, now to the other.
    *(
        Sample(f"F.{n} at kinks", functional(n), (POINTS,), smooth=False, second=False)
        for n in words("elu selu celu silu mish hardswish tanhshrink softsign rrelu")
    ),
    *(
        Sample(f"F.{n} of NaN", functional(n), (np.array([NAN, 1.0]),), smooth=False, second=False)
        for n in words("elu selu celu silu hardswish tanhshrink softsign rrelu")
    ),
    Sample("F.hardsigmoid", functional("hardsigmoid"), (np.append(POINTS, NAN),), grad=False),
    at_kinks("F.threshold", functional("threshold", 0.5, -2.0), np.append(POINTS, NAN)),
    *(
        Sample(f"F.{n} in place", lambda T, x, n=n, args=args: functional(n, *args, inplace=True)(T, x * 1), (LINE,))
        for n, args in MAY_WRITE.items()
    ),
    Sample("F.elu with alpha", functional("elu", 0.3), (LINE,)),
    Sample("F.elu far from 0", functional("elu"), (np.array([-1000.0, 1000.0]),)),
    Sample("F.silu far from 0", functional("silu"), (np.array([-1000.0, 1000.0]),)),
    Sample("F.glu", functional("glu"), (np.arange(12.0).reshape(2, 6) / 7,)),
    Sample("F.glu along the first axis", functional("glu", 0), (np.arange(12.0).reshape(2, 6) / 7,)),
    Sample("F.softmin", functional("softmin", 1), (np.arange(6.0).reshape(2, 3) / 3,)),
    Sample(
        "hardtanh and relu6 of ints",
        lambda T, n: (T.nn.functional.hardtanh(n, -1, 2), T.nn.functional.relu6(n), T.nn.functional.threshold(n, 1, 7)),
        (np.array([-3, 1, 9]),),
        grad=False,
    ),
    *(
        Sample(f"F.{n}", lambda T, x, n=n: getattr(T.nn.functional, n)(x), (LINE,))
        for n in words("leaky_relu hardtanh relu6")
    ),
    *(
        at_kinks(
            f"F.{n} at kinks", lambda T, x, n=n: getattr(T.nn.functional, n)(x), np.array([-1.0, 0.0, 1.0, 6.0, NAN])
        )
        for n in ("leaky_relu", "hardtanh", "relu6")
    ),
    Sample("F.leaky_relu with a slope", lambda T, x: T.nn.functional.leaky_relu(x, 0.3), (LINE,)),
    Sample("F.hardtanh with bounds", lambda T, x: T.nn.functional.hardtanh(x, -0.5, 2.0), (LINE,)),
    Sample("relu in place", lambda T, x: T.nn.functional.relu(x * 2, inplace=True), (X,)),
    Sample("leaky_relu in place", lambda T, x: T.nn.functional.leaky_relu(x * 2, 0.1, inplace=True), (X,)),
    Sample("hardtanh in place", lambda T, x: T.nn.functional.hardtanh(x * 2, -0.5, 0.7, inplace=True), (X,)),
]
