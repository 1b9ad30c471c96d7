"""Chapter 11: conventions at kinks, and gradients that are no numbers."""

import math

import numpy as np

from ..exercise import Exercise, Mutant


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


def _padded_sinc(T, x):
    return x.sin() / (x + 1e-8)


def _unmasked_sinc(T, x):
    return x.sin() / T.where(x == 0, T.ones_like(x), x)


@np.errstate(all="ignore")  # infinite slopes are the subject
def _at_points(sinc, T, rng):
    x = T.tensor([0.0, 1.0, -2.0], dtype=T.float64, requires_grad=True)
    y = sinc(T, x)
    (g,) = T.autograd.grad(y.sum(), x)
    return {"values at 0, 1, -2": y, "slope at 0": g[0], "slopes at 1, -2": g[1:]}


def _length(T):
    def length(T, x):
        total = x.square().sum(dim=1)
        safe = T.where(total > 0, total, T.ones_like(total))
        return T.where(total > 0, safe.sqrt(), T.zeros_like(total))

    return length


def _padded_length(T, x):
    return (x.square().sum(dim=1) + 1e-12).sqrt()


def _clamped_length(T, x):
    return x.square().sum(dim=1).clamp(min=1e-12).sqrt()


@np.errstate(all="ignore")  # infinite slopes are the subject
def _of_rows(length, T, rng):
    x = T.tensor([[3.0, 4.0], [0.0, 0.0], [3e-7, 4e-7]], dtype=T.float64, requires_grad=True)
    lengths = length(T, x)
    (g,) = T.autograd.grad(lengths.sum(), x)
    return {
        "length of (3, 4)": lengths[0],
        "its gradient": g[0],
        "gradient of (0, 0)": g[1],
        "gradient of (3e-7, 4e-7)": g[2],
    }


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
                rows={"values at 0, 1, -2": [1.0, math.sin(1.0), math.sin(1.0)]},
            ),
            Mutant(
                "The value is masked, the gradient is not",
                "0 / 0 was still computed in the branch that is not taken. Make what it divides by safe.",
                rows={"slope at 0": math.nan},
            ),
            Mutant(
                "A small number below",
                "Nothing is divided by zero any more, but sin(0) over a small number is 0 and not 1, and the slope "
                "there is one over that number.",
                answer=_padded_sinc,
            ),
            Mutant(
                "Safe, and then left so",
                "At 0 the sine, which is 0, was divided by the constant. The second where has to put the 1 there.",
                answer=_unmasked_sinc,
            ),
        ),
        rows=_at_points,
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
                rows={"gradient of (0, 0)": [math.nan, math.nan]},
            ),
            Mutant(
                "The branches are exchanged",
                "The length of (3, 4) is 5. Rows of zeros get the constant.",
                rows={"length of (3, 4)": 0.0},
            ),
            Mutant(
                "A small number under the root",
                "No slope is infinite any more, but next to 1e-12 a row as small as (3e-7, 4e-7) counts for little: "
                "its gradient is far shorter than 1.",
                answer=_padded_length,
            ),
            Mutant(
                "Small is not zero",
                "A bound under the root treats small rows like zeros, and their gradient is lost. Only total == 0 "
                "needs to be replaced.",
                answer=_clamped_length,
            ),
        ),
        rows=_of_rows,
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
                rows={"gradient at 1": "inf"},
            ),
            Mutant(
                "The value is no number either",
                "The gradient is NaN, but so is the value. It has to be finite.",
                rows={"value at 1": "nan", "gradient at 1": "nan"},
            ),
            Mutant(
                "A kink is not enough",
                "Where a function has a kink, the engine picks a slope, and that is a finite number. Infinity times 0 "
                "has to occur on the way back.",
                answer=lambda T, x: (x - 1).abs(),
            ),
            Mutant(
                "The root of a negative number",
                "At 1 all is as it should be. At 2 what stands under the root is negative: use an even power.",
                answer=lambda T, x: ((1 - x) ** 3).sqrt(),
            ),
        ),
        rows=_one_and_two,
    ),
]
