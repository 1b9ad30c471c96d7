"""Exercises of chapter 20: custom functions, checkpoints, hooks."""

from ..check.exercise import Exercise, Mutant


def _rounding(forward_with=lambda x: x.round(), backward_with=lambda g: g):
    def rounded(T):
        class Rounded(T.autograd.Function):  # type: ignore[name-defined]
            @staticmethod
            def forward(ctx, x):
                return forward_with(x)

            @staticmethod
            def backward(ctx, g):
                return backward_with(g)

        return Rounded.apply

    return rounded


def _value_and_gradient(rounded, T, rng):
    numbers = [round(rng.uniform(*ends), 2) for ends in ((1.1, 1.4), (2.6, 2.9), (-3.9, -3.6))]
    seed = [round(rng.uniform(2.0, 9.0), 1) for _ in numbers]
    x = T.tensor(numbers, dtype=T.float64, requires_grad=True)
    y = rounded(T)(x)
    y.backward(T.tensor(seed, dtype=T.float64))
    return {f"value for {numbers}": y, f"x.grad for a seed of {seed}": x.grad}


def _exponential_that(saves, multiplies=lambda g, saved: g * saved):
    def exponential(T):
        class Exp(T.autograd.Function):  # type: ignore[name-defined]
            @staticmethod
            def forward(ctx, x):
                y = x.exp()
                ctx.save_for_backward(saves(x, y))
                return y

            @staticmethod
            def backward(ctx, g):
                return multiplies(g, *ctx.saved_tensors)

        return Exp.apply

    return exponential


def _two_derivatives(exponential, T, rng):
    at = round(rng.uniform(0.5, 1.5), 2)
    x = T.tensor(at, dtype=T.float64, requires_grad=True)
    y = exponential(T)(x)
    (first,) = T.autograd.grad(y * y, x, create_graph=True)
    (second,) = T.autograd.grad(first, x)
    return {f"value at {at}": y, "first derivative of its square": first, "second derivative of its square": second}


EXERCISES = [
    Exercise(
        id="20.straight_through",
        title="A straight-through round",
        kind="blank",
        minutes=8,
        reference=lambda T: _rounding(),
        hints=(
            "Derive a class from T.autograd.Function inside `rounded`, with static methods forward(ctx, x) and "
            "backward(ctx, g), and return its apply.",
            "Nothing has to be saved: backward returns g.",
        ),
        rows=_value_and_gradient,
        mutants=(
            Mutant(
                "The derivative of round",
                "It is zero wherever it exists. Here you are asked for another one.",
                _rounding(backward_with=lambda g: 0 * g),
            ),
            Mutant(
                "The derivative, not the product",
                "The derivative you pretend is 1, but backward returns the incoming gradient times that.",
                _rounding(backward_with=lambda g: 0 * g + 1),
            ),
            Mutant("Not rounded", "The forward must round.", _rounding(lambda x: x.clone())),
            Mutant(
                "The fraction was cut off",
                "round goes to the nearest integer, which may lie above.",
                _rounding(lambda x: x.floor()),
            ),
            Mutant(
                "A half was added and the rest cut off",
                "That rounds what is positive. Below zero, cutting off goes up, and so does the half.",
                _rounding(lambda x: (x + 0.5).trunc()),
            ),
        ),
    ),
    Exercise(
        id="20.exponential",
        title="Repair the second derivative",
        kind="faded",
        minutes=5,
        reference=lambda T: _exponential_that(lambda x, y: y),
        hints=(
            "ctx.y was computed unrecorded. Which tensor with the same value has a history?",
            "The result itself: save the very tensor that forward returns. In backward it comes back with its edge to "
            "this node.",
        ),
        rows=_two_derivatives,
        mutants=(
            Mutant(
                "The incoming gradient is not used",
                "backward returns a product: the gradient that arrives times the saved result.",
                _exponential_that(lambda x, y: y, multiplies=lambda g, saved: saved),
            ),
            Mutant(
                "The input was saved",
                "The exponential is its own slope. The factor is the result, not the input.",
                _exponential_that(lambda x, y: x),
            ),
            Mutant(
                "Hidden from the second derivative",
                "What forward computes is unrecorded, and stays so when it is saved, unless it is an input or output.",
                _exponential_that(lambda x, y: y.clone()),
            ),
        ),
    ),
]
