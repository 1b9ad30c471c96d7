"""Exercises of chapter 06: four switches."""

from ..exercise import Exercise, Mutant


def _handles(T):
    x = T.tensor([2.0, 3.0], requires_grad=True)
    handles = {
        "x.clone()": x.clone(),
        "x.detach()": x.detach(),
        "x.detach().clone()": x.detach().clone(),
        "x[0:1]": x[0:1],
        "x * 1": x * 1,
    }
    return {name: [handle.requires_grad, handle.data_ptr() == x.data_ptr()] for name, handle in handles.items()}


def _roads(T):
    w = T.tensor(2.0, requires_grad=True)
    h = w.square()
    L = w.detach() * h + 3 * w
    L.backward()
    return w.grad


EXERCISES = [
    Exercise(
        id="06.handles",
        title="Five handles",
        kind="worked",
        minutes=4,
        reference=_handles,
        hints=(
            "Two questions, asked separately. Was an operation recorded that starts from x? Did anybody "
            "allocate new memory?",
            "A slice is a view: recorded, and not copied. A product is written somewhere new, even when the "
            "factor is 1.",
        ),
        mutants=(
            Mutant(
                "detach() copies",
                "It cuts the history and keeps the memory. A later write to x shows through it; "
                "detach().clone() is the copy.",
                rows={"x.detach()": [False, False]},
            ),
            Mutant(
                "clone() cuts",
                "clone() is an operation like any other: it is recorded, and its derivative is 1.",
                rows={"x.clone()": [False, False]},
            ),
            Mutant(
                "A slice is a copy",
                "As in NumPy, a basic slice is a view. It reads and writes the memory of x.",
                rows={"x[0:1]": [True, False]},
            ),
        ),
    ),
    Exercise(
        id="06.roads",
        title="Three roads, one of them closed",
        kind="worked",
        minutes=4,
        reference=_roads,
        hints=(
            "Write 2 in place of w.detach(). What is left is an ordinary derivative.",
            "Two roads are open: through h, where the factor in front is the constant 2, and through 3w.",
        ),
        mutants=(
            Mutant(
                "detach() changes nothing",
                "This is the derivative of w * w**2 + 3 * w, with every road open.",
                rows={"answer": 15.0},
            ),
            Mutant(
                "The open road is closed, and the closed one open",
                "w.detach() is the constant here. The derivative goes through h, not through the factor in "
                "front of it.",
                rows={"answer": 7.0},
            ),
            Mutant(
                "One detached factor closes the whole product",
                "Only the road through the detached factor is closed; h still leads back to w.",
                rows={"answer": 3.0},
            ),
        ),
    ),
]
