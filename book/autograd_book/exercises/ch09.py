"""Chapter 09: walks fill slots, steps read them."""

from typing import Any

from ..check.exercise import Exercise, Mutant


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


def _order(T):
    def fit(T, w, optimizer, numbers):
        for x in numbers:
            loss = (w * x - 1).square()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    return fit


def _fitted(fit, T, rng):
    start, lr = round(rng.uniform(2.0, 3.0), 2), round(rng.uniform(0.02, 0.05), 3)
    numbers = rng.uniform(1.0, 1.5, rng.integers(2, 5)).round(2).tolist()
    w = T.tensor(start, dtype=T.float64, requires_grad=True)
    fit(T, w, T.optim.SGD([w], lr=lr), numbers)
    return {f"w, from {start} with lr={lr} and {numbers}": w, "w.grad": w.grad}


def _in_order(*calls):
    def fit(T, w, optimizer, numbers):
        for x in numbers:
            loss = (w * x - 1).square()
            for call in calls:
                getattr(loss if call == "backward" else optimizer, call)()

    return fit


def _optimizer(T):
    def step(T, params, buffers, lr, momentum):
        with T.no_grad():
            for k, p in enumerate(params):
                if p.grad is not None:
                    buffers[k] = momentum * buffers[k] + p.grad if k in buffers else p.grad.clone()
                    p.sub_(lr * buffers[k])

    return step


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


def _step_with(
    place=lambda k: k,
    kept=lambda g: g.clone(),
    decay=lambda momentum: momentum,
    write=lambda p, change: p.sub_(change),
):
    """A right step, from which the wrong ones differ in one part."""

    def step(T, params, buffers, lr, momentum):
        with T.no_grad():
            for k, p in enumerate(params):
                if p.grad is not None:
                    k = place(k)
                    buffers[k] = decay(momentum) * buffers[k] + p.grad if k in buffers else kept(p.grad)
                    write(p, lr * buffers[k])

    return step


def _idle(T):
    def idle(T, w):
        w.square().backward()
        with T.no_grad():
            w = w - 0.1 * w.grad
        return w

    return idle


def _what_moved(idle, T, rng):
    start = round(rng.uniform(1.5, 3.0), 2)
    w = T.tensor(start, dtype=T.float64, requires_grad=True)
    returned = idle(T, w)
    return {f"returned, from w = {start}": returned, "w": w, "w.grad": w.grad}


def _really_moved(T, w):
    w.square().backward()
    with T.no_grad():
        w.sub_(0.1 * w.grad)
    return w


def _returns_the_old(T, w):
    w.square().backward()
    return w.detach()


def _by_hand(T, w):
    return w.detach() - 0.1 * 2 * w.detach()


def _adds(T, w):
    w.square().backward()
    return w.detach() + 0.1 * w.grad


EXERCISES = [
    Exercise(
        id="09.steps",
        title="Walks and steps",
        kind="worked",
        minutes=4,
        reference=_steps,
        hints=(
            "Keep two numbers, w and the buffer. What does each line find in the slot: the 4, nothing, or a zero?",
            "The buffer is 4, then 0.5 * 4 + 4 = 6. In c the slot is None. In d the buffer becomes 0.5 * 6 + 0.",
        ),
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
    Exercise(
        id="09.order",
        title="Three calls in order",
        kind="faded",
        minutes=5,
        reference=_order,
        hints=(
            "Which call fills the slot, which one reads it? When may it be emptied without losing what is needed?",
            "Empty it before backward. After step would train just as well, but leave nothing in the slot at the end.",
        ),
        mutants=(
            Mutant(
                "Emptied too early",
                "Between backward and step the slot was emptied, and the step found nothing.",
                _in_order("backward", "zero_grad", "step"),
            ),
            Mutant(
                "Right, and nothing left to look at",
                "The slot was emptied after the step. w is right; but the last gradient was to stay.",
                _in_order("zero_grad", "backward", "step", "zero_grad"),
            ),
            Mutant(
                "Nobody empties the slot",
                "From the second step on, a step used the sum of all gradients so far.",
                _in_order("backward", "step"),
            ),
            Mutant(
                "The step came before the walk",
                "step reads the slot, which had just been emptied. The gradient arrived when nobody asked any more.",
                _in_order("zero_grad", "step", "backward"),
            ),
        ),
        rows=_fitted,
    ),
    Exercise(
        id="09.optimizer",
        title="An optimizer of your own",
        kind="blank",
        minutes=8,
        reference=_optimizer,
        hints=(
            "Where may a leaf that requires a gradient be written to? And is w.grad yours to keep as a buffer?",
            "Under T.no_grad(): buffers[k] = momentum * buffers[k] + p.grad, or a clone() of the gradient the first "
            "time; then p.sub_(lr * buffers[k]).",
        ),
        mutants=(
            Mutant(
                "Uphill",
                "The gradient points to where the loss grows. A step subtracts it.",
                _step_with(write=lambda p, change: p.add_(change)),
            ),
            Mutant(
                "There is no momentum",
                "This is plain gradient descent. Each step also uses a part of the buffer of the step before.",
                _step_with(decay=lambda momentum: 0.0),
            ),
            Mutant(
                "The name was moved",
                "p = p - ... makes a new tensor. Write into the leaf: p.sub_(...).",
                _step_with(write=lambda p, change: p - change),
            ),
            Mutant(
                "One buffer for all",
                "The parameters went through one buffer, and each got a part of the gradient of another. Each has its "
                "own, under its position.",
                _step_with(place=lambda k: 0),
            ),
            Mutant(
                "The buffer is the slot",
                "The first buffer was the tensor in the slot itself. When the slot was zeroed and filled again, so was "
                "the buffer. Keep a clone().",
                _step_with(kept=lambda g: g),
            ),
        ),
        rows=_three_steps,
    ),
    Exercise(
        id="09.idle",
        title="A step that moves something else",
        kind="break",
        minutes=6,
        reference=_idle,
        hints=(
            "What is the difference between writing into a tensor and giving its name to another one?",
            "w = w - 0.1 * w.grad makes a new tensor. The caller has the old one.",
        ),
        mutants=(
            Mutant(
                "That step was a real one",
                "w was written to. For once, make a new tensor instead.",
                _really_moved,
            ),
            Mutant(
                "The old tensor was returned",
                "The step made a new tensor, and what was returned is the one before it.",
                _returns_the_old,
            ),
            Mutant("Nobody walked back", "The slot of w is to hold the gradient.", _by_hand),
            Mutant("Uphill", "The gradient points to where the loss grows. A step subtracts it.", _adds),
        ),
        rows=_what_moved,
    ),
]
