"""Exercises of chapter 16: nodes and rules."""

import numpy as np

from ...primitive import elementwise
from ..exercise import Exercise, Mutant

PROGRAMS = {
    "a * b": lambda a, b, k: a * b,
    "a * k": lambda a, b, k: a * k,
    "a + b": lambda a, b, k: a + b,
    "a.sin()": lambda a, b, k: a.sin(),
    "a.exp()": lambda a, b, k: a.exp(),
    "a / k": lambda a, b, k: a / k,
}


def _is_saved(T, name, program):
    """Whether overwriting this operand makes backward refuse."""
    operands = {
        "a": T.tensor(2.0, requires_grad=True),
        "b": T.tensor(3.0, requires_grad=True),
        "k": T.tensor(5.0),
    }
    y = program(**operands)
    with T.no_grad():
        operands[name].fill_(7.0)
    try:
        y.backward()
    except RuntimeError:
        return True
    return False


def _saved(T):
    return {
        text: [name for name in ("a", "b", "k") if _is_saved(T, name, program)] for text, program in PROGRAMS.items()
    }


def _hypotenuse(T):
    return lambda: lambda x, y: (x * x + y * y) ** 0.5


def _with_rules(for_x, for_y):
    return lambda: elementwise("hypotenuse", np.hypot, "x y", for_x, for_y)


def _drawn(rng):
    return tuple(round(rng.uniform(*ends), 2) for ends in ((3.0, 5.0), (1.0, 2.5), (2.0, 9.0)))


def _value_and_gradients(make_hypotenuse, T, rng):
    *point, g = _drawn(rng)
    x, y = (T.tensor(value, dtype=T.float64, requires_grad=True) for value in point)
    z = make_hypotenuse()(x, y)
    z.backward(T.tensor(g, dtype=T.float64))
    return {f"z at {tuple(point)}": z, f"x.grad when {g} arrives": x.grad, "y.grad": y.grad}


def _by_differences(rng, h=1e-5):
    x, y, g = _drawn(rng)
    return {
        f"z at {(x, y)}": np.hypot(x, y),
        f"x.grad when {g} arrives": g * (np.hypot(x + h, y) - np.hypot(x - h, y)) / (2 * h),
        "y.grad": g * (np.hypot(x, y + h) - np.hypot(x, y - h)) / (2 * h),
    }


EXERCISES = [
    Exercise(
        id="16.saved",
        title="Which ones are saved?",
        kind="worked",
        minutes=4,
        reference=_saved,
        hints=(
            "Write down the rule for each gradient that is wanted. Which operands does it name?",
            "The rule of the exponential names its result, which is no operand. The rule for a in a / k is g / k.",
        ),
        mutants=(
            Mutant(
                "The other way round",
                "The gradient of a * k with respect to a is k, so k is needed, and a is not.",
                rows={"a * k": ["a"]},
            ),
            Mutant(
                "All operands are saved",
                "Only what a wanted rule names: nobody wants the gradient of k, so nobody needs a.",
                rows={"a * k": ["a", "k"]},
            ),
            Mutant(
                "Every operation saves", "A sum passes on what arrives. It needs no value.", rows={"a + b": ["a", "b"]}
            ),
            Mutant(
                "The exponential saves its operand",
                "It could, but its result is the derivative, and is there already.",
                rows={"a.exp()": ["a"]},
            ),
        ),
    ),
    Exercise(
        id="16.hypotenuse",
        title="An operation of two inputs",
        kind="blank",
        minutes=8,
        reference=_hypotenuse,
        hints=(
            'The forward may be any function of two arrays, for example np.hypot. The inputs are "x y".',
            "The rule for x takes g, x and out.",
        ),
        rows=_value_and_gradients,
        differences=_by_differences,
        mutants=(
            Mutant(
                "The incoming gradient is not used",
                "A rule multiplies what arrives by the derivative, and 1 arrives only at a loss.",
                _with_rules(lambda x, out: x / out, lambda y, out: y / out),
            ),
            Mutant(
                "The rules are exchanged",
                "The rules stand in the order of the inputs: the first is for x.",
                _with_rules(lambda g, y, out: g * y / out, lambda g, x, out: g * x / out),
            ),
            Mutant(
                "The factor 2",
                "The derivative of the square brings a 2, and that of the root takes it away.",
                _with_rules(lambda g, x, out: 2 * g * x / out, lambda g, y, out: 2 * g * y / out),
            ),
            Mutant(
                "The root is missing",
                "2x is the derivative of the sum of squares. The root divides it by twice the result.",
                _with_rules(lambda g, x: 2 * g * x, lambda g, y: 2 * g * y),
            ),
        ),
    ),
]
