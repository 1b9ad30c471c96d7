"""Exercises of chapter 08: in-place writes and versions."""

from ..exercise import Exercise, Mutant


def _survives_a_write(h):
    h.mul_(2)
    try:
        h.backward()
    except RuntimeError:
        return False
    return True


def _overwrite(T):
    expressions = {
        "w.sin()": lambda w: w.sin(),
        "w.tanh()": lambda w: w.tanh(),
        "w.sigmoid()": lambda w: w.sigmoid(),
        "w + 1": lambda w: w + 1,
        "w.relu()": lambda w: w.relu(),
    }
    return {name: _survives_a_write(f(T.tensor(2.0, requires_grad=True))) for name, f in expressions.items()}


def _scale(T):
    def scale_first(x, v):
        h = x * 1
        h[0] *= v
        return h

    return scale_first


def _values_and_gradients(scale_first, T, rng):
    x = T.tensor([2.0, 3.0], requires_grad=True)
    v = T.tensor(5.0, requires_grad=True)
    h = scale_first(x, v)
    h.sum().backward()
    return {"h": h, "x": x, "x.grad": x.grad, "v.grad": v.grad}


EXERCISES = [
    Exercise(
        id="08.overwrite",
        title="Safe to overwrite?",
        kind="worked",
        minutes=4,
        reference=_overwrite,
        hints=(
            "Write each derivative in terms of whatever is cheapest. Can it be written with the output alone?",
            "sin' = cos(w) needs the input. tanh' = 1 - h**2 and sigmoid' = h * (1 - h) need only the output. "
            "For relu the sign of the output is enough.",
        ),
        mutants=(
            Mutant(
                "Every overwritten value raises",
                "Only a value that backward still needs is protected; w + 1 needs none, and sin(w) needs w.",
                rows={"w.sin()": False, "w + 1": False},
            ),
            Mutant(
                "Only inputs are saved",
                "A rule that can be written with the output saves the output, because it is there already.",
                rows={"w.tanh()": True, "w.sigmoid()": True, "w.relu()": True},
            ),
            Mutant(
                "relu saves its input",
                "It could, but it saves its output: the output is positive exactly where the input is.",
                rows={"w.relu()": True},
            ),
        ),
    ),
    Exercise(
        id="08.scale",
        title="Scale the first element",
        kind="faded",
        minutes=5,
        reference=_scale,
        hints=(
            "The multiplication saves both of its operands. Which of them is overwritten by the line that "
            "computed the product?",
            "Either read a copy, h[0].clone() * v, or say what you mean in one operation: h[0] *= v knows that "
            "it overwrites its operand and keeps the old value.",
        ),
        rows=_values_and_gradients,
        mutants=(
            Mutant(
                "Detaching is the repair",
                "No error comes, because the old element has no history any more. That is also why x[0] gets "
                "no gradient.",
                rows={"x.grad": [0.0, 1.0]},
            ),
            Mutant(
                "v may lose its history",
                "The numbers are right and x gets its gradient, but v became a constant on the way.",
                rows={"v.grad": None},
            ),
        ),
    ),
]
