"""Exercises of chapter 14: the same question, three answers."""

from contextlib import nullcontext

from ... import eager
from ..exercise import Exercise, Mutant

NOTHING, SHAPE, GRAPH = "nothing", "the shape", "no graph"


def _squares(rt, engine, x, recording):
    with nullcontext() if recording else rt.no_grad(), rt.session(engine) as s:
        return s.mul(x, x)


def _complaint(call):
    """What a refusal is about, in the words that the exercise offers."""
    try:
        call()
    except RuntimeError as error:
        return SHAPE if "scalar" in str(error) else GRAPH
    return NOTHING


def _complaints(T):
    x = T.tensor([1.0, 2.0, 3.0], requires_grad=True)
    with T.no_grad():
        unrecorded = x * x
    rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
    p = _squares(rt, engine, rt.variable_from([1.0, 2.0, 3.0]), recording=False)
    return {
        "PyTorch, p.backward()": _complaint(unrecorded.backward),
        "explicit runtime, p.backward(engine)": _complaint(lambda: p.backward(engine)),
        "explicit runtime, with a cotangent of ones": _complaint(
            lambda: p.backward_with(engine, rt.constant_from([1.0, 1.0, 1.0]))
        ),
    }


def _hvp(T):
    def hvp(rt, engine, f, x, v):
        with rt.session(engine) as s:
            loss = f(s, x)
        g = rt.grad(engine, loss, x)
        with rt.session(engine) as s:
            gv = s.reduce_sum(s.mul(g, v), None)
        return rt.grad(engine, gv, x).value()

    return hvp


def _cubes(hvp, T, rng):
    rt = eager.EagerRuntime()
    x, v = rt.variable_from([1.0, 2.0]), rt.constant_from([1.0, 10.0])
    product = hvp(rt, eager.CpuEngine.serial(), lambda s, x: s.reduce_sum(s.mul(x, s.mul(x, x)), None), x, v)
    return {"x³ at (1, 2), v = (1, 10)": product, "the slot of x": x.grad()}


def _cubes_in_pytorch(T, rng):
    x, v = (T.tensor(numbers, dtype=T.float64) for numbers in ([1.0, 2.0], [1.0, 10.0]))
    product = T.autograd.functional.hvp(lambda x: (x**3).sum(), x, v)[1]
    return {"x³ at (1, 2), v = (1, 10)": product, "the slot of x": None}


def _alarm(T):
    def backward_or_raise(loss, engine):
        gradients = loss.backward(engine)
        if not len(gradients):
            raise RuntimeError("no variable was reached: the loss was not recorded")
        return gradients

    return backward_or_raise


def _alarms(backward, T, rng):
    def run(recording):
        rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
        x = rt.variable_from(3.0)
        loss = _squares(rt, engine, x, recording)
        try:
            gradients = backward(loss, engine)
        except RuntimeError as error:
            return x.grad(), type(error).__name__
        return x.grad(), "no error" if isinstance(gradients, eager.Gradients) else "no gradients returned"

    slot, outcome = run(recording=True)
    return {"recorded": outcome, "recorded: the slot of x": slot, "with no_grad": run(recording=False)[1]}


def _one_element(T):
    def f(s, x):
        return s.reshape(s.reduce_sum(x, None), (1,))

    return f


def _refusal(f, T, rng):
    rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
    x = rt.variable_from([1.0, 2.0, 3.0])
    with rt.session(engine) as s:
        y = f(s, x)
    try:
        y.backward(engine)
        outcome = "no error"
    except eager.EagerError as error:
        outcome = error.kind
    return {"elements": int(y.value().size), "it is recorded": y.tracks_grad(), "y.backward(engine)": outcome}


