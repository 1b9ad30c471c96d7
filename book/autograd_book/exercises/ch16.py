"""Exercises of chapter 16: nodes and rules."""

from typing import Any

import numpy as np

from autograd_core.core.table import elementwise

from ..check.exercise import Exercise, Mutant

PROGRAMS = {
    "a * b": lambda a, b, k: a * b,
    "a * k": lambda a, b, k: a * k,
    "a + b": lambda a, b, k: a + b,
    "a.sin()": lambda a, b, k: a.sin(),
    "a.exp()": lambda a, b, k: a.exp(),
    "a / k": lambda a, b, k: a / k,
}
PAIRS = (("x", "y"), ("y", "x"))  # the operand whose gradient is wanted, and the other one


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


def _with_rules(for_x, for_y):
    return lambda: elementwise("hypotenuse", np.hypot, "x y", for_x, for_y)


def _drawn(rng):
    return tuple(round(rng.uniform(*ends), 2) for ends in ((3.0, 5.0), (1.0, 2.5), (2.0, 9.0)))


def _gradients_and_record(make_hypotenuse, T, rng):
    *point, g = _drawn(rng)
    at = dict(zip("xy", point, strict=True))
    hypotenuse = make_hypotenuse()
    rows: dict[str, Any] = {}
    for name, other in PAIRS:
        operands = {n: T.tensor(value, dtype=T.float64, requires_grad=n == name) for n, value in at.items()}
        z = hypotenuse(operands["x"], operands["y"])
        z.backward(T.tensor(g, dtype=T.float64), retain_graph=True)
        rows |= {
            f"z at {tuple(point)}": z,
            f"{name}.grad when {g} arrives": operands[name].grad,
            f"one operation of your own leads from {name} to z": _is_new(z.grad_fn, T),
            f"{other} is saved for {name}.grad": any(np.array_equal(at[other], value) for value, *_ in z.grad_fn.saved),
        }
    return rows


def _is_new(node, T):
    """Whether a node is of an operation that the package does not have, and its operands are leaves."""
    followed = [each.name() for each, _ in node.next_functions if each]
    return followed == ["AccumulateGrad"] and node.op is not T.hypot.primitive


def _right(slopes, rng):
    x, y, g = _drawn(rng)
    rows = {f"z at {(x, y)}": np.hypot(x, y)}
    for (name, other), slope in zip(PAIRS, slopes(x, y), strict=True):
        rows |= {
            f"{name}.grad when {g} arrives": g * slope,
            f"one operation of your own leads from {name} to z": True,
            f"{other} is saved for {name}.grad": False,
        }
    return rows


def _in_pytorch(T, rng):
    def slopes(*point):
        x, y = (T.tensor(value, dtype=T.float64, requires_grad=True) for value in point)
        return T.autograd.grad((x * x + y * y).sqrt(), (x, y))

    return _right(slopes, rng)


def _by_differences(rng, h=1e-5):
    def slopes(x, y):
        return (
            (np.hypot(x + h, y) - np.hypot(x - h, y)) / (2 * h),
            (np.hypot(x, y + h) - np.hypot(x, y - h)) / (2 * h),
        )

    return _right(slopes, rng)


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
        reference=lambda T: _with_rules(lambda g, x, out: g * x / out, lambda g, y, out: g * y / out),
        hints=(
            'The forward may be any function of two arrays, for example np.hypot. The inputs are "x y".',
            "The rule for x takes g, x and out.",
        ),
        rows=_gradients_and_record,
        torch=_in_pytorch,
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
            Mutant(
                "Both operands are saved",
                "The derivative can be written with both. With the result, which is there already, a rule needs one.",
                rows={"y is saved for x.grad": True, "x is saved for y.grad": True},
            ),
            Mutant(
                "No operation of your own",
                "z is to come from a single new operation, which elementwise makes. Here one that was there before has "
                "a part in it.",
                rows={
                    "one operation of your own leads from x to z": False,
                    "one operation of your own leads from y to z": False,
                },
            ),
        ),
    ),
]
