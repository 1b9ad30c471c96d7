"""Exercises of chapter 13: one gradient, three programs."""

import numpy as np

from autograd_core import eager

from ..check.exercise import Exercise, Mutant


def _steps(T):
    def steps(a, b):
        bits_a, bits_b = np.array([a, b]).view(np.int64)
        return int(abs(bits_a - bits_b))

    return {
        "1 + 2**-52 and 1": steps(1 + 2**-52, 1.0),
        "ten times 0.1, added up, and 1": steps(float(np.cumsum(np.full(10, 0.1))[-1]), 1.0),
        "1e16 + 1 and 1e16": steps(1e16 + 1, 1e16),
    }


def _session(T):
    def program(rt, engine, x):
        with rt.session(engine) as s:
            e = s.exp(x)
            p = s.mul(x, e)
            loss = s.reduce_sum(p, None)
        loss.backward(engine)
        return x.grad()

    return program


def _averaged(rt, engine, x):
    with rt.session(engine) as s:
        loss = s.reduce_mean(s.mul(x, s.exp(x)), None)
    loss.backward(engine)
    return x.grad()


def _unsummed(rt, engine, x):
    with rt.session(engine) as s:
        p = s.mul(x, s.exp(x))
    p.backward(engine)
    return x.grad()


def _not_walked(rt, engine, x):
    with rt.session(engine) as s:
        s.reduce_sum(s.mul(x, s.exp(x)), None)
    return x.grad()


def _without_product(rt, engine, x):
    with rt.session(engine) as s:
        loss = s.reduce_sum(s.exp(x), None)
    loss.backward(engine)
    return x.grad()


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


def _translation(T):
    def program(T, x, c):
        loss = (x.cos() * c).mean()
        loss.backward(T.tensor(2.0))
        gradient, x.grad = x.grad, None
        return gradient

    return program


def _translated(program, T, rng):
    rows = {}
    for n in rng.choice(range(3, 6), 2, replace=False):
        at, weights = _drawn(rng, n), rng.uniform(3.0, 9.0, n).round(2).tolist()
        x, c = T.tensor(at, dtype=T.float64, requires_grad=True), T.tensor(weights, dtype=T.float64)
        rows[f"the gradient, x = {at}, c = {weights}"] = program(T, x, c)
        rows[f"x.grad afterwards, {n} numbers"], rows[f"c.grad afterwards, {n} numbers"] = x.grad, c.grad
    return rows


def _without_cotangent(T, x, c):
    (x.cos() * c).mean().backward()
    gradient, x.grad = x.grad, None
    return gradient


def _summed(T, x, c):
    (x.cos() * c).sum().backward(T.tensor(2.0))
    gradient, x.grad = x.grad, None
    return gradient


def _not_emptied(T, x, c):
    (x.cos() * c).mean().backward(T.tensor(2.0))
    return x.grad


def _emptied_first(T, x, c):
    (x.cos() * c).mean().backward(T.tensor(2.0))
    x.grad = None
    return x.grad


def _refused(s, rt, x, y):
    return s.mul(x, y)


def _repaired(s, rt, x, y):
    return s.mul(x, y.detach_into(rt))


def _both_moved(s, rt, x, y):
    return s.mul(x.detach_into(rt), y.detach_into(rt))


def _numbers_only(s, rt, x, y):
    return x.value() * y.value()


def _a_new_variable(s, rt, x, y):
    return s.variable_from(x.value() * y.value())


def _strangers(T):
    return _refused, _repaired


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
    Exercise(
        id="13.steps",
        title="Steps between numbers",
        kind="worked",
        minutes=4,
        reference=_steps,
        hints=(
            "How far apart are the two neighbors of a number near 1, just above it and just below it? And near 1e16?",
            "Above 1 the step is 2**-52, below it half of that. From 1e16 to its neighbor it is 2. Run `steps`.",
        ),
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
    Exercise(
        id="13.session",
        title="Fill in the session",
        kind="faded",
        minutes=5,
        reference=_session,
        hints=(
            "Inside a session every operation is a method of s, and it takes the tensors as arguments.",
            "s.mul(x, e), then s.reduce_sum(p, None), where None means all axes; then loss.backward(engine).",
        ),
        rows=_gradient_of,
        torch=_gradient_in_pytorch,
        jax=_gradient_in_jax,
        mutants=(
            Mutant(
                "Nobody walked back",
                "The session computes values and records. The slot of x is filled by backward.",
                _not_walked,
            ),
            Mutant(
                "The product is missing",
                "This is the gradient of the sum of exp(x). The factor x has to be in the program.",
                _without_product,
            ),
            Mutant(
                "The sum became a mean",
                "reduce_mean divides by the number of entries, and so it divides the gradient.",
                _averaged,
            ),
            Mutant(
                "Several numbers are not a loss",
                "backward starts from a single number. Add up the entries of p first.",
                _unsummed,
            ),
        ),
    ),
    Exercise(
        id="13.translate",
        title="Translate it into PyTorch",
        kind="blank",
        minutes=8,
        reference=_translation,
        hints=(
            "Which argument of backward stands for the cotangent?",
            "loss.backward(T.tensor(2.0)); then keep x.grad under another name and set x.grad = None.",
        ),
        rows=_translated,
        mutants=(
            Mutant(
                "The cotangent is missing",
                "backward_with was given a 2, so the gradient is twice that of a plain backward.",
                _without_cotangent,
            ),
            Mutant(
                "The mean became a sum",
                "reduce_mean(y, None) divides by the number of entries.",
                _summed,
            ),
            Mutant(
                "The slot was not emptied",
                "clear_grad leaves nothing behind. In PyTorch one writes x.grad = None, after keeping the gradient.",
                _not_emptied,
            ),
            Mutant(
                "Emptied before it was kept",
                "x.grad names the slot, and what it held is gone. Give the gradient another name first.",
                _emptied_first,
            ),
        ),
    ),
    Exercise(
        id="13.strangers",
        title="Tensors that must not meet",
        kind="break",
        minutes=6,
        reference=_strangers,
        hints=(
            "What does the message of the error tell you to do first?",
            "y.detach_into(rt) is a constant of rt with the numbers of y.",
        ),
        rows=_meetings,
        torch=_meetings_in_pytorch,
        mutants=(
            Mutant(
                "Nothing was refused",
                "The first function is meant to be refused: hand a session a tensor of another runtime.",
                (_repaired, _repaired),
            ),
            Mutant(
                "Both were made constants",
                "x is at home in this runtime and can stay a variable. Only the stranger has to be moved.",
                (_refused, _both_moved),
            ),
            Mutant(
                "NumPy keeps no history",
                "The numbers are right, but an array of NumPy leads back to nothing. Multiply tensors, with s.mul.",
                (_refused, _numbers_only),
            ),
            Mutant(
                "A variable without a past",
                "It tracks, and its numbers are right. But it was made from plain values, so nothing leads from it "
                "back to x. Multiply x itself.",
                (_refused, _a_new_variable),
            ),
        ),
    ),
]
