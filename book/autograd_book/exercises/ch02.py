"""Chapter 02: who stores, who only passes on."""

from ..check.exercise import Exercise, Mutant


def _five_tensors(T):
    w = T.tensor(2.0, requires_grad=True)
    h = w.square()
    L = 3 * h
    tensors = {"w": w, "h": h, "L": L, "h.detach()": h.detach(), "w * 1": w * 1}
    L.backward()
    return {
        name: [t.requires_grad, t.is_leaf, t.grad_fn is not None, t.grad if t.is_leaf else None]
        for name, t in tensors.items()
    }


def _program(make_a, make_b=lambda b: b):
    """The program of the exercise, with what is done to a and to b once they are computed."""

    def program(T, w):
        a = make_a(w.square())
        b = make_b(a.square())
        (3 * b).backward()
        return {"w.grad": w.grad, "a.grad": _content(a), "b is a leaf": b.is_leaf}

    return program


def _content(t):
    """What lies in the slot of a tensor, if it has one: reading what cannot be there warns."""
    return t.grad if t.is_leaf or t.retains_grad else None


def _kept(t):
    t.retain_grad()
    return t


def _new_leaf(t):
    return t.detach().requires_grad_()


def _from_a_leaf(program, T, rng):
    w = round(rng.uniform(1.3, 2.5), 2)
    rows = program(T, T.tensor(w, dtype=T.float64, requires_grad=True))
    return {f"{name}, w = {w}": value for name, value in rows.items()}


def _slots(T):
    def slots(steps, w):
        h = w = T.tensor(w, dtype=T.float64, requires_grad=True)
        kept = []
        for f, _, keep in steps:
            h = f(h)
            if keep:
                h.retain_grad()
            kept.append(h if keep else None)
        h.backward()
        return [w.grad] + [h and h.grad for h in kept]

    return slots


def _square(x):
    return x * x


def _triple(x):
    return 3 * x


def _reciprocal(x):
    return 1 / x


SQUARE, TRIPLE, RECIPROCAL = (
    (_square, lambda x: 2 * x),
    (_triple, lambda x: 3.0),
    (_reciprocal, lambda x: -1 / x**2),
)


def _on_two_chains(slots, T, rng):
    rows = {}
    for names, steps in (
        ("square, triple", [(*SQUARE, False), (*TRIPLE, False)]),
        ("triple, square kept, reciprocal", [(*TRIPLE, False), (*SQUARE, True), (*RECIPROCAL, False)]),
        ("square kept, reciprocal, triple kept", [(*SQUARE, True), (*RECIPROCAL, False), (*TRIPLE, True)]),
    ):
        w = round(rng.uniform(1.3, 2.5), 2)
        rows[f"{names}, at {w}"] = slots(steps, w)
    return rows


def _walk(steps, w, slope_at=lambda before, after: before, keeps=lambda keep: keep):
    values = [w]
    for f, _, _ in steps:
        values.append(f(values[-1]))
    g, slots = 1.0, []
    for (_, slope, keep), before, after in reversed(list(zip(steps, values, values[1:], strict=False))):
        slots.append(g if keeps(keep) else None)
        g = slope(slope_at(before, after)) * g
    return [g, *reversed(slots)]


def _values_kept(steps, w):
    slots, h = [_walk(steps, w)[0]], w
    for f, _, keep in steps:
        h = f(h)
        slots.append(h if keep else None)
    return slots


def _one_too_far(steps, w):
    g, *kept = _walk(steps, w, keeps=lambda keep: True)
    return [g, *(passed if keep else None for passed, (_, _, keep) in zip([g, *kept], steps, strict=False))]


def _carried_forward(steps, w):
    h, h_dot, slots = w, 1.0, []
    for f, slope, keep in steps:
        h_dot *= slope(h)
        h = f(h)
        slots.append(h_dot if keep else None)
    return [h_dot, *slots]


def _unseen(T):
    def lost(T, x):
        leaf = T.tensor(x, requires_grad=True)
        t = leaf * 1
        return t, 3 * t.square()

    return lost


def _where_it_went(lost, T, rng):
    x = round(rng.uniform(1.3, 2.5), 2)
    t, L = lost(T, x)

    def derivative():
        return T.autograd.grad(L, t, retain_graph=True, allow_unused=True)[0]

    rows = {f"t, x = {x}": t.detach(), "L": L.detach(), "t.is_leaf": t.is_leaf, "t.requires_grad": t.requires_grad}
    rows["the derivative of L with respect to t"] = derivative() if t.requires_grad and L.requires_grad else None
    if L.requires_grad:
        L.backward()
    rows["t.grad after L.backward()"] = _content(t)
    return rows


def _a_leaf(T, x):
    t = T.tensor(x, requires_grad=True)
    return t, 3 * t.square()


def _asked_to_keep(T, x):
    t = _kept(T.tensor(x, requires_grad=True) * 1)
    return t, 3 * t.square()


def _passed_by(T, x):
    leaf = T.tensor(x, requires_grad=True)
    return leaf * 1, 3 * leaf.square()


