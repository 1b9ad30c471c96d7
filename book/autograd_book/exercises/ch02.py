"""Chapter 02: who stores, who only passes on."""

from ..check.exercise import Mutant, from_chapter


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


def _content(t):
    """What lies in the slot of a tensor, if it has one: reading what cannot be there warns."""
    return t.grad if t.is_leaf or t.retains_grad else None


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


EXERCISES = [
    from_chapter(
        id="02.regenerate",
        kind="worked",
        minutes=4,
        reference=_five_tensors,
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
    from_chapter(
        id="02.keep",
        kind="faded",
        minutes=5,
        mutants=(
            Mutant(
                "The slot is missing or came too late",
                "a was computed, so it keeps its gradient only if retain_grad() was called on it before backward().",
                instead={"a.retain_grad()": "pass", '"a.grad": a.grad': '"a.grad": None'},
            ),
            Mutant(
                "b became a leaf",
                "Detaching b cuts it off from w. Only the slot is needed, not a new leaf.",
                instead={"b = a.square()": "b = a.square().detach().requires_grad_()"},
            ),
            Mutant(
                "a became a leaf",
                "A new leaf keeps its gradient, but the road to w is cut there, and w gets nothing.",
                instead={"a = w.square()": "a = w.square().detach().requires_grad_()"},
            ),
        ),
        rows=_from_a_leaf,
    ),
    from_chapter(
        id="02.slots",
        kind="blank",
        minutes=10,
        reference=_slots,
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
    from_chapter(
        id="02.lost",
        kind="break",
        minutes=4,
        mutants=(
            Mutant(
                "t is a leaf",
                "A leaf that requires a gradient keeps what arrives. t has to come out of an operation.",
                instead={" * 1": ""},
            ),
            Mutant(
                "t was asked to keep its gradient",
                "retain_grad() gives t a slot, and then nothing is lost.",
                instead={"    return": "    t.retain_grad()\n    return"},
            ),
            Mutant(
                "L does not pass through t",
                "t.grad is None here because there is no derivative: L was computed from the leaf, past t.",
                instead={"t = ": "leaf = ", " * 1": "", "t, 3 * t": "leaf * 1, 3 * leaf"},
            ),
            Mutant(
                "t takes no part",
                "A detached tensor has no derivative to lose. t must require a gradient.",
                instead={" * 1": ".detach()"},
            ),
        ),
        rows=_where_it_went,
    ),
]
