"""Exercises of chapter 14: the same question, three answers."""

from contextlib import nullcontext

import numpy as np

from autograd_core import eager

from ..check.exercise import Mutant, from_chapter

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


FUNCTIONS = (
    ("Σx³", lambda s, x: s.reduce_sum(s.mul(x, s.mul(x, x)), None), lambda x: (x**3).sum()),
    ("(Σx)³", lambda s, x: s.mul(t := s.reduce_sum(x, None), s.mul(t, t)), lambda x: x.sum() ** 3),
)


def _points(rng):
    """Of each function: a name with the point and the direction, the function in both systems, and the two."""
    for name, in_session, in_pytorch in FUNCTIONS:
        n = rng.integers(2, 5)
        x, v = (np.round(rng.uniform(*ends, n), 2).tolist() for ends in ((2.1, 3.0), (4.0, 6.0)))
        yield f"{name} at {x}, v = {v}", in_session, in_pytorch, x, v


def _products(hvp, T, rng):
    rows, slots = {}, []
    for name, f, _, numbers, direction in _points(rng):
        rt = eager.EagerRuntime()
        x, v = rt.variable_from(numbers), rt.constant_from(direction)
        rows[name] = hvp(rt, eager.CpuEngine.serial(), f, x, v)
        slots.append(x.grad())
    return rows | {"the slots of x": slots}


def _products_in_pytorch(T, rng):
    rows = {}
    for name, _, f, *numbers in _points(rng):
        rows[name] = T.autograd.functional.hvp(f, *(T.tensor(each, dtype=T.float64) for each in numbers))[1]
    return rows | {"the slots of x": [None for _ in rows]}


def _recorded_and_not(run, rng):
    start = round(rng.uniform(1.5, 4.0), 2)
    slot, outcome = run(start, recording=True)
    _, unrecorded = run(start, recording=False)
    return {f"{start}², recorded": outcome, "recorded: the slot of x": slot, "with no_grad": unrecorded}


def _alarms(backward, T, rng):
    def run(start, recording):
        rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
        x = rt.variable_from(start)
        loss = _squares(rt, engine, x, recording)
        try:
            gradients = backward(loss, engine)
        except RuntimeError as error:
            return x.grad(), type(error).__name__
        return x.grad(), "no error" if isinstance(gradients, eager.Gradients) else "no gradients returned"

    return _recorded_and_not(run, rng)


def _alarms_in_pytorch(T, rng):
    def run(start, recording):
        x = T.tensor(start, dtype=T.float64, requires_grad=True)
        with T.set_grad_enabled(recording):
            loss = x * x
        try:
            loss.backward()
        except RuntimeError as error:
            return x.grad, type(error).__name__
        return x.grad, "no error"

    return _recorded_and_not(run, rng)


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
    from_chapter(
        id="14.complaints",
        kind="worked",
        minutes=4,
        reference=_complaints,
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
    from_chapter(
        id="14.hvp",
        kind="faded",
        minutes=5,
        rows=_products,
        torch=_products_in_pytorch,
        mutants=(
            Mutant(
                "That is the gradient, times v",
                "The sum of g times v has to be differentiated once more, with respect to x.",
                instead={
                    "s.reduce_sum(s.mul(g, v), None)": "s.mul(g, v)",
                    "rt.grad(engine, gv, x).value()": "gv.value()",
                },
            ),
            Mutant(
                "That is the gradient",
                "The Hessian is the derivative of g, and v has not come in yet.",
                instead={"rt.grad(engine, gv, x).value()": "g.value()"},
            ),
            Mutant(
                "v is not used",
                "The derivative of the sum of g adds up each row of the Hessian. Multiply g by v before the sum.",
                instead={"s.mul(g, v)": "g"},
            ),
            Mutant(
                "The slot was filled",
                "backward stores. rt.grad returns, and leaves x.grad() as it was.",
                instead={"return rt.grad(engine, gv, x).value()": "gv.backward(engine)\n    return x.grad()"},
            ),
        ),
    ),
    from_chapter(
        id="14.alarm",
        kind="blank",
        minutes=8,
        rows=_alarms,
        torch=_alarms_in_pytorch,
        mutants=(
            Mutant(
                "It asks, and does not walk",
                "tracks_grad() tells whether a backward is worth its while. The slot is filled by backward itself.",
                instead={
                    "gradients = loss.backward(engine)": "gradients = None",
                    "len(gradients) == 0": "not loss.tracks_grad()",
                },
            ),
            Mutant(
                "The gradients are lost",
                "What backward returned is to be returned.",
                instead={"return gradients": "return None"},
            ),
            Mutant(
                "Walked twice",
                "A second call of backward adds to the slot. Keep what the first one returned.",
                instead={"return gradients": "return loss.backward(engine)"},
            ),
            Mutant(
                "Still silent",
                "A loss without a trace gives empty gradients, and somebody has to look at their number.",
                instead={"len(gradients) == 0": "False"},
            ),
        ),
    ),
    from_chapter(
        id="14.one",
        kind="break",
        minutes=6,
        rows=_refusal,
        stated={"elements": 1, "it is recorded": True, "y.backward(engine)": "NonScalarGrad"},
        mutants=(
            Mutant(
                "That is a scalar",
                "A sum over all axes has the shape (), and backward runs. Give it an axis of length 1.",
                lambda s, x: s.reduce_sum(x, None),
            ),
            Mutant(
                "That has more than one element",
                "PyTorch would refuse it too. The question is about a single number.",
                lambda s, x: s.mul(x, x),
            ),
            Mutant(
                "Nothing was recorded",
                "A constant of one element is refused for its shape as well, but PyTorch would refuse it too.",
                lambda s, x: s.constant_from([1.0]),
            ),
        ),
    ),
]