def _detached(T, x):
    t = T.tensor(x, requires_grad=True).detach()
    return t, 3 * t.square()


EXERCISES = [
    Exercise(
        id="02.regenerate",
        title="Five tensors, four questions",
        kind="worked",
        minutes=4,
        reference=_five_tensors,
        hints=(
            "Ask of each tensor first: which operation made it, and was that operation recorded?",
            "Only w has no maker. detach() is not recorded, so its result is a leaf too, one that wants no gradient.",
        ),
        mutants=(
            Mutant(
                "Computed is not stored",
                "The 3 did pass through h on its way to w, and h did not keep it: h is not a leaf.",
                rows={"h": [True, False, True, 3.0]},
            ),
            Mutant(
                "The seed is not kept either",
                "Backward starts at L with a 1, but L was computed, so it has no slot.",
                rows={"L": [True, False, True, 1.0]},
            ),
            Mutant(
                "A copy of a leaf is not a leaf",
                "w * 1 equals w, but a multiplication made it. It is no leaf, and nothing leads from it to L.",
                rows={"w * 1": [True, True, False, None]},
            ),
            Mutant(
                "Leaf does not mean made by you",
                "It means without recorded history. What detach() returns has none.",
                rows={"h.detach()": [False, False, False, None]},
            ),
            Mutant(
                "A leaf has no grad_fn",
                "grad_fn names the operation that made a tensor. You made w, so there is none; w still receives 12.",
                rows={"w": [True, True, True, 12.0]},
            ),
        ),
    ),
    Exercise(
        id="02.keep",
        title="Keep one parcel",
        kind="faded",
        minutes=5,
        reference=lambda T: _program(_kept),
        hints=(
            "retain_grad() is called on the tensor whose gradient you want, and before the walk.",
            "Put a.retain_grad() anywhere between the line that makes a and the call of backward().",
        ),
        mutants=(
            Mutant(
                "The slot is missing or came too late",
                "a was computed, so it keeps its gradient only if retain_grad() was called on it before backward().",
                _program(lambda a: a),
            ),
            Mutant(
                "b became a leaf",
                "Detaching b cuts it off from w. Only the slot is needed, not a new leaf.",
                _program(_kept, _new_leaf),
            ),
            Mutant(
                "a became a leaf",
                "A new leaf keeps its gradient, but the road to w is cut there, and w gets nothing.",
                _program(_new_leaf),
            ),
        ),
        rows=_from_a_leaf,
    ),
    Exercise(
        id="02.slots",
        title="Walk and fill the slots",
        kind="blank",
        minutes=10,
        reference=_slots,
        hints=(
            "Go forward first and keep the value before each step: its slope is needed there. Then go through the "
            "steps from the last to the first.",
            "Carry g = 1.0 back. At each step put g into the slot of its result if it is to be kept, None if not, and "
            "then multiply g by slope(value before the step).",
        ),
        mutants=(
            Mutant(
                "Everything is kept",
                "All these numbers were computed, but only w and the results marked for it have a slot.",
                lambda steps, w: _walk(steps, w, keeps=lambda keep: True),
            ),
            Mutant(
                "Nothing is kept on the way",
                "The leaf always has a slot. A result has one when it is marked, as retain_grad() does.",
                lambda steps, w: _walk(steps, w, keeps=lambda keep: False),
            ),
            Mutant(
                "The slope was taken after the step",
                "The square of 2 has the slope 2 * 2 there, not 2 * 4. The value before the step must be kept.",
                lambda steps, w: _walk(steps, w, slope_at=lambda before, after: after),
            ),
            Mutant(
                "Values in the slots",
                "What passes on the way back is a derivative. The value of the result went the other way.",
                _values_kept,
            ),
            Mutant(
                "One slot too far",
                "The factor of a step belongs to what lies before it. Put g into the slot first, then multiply.",
                _one_too_far,
            ),
            Mutant(
                "Carried forward",
                "The number at w is the same either way. On the way, the forward walk holds the effect of w on each "
                "result, and the slots ask for the effect of each result on the end.",
                _carried_forward,
            ),
        ),
        rows=_on_two_chains,
    ),
    Exercise(
        id="02.lost",
        title="Computed, and gone",
        kind="break",
        minutes=4,
        reference=_unseen,
        hints=(
            "Which tensors have a slot, and which only pass on what arrives?",
            "Make a leaf that equals x, and let t be its product with 1. Compute L from t.",
        ),
        mutants=(
            Mutant(
                "t is a leaf",
                "A leaf that requires a gradient keeps what arrives. t has to come out of an operation.",
                _a_leaf,
            ),
            Mutant(
                "t was asked to keep its gradient",
                "retain_grad() gives t a slot, and then nothing is lost.",
                _asked_to_keep,
            ),
            Mutant(
                "L does not pass through t",
                "t.grad is None here because there is no derivative: L was computed from the leaf, past t.",
                _passed_by,
            ),
            Mutant(
                "t takes no part",
                "A detached tensor has no derivative to lose. t must require a gradient.",
                _detached,
            ),
        ),
        rows=_where_it_went,
    ),
]
