"""Samples of elementwise functions: arithmetic, powers, kinks, comparisons, activations, and their in-place forms."""

import numpy as np

from tests.ops.harness import Sample

LINE = np.array([-1.7, -0.4, 0.3, 1.2])
INSIDE = np.array([[-0.9, -0.2], [0.1, 0.8]])  # of (-1, 1)
POSITIVE = np.array([[0.2, 0.7, 1.0], [1.5, 3.0, 9.0]])
ROW, COLUMN = np.array([[0.5, -1.5, 2.5]]), np.array([[1.2], [-0.7]])
SHAPES = {"0-d": np.array(0.6), "empty": np.zeros((0, 3)), "size-1 axes": np.array([[[0.3]]])}
INF, NAN = np.inf, np.nan


def words(text):
    return text.split()


def one(name, x, **options):
    """`T.name(x)` on a line of numbers, and on the odd shapes."""
    x = np.asarray(x)
    call = lambda T, x: getattr(T, name)(x)  # noqa: E731
    odd = [
        Sample(f"{name} {shape}", call, (a + 1 if name == "acosh" else a,), **options) for shape, a in SHAPES.items()
    ]
    return [Sample(name, call, (x,), **options), *odd]


def two(name, x, y, **options):
    """`T.name(x, y)` as given, broadcast, and on the odd shapes."""
    call = lambda T, x, y: getattr(T, name)(x, y)  # noqa: E731
    pairs = {
        "": (x, y),
        " broadcast": (np.abs(ROW), np.abs(COLUMN) + 0.1),
        " 0-d with a row": (np.array(0.6), np.abs(ROW) + 0.15),
        " empty": (np.zeros((0, 3)), np.ones(3)),
        " 0-d": (np.array(0.6), np.array(0.7)),
    }
    return [Sample(name + what, call, pair, **options) for what, pair in pairs.items()]


def method(name, x, *args, **options):
    """`x.name(*args)` on a copy, so that in-place forms can be called on what requires gradients."""
    shown = ", ".join(repr(a) for a in args)
    return Sample(f".{name}({shown})", lambda T, x: getattr(x * 1.0, name)(*args), (np.asarray(x),), **options)


SMOOTH = [
    *(
        s
        for n in words("neg square exp exp2 expm1 sin cos sinh cosh tanh asinh atan erf sigmoid")
        for s in one(n, LINE)
    ),
    *(s for n in words("sqrt rsqrt reciprocal log log2 log10 log1p") for s in one(n, POSITIVE)),
    *(s for n in words("asin acos atanh tan") for s in one(n, INSIDE)),
    *one("acosh", POSITIVE + 1),
    *(s for n in words("add sub mul div true_divide atan2 hypot logaddexp") for s in two(n, LINE, LINE[::-1] + 0.05)),
    *two("pow", POSITIVE, POSITIVE[:, ::-1] - 1.3),
    *two("remainder", LINE, np.array([0.6, -0.7, 0.9, 0.7])),
    *two("fmod", LINE, np.array([0.6, -0.7, 0.9, 0.7])),
]

NUMBERS = [
    Sample(f"{text} with x = {name}", eval(f"lambda T, x: {text}"), (x,))
    for text in [
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
        "abs(x)",
    ]
    for name, x in (("positive", POSITIVE), ("a number", np.array(1.25)))
]

ARITHMETIC = [
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
    Sample("lerp by a number", lambda T, x, y: T.lerp(x, y, 0.3), (ROW, COLUMN)),
    Sample("lerp by a tensor", lambda T, x, y, w: T.lerp(x, y, w), (LINE, LINE[::-1] * 2, INSIDE.ravel())),
    Sample("floor_divide", lambda T, x, y: T.floor_divide(x.detach(), y.detach()), (LINE, LINE[::-1])),
    Sample("float32 with a 0-d float64", lambda T, x, y: x * y, (LINE.astype(np.float32), np.array(0.3)), smooth=False),
    Sample("float32 with a float64 vector", lambda T, x, y: x * y, (LINE.astype(np.float32), LINE), smooth=False),
    Sample("int with float", lambda T, n, x: n * x + x / n, (np.array([1, 2, 3, 4]), LINE)),
    Sample("bool with float", lambda T, b, x: b * x, (np.array([True, False, True, True]), LINE)),
]

