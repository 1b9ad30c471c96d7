"""Exercises of chapter 06: four switches."""

from ..check.exercise import Mutant, from_chapter


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


def _notes(train, T, rng):
    def number(x):
        return x.detach().item() if isinstance(x, T.Tensor) else x

    def has_a_history(x):
        return isinstance(x, T.Tensor) and x.requires_grad

    start, steps = round(rng.uniform(1.0, 3.0), 2), int(rng.integers(2, 5))
    weights, total = train(T, T.tensor(start, requires_grad=True), steps)
    return {
        f"weights, {steps} steps from {start}": [number(w) for w in weights],
        "a weight in the list has a history": any(map(has_a_history, weights)),
        "total": number(total),
        "the total has a history": has_a_history(total),
    }


def _on_a_normalization(evaluate, T, rng):
    rows = {}
    numbers = rng.uniform(1.0, 3.0, rng.integers(2, 5)).round(2).tolist()
    for mode in ("training", "eval"):
        model = T.nn.BatchNorm1d(1)
        model.train(mode == "training")
        saved: list[object] = []
        with T.enable_grad(), T.autograd.graph.saved_tensors_hooks(saved.append, lambda nothing: nothing):
            y = evaluate(T, model, T.tensor(numbers).reshape(-1, 1))
            goes_on = T.is_grad_enabled()
        rows[f"{numbers}, called in {mode}: output"] = y.detach().flatten()
        rows[f"called in {mode}: the output has a history"] = y.requires_grad
        rows[f"called in {mode}: something was saved for a backward"] = bool(saved)
        rows[f"called in {mode}: running mean afterwards"] = model.running_mean
        rows[f"called in {mode}: in training afterwards"] = model.training
        rows[f"called in {mode}: recording afterwards"] = goes_on
    return rows


def _walked_back(losses, T, rng):
    rows = {}
    start = round(rng.uniform(2.2, 3.0), 2)
    for name, loss in zip(("through h", "silent", "refused"), losses, strict=True):
        w = T.tensor(start, dtype=T.float64, requires_grad=True)
        L = loss(T, w)
        rows[f"{name}: L, w = {start}"] = L.detach()
        try:
            L.backward()
            rows[f"{name}: backward"] = "no error"
        except RuntimeError as error:
            rows[f"{name}: backward"] = type(error).__name__
        rows[f"{name}: w.grad"] = w.grad
    return rows


EXERCISES = [
    from_chapter(
        id="06.handles",
        kind="worked",
        minutes=4,
        reference=_handles,
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
    from_chapter(
        id="06.roads",
        kind="worked",
        minutes=4,
        reference=_roads,
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
    from_chapter(
        id="06.log",
        kind="faded",
        minutes=5,
        mutants=(
            Mutant(
                "Many names for the last weight",
                "detach() cuts the history and shares the memory, which every later step overwrites.",
                instead={".clone()": ""},
            ),
            Mutant(
                "The parameter itself is in the list",
                "All entries are one tensor, the parameter. It changes at each step, and it requires a gradient.",
                instead={"w.detach().clone()": "w"},
            ),
            Mutant(
                "The notes have a history",
                "clone() copies the values and is recorded, so each note leads back to the parameter.",
                instead={".detach()": ""},
            ),
            Mutant(
                "The total holds on to every graph",
                "A sum of losses is a recorded computation, and it keeps the graph of each step alive.",
                instead={".item()": ""},
            ),
        ),
        rows=_notes,
        tolerance=1e-5,
    ),
    from_chapter(
        id="06.evaluate",
        kind="blank",
        minutes=6,
        mutants=(
            Mutant(
                "no_grad() is not eval()",
                "Nothing was recorded, but the layer used the batch, and its running mean learned from it.",
                instead={"model.eval()": "pass"},
            ),
            Mutant(
                "eval() is not no_grad()",
                "The layer computed as it should, and a graph was recorded all the same.",
                instead={"no_grad": "enable_grad"},
            ),
            Mutant(
                "Recorded, and then thrown away",
                "The output has no history any more, but the forward was recorded: it took the time and the memory.",
                instead={"no_grad": "enable_grad", "return y": "return y.detach()"},
            ),
            Mutant(
                "The model stays in eval",
                "Training goes on after the validation, and dropout and batch normalization would be off from here on.",
                instead={"model.train(was_training)": "pass"},
            ),
            Mutant(
                "The model ends in training",
                "It need not have been in training before. Put back what you found.",
                instead={"train(was_training)": "train()"},
            ),
            Mutant(
                "Nothing is recorded from here on",
                "The switch was left off, and training goes on after the validation. A with block puts it back.",
                instead={"with T.no_grad():\n        y": "T.set_grad_enabled(False)\n    y"},
            ),
        ),
        rows=_on_a_normalization,
    ),
    from_chapter(
        id="06.silence",
        kind="break",
        minutes=6,
        mutants=(
            Mutant(
                "The other road",
                "h.detach() closes the road through h and leaves the direct one, which brings half as much.",
                instead={"w.detach() * w.square()": "w * w.square().detach()"},
            ),
            Mutant(
                "Both roads are open",
                "Nothing was cut, so w**2 comes along one road and 2 * w**2 along the other.",
                instead={"w.detach() *": "w *"},
            ),
            Mutant(
                "An error is not silence",
                "No road leads to w, and backward says so. It is silent only for an L that requires a gradient.",
                instead={"(through_h, silent, refused)": "(through_h, refused, refused)"},
            ),
            Mutant(
                "Something arrives",
                "Part of the gradient is missing without a word, but not all of it. w.grad should stay None.",
                instead={"(w * w.square()).detach().requires_grad_()": "w * w.square().detach()"},
            ),
            Mutant(
                "Nobody refuses",
                "L has become a leaf that requires a gradient, and backward is content with that.",
                instead={"(through_h, silent, refused)": "(through_h, silent, silent)"},
            ),
        ),
        rows=_walked_back,
    ),
]
