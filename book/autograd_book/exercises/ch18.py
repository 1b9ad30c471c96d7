"""Exercises of chapter 18: views and writes."""

import numpy as np

from ..check.exercise import Exercise, Mutant


def _two_views(T):
    x = T.tensor([1.0, 2.0, 3.0], requires_grad=True)
    h = x * 1
    head, tail = h[:2], h[1:]
    head.mul_(3)
    h.add_(1)
    (head * tail).sum().backward()
    return {"h": h, "x.grad": x.grad}


def _swap_with(keep_first, keep_last=lambda end: end):
    def swap_ends(x):
        h = x * 1
        h[0], h[-1] = keep_last(h[-1]), keep_first(h[0])
        return h

    return swap_ends


def _copy(end):
    return end.clone()


def _number(end):
    return end.detach().clone()


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
    Exercise(
        id="18.two_views",
        title="Two views and two writes",
        kind="worked",
        minutes=4,
        reference=_two_views,
        hints=(
            "Write the three values of h at the end as functions of x. What do head and tail show then?",
            "h = (3 x0 + 1, 3 x1 + 1, x2 + 1), and the loss is h0 h1 + h1 h2.",
        ),
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
    Exercise(
        id="18.swap",
        title="Swap the ends",
        kind="faded",
        minutes=5,
        reference=lambda T: _swap_with(_copy),
        hints=(
            "On the right stand two views. What does the second one show once the first assignment has been made?",
            "Keep the value that will be lost: first = h[0].clone().",
        ),
        rows=_values_and_gradients,
        mutants=(
            Mutant(
                "A view is a copy",
                "h[0] on the right is a view: after the first assignment it shows the new value.",
                _swap_with(lambda end: end),
            ),
            Mutant(
                "Both ends detached",
                "The values are right, but both ends were written without their history, so neither gets a gradient.",
                _swap_with(_number, _number),
            ),
            Mutant(
                "Detached",
                "The values are right, and the element that was kept without its history gets no gradient.",
                _swap_with(_number),
            ),
            Mutant(
                "Written past the record",
                "The values are right, but the write was not recorded, so each gradient went to the old place.",
                _written_aside,
            ),
        ),
    ),
]
