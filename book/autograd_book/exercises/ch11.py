"""Chapter 11: conventions at kinks, and gradients that are no numbers."""

import math

import numpy as np

from ..check.exercise import Exercise, Mutant


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


def _sinc(T):
    def sinc(T, x):
        zero = x == 0
        safe = T.where(zero, T.ones_like(x), x)
        return T.where(zero, T.ones_like(x), safe.sin() / safe)

    return sinc


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


def _exchanged_sinc(T, x):
    safe = T.where(x == 0, x, T.ones_like(x))
    return T.where(x == 0, T.ones_like(x), safe.sin() / safe)


def _masked_sinc(T, x):
    return T.where(x == 0, T.ones_like(x), x.sin() / x)


def _padded_sinc(T, x):
    return x.sin() / (x + 1e-8)


def _twice_padded_sinc(T, x):
    return (x.sin() + 1e-8) / (x + 1e-8)


def _unmasked_sinc(T, x):
    return x.sin() / T.where(x == 0, T.ones_like(x), x)


def _length(T):
    def length(T, x):
        total = x.square().sum(dim=1)
        safe = T.where(total > 0, total, T.ones_like(total))
        return T.where(total > 0, safe.sqrt(), T.zeros_like(total))

    return length


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


def _rooted_length(T, x):
    return x.square().sum(dim=1).sqrt()


def _exchanged_length(T, x):
    total = x.square().sum(dim=1)
    safe = T.where(total > 0, total, T.ones_like(total))
    return T.where(total > 0, T.zeros_like(total), safe.sqrt())


def _padded_length(T, x):
    return (x.square().sum(dim=1) + 1e-12).sqrt()


def _clamped_length(T, x):
    return x.square().sum(dim=1).clamp(min=1e-12).sqrt()


def _unmasked_length(T, x):
    total = x.square().sum(dim=1)
    return T.where(total > 0, total, T.ones_like(total)).sqrt()


def _nan(T):
    return lambda T, x: ((x - 1) ** 2).sqrt()


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
    Exercise(
        id="11.slopes",
        title="Four slopes at a kink",
        kind="worked",
        minutes=4,
        reference=_slopes,
        hints=(
            "Do not think of the function. Take the convention of each operation, and add up.",
            "maximum gives half of what arrives to each argument, and -x turns its half around. clamp lets everything "
            "through at its bounds.",
        ),
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
    Exercise(
        id="11.sinc",
        title="The sine of x over x",
        kind="faded",
        minutes=5,
        reference=_sinc,
        hints=(
            "By what may one divide? And which x are to stay as they are?",
            "Where x is zero, any constant other than 0 will do, T.ones_like(x) for example; elsewhere x itself.",
        ),
        mutants=(
            Mutant(
                "The branches are exchanged",
                "Where x is zero, take the constant, and elsewhere x.",
                _exchanged_sinc,
            ),
            Mutant(
                "The value is masked, the gradient is not",
                "0 / 0 was still computed in the branch that is not taken. Make what it divides by safe.",
                _masked_sinc,
            ),
            Mutant(
                "A small number below",
                "Nothing is divided by zero any more, but sin(0) over a small number is 0 and not 1, and the slope "
                "there is one over that number.",
                _padded_sinc,
            ),
            Mutant(
                "A small number above and below",
                "At 0 this gives 1, with the slope 0. But now x plus the small number is zero elsewhere, and every "
                "other value is a little off.",
                _twice_padded_sinc,
            ),
            Mutant(
                "Safe, and then left so",
                "At 0 the sine, which is 0, was divided by the constant. The second where has to put the 1 there.",
                _unmasked_sinc,
            ),
        ),
        rows=_at_points,
        tolerance=1e-12,
        jax=_sinc_in_jax,
        differences=_sinc_by_differences,
    ),
    Exercise(
        id="11.length",
        title="The length of a row",
        kind="blank",
        minutes=8,
        reference=_length,
        hints=(
            "Where is the dangerous slope, in the square, in the sum or in the root? Make the input of that operation "
            "safe.",
            "total = x.square().sum(dim=1); take the root of T.where(total > 0, total, T.ones_like(total)); then a "
            "second where.",
        ),
        mutants=(
            Mutant(
                "Zero times infinity",
                "The root of 0 was taken, and its infinite slope met the slope 0 of the square.",
                _rooted_length,
            ),
            Mutant(
                "The branches are exchanged",
                "Rows of zeros get the constant, and all others their length.",
                _exchanged_length,
            ),
            Mutant(
                "A small number under the root",
                "No slope is infinite any more, but next to that number a row of small entries counts for little: its "
                "gradient is far shorter than 1.",
                _padded_length,
            ),
            Mutant(
                "Small is not zero",
                "A bound under the root treats small rows like zeros, and their gradient is lost. Only total == 0 "
                "needs to be replaced.",
                _clamped_length,
            ),
            Mutant(
                "Safe, and then left so",
                "The root of the constant is the length of no row. The second where has to put the 0 there.",
                _unmasked_length,
            ),
        ),
        rows=_of_rows,
        tolerance=1e-9,
        jax=_length_in_jax,
        differences=_length_by_differences,
    ),
    Exercise(
        id="11.nan",
        title="A NaN of your own",
        kind="break",
        minutes=6,
        reference=_nan,
        hints=(
            "Which product is not a number? Which operation has an infinite slope somewhere?",
            "A root of something that is 0 at 1 and has the slope 0 there.",
        ),
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
