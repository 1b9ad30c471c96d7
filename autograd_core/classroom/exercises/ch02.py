"""Chapter 02: who stores, who only passes on."""

from ..exercise import Exercise, Mutant


def _five_tensors(T):
    w = T.tensor(2.0, requires_grad=True)
    h = w.square()
    L = 3 * h
    tensors = {"w": w, "h": h, "L": L, "h.detach()": h.detach(), "w * 1": w * 1}
    L.backward()
    return {
        name: [t.requires_grad, t.is_leaf, t.grad_fn is not None, t.grad if t.is_leaf else None]
        for name, t in tensors.items()
    }


def _keep_the_middle(T):
    def program(T):
        w = T.tensor(2.0, requires_grad=True)
        a = w.square()
        b = 3 * a
        a.retain_grad()
        (b + 1).backward()
        return {"w.grad": w.grad, "a.grad": a.grad, "b is a leaf": b.is_leaf}

    return program


EXERCISES = [
    Exercise(
        id="02.regenerate",
        title="Five tensors, four questions",
        kind="worked",
        minutes=4,
        reference=_five_tensors,
        hints=(
            "Ask of each tensor first: which operation made it, and was that operation recorded?",
            "Only w has no maker. detach() is not recorded, so its result is a leaf too, one that wants no gradient.",
        ),
        mutants=(
            Mutant(
                "Computed is not stored",
                "The 3 did pass through h on its way to w, and h did not keep it: h is not a leaf.",
                rows={"h": [True, False, True, 3.0]},
            ),
            Mutant(
                "The seed is not kept either",
                "Backward starts at L with a 1, but L was computed, so it has no slot.",
                rows={"L": [True, False, True, 1.0]},
            ),
            Mutant(
                "A copy of a leaf is not a leaf",
                "w * 1 equals w, but a multiplication made it. It is no leaf, and nothing leads from it to L.",
                rows={"w * 1": [True, True, False, None]},
            ),
            Mutant(
                "Leaf does not mean made by you",
                "It means without recorded history. What detach() returns has none.",
                rows={"h.detach()": [False, False, False, None]},
            ),
            Mutant(
                "A leaf has no grad_fn",
                "grad_fn names the operation that made a tensor. You made w, so there is none; w still receives 12.",
                rows={"w": [True, True, True, 12.0]},
            ),
        ),
    ),
    Exercise(
        id="02.keep",
        title="Keep one parcel",
        kind="faded",
        minutes=5,
        reference=_keep_the_middle,
        hints=(
            "retain_grad() is called on the tensor whose gradient you want, and before the walk.",
            "Put a.retain_grad() anywhere between the line that makes a and the call of backward().",
        ),
        mutants=(
            Mutant(
                "The slot is missing or came too late",
                "a was computed, so it keeps its gradient only if retain_grad() was called on it before backward().",
                rows={"a.grad": None},
            ),
            Mutant(
                "b became a leaf",
                "Detaching b cuts it off from w. Only the slot is needed, not a new leaf.",
                rows={"b is a leaf": True},
            ),
        ),
        rows=lambda program, T, rng: program(T),
    ),
]
