"""Exercises of chapter 18: views and writes."""

from ..exercise import Exercise, Mutant


def _two_views(T):
    x = T.tensor([1.0, 2.0, 3.0], requires_grad=True)
    h = x * 1
    head, tail = h[:2], h[1:]
    head.mul_(3)
    h.add_(1)
    (head * tail).sum().backward()
    return {"h": h, "x.grad": x.grad}


def _swap(T):
    def swap_ends(x):
        h = x * 1
        first = h[0].clone()
        h[0] = h[-1]
        h[-1] = first
        return h

    return swap_ends


def _values_and_gradients(swap_ends, T, rng):
    x = T.tensor([1.0, 2.0, 3.0], requires_grad=True)
    h = swap_ends(x)
    h.backward(T.tensor([10.0, 20.0, 30.0]))
    return {"h": h, "x": x, "x.grad": x.grad}


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
        kind="blank",
        minutes=8,
        reference=_swap,
        hints=(
            "On the right stand two views. What does the second one show once the first assignment has been made?",
            "Keep the value that will be lost: first = h[0].clone().",
        ),
        rows=_values_and_gradients,
        mutants=(
            Mutant(
                "A view is a copy",
                "h[0] on the right is a view: after the first assignment it shows the new value.",
                rows={"h": [3.0, 2.0, 3.0]},
            ),
            Mutant(
                "Both ends detached",
                "The values are right, but both ends were written without their history, so neither gets a gradient.",
                rows={"h": [3.0, 2.0, 1.0], "x.grad": [0.0, 20.0, 0.0]},
            ),
            Mutant(
                "Detached",
                "The values are right, and the element that was kept without its history gets no gradient.",
                rows={"h": [3.0, 2.0, 1.0], "x.grad": [0.0, 20.0, 10.0]},
            ),
        ),
    ),
]
