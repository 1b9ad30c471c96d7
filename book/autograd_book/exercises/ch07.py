"""Exercises of chapter 07: the life of a graph."""

from ..check.exercise import Mutant, from_chapter


def _runs_twice(y):
    y.backward()
    try:
        y.backward()
    except RuntimeError:
        return False
    return True


def _twice(T):
    expressions = {
        "w - 5": lambda w: w - 5,
        "w / 2": lambda w: w / 2,
        "(w + w).sum()": lambda w: (w + w).sum(),
        "w.tanh()": lambda w: w.tanh(),
        "w.reshape(1)": lambda w: w.reshape(1),
    }
    return {name: _runs_twice(f(T.tensor(2.0, requires_grad=True))) for name, f in expressions.items()}


def _gradients(loop, T, rng):
    def gradient(at, steps):
        w = T.tensor(at, dtype=T.float64, requires_grad=True)
        try:
            loop(T, w, steps)
        except RuntimeError as error:
            return type(error).__name__
        return w.grad

    at = [round(rng.uniform(1.2, 2.2), 2) for _ in range(4)]
    steps = 1, 2, 3, int(rng.integers(4, 7))
    return {f"w.grad after loop(T, {w}, {n})": gradient(w, n) for w, n in zip(at, steps, strict=True)}


def _square_node(T):
    class Square:
        def forward(self, x):
            self.x = T.tensor(x, dtype=T.float64, requires_grad=True)
            self.y = self.x.square()
            return self.y.detach()

        def backward(self, g, retain=False):
            g = T.tensor(g, dtype=T.float64)
            return T.autograd.grad(self.y, self.x, g, retain_graph=retain)[0]

    return Square


def _passes(Square, T, rng):
    def run(retain=False):
        try:
            return node.backward(g, retain)
        except Exception as error:  # which one is the question
            return type(error).__name__

    x, g = round(rng.uniform(1.5, 3.0), 2), round(rng.uniform(3.5, 5.0), 2)
    node = Square()
    rows = {f"forward({x})": node.forward(x), f"backward({g})": run(), "a second backward": run()}
    node.forward(x)
    return rows | {
        "a new forward, backward with retain": run(retain=True),
        "a second one, without": run(),
        "a third": run(),
    }


def _in_turn(shared, T, rng):
    def made():
        return shared(T, T.tensor(2.0, requires_grad=True))

    def outcome(*losses):
        try:
            for loss in losses:
                loss.backward()
        except RuntimeError as error:
            return type(error).__name__
        return "no error"

    def comes_from(h, loss):
        try:
            return T.autograd.grad(loss, h, retain_graph=True, allow_unused=True)[0] is not None
        except RuntimeError:
            return False

    h, a, b = made()
    rows = {"a comes from h": comes_from(h, a), "b comes from h": comes_from(h, b), "a and b are one loss": a is b}
    rows["a alone"] = outcome(made()[1])
    rows["b alone"] = outcome(made()[2])
    rows["a, then b"] = outcome(*made()[1:])
    return rows


EXERCISES = [
    from_chapter(
        id="07.twice",
        kind="worked",
        minutes=4,
        reference=_twice,
        mutants=(
            Mutant(
                "A second backward always raises",
                "Only released values make it raise, and w - 5 saved none.",
                rows={"w - 5": False, "(w + w).sum()": False, "w.reshape(1)": False},
            ),
            Mutant(
                "A constant need not be saved",
                "The 2 in w / 2 appears in the derivative. The node saved it like any other operand, and released it.",
                rows={"w / 2": True},
            ),
            Mutant(
                "Only operands are saved",
                "tanh needs no operand, but its rule is written with its result, which was saved and released.",
                rows={"w.tanh()": True},
            ),
            Mutant(
                "A shape counts as a saved value",
                "The rule of reshape needs the old shape. That is a few integers, and they are never released.",
                rows={"w.reshape(1)": False},
            ),
        ),
    ),
    from_chapter(
        id="07.carry",
        kind="faded",
        minutes=5,
        rows=_gradients,
        mutants=(
            Mutant(
                "retain_graph=True is the repair",
                "No error comes, but each pass now walks back through all earlier steps, so the old state is "
                "not held constant.",
                instead={"backward()": "backward(retain_graph=True)", "state.detach()": "state"},
            ),
            Mutant(
                "The state starts over",
                "Every step began again from 0. Keep the value of the state and cut only its history.",
                instead={"state.detach()": "0 * state.detach()"},
            ),
            Mutant(
                "Only the last state walked back",
                "One backward after the loop differentiates one loss through all steps. Each step has a loss here.",
                instead={"        state.backward()\n        state = state.detach()": "    state.backward()"},
            ),
            Mutant(
                "Nothing was cut",
                "detach() cuts nothing off its own tensor; it returns another one. If state does not become that one, "
                "the second step walks into the graph of the first.",
                instead={"state.detach()": "state"},
            ),
            Mutant(
                "Cut before the walk",
                "A state without a history has nothing to walk back through. Walk first, then cut.",
                instead={"w * state + 1": "(w * state + 1).detach()"},
            ),
        ),
    ),
    from_chapter(
        id="07.release",
        kind="blank",
        minutes=8,
        reference=_square_node,
        mutants=(
            Mutant(
                "Nothing is released",
                "It works as often as you like, and the saved value stays in memory as long as the node lives.",
                instead={"if not retain:": "if False:"},
            ),
            Mutant(
                "retain is ignored",
                "retain=True asks for the saved value to be kept for one more pass.",
                instead={"if not retain:": "if True:"},
            ),
            Mutant(
                "retain is the wrong way round",
                "Without retain the value goes; with it, it stays.",
                instead={"if not retain:": "if retain:"},
            ),
            Mutant(
                "It stumbles over the released value",
                "An error comes, but about a product with None. Ask first, and say what happened: RuntimeError.",
                instead={"if self.x is None:": "if False:"},
            ),
            Mutant(
                "Silence in place of an error",
                "A call that cannot do its work says so. None looks like a gradient that never arrived.",
                instead={'raise RuntimeError("backward a second time: x was released")': "return None"},
            ),
            Mutant(
                "g is not used",
                "2 * x is the local derivative. The rule multiplies what arrives by it.",
                instead={"2 * x * g": "2 * x"},
            ),
        ),
        rows=_passes,
    ),
    from_chapter(
        id="07.shared",
        kind="break",
        minutes=5,
        mutants=(
            Mutant(
                "What they share saved nothing",
                "The addition that made h can run backward any number of times. Share a node that saves a value.",
                instead={"w.square()": "w + 1"},
            ),
            Mutant(
                "Two forwards, two graphs",
                "b computed its own square, whose saved value nobody has released. It has to start from h.",
                instead={"h + 1": "w.square() + 1"},
            ),
            Mutant(
                "One loss twice",
                "This raises too, but it is the predicted case again. The surprise is that b was never walked before.",
                instead={"return h, 3 * h, h + 1": "a = 3 * h\n    return h, a, a"},
            ),
            Mutant(
                "b cannot walk at all",
                "A detached h leads nowhere, so b raises even alone. It should raise because a came first.",
                instead={"h + 1": "h.detach() + 1"},
            ),
        ),
        rows=_in_turn,
    ),
]
