"""Chapter 04: backward adds; an absent gradient is not a zero one."""

from typing import Any

from ..check.exercise import Exercise, Mutant, of_dictionary


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


def _half_by_half(loss, clear=False):
    """A walk from the loss of each half, which is computed from the squares in it."""

    def halves(T, w, x):
        for part in (x[:2], x[2:]):
            if clear:
                w.grad = None
            loss((w * part) ** 2).backward()

    return halves


def _half_of_the_mean(squares):
    return squares.mean() / 2


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


def _all_at_once(T, w, x):
    ((w * x) ** 2).mean().backward()


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


class _Slot:
    """A right slot, from which the wrong ones differ in one method."""

    grad: Any = None

    def receive(self, g):
        self.grad = g if self.grad is None else self.grad + g

    def clear(self):
        self.grad = None


class _Overwrites(_Slot):
    def receive(self, g):
        self.grad = g


class _WritesZero(_Slot):
    def clear(self):
        self.grad = self.grad * 0


class _WritesIntoTheParcel(_Slot):
    def receive(self, g):
        if self.grad is None:
            self.grad = g
        else:
            self.grad += g


class _IsNotCleared(_Slot):
    def clear(self):
        return self.grad


class _StartsAtZero(_Slot):
    grad = 0.0

    def receive(self, g):
        self.grad = self.grad + g

    def clear(self):
        self.grad = 0.0


class _IsSharedByAll(_Slot):
    def __init__(self):
        self.clear()

    def receive(self, g):
        _IsSharedByAll.grad = g if self.grad is None else self.grad + g

    def clear(self):
        _IsSharedByAll.grad = None


def _rolls_on(T):
    return {"set_to_none": False, "settings": {"lr": 0.1, "momentum": 0.9}}


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
    Exercise(
        id="04.ledger",
        title="A ledger",
        kind="worked",
        minutes=4,
        reference=_ledger,
        hints=(
            "Keep a running total. backward() adds to it, zero_() sets it to zero, None empties the slot.",
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
            Mutant(
                "None is not zero",
                "After w.grad = None the slot is empty, and an empty slot holds no zero.",
                rows={"d": 0.0},
            ),
        ),
    ),
    Exercise(
        id="04.halves",
        title="Two halves of a batch",
        kind="blank",
        minutes=8,
        reference=lambda T: _half_by_half(_half_of_the_mean),
        hints=(
            "The mean over four numbers is not the sum of the means over two and two. What is it?",
            "It is half of that sum. Divide each half's loss by 2 before you call backward() on it.",
        ),
        mutants=(
            Mutant(
                "Twice the gradient",
                "Two means were added. Each half counts for half of the batch, so each loss is divided by 2.",
                _half_by_half(lambda squares: squares.mean()),
            ),
            Mutant(
                "Only the last half is there",
                "The slot was cleared between the halves. Here the adding is what you want.",
                _half_by_half(_half_of_the_mean, clear=True),
            ),
            Mutant(
                "A sum, not a mean",
                "The whole batch's loss divides by the number of its elements, which is 4.",
                _half_by_half(lambda squares: squares.sum()),
            ),
            Mutant(
                "Half the gradient",
                "The mean over a half has divided by its two numbers already. To make it four, divide by 2 once more.",
                _half_by_half(lambda squares: squares.mean() / 4),
            ),
            Mutant(
                "The whole batch at once",
                "The gradient is right. But the halves are there because the batch does not fit into memory.",
                _all_at_once,
            ),
        ),
        rows=_after_both,
    ),
    Exercise(
        id="04.slot",
        title="A slot of your own",
        kind="faded",
        minutes=6,
        reference=_slot,
        hints=(
            "An empty slot takes what arrives, a full one adds to it. What does an empty one hold?",
            "Empty means None. Write self.grad + g, which makes a new tensor; += would write into the parcel that the "
            "slot took first.",
        ),
        mutants=(
            Mutant(
                "It overwrites",
                "The second parcel replaced the first. backward() adds to what lies in the slot.",
                _Overwrites,
            ),
            Mutant(
                "Cleared to zero",
                "That is zero_(). An empty slot says that nothing has arrived, and an optimizer skips it.",
                _WritesZero,
            ),
            Mutant(
                "The sender's tensor was written",
                "The slot took the first parcel itself, and += added the second to it. Whoever sent it did not expect "
                "that.",
                _WritesIntoTheParcel,
            ),
            Mutant(
                "clear() does nothing",
                "The old sum is still there, and the third parcel is added to it.",
                _IsNotCleared,
            ),
            Mutant(
                "The slot starts at zero",
                "The sums come out right, but None is not zero: nothing has arrived yet.",
                _StartsAtZero,
            ),
            Mutant(
                "One slot for all leaves",
                "What one slot received lies in another one too. Keep it in the object, not in the class.",
                _IsSharedByAll,
            ),
        ),
        rows=_parcels,
    ),
    Exercise(
        id="04.rolls_on",
        title="A step that nobody asked for",
        kind="break",
        minutes=4,
        reference=_rolls_on,
        hints=(
            "What does an optimizer do with a parameter whose slot holds None, and what if it holds a zero?",
            "Leave a zero in the slot, and give the optimizer something that acts without a gradient: momentum or "
            "weight decay.",
        ),
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
