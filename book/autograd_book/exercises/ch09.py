"""Chapter 09: walks fill slots, steps read them."""

from typing import Any

from ..check.exercise import Mutant, from_chapter


def _steps(T):
    w = T.tensor(2.0, dtype=T.float64, requires_grad=True)
    optimizer = T.optim.SGD([w], lr=0.1, momentum=0.5)
    marks = {}
    w.square().backward()
    optimizer.step()
    marks["a"] = w.item()
    optimizer.step()
    marks["b"] = w.item()
    optimizer.zero_grad()
    optimizer.step()
    marks["c"] = w.item()
    w.grad = T.zeros_like(w)
    optimizer.step()
    marks["d"] = w.item()
    return marks


def _fitted(fit, T, rng):
    start, lr = round(rng.uniform(2.0, 3.0), 2), round(rng.uniform(0.02, 0.05), 3)
    numbers = rng.uniform(1.0, 1.5, rng.integers(2, 5)).round(2).tolist()
    w = T.tensor(start, dtype=T.float64, requires_grad=True)
    fit(T, w, T.optim.SGD([w], lr=lr), numbers)
    return {f"w, from {start} with lr={lr} and {numbers}": w, "w.grad": w.grad}


def _three_steps(step, T, rng):
    starts = rng.uniform((1.5, 3.5, 5.5), (2.5, 4.5, 6.5)).round(2).tolist()
    lr, momentum = round(rng.uniform(0.05, 0.15), 3), round(rng.uniform(0.3, 0.6), 2)
    leaves = first, idle, second = [T.tensor(start, dtype=T.float64, requires_grad=True) for start in starts]
    params, paths = list(leaves), []
    buffers: dict[int, Any] = {}
    for _ in range(3):
        for p in (first, second):
            if p.grad is not None:
                p.grad.zero_()
        (first.square() + second).backward()
        step(T, params, buffers, lr, momentum)
        paths.append([first.item(), second.item()])
    return {
        f"two parameters from {starts[0]} and {starts[2]}, lr={lr}, momentum={momentum}": paths,
        "the one without a gradient": idle.item(),
        "they are still the same leaves": all(
            p is leaf and p.is_leaf and p.requires_grad for p, leaf in zip(params, leaves, strict=True)
        ),
    }


def _what_moved(idle, T, rng):
    start = round(rng.uniform(1.5, 3.0), 2)
    w = T.tensor(start, dtype=T.float64, requires_grad=True)
    returned = idle(T, w)
    return {f"returned, from w = {start}": returned, "w": w, "w.grad": w.grad}


EXERCISES = [
    from_chapter(
        id="09.steps",
        kind="worked",
        minutes=4,
        reference=_steps,
        mutants=(
            Mutant(
                "A step does not empty the slot",
                "The second step finds the 4 again and adds it to half of the buffer.",
                rows={"b": 1.4},
            ),
            Mutant(
                "None is skipped",
                "zero_grad leaves None, and a parameter without a gradient does not move, momentum or not.",
                rows={"c": 0.7},
            ),
            Mutant("Zero is a gradient", "With a zero in the slot the momentum rolls on.", rows={"c": 1.0, "d": 1.0}),
        ),
    ),
    from_chapter(
        id="09.order",
        kind="faded",
        minutes=5,
        mutants=(
            Mutant(
                "Emptied too early",
                "Between backward and step the slot was emptied, and the step found nothing.",
                instead={
                    "optimizer.zero_grad()\n        loss.backward()": "loss.backward()\n        optimizer.zero_grad()"
                },
            ),
            Mutant(
                "Right, and nothing left to look at",
                "The slot was emptied after the step. w is right; but the last gradient was to stay.",
                instead={"optimizer.step()": "optimizer.step()\n        optimizer.zero_grad()"},
            ),
            Mutant(
                "Nobody empties the slot",
                "From the second step on, a step used the sum of all gradients so far.",
                instead={"optimizer.zero_grad()": "pass"},
            ),
            Mutant(
                "The step came before the walk",
                "step reads the slot, which had just been emptied. The gradient arrived when nobody asked any more.",
                instead={"loss.backward()\n        optimizer.step()": "optimizer.step()\n        loss.backward()"},
            ),
        ),
        rows=_fitted,
    ),
    from_chapter(
        id="09.optimizer",
        kind="blank",
        minutes=8,
        mutants=(
            Mutant(
                "Uphill",
                "The gradient points to where the loss grows. A step subtracts it.",
                instead={"p.sub_": "p.add_"},
            ),
            Mutant(
                "There is no momentum",
                "This is plain gradient descent. Each step also uses a part of the buffer of the step before.",
                instead={"momentum * buffers": "0 * buffers"},
            ),
            Mutant(
                "The name was moved",
                "p = p - ... makes a new tensor. Write into the leaf: p.sub_(...).",
                instead={"p.sub_(lr * buffers[k])": "p = p - lr * buffers[k]"},
            ),
            Mutant(
                "One buffer for all",
                "The parameters went through one buffer, and each got a part of the gradient of another. Each has its "
                "own, under its position.",
                instead={"if k in buffers:": "k = 0\n            if k in buffers:"},
            ),
            Mutant(
                "The buffer is the slot",
                "The first buffer was the tensor in the slot itself. When the slot was zeroed and filled again, so was "
                "the buffer. Keep a clone().",
                instead={".clone()": ""},
            ),
        ),
        rows=_three_steps,
    ),
    from_chapter(
        id="09.idle",
        kind="break",
        minutes=6,
        mutants=(
            Mutant(
                "That step was a real one",
                "w was written to. For once, make a new tensor instead.",
                instead={"w = w - 0.1 * w.grad": "w.sub_(0.1 * w.grad)"},
            ),
            Mutant(
                "The old tensor was returned",
                "The step made a new tensor, and what was returned is the one before it.",
                instead={"w - 0.1 * w.grad": "w.detach()"},
            ),
            Mutant(
                "Nobody walked back",
                "The slot of w is to hold the gradient.",
                instead={"w.square().backward()": "pass", "w.grad": "2 * w"},
            ),
            Mutant(
                "Uphill",
                "The gradient points to where the loss grows. A step subtracts it.",
                instead={"w - 0.1": "w + 0.1"},
            ),
        ),
        rows=_what_moved,
    ),
]
