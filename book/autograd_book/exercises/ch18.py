"""Exercises of chapter 18: views and writes."""

import numpy as np

from ..check.exercise import Mutant, from_chapter


def _two_views(T):
    x = T.tensor([1.0, 2.0, 3.0], requires_grad=True)
    h = x * 1
    head, tail = h[:2], h[1:]
    head.mul_(3)
    h.add_(1)
    (head * tail).sum().backward()
    return {"h": h, "x.grad": x.grad}


def _written_aside(x):
    h = x * 1
    swapped = h.detach()
    swapped[0], swapped[-1] = x.detach()[-1], x.detach()[0]
    return h


def _values_and_gradients(swap_ends, T, rng):
    rows = {}
    for n in rng.choice(range(3, 6), 2, replace=False):
        numbers, seed = (np.cumsum(rng.uniform(*ends, n)).round(2).tolist() for ends in ((0.5, 1.5), (5.0, 15.0)))
        x = T.tensor(numbers, dtype=T.float64, requires_grad=True)
        h = swap_ends(x)
        h.backward(T.tensor(seed, dtype=T.float64))
        rows[f"swap_ends({numbers})"], rows[f"x, {n} numbers"] = h, x
        rows[f"x.grad for a seed of {seed}"] = x.grad
    return rows


EXERCISES = [
    from_chapter(
        id="18.two_views",
        kind="worked",
        minutes=4,
        reference=_two_views,
        mutants=(
            Mutant(
                "A view is a copy",
                "Both views show what lies in h at the end: 4, 7 and 4.",
                rows={"h": [2.0, 3.0, 4.0]},
            ),
            Mutant(
                "The view keeps the history it was made with",
                "tail shows elements that went through the multiplication by 3, so their gradient does too.",
                rows={"x.grad": [21.0, 16.0, 7.0]},
            ),
            Mutant(
                "Histories end at a write",
                "A write in place is recorded: the factor 3 belongs to the gradient of the elements it touched.",
                rows={"x.grad": [7.0, 8.0, 7.0]},
            ),
        ),
    ),
    from_chapter(
        id="18.swap",
        kind="faded",
        minutes=5,
        rows=_values_and_gradients,
        mutants=(
            Mutant(
                "A view is a copy",
                "h[0] on the right is a view: after the first assignment it shows the new value.",
                instead={".clone()": ""},
            ),
            Mutant(
                "Both ends detached",
                "The values are right, but both ends were written without their history, so neither gets a gradient.",
                instead={"h[0].clone()": "h[0].detach().clone()", "h[0] = h[-1]": "h[0] = h[-1].detach().clone()"},
            ),
            Mutant(
                "Detached",
                "The values are right, and the element that was kept without its history gets no gradient.",
                instead={"h[0].clone()": "h[0].detach().clone()"},
            ),
            Mutant(
                "Written past the record",
                "The values are right, but the write was not recorded, so each gradient went to the old place.",
                _written_aside,
            ),
        ),
    ),
]
