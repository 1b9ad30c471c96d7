"""Exercises of chapter 14: the same question, three answers."""

from contextlib import nullcontext

from ... import eager
from ..exercise import Exercise, Mistake

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


def _cubes(hvp):
    rt = eager.EagerRuntime()
    x, v = rt.variable_from([1.0, 2.0]), rt.constant_from([1.0, 10.0])
    product = hvp(rt, eager.CpuEngine.serial(), lambda s, x: s.reduce_sum(s.mul(x, s.mul(x, x)), None), x, v)
    return {"x³ at (1, 2), v = (1, 10)": product, "the slot of x": x.grad()}


def _alarm(T):
    def backward_or_raise(loss, engine):
        gradients = loss.backward(engine)
        if not len(gradients):
            raise RuntimeError("no variable was reached: the loss was not recorded")
        return gradients

    return backward_or_raise


def _alarms(backward):
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


def _refusal(f):
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
        reference=_complaints,
        hints=(
            "Two things are wrong with p: it is no scalar, and it has no graph. Each system looks at one of them "
            "first.",
            "The explicit runtime looks at the shape before anything else, and an empty trace is no fault for it. "
            "PyTorch asks for a scalar only where there is a graph to walk.",
        ),
        mistakes=(
            Mistake(
                "PyTorch looks at the graph first",
                "A missing cotangent matters only for an output that takes part; p does not.",
                {"PyTorch, p.backward()": SHAPE},
            ),
            Mistake(
                "The shape is asked before the trace",
                "It is silent about a missing trace, and never about a shape.",
                {"explicit runtime, p.backward(engine)": NOTHING},
            ),
            Mistake(
                "Silence is its answer",
                "With a cotangent the shape is right, and an output without a trace gives empty gradients.",
                {"explicit runtime, with a cotangent of ones": GRAPH},
            ),
        ),
    ),
    Exercise(
        id="14.hvp",
        title="Hessian times vector",
        reference=_hvp,
        hints=(
            "Which call returns a gradient that can be differentiated again, and leaves the slot alone?",
            "g = rt.grad(engine, loss, x); the second session computes the sum of g times v; then rt.grad once more.",
        ),
        rows=_cubes,
        mistakes=(
            Mistake(
                "That is the gradient, times v",
                "The sum of g times v has to be differentiated once more, with respect to x.",
                {"x³ at (1, 2), v = (1, 10)": [3.0, 120.0]},
            ),
            Mistake(
                "That is the gradient",
                "g is 3x². The Hessian is its derivative, and v has not come in yet.",
                {"x³ at (1, 2), v = (1, 10)": [3.0, 12.0]},
            ),
            Mistake(
                "The slot was filled",
                "backward stores. rt.grad returns, and leaves x.grad() as it was.",
                {"the slot of x": [6.0, 120.0]},
            ),
        ),
    ),
    Exercise(
        id="14.alarm",
        title="Give it an alarm",
        reference=_alarm,
        hints=(
            "What does backward return when no variable was reached?",
            "Raise a RuntimeError if len(gradients) is 0, and return the gradients otherwise.",
        ),
        rows=_alarms,
        mistakes=(
            Mistake(
                "It asks, and does not walk",
                "tracks_grad() tells whether a backward is worth its while. The slot is filled by backward itself.",
                {"recorded: the slot of x": None},
            ),
            Mistake(
                "The gradients are lost",
                "What backward returned is to be returned.",
                {"recorded": "no gradients returned"},
            ),
            Mistake(
                "Still silent",
                "A loss without a trace gives empty gradients, and somebody has to look at their number.",
                {"with no_grad": "no error"},
            ),
        ),
    ),
    Exercise(
        id="14.one",
        title="One element, and refused",
        reference=_one_element,
        hints=(
            "What is a scalar for PyTorch, and what is one for the explicit runtime?",
            "s.reshape takes a sum to the shape (1,): one element, and one axis too many.",
        ),
        rows=_refusal,
        mistakes=(
            Mistake(
                "That is a scalar",
                "A sum over all axes has the shape (), and backward runs. Give it an axis of length 1.",
                {"y.backward(engine)": "no error"},
            ),
            Mistake(
                "That has more than one element",
                "PyTorch would refuse it too. The question is about a single number.",
                {"elements": 3},
            ),
            Mistake(
                "Nothing was recorded",
                "A constant of one element is refused for its shape as well, but PyTorch would refuse it too.",
                {"it is recorded": False},
            ),
        ),
    ),
]
