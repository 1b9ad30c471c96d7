"""Chapter 11: conventions at kinks, and gradients that are no numbers."""

import math

import numpy as np

from ..check.exercise import Mutant, from_chapter


def _slopes(T):
    def at(point, f):
        x = T.tensor(point, dtype=T.float64, requires_grad=True)
        return T.autograd.grad(f(x), x)[0]

    return {
        "2 relu(x) - x": at(0.0, lambda x: 2 * T.relu(x) - x),
        "maximum(x, -x)": at(0.0, lambda x: T.maximum(x, -x)),
        "clamp(x, min=0) - relu(x)": at(0.0, lambda x: x.clamp(min=0) - T.relu(x)),
        "clamp(x, -1, 1)": at(1.0, lambda x: x.clamp(-1, 1)),
    }


TINY = [-(10.0**-k) for k in range(4, 17)]  # where x plus a small number may be zero


def _points(rng):
    return [0.0, round(rng.uniform(0.8, 1.6), 2), round(-rng.uniform(1.8, 2.6), 2)]


@np.errstate(all="ignore")  # infinite slopes are the subject
def _at_points(sinc, T, rng):
    at = _points(rng)
    x = T.tensor(at, dtype=T.float64, requires_grad=True)
    y = sinc(T, x)
    (g,) = T.autograd.grad(y.sum(), x)
    tiny = sinc(T, T.tensor(TINY, dtype=T.float64))
    return _named(at, y, g, tiny)


def _named(at, y, g, tiny):
    return {
        f"values at {at}": y,
        "slope at 0": g[0],
        f"slopes at {at[1:]}": g[1:],
        "values at -1e-4, -1e-5, ..., -1e-16": tiny,
    }


def _sinc_in_jax(jax, rng):
    def sinc(x):
        return jax.numpy.sinc(x / math.pi)

    at = _points(rng)
    y, g = jax.vmap(jax.value_and_grad(sinc))(jax.numpy.array(at))
    return _named(at, y, g, sinc(jax.numpy.array(TINY)))


def _sinc_by_differences(rng):
    at, h = _points(rng), 1e-20
    y = np.sinc((np.array(at) + 1j * h) / math.pi)  # a step along the imaginary axis, where nothing cancels
    return _named(at, y.real, y.imag / h, np.sinc(np.array(TINY) / math.pi))


def _four_rows(rng):
    drawn = rng.uniform(1.0, 4.0, (3, rng.integers(2, 5))).round(2).tolist()
    ordinary, small, smaller = (
        [float(f"{x}e{power}") for x in row] for row, power in zip(drawn, (0, -7, -60), strict=True)
    )
    return [ordinary, [0.0 for _ in ordinary], small, smaller]


@np.errstate(all="ignore")  # infinite slopes are the subject
def _of_rows(length, T, rng):
    rows = _four_rows(rng)
    x = T.tensor(rows, dtype=T.float64, requires_grad=True)
    lengths = length(T, x)
    (g,) = T.autograd.grad(lengths.sum(), x)
    return _of_each(rows, lengths, g)


def _of_each(rows, lengths, g):
    return {
        f"length of {rows[0]}": lengths[0],
        "its gradient": g[0],
        "length of a row of zeros": lengths[1],
        "its gradient, too": g[1],
        f"gradient of {rows[2]}": g[2],
        f"gradient of {rows[3]}": g[3],
    }


def _length_in_jax(jax, rng):
    def length(row):
        total = (row * row).sum()
        return jax.numpy.where(total > 0, jax.numpy.sqrt(jax.numpy.where(total > 0, total, 1.0)), 0.0)

    rows = _four_rows(rng)
    return _of_each(rows, *jax.vmap(jax.value_and_grad(length))(jax.numpy.array(rows)))


def _length_by_differences(rng):
    rows = _four_rows(rng)
    lengths = np.linalg.norm(rows, axis=1)
    steps = 1e-5 * np.where(lengths > 0, lengths, 1.0)[:, None, None] * np.eye(len(rows[0]))
    up, down = (np.linalg.norm(np.array(rows)[:, None] + sign * steps, axis=2) for sign in (1, -1))
    return _of_each(rows, lengths, (up - down) / (2 * steps.sum(2)))


@np.errstate(all="ignore")  # infinite slopes are the subject
def _one_and_two(f, T, rng):
    rows = {}
    for at in (1.0, 2.0):
        x = T.tensor(at, dtype=T.float64, requires_grad=True)
        y = f(T, x)
        slope = T.autograd.grad(y, x)[0].item()
        rows[f"value at {at:g}"] = "finite" if math.isfinite(y.item()) else str(y.item())
        rows[f"gradient at {at:g}"] = "finite" if math.isfinite(slope) else str(abs(slope))
    return rows


