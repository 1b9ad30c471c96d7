"""Exercises of chapter 17: the reverse pass."""

import numpy as np

from ..check.exercise import Exercise, Mutant


def _two_passes(T):
    w = T.tensor(2.0, requires_grad=True)
    h = w * w
    h.retain_grad()
    h.register_hook(lambda g: 10 * g)
    w.register_hook(lambda g: g + 1)
    L = 3 * h
    L.backward(retain_graph=True)
    L.backward()
    return {"h.grad": h.grad, "w.grad": w.grad}


def _hooked(hook):
    def reversed_gradient(x, strength):
        y = x.clone()
        y.register_hook(lambda g: hook(strength, g))
        return y

    return reversed_gradient


def _hooks_x(x, strength):
    x.register_hook(lambda g: -strength * g)
    return x


def _value_and_gradient(reversed_gradient, T, rng):
    numbers = np.round([*rng.uniform(1.0, 2.0, rng.integers(1, 4)), rng.uniform(-2.0, -1.0)], 2).tolist()
    strength = round(rng.uniform(2.0, 4.0), 2)
    x = T.tensor(numbers, dtype=T.float64, requires_grad=True)
    y = reversed_gradient(x, strength)
    y.square().sum().backward()
    through = x.grad.clone()
    x.grad = None
    (reversed_gradient(x, strength) + x).sum().backward()
    return {
        f"value for {numbers}": y,
        f"x.grad for a strength of {strength}": through,
        "x.grad with another way beside it": x.grad,
    }


EXERCISES = [
    Exercise(
        id="17.hooks",
        title="Two passes, two hooks",
        kind="worked",
        minutes=4,
        reference=_two_passes,
        hints=(
            "Do one pass first. In which order do the hook on h, the slot of h, the rules of the product and the hook "
            "on w come?",
            "In one pass 3 * 10 is kept at h, and 30 * 2w + 1 arrives in the slot of w. The hook adds its 1 each time.",
        ),
        mutants=(
            Mutant(
                "The slot is filled before the hook",
                "A tensor that retains its gradient keeps what the hooks made of it.",
                rows={"h.grad": 6.0},
            ),
            Mutant(
                "Only leaves accumulate",
                "A slot is a slot: what a retained gradient finds there it adds to.",
                rows={"h.grad": 30.0},
            ),
            Mutant(
                "The hook runs once",
                "The hook on w runs in each of the two passes, on what that pass brings, and adds 1 both times.",
                rows={"w.grad": 241.0},
            ),
            Mutant(
                "The hook runs for each edge",
                "Both contributions of w * w are summed before the hook runs.",
                rows={"w.grad": 244.0},
            ),
        ),
    ),
    Exercise(
        id="17.reverse",
        title="Reverse a gradient",
        kind="blank",
        minutes=8,
        reference=lambda T: _hooked(lambda strength, g: -strength * g),
        hints=(
            "A hook on x itself would also see what comes along other ways. Hooks belong to one edge.",
            "Make a new tensor that has an edge of its own, x * 1 or x.clone(), and register the hook there.",
        ),
        rows=_value_and_gradient,
        mutants=(
            Mutant(
                "The sign is missing",
                "The gradient is to be reversed: multiply by -strength.",
                _hooked(lambda strength, g: strength * g),
            ),
            Mutant(
                "The strength is not used",
                "The sign alone reverses the gradient, and the strength says by how much.",
                _hooked(lambda strength, g: -g),
            ),
            Mutant(
                "Negative, but not reversed",
                "The sign of what arrives was lost, as by abs(). Where that is negative, the result is positive.",
                _hooked(lambda strength, g: -strength * g.abs()),
            ),
            Mutant(
                "The hook is on x",
                "It also reverses what arrives along other ways, and it stays there for later passes.",
                _hooks_x,
            ),
            Mutant(
                "The value is reversed too",
                "-strength * x has the right gradient of its own, but another value.",
                lambda x, strength: -strength * x,
            ),
        ),
    ),
]