EXERCISES = [
    Exercise(
        id="14.complaints",
        title="What is complained about",
        kind="worked",
        minutes=4,
        reference=_complaints,
        hints=(
            "Two things are wrong with p: it is no scalar, and it has no graph. Each system looks at one of them "
            "first.",
            "The explicit runtime looks at the shape before anything else, and an empty trace is no fault for it. "
            "PyTorch asks for a scalar only where there is a graph to walk.",
        ),
        mutants=(
            Mutant(
                "PyTorch looks at the graph first",
                "A missing cotangent matters only for an output that takes part; p does not.",
                rows={"PyTorch, p.backward()": SHAPE},
            ),
            Mutant(
                "The shape is asked before the trace",
                "It is silent about a missing trace, and never about a shape.",
                rows={"explicit runtime, p.backward(engine)": NOTHING},
            ),
            Mutant(
                "Silence is its answer",
                "With a cotangent the shape is right, and an output without a trace gives empty gradients.",
                rows={"explicit runtime, with a cotangent of ones": GRAPH},
            ),
        ),
    ),
    Exercise(
        id="14.hvp",
        title="Hessian times vector",
        kind="faded",
        minutes=5,
        reference=_hvp,
        hints=(
            "Which call returns a gradient that can be differentiated again, and leaves the slot alone?",
            "g = rt.grad(engine, loss, x); the second session computes the sum of g times v; then rt.grad once more.",
        ),
        rows=_cubes,
        torch=_cubes_in_pytorch,
        mutants=(
            Mutant(
                "That is the gradient, times v",
                "The sum of g times v has to be differentiated once more, with respect to x.",
                rows={"x³ at (1, 2), v = (1, 10)": [3.0, 120.0]},
            ),
            Mutant(
                "That is the gradient",
                "g is 3x². The Hessian is its derivative, and v has not come in yet.",
                rows={"x³ at (1, 2), v = (1, 10)": [3.0, 12.0]},
            ),
            Mutant(
                "The slot was filled",
                "backward stores. rt.grad returns, and leaves x.grad() as it was.",
                rows={"the slot of x": [6.0, 120.0]},
            ),
        ),
    ),
    Exercise(
        id="14.alarm",
        title="Give it an alarm",
        kind="blank",
        minutes=8,
        reference=_alarm,
        hints=(
            "What does backward return when no variable was reached?",
            "Raise a RuntimeError if len(gradients) is 0, and return the gradients otherwise.",
        ),
        rows=_alarms,
        stated={"recorded": "no error", "recorded: the slot of x": 6.0, "with no_grad": "RuntimeError"},
        mutants=(
            Mutant(
                "It asks, and does not walk",
                "tracks_grad() tells whether a backward is worth its while. The slot is filled by backward itself.",
                rows={"recorded: the slot of x": None},
            ),
            Mutant(
                "The gradients are lost",
                "What backward returned is to be returned.",
                rows={"recorded": "no gradients returned"},
            ),
            Mutant(
                "Still silent",
                "A loss without a trace gives empty gradients, and somebody has to look at their number.",
                rows={"with no_grad": "no error"},
            ),
        ),
    ),
    Exercise(
        id="14.one",
        title="One element, and refused",
        kind="break",
        minutes=6,
        reference=_one_element,
        hints=(
            "What is a scalar for PyTorch, and what is one for the explicit runtime?",
            "s.reshape takes a sum to the shape (1,): one element, and one axis too many.",
        ),
        rows=_refusal,
        stated={"elements": 1, "it is recorded": True, "y.backward(engine)": "NonScalarGrad"},
        mutants=(
            Mutant(
                "That is a scalar",
                "A sum over all axes has the shape (), and backward runs. Give it an axis of length 1.",
                rows={"y.backward(engine)": "no error"},
            ),
            Mutant(
                "That has more than one element",
                "PyTorch would refuse it too. The question is about a single number.",
                rows={"elements": 3},
            ),
            Mutant(
                "Nothing was recorded",
                "A constant of one element is refused for its shape as well, but PyTorch would refuse it too.",
                rows={"it is recorded": False},
            ),
        ),
    ),
]
