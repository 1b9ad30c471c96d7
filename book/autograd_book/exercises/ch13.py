"""Exercises of chapter 13: one gradient, three programs."""

import numpy as np

from autograd_core import eager

from ..check.exercise import Mutant, from_chapter


def _steps(T):
    def steps(a, b):
        bits_a, bits_b = np.array([a, b]).view(np.int64)
        return int(abs(bits_a - bits_b))

    return {
        "1 + 2**-52 and 1": steps(1 + 2**-52, 1.0),
        "ten times 0.1, added up, and 1": steps(float(np.cumsum(np.full(10, 0.1))[-1]), 1.0),
        "1e16 + 1 and 1e16": steps(1e16 + 1, 1e16),
    }


def _drawn(rng, n):
    return rng.uniform(0.2, 0.9, n).round(2).tolist()


def _gradient_of(program, T, rng):
    at, rt = _drawn(rng, rng.integers(2, 5)), eager.EagerRuntime()
    return {f"the gradient at {at}": program(rt, eager.CpuEngine.serial(), rt.variable_from(at))}


def _gradient_in_pytorch(T, rng):
    at = _drawn(rng, rng.integers(2, 5))
    x = T.tensor(at, dtype=T.float64, requires_grad=True)
    return {f"the gradient at {at}": T.autograd.grad((x * x.exp()).sum(), x)[0]}


def _gradient_in_jax(jax, rng):
    at = _drawn(rng, rng.integers(2, 5))
    return {f"the gradient at {at}": jax.grad(lambda x: (x * jax.numpy.exp(x)).sum())(jax.numpy.array(at))}


def _translated(program, T, rng):
    rows = {}
    for n in rng.choice(range(3, 6), 2, replace=False):
        at, weights = _drawn(rng, n), rng.uniform(3.0, 9.0, n).round(2).tolist()
        x, c = T.tensor(at, dtype=T.float64, requires_grad=True), T.tensor(weights, dtype=T.float64)
        rows[f"the gradient, x = {at}, c = {weights}"] = program(T, x, c)
        rows[f"x.grad afterwards, {n} numbers"], rows[f"c.grad afterwards, {n} numbers"] = x.grad, c.grad
    return rows


def _of_strangers(rng):
    return rng.uniform((1.0, 3.0, 5.0), (2.0, 4.0, 6.0), (rng.integers(2, 5), 3)).round(2).T.tolist()


def _meetings(functions, T, rng):
    refused, repaired = functions
    numbers = at, others, seed = _of_strangers(rng)
    rt, other, engine = eager.EagerRuntime(), eager.EagerRuntime(), eager.CpuEngine.serial()
    x, y = rt.variable_from(at), other.variable_from(others)
    with rt.session(engine) as s:
        try:
            refused(s, rt, x, y)
            outcome = "no error"
        except eager.EagerError as error:
            outcome = error.kind
        product = repaired(s, rt, x, y)
    product.backward_with(engine, product.runtime().constant_from(seed))
    return _meeting_rows(numbers, outcome, product.value(), product.tracks_grad(), x.grad())


def _meeting_rows(numbers, outcome, product, tracks, gradient):
    at, others, seed = numbers
    return {
        "the first function": outcome,
        f"the product of {at} and {others}": product,
        "it tracks": tracks,
        f"the gradient of x, from {seed}": gradient,
    }


def _meetings_in_pytorch(T, rng):
    numbers = _of_strangers(rng)
    x, y, seed = (T.tensor(row, dtype=T.float64, requires_grad=True) for row in numbers)
    product = x * y.detach()
    (gradient,) = T.autograd.grad(product, x, seed)
    return _meeting_rows(numbers, "ContextMismatch", product, product.requires_grad, gradient)


EXERCISES = [
    from_chapter(
        id="13.steps",
        kind="worked",
        minutes=4,
        reference=_steps,
        stated={"1 + 2**-52 and 1": 1, "ten times 0.1, added up, and 1": 1, "1e16 + 1 and 1e16": 0},
        mutants=(
            Mutant(
                "Steps differ in size",
                "Near 1e16 the step is 2, so adding 1 falls between two numbers and is rounded away.",
                rows={"1e16 + 1 and 1e16": 1},
            ),
            Mutant(
                "Ten tenths are not one",
                "0.1 is not a number that float64 has, and each of the additions rounds.",
                rows={"ten times 0.1, added up, and 1": 0},
            ),
            Mutant(
                "One rounding each is not one step each",
                "Errors of the additions go up and down. What counts is where the sum ends: next to 1.",
                rows={"ten times 0.1, added up, and 1": 10},
            ),
        ),
    ),
    from_chapter(
        id="13.session",
        kind="faded",
        minutes=5,
        rows=_gradient_of,
        torch=_gradient_in_pytorch,
        jax=_gradient_in_jax,
        mutants=(
            Mutant(
                "Nobody walked back",
                "The session computes values and records. The slot of x is filled by backward.",
                instead={"loss.backward(engine)": "pass"},
            ),
            Mutant(
                "The product is missing",
                "This is the gradient of the sum of exp(x). The factor x has to be in the program.",
                instead={"reduce_sum(p,": "reduce_sum(e,"},
            ),
            Mutant(
                "The sum became a mean",
                "reduce_mean divides by the number of entries, and so it divides the gradient.",
                instead={"reduce_sum": "reduce_mean"},
            ),
            Mutant(
                "Several numbers are not a loss",
                "backward starts from a single number. Add up the entries of p first.",
                instead={"loss.backward": "p.backward"},
            ),
        ),
    ),
    from_chapter(
        id="13.translate",
        kind="blank",
        minutes=8,
        rows=_translated,
        mutants=(
            Mutant(
                "The cotangent is missing",
                "backward_with was given a 2, so the gradient is twice that of a plain backward.",
                instead={"T.tensor(2.0)": ""},
            ),
            Mutant(
                "The mean became a sum",
                "reduce_mean(y, None) divides by the number of entries.",
                instead={".mean()": ".sum()"},
            ),
            Mutant(
                "The slot was not emptied",
                "clear_grad leaves nothing behind. In PyTorch one writes x.grad = None, after keeping the gradient.",
                instead={"g, x.grad = x.grad, None": "g = x.grad"},
            ),
            Mutant(
                "Emptied before it was kept",
                "x.grad names the slot, and what it held is gone. Give the gradient another name first.",
                instead={"g, x.grad = x.grad, None": "g = x.grad = None"},
            ),
        ),
    ),
    from_chapter(
        id="13.strangers",
        kind="break",
        minutes=6,
        rows=_meetings,
        torch=_meetings_in_pytorch,
        mutants=(
            Mutant(
                "Nothing was refused",
                "The first function is meant to be refused: hand a session a tensor of another runtime.",
                instead={"(refused, repaired)": "(repaired, repaired)"},
            ),
            Mutant(
                "Both were made constants",
                "x is at home in this runtime and can stay a variable. Only the stranger has to be moved.",
                instead={"s.mul(x, y.detach_into(rt))": "s.mul(x.detach_into(rt), y.detach_into(rt))"},
            ),
            Mutant(
                "NumPy keeps no history",
                "The numbers are right, but an array of NumPy leads back to nothing. Multiply tensors, with s.mul.",
                instead={"s.mul(x, y.detach_into(rt))": "x.value() * y.value()"},
            ),
            Mutant(
                "A variable without a past",
                "It tracks, and its numbers are right. But it was made from plain values, so nothing leads from it "
                "back to x. Multiply x itself.",
                instead={"s.mul(x, y.detach_into(rt))": "s.variable_from(x.value() * y.value())"},
            ),
        ),
    ),
]
