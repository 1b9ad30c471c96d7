"""Exercises of chapter 17: the reverse pass."""

import numpy as np

from ..check.exercise import Mutant, from_chapter


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
    from_chapter(
        id="17.hooks",
        kind="worked",
        minutes=4,
        reference=_two_passes,
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
    from_chapter(
        id="17.reverse",
        kind="blank",
        minutes=8,
        rows=_value_and_gradient,
        mutants=(
            Mutant(
                "The sign is missing",
                "The gradient is to be reversed: multiply by -strength.",
                instead={"-strength * g": "strength * g"},
            ),
            Mutant(
                "The strength is not used",
                "The sign alone reverses the gradient, and the strength says by how much.",
                instead={"-strength * g": "-g"},
            ),
            Mutant(
                "Negative, but not reversed",
                "The sign of what arrives was lost, as by abs(). Where that is negative, the result is positive.",
                instead={"-strength * g": "-strength * g.abs()"},
            ),
            Mutant(
                "The hook is on x",
                "It also reverses what arrives along other ways, and it stays there for later passes.",
                instead={"x.clone()": "x"},
            ),
            Mutant(
                "The value is reversed too",
                "-strength * x has the right gradient of its own, but another value.",
                lambda x, strength: -strength * x,
            ),
        ),
    ),
]
