"""Exercises of chapter 19: forward mode."""

import math

from ..check.exercise import Mutant, from_chapter


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


def _duals(rng):
    ends = ((0.4, 1.2), (3.3, 4.4)), ((1.8, 2.6), (4.9, 6.0))
    return [tuple(round(rng.uniform(*each), 2) for each in pair) for pair in ends]


def _products_and_sines(functions, T, rng):
    (product, sine), (a, b) = functions, _duals(rng)
    return {
        f"product of {a} and {b}": list(product(a, b)),
        f"sine of {a}": list(sine(a)),
        f"sine of {b}": list(sine(b)),
    }


def _in_jax(jax, rng):
    def on_duals(f):
        return lambda *pairs: jax.jvp(f, *zip(*pairs, strict=True))

    return _products_and_sines((on_duals(lambda a, b: a * b), on_duals(jax.numpy.sin)), jax, rng)


def _by_differences(rng, h=1e-5):
    def on_duals(f):
        def call(*pairs):
            behind, here, ahead = (f(*(value + d * tangent for value, tangent in pairs)) for d in (-h, 0, h))
            return here, (ahead - behind) / (2 * h)

        return call

    return _products_and_sines((on_duals(lambda a, b: a * b), on_duals(math.sin)), None, rng)


EXERCISES = [
    from_chapter(
        id="19.passes",
        kind="worked",
        minutes=4,
        reference=_passes,
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
    from_chapter(
        id="19.dual_numbers",
        kind="blank",
        minutes=8,
        reference=_dual_numbers,
        rows=_products_and_sines,
        jax=_in_jax,
        differences=_by_differences,
        mutants=(
            Mutant(
                "The tangents are multiplied",
                "A product does not move by the product of the movements: when one factor stands still, the other "
                "moves it alone.",
                instead={"a[1] * b[0] + a[0] * b[1]": "a[1] * b[1]"},
            ),
            Mutant(
                "Each tangent meets its own value",
                "While one factor moves, the other is what its movement is multiplied by.",
                instead={"a[1] * b[0] + a[0] * b[1]": "a[0] * a[1] + b[0] * b[1]"},
            ),
            Mutant(
                "One factor stands still",
                "Both factors move. Each of them has a term of its own.",
                instead={" + a[0] * b[1]": ""},
            ),
            Mutant(
                "The incoming tangent is not used",
                "The cosine is the slope. How far the sine moves depends on how far its argument does.",
                instead={"math.cos(a[0]) * a[1]": "math.cos(a[0])"},
            ),
            Mutant(
                "The slope is taken at the tangent",
                "The cosine is that of the value: it is where we are, not how fast we move.",
                instead={"math.cos(a[0])": "math.cos(a[1])"},
            ),
        ),
    ),
]
