"""Exercises of chapter 20: custom functions, checkpoints, hooks."""

from ..check.exercise import Mutant, from_chapter


def _value_and_gradient(rounded, T, rng):
    numbers = [round(rng.uniform(*ends), 2) for ends in ((1.1, 1.4), (2.6, 2.9), (-3.9, -3.6))]
    seed = [round(rng.uniform(2.0, 9.0), 1) for _ in numbers]
    x = T.tensor(numbers, dtype=T.float64, requires_grad=True)
    y = rounded(T)(x)
    y.backward(T.tensor(seed, dtype=T.float64))
    return {f"value for {numbers}": y, f"x.grad for a seed of {seed}": x.grad}


def _two_derivatives(exponential, T, rng):
    at = round(rng.uniform(0.5, 1.5), 2)
    x = T.tensor(at, dtype=T.float64, requires_grad=True)
    y = exponential(T)(x)
    (first,) = T.autograd.grad(y * y, x, create_graph=True)
    (second,) = T.autograd.grad(first, x)
    return {f"value at {at}": y, "first derivative of its square": first, "second derivative of its square": second}


EXERCISES = [
    from_chapter(
        id="20.straight_through",
        kind="blank",
        minutes=8,
        rows=_value_and_gradient,
        mutants=(
            Mutant(
                "The derivative of round",
                "It is zero wherever it exists. Here you are asked for another one.",
                instead={"return g": "return 0 * g"},
            ),
            Mutant(
                "The derivative, not the product",
                "The derivative you pretend is 1, but backward returns the incoming gradient times that.",
                instead={"return g": "return 0 * g + 1"},
            ),
            Mutant("Not rounded", "The forward must round.", instead={"x.round()": "x.clone()"}),
            Mutant(
                "The fraction was cut off",
                "round goes to the nearest integer, which may lie above.",
                instead={"x.round()": "x.floor()"},
            ),
            Mutant(
                "A half was added and the rest cut off",
                "That rounds what is positive. Below zero, cutting off goes up, and so does the half.",
                instead={"x.round()": "(x + 0.5).trunc()"},
            ),
        ),
    ),
    from_chapter(
        id="20.exponential",
        kind="faded",
        minutes=5,
        rows=_two_derivatives,
        mutants=(
            Mutant(
                "The incoming gradient is not used",
                "backward returns a product: the gradient that arrives times the saved result.",
                instead={"return g * y": "return y"},
            ),
            Mutant(
                "The input was saved",
                "The exponential is its own slope. The factor is the result, not the input.",
                instead={"save_for_backward(y)": "save_for_backward(x)"},
            ),
            Mutant(
                "Hidden from the second derivative",
                "What forward computes is unrecorded, and stays so when it is saved, unless it is an input or output.",
                instead={"save_for_backward(y)": "save_for_backward(y.clone())"},
            ),
        ),
    ),
]
