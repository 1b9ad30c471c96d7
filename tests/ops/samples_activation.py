"""Samples of activations at their kinks and written into their inputs, which PyTorch's own samples leave out."""

import numpy as np

from tests.ops.harness import Sample
from tests.ops.samples_elementwise import LINE, NAN, at_kinks, words

POINTS = np.array([-3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 3.0, 6.0])
PLAIN = words("elu selu celu silu mish hardswish softshrink hardshrink tanhshrink softsign rrelu")
MAY_WRITE = {
    **dict.fromkeys(words("relu relu6 elu selu celu silu mish hardswish hardtanh rrelu"), ()),
    "celu": (0.5,),
    "threshold": (0.1, -2.0),
}


def functional(name, *args, **params):
    return lambda T, x: getattr(T.nn.functional, name)(x, *args, **params)


SAMPLES = [
    *(Sample(f"F.{n}", functional(n), (LINE,)) for n in PLAIN),
    # The second order at a kink is left out: PyTorch's belongs now to one side, now to the other.
    *(Sample(f"F.{n} at kinks", functional(n), (POINTS,), smooth=False, second=False) for n in PLAIN),
    *(
        Sample(f"F.{n} of NaN", functional(n), (np.array([NAN, 1.0]),), smooth=False, second=False)
        for n in PLAIN
        if n != "mish"
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
    Sample("prelu", lambda T, x, w: T.prelu(x, w), (np.array([[[-1.0, 2.0], [-0.5, -2.0]]]), np.array([0.3, 0.6]))),
    Sample(
        "prelu at 0 and NaN",
        lambda T, x, w: T.prelu(x, w),
        (np.array([0.0, -0.0, NAN, -1.0]), np.array([0.3])),
        smooth=False,
        second=False,
    ),
    Sample("prelu 0-d", lambda T, x, w: T.prelu(x, w), (np.array(-0.6), np.array([0.3]))),
    Sample("F.glu", functional("glu"), (np.arange(12.0).reshape(2, 6) / 7,)),
    Sample("F.glu along the first axis", functional("glu", 0), (np.arange(12.0).reshape(2, 6) / 7,)),
    Sample("F.softmin", functional("softmin", 1), (np.arange(6.0).reshape(2, 3) / 3,)),
    Sample(
        "hardtanh and relu6 of ints",
        lambda T, n: (T.nn.functional.hardtanh(n, -1, 2), T.nn.functional.relu6(n), T.nn.functional.threshold(n, 1, 7)),
        (np.array([-3, 1, 9]),),
        grad=False,
    ),
]