POWERS = [
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
]


def at_kinks(name, call, *inputs):
    """A sample on kinks and ties, where central differences do not apply."""
    return Sample(name, call, inputs, smooth=False)


TIES = np.array([-1.0, 0.0, 0.0, 2.0, NAN]), np.array([0.0, 0.0, -1.0, NAN, 1.0])
STEPS = np.array([-2.5, -1.5, -0.5, 0.0, 0.5, 1.5, 2.6])

KINKS = [
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
]

CONDITION = np.array([[True], [False]])
WHERE = [
    Sample("where", lambda T, c, x, y: T.where(c, x, y), (CONDITION, ROW, COLUMN)),
    Sample("where with a number", lambda T, x: T.where(x > 0, x, 0.0) + T.where(x > 0, 1.0, x), (LINE,)),
    Sample("where of two numbers", lambda T, c: T.where(c, 1.0, 0.0), (CONDITION,), grad=False),
    Sample("where of ints and floats", lambda T, c, n: T.where(c, n, 1.5), (CONDITION, np.array([1, 2])), grad=False),
    Sample("where as a method", lambda T, c, x, y: x.where(c, y), (CONDITION, ROW, COLUMN)),
    Sample("where 0-d", lambda T, c, x: T.where(c, x, 2 * x), (np.array(False), np.array(0.5))),
]

