"""Exercises of chapter 16: nodes and rules."""

import math

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
    return lambda x, y: (x * x + y * y) ** 0.5


def _value_and_gradients(hypotenuse, T, rng):
    x, y = (T.tensor(value, dtype=T.float64, requires_grad=True) for value in (3.0, 4.0))
    z = hypotenuse(x, y)
    z.backward(T.tensor(10.0, dtype=T.float64))
    return {"z": z, "x.grad": x.grad, "y.grad": y.grad}


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
        mutants=(
            Mutant(
                "The incoming gradient is not used",
                "A rule multiplies what arrives by the derivative; here 10 arrives.",
                rows={"x.grad": 0.6, "y.grad": 0.8},
            ),
            Mutant(
                "The rules are exchanged",
                "The rules stand in the order of the inputs: the first is for x.",
                rows={"x.grad": 8.0, "y.grad": 6.0},
            ),
            Mutant(
                "The factor 2",
                "The derivative of the square brings a 2, and that of the root takes it away.",
                rows={"x.grad": 2 * 10 * 3 / math.hypot(3, 4), "y.grad": 2 * 10 * 4 / math.hypot(3, 4)},
            ),
        ),
    ),
]
