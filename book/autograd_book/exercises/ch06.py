"""Exercises of chapter 06: four switches."""

from ..check.exercise import Exercise, Mutant


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


def _logged(weight, loss_so_far):
    """The training run of the exercise, with what it notes of the weight and of the loss."""

    def train(T, w, steps):
        weights, total = [], 0.0
        for _ in range(steps):
            loss = w.square()
            loss.backward()
            with T.no_grad():
                w.sub_(0.1 * w.grad)
            w.grad = None
            weights.append(weight(w))
            total = total + loss_so_far(loss)
        return weights, total

    return train


def _log(T):
    return _logged(lambda w: w.detach().clone(), lambda loss: loss.item())


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


def _evaluate(T):
    def evaluate(T, model, x):
        was_training = model.training
        model.eval()
        with T.no_grad():
            y = model(x)
        model.train(was_training)
        return y

    return evaluate


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


def _only_no_grad(T, model, x):
    with T.no_grad():
        return model(x)


def _only_eval(T, model, x):
    was_training = model.training
    y = model.eval()(x)
    model.train(was_training)
    return y


def _detaches_at_the_end(T, model, x):
    return _only_eval(T, model, x).detach()


def _stays_in_eval(T, model, x):
    model.eval()
    with T.no_grad():
        return model(x)


def _ends_in_training(T, model, x):
    model.eval()
    with T.no_grad():
        y = model(x)
    model.train()
    return y


def _ends_the_recording(T, model, x):
    T.set_grad_enabled(False)
    was_training = model.training
    y = model.eval()(x)
    model.train(was_training)
    return y


def _through_h(T, w):
    return w.detach() * w.square()


def _silent(T, w):
    return (w * w.square()).detach().requires_grad_()


def _refused(T, w):
    with T.no_grad():
        return w * w.square()


def _three_losses(T):
    return _through_h, _silent, _refused


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
    Exercise(
        id="06.log",
        title="Notes of a training run",
        kind="faded",
        minutes=5,
        reference=_log,
        hints=(
            "The step writes into w, so a note must not share its memory. And neither note should have a history.",
            "Append w.detach().clone(), or the number w.item(). Add loss.item() to the total.",
        ),
        mutants=(
            Mutant(
                "Many names for the last weight",
                "detach() cuts the history and shares the memory, which every later step overwrites.",
                _logged(lambda w: w.detach(), lambda loss: loss.item()),
            ),
            Mutant(
                "The parameter itself is in the list",
                "All entries are one tensor, the parameter. It changes at each step, and it requires a gradient.",
                _logged(lambda w: w, lambda loss: loss.item()),
            ),
            Mutant(
                "The notes have a history",
                "clone() copies the values and is recorded, so each note leads back to the parameter.",
                _logged(lambda w: w.clone(), lambda loss: loss.item()),
            ),
            Mutant(
                "The total holds on to every graph",
                "A sum of losses is a recorded computation, and it keeps the graph of each step alive.",
                _logged(lambda w: w.detach().clone(), lambda loss: loss),
            ),
        ),
        rows=_notes,
        tolerance=1e-5,
    ),
    Exercise(
        id="06.evaluate",
        title="A validation that leaves no trace",
        kind="blank",
        minutes=6,
        reference=_evaluate,
        hints=(
            "Two switches are needed, one for how the layer computes and one for what is recorded. One of them stays "
            "as you leave it.",
            "Keep model.training, call model.eval(), compute under T.no_grad(), then model.train(what you kept).",
        ),
        mutants=(
            Mutant(
                "no_grad() is not eval()",
                "Nothing was recorded, but the layer used the batch, and its running mean learned from it.",
                _only_no_grad,
            ),
            Mutant(
                "eval() is not no_grad()",
                "The layer computed as it should, and a graph was recorded all the same.",
                _only_eval,
            ),
            Mutant(
                "Recorded, and then thrown away",
                "The output has no history any more, but the forward was recorded: it took the time and the memory.",
                _detaches_at_the_end,
            ),
            Mutant(
                "The model stays in eval",
                "Training goes on after the validation, and dropout and batch normalization would be off from here on.",
                _stays_in_eval,
            ),
            Mutant(
                "The model ends in training",
                "It need not have been in training before. Put back what you found.",
                _ends_in_training,
            ),
            Mutant(
                "Nothing is recorded from here on",
                "The switch was left off, and training goes on after the validation. A with block puts it back.",
                _ends_the_recording,
            ),
        ),
        rows=_on_a_normalization,
    ),
    Exercise(
        id="06.silence",
        title="One value, three ends",
        kind="break",
        minutes=6,
        reference=_three_losses,
        hints=(
            "In the first, one factor is a constant. In the other two no road leads to w; what distinguishes them is "
            "whether L itself requires a gradient.",
            "w.detach() * h leaves the road through h. (w * h).detach() is refused; with requires_grad_() it is a "
            "leaf, and backward runs.",
        ),
        mutants=(
            Mutant(
                "The other road",
                "h.detach() closes the road through h and leaves the direct one, which brings half as much.",
                (lambda T, w: w * w.square().detach(), _silent, _refused),
            ),
            Mutant(
                "Both roads are open",
                "Nothing was cut, so w**2 comes along one road and 2 * w**2 along the other.",
                (lambda T, w: w * w.square(), _silent, _refused),
            ),
            Mutant(
                "An error is not silence",
                "No road leads to w, and backward says so. It is silent only for an L that requires a gradient.",
                (_through_h, _refused, _refused),
            ),
            Mutant(
                "Something arrives",
                "Part of the gradient is missing without a word, but not all of it. w.grad should stay None.",
                (_through_h, lambda T, w: w * w.square().detach(), _refused),
            ),
            Mutant(
                "Nobody refuses",
                "L has become a leaf that requires a gradient, and backward is content with that.",
                (_through_h, _silent, _silent),
            ),
        ),
        rows=_walked_back,
    ),
]
