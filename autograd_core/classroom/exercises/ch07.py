"""Exercises of chapter 07: the life of a graph."""

from ..exercise import Exercise, Mutant


def _runs_twice(y):
    y.backward()
    try:
        y.backward()
    except RuntimeError:
        return False
    return True


def _twice(T):
    expressions = {
        "w - 5": lambda w: w - 5,
        "w / 2": lambda w: w / 2,
        "(w + w).sum()": lambda w: (w + w).sum(),
        "w.tanh()": lambda w: w.tanh(),
        "w.reshape(1)": lambda w: w.reshape(1),
    }
    return {name: _runs_twice(f(T.tensor(2.0, requires_grad=True))) for name, f in expressions.items()}


def _carry(T):
    def loop(T, w, steps):
        state = T.tensor(0.0)
        for _ in range(steps):
            state = w * state + 1
            state.backward()
            state = state.detach()

    return loop


def _gradients(loop, T, rng):
    rows = {}
    for steps in (1, 2, 3):
        w = T.tensor(2.0, requires_grad=True)
        loop(T, w, steps)
        rows[f"w.grad after {steps} steps"] = w.grad
    return rows


EXERCISES = [
    Exercise(
        id="07.twice",
        title="Once or twice",
        kind="worked",
        minutes=4,
        reference=_twice,
        hints=(
            "Write down the derivative of each expression. Does any number from the forward appear in it?",
            "The derivative of w / 2 is one half: the 2 is needed. That of tanh(w) is 1 - tanh(w)**2. A "
            "reshape needs shapes, and shapes are kept for free.",
        ),
        mutants=(
            Mutant(
                "A second backward always raises",
                "Only released values make it raise, and w - 5 saved none.",
                rows={"w - 5": False, "(w + w).sum()": False, "w.reshape(1)": False},
            ),
            Mutant(
                "A constant need not be saved",
                "The 2 in w / 2 appears in the derivative. The node saved it like any other operand, and released it.",
                rows={"w / 2": True},
            ),
        ),
    ),
    Exercise(
        id="07.carry",
        title="A state that carries too much",
        kind="faded",
        minutes=5,
        reference=_carry,
        hints=(
            "Which tensor connects the second step to the graph of the first?",
            "Cut the history of state at the end of each step. retain_graph=True silences the error and "
            "computes another gradient.",
        ),
        rows=_gradients,
        mutants=(
            Mutant(
                "retain_graph=True is the repair",
                "No error comes, but each pass now walks back through all earlier steps, so the old state is "
                "not held constant.",
                rows={"w.grad after 3 steps": 6.0},
            ),
            Mutant(
                "The state starts over",
                "Every step began again from 0. Keep the value of the state and cut only its history.",
                rows={"w.grad after 3 steps": 0.0},
            ),
        ),
    ),
]