ACTIVATIONS = [
    *one("relu", LINE),
    at_kinks("relu at 0 and NaN", lambda T, x: T.relu(x), np.array([0.0, -0.0, NAN, 1.0])),
    *(
        Sample(f"F.{n}", lambda T, x, n=n: getattr(T.nn.functional, n)(x), (LINE,))
        for n in words("logsigmoid softplus leaky_relu hardtanh relu6 gelu")
    ),
    *(
        at_kinks(
            f"F.{n} at kinks", lambda T, x, n=n: getattr(T.nn.functional, n)(x), np.array([-1.0, 0.0, 1.0, 6.0, NAN])
        )
        for n in ("leaky_relu", "hardtanh", "relu6")
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
    Sample("F.leaky_relu with a slope", lambda T, x: T.nn.functional.leaky_relu(x, 0.3), (LINE,)),
    Sample("F.hardtanh with bounds", lambda T, x: T.nn.functional.hardtanh(x, -0.5, 2.0), (LINE,)),
    Sample("F.gelu tanh", lambda T, x: T.nn.functional.gelu(x, approximate="tanh"), (LINE,)),
    Sample("F.gelu 0-d", lambda T, x: T.nn.functional.gelu(x), (np.array(0.6),)),
]

INTEGERS = np.array([-3, -1, 0, 2, 7])
INT_TO_FLOAT = words("exp exp2 expm1 sin cos tan sinh cosh tanh asinh atan erf sigmoid")
NO_GRADIENTS = [
    *(Sample(f"{n} of ints", lambda T, k, n=n: getattr(T, n)(k), (INTEGERS,), grad=False) for n in INT_TO_FLOAT),
    *(
        Sample(f"{n} of ints", lambda T, k, n=n: getattr(T, n)(k), (INTEGERS,), grad=False)
        for n in words(
            "abs neg sign square relu round floor ceil trunc isnan isinf isfinite nan_to_num logical_not bitwise_not"
        )
    ),
    *(
        Sample(f"{n} of ints and a number", lambda T, k, n=n: getattr(T, n)(k, 2), (INTEGERS,), grad=False)
        for n in words(
            "add sub mul div remainder fmod floor_divide eq ne lt le gt ge bitwise_and bitwise_or bitwise_xor"
        )
    ),
    *(
        Sample(
            f"{n} of ints {mode}", lambda T, k, n=n, mode=mode: T.div(k, n, rounding_mode=mode), (INTEGERS,), grad=False
        )
        for n in (2, -2)
        for mode in ("floor", "trunc")
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
        for n in words("logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor add mul eq")
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
        "integer operators",
        lambda T, k: (k // 2, 7 // (k * k + 1), k % 3, 7 % (k * k + 1), k / 2),
        (INTEGERS,),
        grad=False,
    ),
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
]

IN_PLACE = [
    *(
        method(n + "_", LINE)
        for n in words(
            "neg square exp exp2 expm1 sin cos sinh cosh tanh atan erf sigmoid relu abs "
            "sign round floor ceil trunc frac nan_to_num"
        )
    ),
    *(method(n + "_", POSITIVE) for n in words("sqrt rsqrt reciprocal log log2 log10 log1p")),
    *(method(n + "_", INSIDE) for n in words("asin acos tan")),
    *(  # out of place there: PyTorch has no derivative for these in place
        Sample(
            f".{n}_()",
            lambda T, x, n=n: getattr(x * 1.0, n + "_")(),
            (x,),
            torch_f=lambda T, x, n=n: getattr(T, n)(x * 1.0),
        )
        for n, x in (("asinh", LINE), ("acosh", POSITIVE + 1), ("atanh", INSIDE))
    ),
    *(method(n + "_", POSITIVE, 2.0) for n in words("add sub mul div true_divide pow remainder fmod")),
    method("clamp_", LINE, -1.0, 1.0),
    method("clip_", LINE, -1.0, 1.0),
    method("clamp_min_", LINE, 0.1),
    method("clamp_max_", LINE, 0.1),
    method("zero_", LINE),
    method("fill_", LINE, 2.0),
    *(
        Sample(
            f".{n}_(y)",
            lambda T, x, y, n=n: getattr(x * 1.0, n + "_")(y),
            (np.abs(LINE), np.array([0.6, 0.7, 0.9, 0.8])),
        )
        for n in words("add sub mul div pow remainder fmod atan2 hypot copy")
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
    Sample(".lerp_", lambda T, x, y: (x * 1.0).lerp_(y, 0.3), (LINE, LINE[::-1])),
    Sample(".fill_ tensor", lambda T, x, v: (x * 1.0).fill_(v), (LINE, np.array(2.0))),
    Sample(
        ".copy_ broadcast and converted",
        lambda T, x, y: (x * 1.0).copy_(y),
        (np.ones((2, 3)), np.float32([0.5, 1.5, 2.5])),
        smooth=False,
    ),
    Sample(
        ".copy_ into ints",
        lambda T, n, x: n.clone().copy_(x.detach()),
        (np.array([1, 2]), np.array([1.7, -1.7])),
        grad=False,
    ),
    Sample("chain of writes", lambda T, x: (x * 1.0).mul_(x).add_(1.0).sqrt_(), (LINE,)),
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
]

TRIANGLES = [
    Sample(f"{n} {d} of {m.shape}", lambda T, x, n=n, d=d: getattr(T, n)(x, d), (m,))
    for n in ("tril", "triu")
    for d in (-1, 0, 1)
    for m in (np.arange(6.0).reshape(2, 3) + 1, np.arange(8.0).reshape(2, 2, 2) + 1)
]
TRIANGLES += [
    Sample(f".{n}_", lambda T, x, n=n: getattr(x * 1.0, n + "_")(), (np.arange(4.0).reshape(2, 2) + 1,))
    for n in ("tril", "triu")
]

SAMPLES = [*SMOOTH, *NUMBERS, *ARITHMETIC, *POWERS, *KINKS, *WHERE, *ACTIVATIONS, *NO_GRADIENTS, *IN_PLACE, *TRIANGLES]
