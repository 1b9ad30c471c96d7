"""Chapter 04: backward adds; an absent gradient is not a zero one."""

from ..check.exercise import Mutant, from_chapter, of_dictionary


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


def _after_both(halves, T, rng):
    start = round(rng.uniform(1.5, 3.0), 2)
    x = [*rng.uniform(0.5, 1.5, 2).round(2).tolist(), *rng.uniform(2.0, 4.0, 2).round(2).tolist()]
    w = T.tensor(start, dtype=T.float64, requires_grad=True)
    sizes = [0]

    def note(saved):
        sizes.append(saved.numel())
        return saved

    with T.autograd.graph.saved_tensors_hooks(note, lambda saved: saved):
        halves(T, w, T.tensor(x, dtype=T.float64))
    return {f"w.grad, w = {start}, x = {x}": w.grad, "more than two numbers were used at a time": max(sizes) > 2}


def _slot(T):
    class Slot:
        def __init__(self):
            self.leaf = T.zeros(2, requires_grad=True)

        @property
        def grad(self):
            return self.leaf.grad

        def receive(self, g):
            self.leaf.backward(g)

        def clear(self):
            self.leaf.grad = None

    return Slot


def _parcels(Slot, T, rng):
    def parcel():
        return T.tensor(rng.uniform(1.0, 3.0, 2).round(2).tolist())

    def content():
        return None if slot.grad is None else slot.grad * 1

    first, second, third = parcel(), parcel(), parcel()
    sent = first.tolist()
    slot, other = Slot(), Slot()
    rows = {"at the start": content()}
    slot.receive(first)
    rows[f"after {[round(x, 2) for x in sent]}"] = content()
    rows["in another slot"] = other.grad
    slot.receive(second)
    rows["after a second parcel"] = content()
    rows["the first parcel itself was left alone"] = first.tolist() == sent
    slot.clear()
    rows["after clear()"] = content()
    slot.receive(third)
    rows["after a third parcel"] = content()
    return rows


@of_dictionary("set_to_none", "settings")
def _second_step(answer, T, rng):
    w = T.tensor(2.0, dtype=T.float64, requires_grad=True)
    optimizer = T.optim.SGD([w], **answer["settings"])
    w.square().backward()
    optimizer.step()
    first = w.item()
    optimizer.zero_grad(set_to_none=answer["set_to_none"])
    rows = {"the first step moves w": first != 2.0, "the slot after clearing": w.grad}
    optimizer.step()
    return rows | {"the second step moves w": w.item() != first}


EXERCISES = [
    from_chapter(
        id="04.ledger",
        kind="worked",
        minutes=4,
        reference=_ledger,
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
            Mutant(
                "None is not zero",
                "After w.grad = None the slot is empty, and an empty slot holds no zero.",
                rows={"d": 0.0},
            ),
        ),
    ),
    from_chapter(
        id="04.halves",
        kind="blank",
        minutes=8,
        mutants=(
            Mutant(
                "Twice the gradient",
                "Two means were added. Each half counts for half of the batch, so each loss is divided by 2.",
                instead={"(loss / 2)": "loss"},
            ),
            Mutant(
                "Only the last half is there",
                "The slot was cleared between the halves. Here the adding is what you want.",
                instead={"loss = ((": "w.grad = None\n        loss = (("},
            ),
            Mutant(
                "A sum, not a mean",
                "The whole batch's loss divides by the number of its elements, which is 4.",
                instead={".mean()": ".sum()", "(loss / 2)": "loss"},
            ),
            Mutant(
                "Half the gradient",
                "The mean over a half has divided by its two numbers already. To make it four, divide by 2 once more.",
                instead={"loss / 2": "loss / 4"},
            ),
            Mutant(
                "The whole batch at once",
                "The gradient is right. But the halves are there because the batch does not fit into memory.",
                instead={"(x[:2], x[2:])": "(x,)", "(loss / 2)": "loss"},
            ),
        ),
        rows=_after_both,
    ),
    from_chapter(
        id="04.slot",
        kind="faded",
        minutes=6,
        reference=_slot,
        mutants=(
            Mutant(
                "It overwrites",
                "The second parcel replaced the first. backward() adds to what lies in the slot.",
                instead={"self.grad = self.grad + g": "self.grad = g"},
            ),
            Mutant(
                "Cleared to zero",
                "That is zero_(). An empty slot says that nothing has arrived, and an optimizer skips it.",
                instead={"clear(self):\n        self.grad = None": "clear(self):\n        self.grad = self.grad * 0"},
            ),
            Mutant(
                "The sender's tensor was written",
                "The slot took the first parcel itself, and += added the second to it. Whoever sent it did not expect "
                "that.",
                instead={"self.grad = self.grad + g": "self.grad += g"},
            ),
            Mutant(
                "clear() does nothing",
                "The old sum is still there, and the third parcel is added to it.",
                instead={"clear(self):\n        self.grad = None": "clear(self):\n        return self.grad"},
            ),
            Mutant(
                "The slot starts at zero",
                "The sums come out right, but None is not zero: nothing has arrived yet.",
                instead={
                    "__init__(self):\n        self.grad = None": "__init__(self):\n        self.grad = 0.0",
                    "clear(self):\n        self.grad = None": "clear(self):\n        self.grad = 0.0",
                },
            ),
            Mutant(
                "One slot for all leaves",
                "What one slot received lies in another one too. Keep it in the object, not in the class.",
                instead={
                    "self.grad = g": "Slot.grad = g",
                    "self.grad = self.grad + g": "Slot.grad = self.grad + g",
                    "__init__(self):\n        self.grad = None": "__init__(self):\n        Slot.grad = None",
                    "clear(self):\n        self.grad = None": "clear(self):\n        Slot.grad = None",
                },
            ),
        ),
        rows=_parcels,
    ),
    from_chapter(
        id="04.rolls_on",
        kind="break",
        minutes=4,
        mutants=(
            Mutant(
                "None is skipped",
                "The slot holds None, so the optimizer passes this parameter over, whatever its settings are.",
                {"set_to_none": True, "settings": {"lr": 0.1, "momentum": 0.9}},
            ),
            Mutant(
                "A zero alone moves nothing",
                "The optimizer does look at the parameter now, and moves it by lr times 0.",
                {"set_to_none": False, "settings": {"lr": 0.1}},
            ),
            Mutant(
                "Not even the first step moves w",
                "With the learning rate 0 nothing can roll on.",
                {"set_to_none": False, "settings": {"lr": 0.0, "momentum": 0.9}},
            ),
        ),
        rows=_second_step,
    ),
]
