"""Samples of `ops.elementwise.arithmetic`."""

import numpy as np

from tests.ops.calls import COLUMN, LINE, POSITIVE, ROW, method, one, two, words
from tests.ops.harness import Sample

CONDITION = np.array([[True], [False]])
INTEGERS = np.array([-3, -1, 0, 2, 7])

SAMPLES = [
    *(s for n in words("neg square exp exp2 expm1") for s in one(n, LINE)),
    *(s for n in words("sqrt rsqrt reciprocal log log2 log10 log1p") for s in one(n, POSITIVE)),
    *(s for n in words("add sub mul div true_divide hypot logaddexp") for s in two(n, LINE, LINE[::-1] + 0.05)),
    *two("pow", POSITIVE, POSITIVE[:, ::-1] - 1.3),
    *two("remainder", LINE, np.array([0.6, -0.7, 0.9, 0.7])),
    *two("fmod", LINE, np.array([0.6, -0.7, 0.9, 0.7])),
    *[
        Sample(f"{text} with x = {name}", eval(f"lambda T, x: {text}"), (x,))
        for text in (
            "x + 2",
            "2 + x",
            "x - 2",
            "2 - x",
            "x * 2",
            "2 * x",
            "x / 2",
            "2 / x",
            "x % 0.65",
            "x ** 2",
            "x ** 3",
            "x ** 1",
            "x ** 0",
            "x ** -1",
            "x ** 0.5",
            "2 ** x",
            "1 ** x",
            "-x",
        )
        for name, x in (("positive", POSITIVE), ("a number", np.array(1.25)))
    ],
    Sample("add alpha", lambda T, x, y: T.add(x, y, alpha=3), (ROW, COLUMN)),
    Sample("sub alpha", lambda T, x, y: T.sub(x, y, alpha=0.5), (ROW, COLUMN)),
    Sample("rsub", lambda T, x, y: T.rsub(x, y), (ROW, COLUMN)),
    Sample("mul of a tensor by itself", lambda T, x: x * x, (LINE,)),
    Sample("div by a tensor 1.0", lambda T, x: x / T.tensor(2.0, dtype=x.dtype), (LINE,)),
    *(
        Sample(
            f"div rounded {mode}",
            lambda T, x, y, mode=mode: T.div(x, y, rounding_mode=mode),
            (LINE, np.array([0.3, -0.7, -0.2, 0.9])),
        )
        for mode in ("floor", "trunc")
    ),
    Sample("remainder by a number", lambda T, x: T.remainder(x, 0.7), (LINE,)),
    Sample("fmod by a number", lambda T, x: T.fmod(x, 0.7), (LINE,)),
    Sample("remainder of a number", lambda T, x: 2.0 % x, (np.array([0.6, 0.7]),), grad=False),
    Sample("floor_divide", lambda T, x, y: T.floor_divide(x.detach(), y.detach()), (LINE, LINE[::-1])),
    Sample("float32 with a 0-d float64", lambda T, x, y: x * y, (LINE.astype(np.float32), np.array(0.3)), smooth=False),
    Sample("float32 with a float64 vector", lambda T, x, y: x * y, (LINE.astype(np.float32), LINE), smooth=False),
    Sample("int with float", lambda T, n, x: n * x + x / n, (np.array([1, 2, 3, 4]), LINE)),
    Sample("bool with float", lambda T, b, x: b * x, (np.array([True, False, True, True]), LINE)),
    # At base 0 the second order is left out: PyTorch has NaN there, from the branch that it does not take.
    Sample(
        "pow at 0",
        lambda T, a, b: a**b,
        (np.array([0.0, 0.0, 2.0]), np.array([1.0, 0.0, 3.0])),
        smooth=False,
        second=False,
    ),
    Sample("pow of 0 by a number", lambda T, a: a**2 + a**1 + a**0, (np.array([0.0, 1.0]),)),
    Sample("0 to the power of a tensor", lambda T, b: 0**b, (np.array([0.0, 1.0, 2.0]),), smooth=False, second=False),
    Sample("int base, float exponent", lambda T, n, b: n**b, (np.array([1, 2, 3]), np.array([0.5, 1.5, -2.0]))),
    Sample("float base, int exponent", lambda T, a, n: a**n, (np.array([0.5, 1.5, -2.0]), np.array([0, 2, 3]))),
    Sample("pow of ints", lambda T, n: (n**2, 2**n, n**0.5, n**n), (np.array([1, 2, 3]),), grad=False),
    Sample("pow of a bool", lambda T, b: b**2, (np.array([True, False]),), grad=False),
    Sample("pow of a bool by a bool", lambda T, b: (b**True, b**False), (np.array([True, False]),), grad=False),
    Sample("a bool to the power of ints", lambda T, n: (True**n, False ** (n * n)), (np.arange(-2, 3),), grad=False),
    *(
        Sample(f"{n} of ints", lambda T, k, n=n: getattr(T, n)(k), (INTEGERS,), grad=False)
        for n in words("exp exp2 expm1")
    ),
    *(Sample(f"{n} of ints", lambda T, k, n=n: getattr(T, n)(k), (INTEGERS,), grad=False) for n in words("neg square")),
    *(
        Sample(f"{n} of ints and a number", lambda T, k, n=n: getattr(T, n)(k, 2), (INTEGERS,), grad=False)
        for n in words("add sub mul div remainder fmod floor_divide")
    ),
    *(
        Sample(
            f"{n} of ints {mode}", lambda T, k, n=n, mode=mode: T.div(k, n, rounding_mode=mode), (INTEGERS,), grad=False
        )
        for n in (2, -2)
        for mode in ("floor", "trunc")
    ),
    *(
        Sample(f"{n} of bools", lambda T, x, y, n=n: getattr(T, n)(x, y), (CONDITION, CONDITION.T), grad=False)
        for n in words("add mul")
    ),
    Sample(
        "integer operators",
        lambda T, k: (k // 2, 7 // (k * k + 1), k % 3, 7 % (k * k + 1), k / 2),
        (INTEGERS,),
        grad=False,
    ),
    *(method(n + "_", LINE) for n in words("neg square exp exp2 expm1")),
    *(method(n + "_", POSITIVE) for n in words("sqrt rsqrt reciprocal log log2 log10 log1p")),
    *(method(n + "_", POSITIVE, 2.0) for n in words("add sub mul div true_divide pow remainder fmod")),
    *(
        Sample(
            f".{n}_(y)",
            lambda T, x, y, n=n: getattr(x * 1.0, n + "_")(y),
            (np.abs(LINE), np.array([0.6, 0.7, 0.9, 0.8])),
        )
        for n in words("add sub mul div pow remainder fmod hypot")
    ),
    Sample(".add_ alpha", lambda T, x, y: (x * 1.0).add_(y, alpha=3), (LINE, LINE[::-1])),
    Sample(".sub_ alpha", lambda T, x, y: (x * 1.0).sub_(y, alpha=3), (LINE, LINE[::-1])),
    *(
        Sample(
            f".div_ {mode}",
            lambda T, x, y, mode=mode: (x * 1.0).div_(y, rounding_mode=mode),
            (LINE, np.array([0.3, -0.7, -0.2, 0.9])),
        )
        for mode in ("floor", "trunc")
    ),
    Sample("chain of writes", lambda T, x: (x * 1.0).mul_(x).add_(1.0).sqrt_(), (LINE,)),
    *two("logaddexp2", LINE, LINE[::-1] + 0.05),
    Sample("float_power", lambda T, x, y: T.float_power(x, y), (POSITIVE.astype(np.float32), POSITIVE), smooth=False),
    Sample("float_power of ints", lambda T, n: T.float_power(n, -1), (np.array([1, 2]),), grad=False),
    Sample("rsub alpha", lambda T, x, y: T.rsub(x, y, alpha=3) + T.rsub(x, 2, alpha=0.5), (LINE, LINE[::-1])),
]