EXERCISES = [
    from_chapter(
        id="11.slopes",
        kind="worked",
        minutes=4,
        reference=_slopes,
        mutants=(
            Mutant(
                "The function was differentiated",
                "2 relu(x) - x is the absolute value, whose slope at 0 an engine takes to be 0. But it sees a ReLU, "
                "which gives 0, and a -x, which gives -1.",
                rows={"2 relu(x) - x": 0.0},
            ),
            Mutant(
                "Nothing is not nothing",
                "The difference is 0 everywhere. Its two terms have different conventions at 0.",
                rows={"clamp(x, min=0) - relu(x)": 0.0},
            ),
            Mutant(
                "This is hardtanh",
                "hardtanh has the same values and gives 0 at its kinks. clamp gives 1.",
                rows={"clamp(x, -1, 1)": 0.0},
            ),
        ),
    ),
    from_chapter(
        id="11.sinc",
        kind="faded",
        minutes=5,
        mutants=(
            Mutant(
                "The branches are exchanged",
                "Where x is zero, take the constant, and elsewhere x.",
                instead={"safe = T.where(zero, T.ones_like(x), x)": "safe = T.where(zero, x, T.ones_like(x))"},
            ),
            Mutant(
                "The value is masked, the gradient is not",
                "0 / 0 was still computed in the branch that is not taken. Make what it divides by safe.",
                instead={"safe.sin() / safe": "x.sin() / x"},
            ),
            Mutant(
                "A small number below",
                "Nothing is divided by zero any more, but sin(0) over a small number is 0 and not 1, and the slope "
                "there is one over that number.",
                instead={"T.where(zero, T.ones_like(x), safe.sin() / safe)": "x.sin() / (x + 1e-8)"},
            ),
            Mutant(
                "A small number above and below",
                "At 0 this gives 1, with the slope 0. But now x plus the small number is zero elsewhere, and every "
                "other value is a little off.",
                instead={"T.where(zero, T.ones_like(x), safe.sin() / safe)": "(x.sin() + 1e-8) / (x + 1e-8)"},
            ),
            Mutant(
                "Safe, and then left so",
                "At 0 the sine, which is 0, was divided by the constant. The second where has to put the 1 there.",
                instead={"T.where(zero, T.ones_like(x), safe.sin() / safe)": "x.sin() / safe"},
            ),
        ),
        rows=_at_points,
        tolerance=1e-12,
        jax=_sinc_in_jax,
        differences=_sinc_by_differences,
    ),
    from_chapter(
        id="11.length",
        kind="blank",
        minutes=8,
        mutants=(
            Mutant(
                "Zero times infinity",
                "The root of 0 was taken, and its infinite slope met the slope 0 of the square.",
                instead={"T.where(total > 0, safe.sqrt(), T.zeros_like(total))": "total.sqrt()"},
            ),
            Mutant(
                "The branches are exchanged",
                "Rows of zeros get the constant, and all others their length.",
                instead={"safe.sqrt(), T.zeros_like(total)": "T.zeros_like(total), safe.sqrt()"},
            ),
            Mutant(
                "A small number under the root",
                "No slope is infinite any more, but next to that number a row of small entries counts for little: its "
                "gradient is far shorter than 1.",
                instead={"T.where(total > 0, safe.sqrt(), T.zeros_like(total))": "(total + 1e-12).sqrt()"},
            ),
            Mutant(
                "Small is not zero",
                "A bound under the root treats small rows like zeros, and their gradient is lost. Only total == 0 "
                "needs to be replaced.",
                instead={"T.where(total > 0, safe.sqrt(), T.zeros_like(total))": "total.clamp(min=1e-12).sqrt()"},
            ),
            Mutant(
                "Safe, and then left so",
                "The root of the constant is the length of no row. The second where has to put the 0 there.",
                instead={"T.where(total > 0, safe.sqrt(), T.zeros_like(total))": "safe.sqrt()"},
            ),
        ),
        rows=_of_rows,
        tolerance=1e-9,
        jax=_length_in_jax,
        differences=_length_by_differences,
    ),
    from_chapter(
        id="11.nan",
        kind="break",
        minutes=6,
        mutants=(
            Mutant(
                "Infinity is a number here",
                "The slope is infinite and not NaN. Something has to multiply it by 0.",
                lambda T, x: (x - 1).sqrt(),
            ),
            Mutant(
                "The value is no number either",
                "The gradient is NaN, but so is the value. It has to be finite.",
                lambda T, x: (x - 1) / (x - 1),
            ),
            Mutant(
                "A kink is not enough",
                "Where a function has a kink, the engine picks a slope, and that is a finite number. Infinity times 0 "
                "has to occur on the way back.",
                lambda T, x: (x - 1).abs(),
            ),
            Mutant(
                "The root of a negative number",
                "At 1 all is as it should be. At 2 what stands under the root is negative: use an even power.",
                lambda T, x: ((1 - x) ** 3).sqrt(),
            ),
        ),
        rows=_one_and_two,
    ),
]
