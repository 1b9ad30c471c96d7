"""Exercises of chapter 19: forward mode."""

import math

from ..exercise import Exercise, Mutant

A, B = (2.0, 1.0), (5.0, 10.0)


def _passes(T):
    def columns_and_rows(f, n):
        return T.autograd.functional.jacobian(f, T.ones(n)).shape[::-1]

    return {
        "3 to 1000": columns_and_rows(lambda x: x.sum() * T.ones(1000), 3),
        "1000 to 1": columns_and_rows(lambda x: x.sum().reshape(1), 1000),
    }


def _dual_numbers(T):
    fw = T.autograd.forward_ad

    def on_duals(f):
        def call(*pairs):
            with fw.dual_level():
                y = f(*[fw.make_dual(*[T.tensor(part, dtype=T.float64) for part in pair]) for pair in pairs])
                return tuple(part.item() for part in fw.unpack_dual(y))

        return call

    return on_duals(lambda a, b: a * b), on_duals(T.sin)


def _products_and_sines(functions, T, rng):
    product, sine = functions
    return {
        "product of (2, 1) and (5, 10)": list(product(A, B)),
        "sine of (2, 1)": list(sine(A)),
        "sine of (5, 10)": list(sine(B)),
    }


EXERCISES = [
    Exercise(
        id="19.passes",
        title="How many passes?",
        kind="worked",
        minutes=4,
        reference=_passes,
        hints=(
            "A forward pass gives one column of the Jacobian. What does a reverse pass give?",
            "The Jacobian has one row for each output, and one column for each input.",
        ),
        mutants=(
            Mutant(
                "The other way round",
                "Forward mode moves one input at a time; reverse mode asks for one output at a time.",
                rows={"3 to 1000": (1000, 3)},
            ),
            Mutant(
                "As many passes both ways",
                "The directions differ in what they count: forward mode the inputs, reverse mode the outputs.",
                rows={"3 to 1000": (3, 3)},
            ),
            Mutant(
                "Reverse mode needs one pass, always",
                "One pass is enough for a loss, which is one number. Here each of 1000 outputs has a row of its own.",
                rows={"3 to 1000": (3, 1)},
            ),
        ),
    ),
    Exercise(
        id="19.dual_numbers",
        title="A dual number of your own",
        kind="blank",
        minutes=8,
        reference=_dual_numbers,
        hints=(
            "The value of the product is the product of the values. For the tangent, let one factor move at a time and "
            "add.",
            "The tangent of the sine is the cosine of the value, times the tangent that came in.",
        ),
        rows=_products_and_sines,
        mutants=(
            Mutant(
                "The tangents are multiplied",
                "A product does not move by the product of the movements: when one factor stands still, the other "
                "moves it alone.",
                rows={"product of (2, 1) and (5, 10)": [10.0, 10.0]},
            ),
            Mutant(
                "The incoming tangent is not used",
                "The cosine is the slope. How far the sine moves depends on how far its argument does.",
                rows={"sine of (5, 10)": [math.sin(5.0), math.cos(5.0)]},
            ),
            Mutant(
                "The slope is taken at the tangent",
                "The cosine is that of the value: it is where we are, not how fast we move.",
                rows={"sine of (2, 1)": [math.sin(2.0), math.cos(1.0)]},
            ),
        ),
    ),
]
