"""Exercises of chapter 16: nodes and rules."""

import math

from ...testing import engines
from ..exercise import Exercise, Mistake

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
    return lambda x, y: (x * x + y * y) ** 0.5


def _value_and_gradients(hypotenuse):
    T = engines.load("autograd_core")
    x, y = (T.tensor(value, dtype=T.float64, requires_grad=True) for value in (3.0, 4.0))
    z = hypotenuse(x, y)
    z.backward(T.tensor(10.0, dtype=T.float64))
    return {"z": z, "x.grad": x.grad, "y.grad": y.grad}


EXERCISES = [
    Exercise(
        id="16.saved",
        title="Which ones are saved?",
        reference=_saved,
        hints=(
            "Write down the rule for each gradient that is wanted. Which operands does it name?",
            "The rule of the exponential names its result, which is no operand. The rule for a in a / k is g / k.",
        ),
        mistakes=(
            Mistake(
                "The other way round",
                "The gradient of a * k with respect to a is k, so k is needed, and a is not.",
                {"a * k": ["a"]},
            ),
            Mistake(
                "All operands are saved",
                "Only what a wanted rule names: nobody wants the gradient of k, so nobody needs a.",
                {"a * k": ["a", "k"]},
            ),
            Mistake("Every operation saves", "A sum passes on what arrives. It needs no value.", {"a + b": ["a", "b"]}),
            Mistake(
                "The exponential saves its operand",
                "It could, but its result is the derivative, and is there already.",
                {"a.exp()": ["a"]},
            ),
        ),
    ),
    Exercise(
        id="16.hypotenuse",
        title="An operation of two inputs",
        reference=_hypotenuse,
        hints=(
            'The forward may be any function of two arrays, for example np.hypot. The inputs are "x y".',
            "The rule for x takes g, x and out.",
        ),
        rows=_value_and_gradients,
        mistakes=(
            Mistake(
                "The incoming gradient is not used",
                "A rule multiplies what arrives by the derivative; here 10 arrives.",
                {"x.grad": 0.6, "y.grad": 0.8},
            ),
            Mistake(
                "The rules are exchanged",
                "The rules stand in the order of the inputs: the first is for x.",
                {"x.grad": 8.0, "y.grad": 6.0},
            ),
            Mistake(
                "The factor 2",
                "The derivative of the square brings a 2, and that of the root takes it away.",
                {"x.grad": 2 * 10 * 3 / math.hypot(3, 4), "y.grad": 2 * 10 * 4 / math.hypot(3, 4)},
            ),
        ),
    ),
]
