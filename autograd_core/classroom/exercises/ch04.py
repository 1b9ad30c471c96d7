"""Chapter 04: backward adds; an absent gradient is not a zero one."""

from ..exercise import Exercise, Mutant


def _ledger(T):
    w = T.tensor(2.0, requires_grad=True)
    entries = {}
    w.square().backward()
    entries["a"] = w.grad.clone()
    (3 * w).backward()
    entries["b"] = w.grad.clone()
    w.grad.zero_()
    (3 * w).backward()
    entries["c"] = w.grad.clone()
    w.grad = None
    entries["d"] = w.grad
    (w.square() + 3 * w).backward()
    entries["e"] = w.grad.clone()
    return entries


def _two_halves(T):
    def halves(T, w, x):
        for part in (x[:2], x[2:]):
            (((w * part) ** 2).mean() / 2).backward()

    return halves


def _after_both(halves, T, rng):
    w = T.tensor(2.0, requires_grad=True)
    halves(T, w, T.tensor([1.0, 2.0, 3.0, 4.0]))
    return {"w.grad": w.grad}


EXERCISES = [
    Exercise(
        id="04.ledger",
        title="A ledger",
        kind="worked",
        minutes=4,
        reference=_ledger,
        hints=(
            "Keep a running total. backward() adds to it, zero_() sets it to zero, None removes the slot.",
            "The two contributions are 4, from the square, and 3. In the last line both arrive in one walk.",
        ),
        mutants=(
            Mutant(
                "backward() does not overwrite",
                "The 3 of the second walk is added to the 4 that lies in the slot.",
                rows={"b": 3.0},
            ),
            Mutant(
                "zero_() wipes what was there",
                "It works on the same slot, and the sum starts again from zero.",
                rows={"c": 10.0},
            ),
            Mutant("None is not zero", "After w.grad = None there is no slot to hold a zero.", rows={"d": 0.0}),
        ),
    ),
    Exercise(
        id="04.halves",
        title="Two halves of a batch",
        kind="blank",
        minutes=8,
        reference=_two_halves,
        hints=(
            "The mean over four numbers is not the sum of the means over two and two. What is it?",
            "It is half of that sum. Divide each half's loss by 2 before you call backward() on it.",
        ),
        mutants=(
            Mutant(
                "Twice the gradient",
                "Two means were added. Each half counts for half of the batch, so each loss is divided by 2.",
                rows={"w.grad": 60.0},
            ),
            Mutant(
                "Only the last half is there",
                "The slot was cleared between the halves. Here the adding is what you want.",
                rows={"w.grad": 25.0},
            ),
            Mutant(
                "A sum, not a mean",
                "The whole batch's loss divides by the number of its elements, which is 4.",
                rows={"w.grad": 120.0},
            ),
        ),
        rows=_after_both,
    ),
]
