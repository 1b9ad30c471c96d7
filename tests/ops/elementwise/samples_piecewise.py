"""Samples of `ops.elementwise.piecewise`."""

import numpy as np

from tests.ops.calls import COLUMN, INF, LINE, NAN, POSITIVE, ROW, at_kinks, method, one, two, words
from tests.ops.harness import Sample

TIES = np.array([-1.0, 0.0, 0.0, 2.0, NAN]), np.array([0.0, 0.0, -1.0, NAN, 1.0])
STEPS = np.array([-2.5, -1.5, -0.5, 0.0, 0.5, 1.5, 2.6])
CONDITION = np.array([[True], [False]])
INTEGERS = np.array([-3, -1, 0, 2, 7])
A = np.arange(6.0).reshape(2, 3) - 2.5

SAMPLES = [
    *[
        Sample(f"abs(x) with x = {name}", eval("lambda T, x: abs(x)"), (x,))
        for name, x in (("positive", POSITIVE), ("a number", np.array(1.25)))
    ],
    *one("abs", LINE),
    *(s for n in words("sign round floor ceil trunc frac") for s in one(n, LINE)),
    *(
        at_kinks(f"{n} at jumps", lambda T, x, n=n: getattr(T, n)(x), STEPS)
        for n in words("abs sign round floor ceil trunc frac")
    ),
    Sample("round to decimals", lambda T, x: T.round(x, decimals=1), (LINE,)),
    *two("maximum", LINE, LINE[::-1] + 0.05),
    *two("minimum", LINE, LINE[::-1] + 0.05),
    *(
        at_kinks(f"{n} at ties and NaN", lambda T, x, y, n=n: getattr(T, n)(x, y), *TIES)
        for n in ("maximum", "minimum")
    ),
    *(
        at_kinks(f"clamp({low}, {high})", lambda T, x, low=low, high=high: T.clamp(x, low, high), np.append(STEPS, NAN))
        for low, high in ((-0.5, 0.5), (None, 0.5), (-0.5, None), (1, -1))
    ),
    *(
        Sample(
            f"clamp by tensors {which}",
            call,
            (LINE, np.array([-1.0, -0.2, 0.5, 2.0]), np.array([0.5, -0.5, 1.0, 1.0])),
            smooth=False,
        )
        for which, call in {
            "both": lambda T, x, a, b: T.clamp(x, a, b),
            "min": lambda T, x, a, b: T.clamp(x, min=a) * b,
            "max": lambda T, x, a, b: T.clamp(x, max=b) * a,
            "clamp_min": lambda T, x, a, b: T.clamp_min(x, a) * b,
            "clamp_max": lambda T, x, a, b: T.clamp_max(x, b) * a,
            "clip": lambda T, x, a, b: T.clip(x, a, b),
        }.items()
    ),
    *(at_kinks(f"{n} by a number", lambda T, x, n=n: getattr(T, n)(x, 0.5), STEPS) for n in ("clamp_min", "clamp_max")),
    Sample("clamp of ints", lambda T, n: (T.clamp(n, 1, 2), T.clamp(n, 1.5)), (np.array([0, 1, 2, 3]),), grad=False),
    Sample("nan_to_num", lambda T, x: T.nan_to_num(x), (np.array([1.0, NAN, INF, -INF]),), smooth=False),
    Sample(
        "nan_to_num with values",
        lambda T, x: T.nan_to_num(x, 1.0, 2.0, -2.0),
        (np.array([1.0, NAN, INF, -INF]),),
        smooth=False,
    ),
    Sample("where", lambda T, c, x, y: T.where(c, x, y), (CONDITION, ROW, COLUMN)),
    Sample("where with a number", lambda T, x: T.where(x > 0, x, 0.0) + T.where(x > 0, 1.0, x), (LINE,)),
    Sample("where of two numbers", lambda T, c: T.where(c, 1.0, 0.0), (CONDITION,), grad=False),
    Sample("where of ints and floats", lambda T, c, n: T.where(c, n, 1.5), (CONDITION, np.array([1, 2])), grad=False),
    Sample("where as a method", lambda T, c, x, y: x.where(c, y), (CONDITION, ROW, COLUMN)),
    Sample("where 0-d", lambda T, c, x: T.where(c, x, 2 * x), (np.array(False), np.array(0.5))),
    *(
        Sample(f"{n} of ints", lambda T, k, n=n: getattr(T, n)(k), (INTEGERS,), grad=False)
        for n in words("abs sign round floor ceil trunc nan_to_num")
    ),
    *(method(n + "_", LINE) for n in words("abs sign round floor ceil trunc frac nan_to_num")),
    method("clamp_", LINE, -1.0, 1.0),
    method("clip_", LINE, -1.0, 1.0),
    method("clamp_min_", LINE, 0.1),
    method("clamp_max_", LINE, 0.1),
    Sample("where alone", lambda T, x: T.where(x > 0), (A,), grad=False),
    *(
        at_kinks(f"{n} at ties and NaN", lambda T, x, y, n=n: getattr(T, n)(x, y), *pair)
        for n in ("fmax", "fmin")
        for pair in [(np.array([1.0, NAN, 2.0, NAN]), np.array([1.0, 2.0, NAN, NAN]))]
    ),
    Sample(
        "heaviside",
        lambda T, x, v: T.heaviside(x.detach(), v.detach()),
        (np.array([-1.0, 0.0, 2.0, NAN]), np.full(4, 0.3)),
        grad=False,
    ),
]
