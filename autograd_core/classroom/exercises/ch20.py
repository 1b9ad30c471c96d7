"""Exercises of chapter 20: custom functions, checkpoints, hooks."""

from ..exercise import Exercise, Mutant


def _rounded(T):
    class Rounded(T.autograd.Function):  # type: ignore[name-defined]
        @staticmethod
        def forward(ctx, x):
            return x.round()

        @staticmethod
        def backward(ctx, g):
            return g

    return Rounded.apply


def _value_and_gradient(rounded, T, rng):
    x = T.tensor([0.4, 1.6], requires_grad=True)
    y = rounded(T)(x)
    y.backward(T.tensor([3.0, 5.0]))
    return {"value": y, "x.grad for a seed of [3, 5]": x.grad}


def _exponential(T):
    class Exp(T.autograd.Function):  # type: ignore[name-defined]
        @staticmethod
        def forward(ctx, x):
            y = x.exp()
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, g):
            (y,) = ctx.saved_tensors
            return g * y

    return Exp.apply


def _two_derivatives(exponential, T, rng):
    x = T.tensor(0.0, dtype=T.float64, requires_grad=True)
    y = exponential(T)(x)
    (first,) = T.autograd.grad(y * y, x, create_graph=True)
    (second,) = T.autograd.grad(first, x)
    return {"value": y, "first derivative of its square": first, "second derivative of its square": second}


EXERCISES = [
    Exercise(
        id="20.straight_through",
        title="A straight-through round",
        kind="blank",
        minutes=8,
        reference=lambda T: _rounded,
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
                rows={"x.grad for a seed of [3, 5]": [0.0, 0.0]},
            ),
            Mutant(
                "The derivative, not the product",
                "The derivative you pretend is 1, but backward returns the incoming gradient times that.",
                rows={"x.grad for a seed of [3, 5]": [1.0, 1.0]},
            ),
            Mutant("Not rounded", "The forward must round.", rows={"value": [0.4, 1.6]}),
        ),
    ),
    Exercise(
        id="20.exponential",
        title="Repair the second derivative",
        kind="faded",
        minutes=5,
        reference=lambda T: _exponential,
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
                rows={"first derivative of its square": 1.0, "second derivative of its square": 1.0},
            ),
            Mutant(
                "The input was saved",
                "The exponential is its own slope. The factor is the result, not the input.",
                rows={"first derivative of its square": 0.0, "second derivative of its square": 2.0},
            ),
            Mutant(
                "Hidden from the second derivative",
                "What forward computes is unrecorded, and stays so when it is saved, unless it is an input or output.",
                rows={"first derivative of its square": 2.0, "second derivative of its square": 2.0},
            ),
        ),
    ),
]
