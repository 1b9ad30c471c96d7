"""Exercises of chapter 07: the life of a graph."""

from ..check.exercise import Exercise, Mutant


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


def _carry(T):
    def loop(T, w, steps):
        state = T.tensor(0.0)
        for _ in range(steps):
            state = w * state + 1
            state.backward()
            state = state.detach()

    return loop


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


def _loop(cut, **how):
    def loop(T, w, steps):
        state = T.tensor(0.0)
        for _ in range(steps):
            state = w * state + 1
            state.backward(**how)
            state = cut(state)

    return loop


def _cut_too_early(T, w, steps):
    state = T.tensor(0.0)
    for _ in range(steps):
        state = (w * state + 1).detach()
        state.backward()


def _walks_once(T, w, steps):
    state = T.tensor(0.0)
    for _ in range(steps):
        state = w * state + 1
    state.backward()


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


class _Square:
    """A right node, from which the wrong ones differ in one method."""

    def forward(self, x):
        self.x = x
        return x * x

    def backward(self, g, retain=False):
        if self.x is None:
            raise RuntimeError("the saved value was released")
        x = self.x
        if not retain:
            self.x = None
        return 2 * x * g


class _NeverReleases(_Square):
    def backward(self, g, retain=False):
        return 2 * self.x * g


class _AlwaysReleases(_Square):
    def backward(self, g, retain=False):
        return super().backward(g)


class _RetainExchanged(_Square):
    def backward(self, g, retain=False):
        return super().backward(g, not retain)


class _Stumbles(_Square):
    def backward(self, g, retain=False):
        x = self.x
        if not retain:
            self.x = None
        return 2 * x * g


class _SendsNone(_Square):
    def backward(self, g, retain=False):
        return None if self.x is None else super().backward(g, retain)


class _ForgetsG(_Square):
    def backward(self, g, retain=False):
        return super().backward(1, retain)


def _two_losses(T):
    def shared(T, w):
        h = w.square()
        return h, 3 * h, h + 1

    return shared


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


def _nothing_saved(T, w):
    h = w + 1
    return h, 3 * h, h + 1


def _two_forwards(T, w):
    return (h := w.square()), 3 * h, w.square() + 1


def _one_loss(T, w):
    h = w.square()
    return h, (a := 3 * h), a


def _cut(T, w):
    h = w.square()
    return h, 3 * h, h.detach() + 1


EXERCISES = [
    Exercise(
        id="07.twice",
        title="Once or twice",
        kind="worked",
        minutes=4,
        reference=_twice,
        hints=(
            "Write down the derivative of each expression. Does any number from the forward appear in it?",
            "The derivative of w / 2 is one half: the 2 is needed. That of tanh(w) is 1 - tanh(w)**2. A "
            "reshape needs shapes, and shapes are kept for free.",
        ),
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
    Exercise(
        id="07.carry",
        title="A state that carries too much",
        kind="faded",
        minutes=5,
        reference=_carry,
        hints=(
            "Which tensor connects the second step to the graph of the first?",
            "Cut the history of state at the end of each step. retain_graph=True silences the error and "
            "computes another gradient.",
        ),
        rows=_gradients,
        mutants=(
            Mutant(
                "retain_graph=True is the repair",
                "No error comes, but each pass now walks back through all earlier steps, so the old state is "
                "not held constant.",
                _loop(lambda state: state, retain_graph=True),
            ),
            Mutant(
                "The state starts over",
                "Every step began again from 0. Keep the value of the state and cut only its history.",
                _loop(lambda state: 0 * state.detach()),
            ),
            Mutant(
                "Only the last state walked back",
                "One backward after the loop differentiates one loss through all steps. Each step has a loss here.",
                _walks_once,
            ),
            Mutant(
                "Nothing was cut",
                "detach() cuts nothing off its own tensor; it returns another one. If state does not become that one, "
                "the second step walks into the graph of the first.",
                _loop(lambda state: state),
            ),
            Mutant(
                "Cut before the walk",
                "A state without a history has nothing to walk back through. Walk first, then cut.",
                _cut_too_early,
            ),
        ),
    ),
    Exercise(
        id="07.release",
        title="A node that lets go",
        kind="blank",
        minutes=8,
        reference=_square_node,
        hints=(
            "forward puts aside the one number that the rule 2 * x * g needs. When may backward forget it, and what "
            "should it do when it has?",
            "Keep x in self.x. backward raises RuntimeError when self.x is None; otherwise it takes x, sets self.x to "
            "None unless retain is true, and returns 2 * x * g.",
        ),
        mutants=(
            Mutant(
                "Nothing is released",
                "It works as often as you like, and the saved value stays in memory as long as the node lives.",
                _NeverReleases,
            ),
            Mutant(
                "retain is ignored",
                "retain=True asks for the saved value to be kept for one more pass.",
                _AlwaysReleases,
            ),
            Mutant(
                "retain is the wrong way round",
                "Without retain the value goes; with it, it stays.",
                _RetainExchanged,
            ),
            Mutant(
                "It stumbles over the released value",
                "An error comes, but about a product with None. Ask first, and say what happened: RuntimeError.",
                _Stumbles,
            ),
            Mutant(
                "Silence in place of an error",
                "A call that cannot do its work says so. None looks like a gradient that never arrived.",
                _SendsNone,
            ),
            Mutant(
                "g is not used",
                "2 * x is the local derivative. The rule multiplies what arrives by it.",
                _ForgetsG,
            ),
        ),
        rows=_passes,
    ),
    Exercise(
        id="07.shared",
        title="Two losses, one of them too late",
        kind="break",
        minutes=5,
        reference=_two_losses,
        hints=(
            "The error comes from a node that released its values. Which node do a and b have in common?",
            "The node that made h must have saved something. A square does; w + 1 does not.",
        ),
        mutants=(
            Mutant(
                "What they share saved nothing",
                "The addition that made h can run backward any number of times. Share a node that saves a value.",
                _nothing_saved,
            ),
            Mutant(
                "Two forwards, two graphs",
                "b computed its own square, whose saved value nobody has released. It has to start from h.",
                _two_forwards,
            ),
            Mutant(
                "One loss twice",
                "This raises too, but it is the predicted case again. The surprise is that b was never walked before.",
                _one_loss,
            ),
            Mutant(
                "b cannot walk at all",
                "A detached h leads nowhere, so b raises even alone. It should raise because a came first.",
                _cut,
            ),
        ),
        rows=_in_turn,
    ),
]
