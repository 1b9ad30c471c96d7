"""Exercises of chapter 13: one gradient, three programs."""

import numpy as np

from ... import eager
from ..exercise import Exercise, Mutant


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


def _gradient_of(program, T, rng):
    rt = eager.EagerRuntime()
    x = rt.variable_from([0.0, 1.0, 2.0])
    return {"the gradient at [0, 1, 2]": program(rt, eager.CpuEngine.serial(), x)}


def _gradient_in_pytorch(T, rng):
    x = T.tensor([0.0, 1.0, 2.0], dtype=T.float64, requires_grad=True)
    return {"the gradient at [0, 1, 2]": T.autograd.grad((x * x.exp()).sum(), x)[0]}


def _translation(T):
    def program(T, x, c):
        loss = (x.cos() * c).mean()
        loss.backward(T.tensor(2.0))
        gradient, x.grad = x.grad, None
        return gradient

    return program


def _translated(program, T, rng):
    x, c = T.tensor([0.5, 1.0], requires_grad=True), T.tensor([3.0, 10.0])
    gradient = program(T, x, c)
    return {"the gradient": gradient, "x.grad afterwards": x.grad, "c.grad afterwards": c.grad}


def _refused(s, rt, x, y):
    return s.mul(x, y)


def _repaired(s, rt, x, y):
    return s.mul(x, y.detach_into(rt))


def _numbers_only(s, rt, x, y):
    return x.value() * y.value()


def _strangers(T):
    return _refused, _repaired


def _meetings(functions, T, rng):
    refused, repaired = functions
    rt, other = eager.EagerRuntime(), eager.EagerRuntime()
    x, y = rt.variable_from([1.0, 2.0]), other.variable_from([3.0, 4.0])
    with rt.session(eager.CpuEngine.serial()) as s:
        try:
            refused(s, rt, x, y)
            outcome = "no error"
        except eager.EagerError as error:
            outcome = error.kind
        product = repaired(s, rt, x, y)
    return {"the first function": outcome, "the product": product.value(), "it tracks": product.tracks_grad()}


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
        mutants=(
            Mutant(
                "Nobody walked back",
                "The session computes values and records. The slot of x is filled by backward.",
                rows={"the gradient at [0, 1, 2]": None},
            ),
            Mutant(
                "The product is missing",
                "This is the gradient of the sum of exp(x). The factor x has to be in the program.",
                rows={"the gradient at [0, 1, 2]": list(np.exp([0.0, 1.0, 2.0]))},
            ),
            Mutant(
                "The sum became a mean",
                "reduce_mean divides by the number of entries, which is 3 here; so the gradient is a third.",
                answer=_averaged,
            ),
            Mutant(
                "Three numbers are not a loss",
                "backward starts from a single number. Add up the entries of p first.",
                answer=_unsummed,
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
                rows={"the gradient": list(-np.sin([0.5, 1.0]) * [1.5, 5.0])},
            ),
            Mutant(
                "The mean became a sum",
                "reduce_mean(y, None) divides by the number of entries, which is 2 here.",
                rows={"the gradient": list(-np.sin([0.5, 1.0]) * [6.0, 20.0])},
            ),
            Mutant(
                "The slot was not emptied",
                "clear_grad leaves nothing behind. In PyTorch one writes x.grad = None, after keeping the gradient.",
                rows={"x.grad afterwards": list(-np.sin([0.5, 1.0]) * [3.0, 10.0])},
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
        stated={"the first function": "ContextMismatch", "the product": [3.0, 8.0], "it tracks": True},
        mutants=(
            Mutant(
                "Nothing was refused",
                "The first function is meant to be refused: hand a session a tensor of another runtime.",
                rows={"the first function": "no error"},
            ),
            Mutant(
                "Both were made constants",
                "x is at home in this runtime and can stay a variable. Only the stranger has to be moved.",
                rows={"it tracks": False},
            ),
            Mutant(
                "NumPy keeps no history",
                "The numbers are right, but an array of NumPy leads back to nothing. Multiply tensors, with s.mul.",
                answer=(_refused, _numbers_only),
            ),
        ),
    ),
]
