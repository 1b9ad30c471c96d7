"""Chapter 09: walks fill slots, steps read them."""

from typing import Any

from ..exercise import Exercise, Mutant


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
    w = T.tensor(2.0, dtype=T.float64, requires_grad=True)
    fit(T, w, T.optim.SGD([w], lr=0.1), [1.0, 2.0])
    return {"w": w, "w.grad": w.grad}


def _optimizer(T):
    def step(T, params, buffers, lr, momentum):
        with T.no_grad():
            for k, p in enumerate(params):
                if p.grad is not None:
                    buffers[k] = momentum * buffers[k] + p.grad if k in buffers else p.grad.clone()
                    p.sub_(lr * buffers[k])

    return step


def _three_steps(step, T, rng):
    used, idle = (T.tensor(start, dtype=T.float64, requires_grad=True) for start in (2.0, 5.0))
    params, path = [used, idle], []
    buffers: dict[int, Any] = {}
    for _ in range(3):
        used.grad = None
        used.square().backward()
        step(T, params, buffers, 0.1, 0.5)
        path.append(used.item())
    return {
        "the used parameter": path,
        "the one without a gradient": idle.item(),
        "it is still the same leaf": params[0] is used and used.is_leaf and used.requires_grad,
    }


def _idle(T):
    def idle(T, w):
        w.square().backward()
        with T.no_grad():
            w = w - 0.1 * w.grad
        return w

    return idle


def _what_moved(idle, T, rng):
    w = T.tensor(2.0, dtype=T.float64, requires_grad=True)
    returned = idle(T, w)
    return {"w": w, "w.grad": w.grad, "returned": returned}


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
                rows={"w": 2.0, "w.grad": None},
            ),
            Mutant(
                "Right, and nothing left to look at",
                "The slot was emptied after the step. w is right; but the last gradient was to stay.",
                rows={"w": 0.76, "w.grad": None},
            ),
            Mutant(
                "Nobody empties the slot",
                "The second step used the sum of both gradients.",
                rows={"w": 0.56, "w.grad": 12.4},
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
                rows={"the used parameter": [2.4, 3.08, 4.036]},
            ),
            Mutant(
                "There is no momentum",
                "This is plain gradient descent. Each step also uses half of the buffer of the step before.",
                rows={"the used parameter": [1.6, 1.28, 1.024]},
            ),
            Mutant(
                "The name was moved",
                "p = p - ... makes a new tensor. Write into the leaf: p.sub_(...).",
                rows={"the used parameter": [2.0, 2.0, 2.0]},
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
                rows={"w": 1.6},
            ),
            Mutant(
                "The old tensor was returned",
                "The step made a new tensor, and what was returned is the one before it.",
                rows={"returned": 2.0},
            ),
            Mutant("Nobody walked back", "The slot of w is to hold the gradient.", rows={"w.grad": None}),
        ),
        rows=_what_moved,
    ),
]
