"""Chapter 21: twelve training programs that do not train. Seven ask for the cause, five for the mend.

A program returns its loss, the parameters and the optimizer, as `autograd_core.explain.checklist` takes them. The
chapter shows the same text in its cells.
"""

from copy import deepcopy
from typing import Any

from autograd_core import explain

from ..check.exercise import Exercise, Mutant

CAUSES = {
    "loss-is-leaf": "the loss is a leaf of its own",
    "no-grad": "an operation on the way was not recorded",
    "detached": "a value on the way was detached",
    "nondiff": "an operation on the way has no derivative",
    "asked-too-late": "the flag was set after the forward",
    "unused": "the loss was not computed from this tensor",
    "rebound": "the name stands for another tensor by now",
    "non-leaf": "the tensor is no leaf and was not asked to keep its gradient",
    "relu": "a unit is dead",
    "saturated": "a unit is saturated",
    "times-zero": "the gradient was multiplied by zero",
    "cleared": "the gradient was cleared too early",
    "never-cleared": "the gradient was never cleared",
    "not-in-optimizer": "the optimizer does not hold the parameter",
    "rate-zero": "the learning rate is zero",
}


# -- the programs


def flag(T):
    w = T.tensor(2.0, requires_grad=True)
    optimizer = T.optim.SGD([w], lr=0.1)
    with T.no_grad():
        loss = w.square()
    loss.requires_grad_()  # else backward() complains
    loss.backward()
    optimizer.step()
    return loss, [w], optimizer


def features(T):
    w = T.tensor(2.0, requires_grad=True)
    b = T.tensor(3.0, requires_grad=True)
    optimizer = T.optim.SGD([w, b], lr=0.1)
    with T.no_grad():
        h = w.square()
    loss = h * b
    loss.backward()
    optimizer.step()
    return loss, [w, b], optimizer


def decision(T):
    w = T.tensor([1.0, 2.0], requires_grad=True)
    b = T.tensor(3.0, requires_grad=True)
    choice = w.argmax()
    loss = choice * b
    loss.backward()
    return loss, [w, b], T.optim.SGD([w, b], lr=0.1)


def thaw(T):
    w = T.tensor(2.0)
    b = T.tensor(3.0, requires_grad=True)
    h = w.square()
    w.requires_grad_()
    loss = h * b
    loss.backward()
    return loss, [w, b], T.optim.SGD([w, b], lr=0.1)


def copies(T):
    model = T.nn.Linear(1, 1)
    best = deepcopy(model)
    optimizer = T.optim.SGD(best.parameters(), lr=0.1)
    loss = model(T.ones(1, 1)).square().sum()
    loss.backward()
    optimizer.step()
    return loss, best, optimizer


def by_hand(T):
    w = T.tensor(2.0, requires_grad=True)
    w.square().backward()
    w = w - 0.1 * w.grad
    loss = w.square()
    loss.backward()
    return loss, [w]


def keep(T):
    w = T.tensor(2.0, requires_grad=True)
    h = w.square()
    loss = 3 * h
    loss.backward()
    h.retain_grad()
    return loss, [h]


def bias(T):
    w = T.tensor([1.0, 2.0], requires_grad=True)
    h = T.relu(w - 10)
    loss = (h - 1).square().sum()
    loss.backward()
    return loss, [w], T.optim.SGD([w], lr=0.1)


def zeros(T):
    first = T.tensor(2.0, requires_grad=True)
    second = T.tensor(0.0, requires_grad=True)
    h = T.tanh(first)
    loss = (h * second - 1).square()
    loss.backward()
    return loss, [first, second], T.optim.SGD([first, second], lr=0.1)


def order(T):
    w = T.tensor(2.0, requires_grad=True)
    optimizer = T.optim.SGD([w], lr=0.1)
    for _ in range(3):
        loss = w.square()
        loss.backward()
        optimizer.zero_grad()
        optimizer.step()
    return loss, [w], optimizer


def ledger(T):
    w = T.tensor(2.0, requires_grad=True)
    optimizer = T.optim.SGD([w], lr=0.1)
    for _ in range(3):
        loss = w.square()
        loss.backward()
        optimizer.step()
    return loss, [w], optimizer


def stranger(T):
    w = T.tensor(20.0, requires_grad=True)
    optimizer = T.optim.SGD([w], lr=0.1)
    w = (w.detach() / 10).requires_grad_()  # begin nearer to the minimum
    for _ in range(3):
        optimizer.zero_grad()
        loss = w.square()
        loss.backward()
        optimizer.step()
    return loss, [w], optimizer


# -- and what was meant


def _kept(T):
    w = T.tensor(2.0, requires_grad=True)
    h = w.square()
    h.retain_grad()
    loss = 3 * h
    loss.backward()
    return loss, [h]


def _stepped(rate, empties_slot=True):
    def program(T):
        w = T.tensor(2.0, requires_grad=True)
        w.square().backward()
        with T.no_grad():
            w -= rate * w.grad
        if empties_slot:
            w.grad = None
        loss = w.square()
        loss.backward()
        return loss, [w]

    return program


def _descent(start):
    def program(T):
        w = T.tensor(start, requires_grad=True)
        optimizer = T.optim.SGD([w], lr=0.1)
        for _ in range(3):
            optimizer.zero_grad()
            loss = w.square()
            loss.backward()
            optimizer.step()
        return loss, [w], optimizer

    return program


# -- and what was mended wrongly


def _of_the_leaf(T):
    w = T.tensor(2.0, requires_grad=True)
    loss = 3 * w.square()
    loss.backward()
    return loss, [w]


def _kept_twice(T):
    w = T.tensor(2.0, requires_grad=True)
    h = w.square()
    h.retain_grad()
    loss = 3 * h
    loss.backward(retain_graph=True)
    loss.backward()
    return loss, [h]


def _one_step(T):
    w = T.tensor(2.0, requires_grad=True)
    optimizer = T.optim.SGD([w], lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        loss = w.square()
        loss.backward()
    optimizer.step()
    return loss, [w], optimizer


def _without_a_flag(T):
    w = T.tensor(20.0, requires_grad=True)
    w = w.detach() / 10
    optimizer = T.optim.SGD([w], lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        loss = w.square()
        loss.backward()
        optimizer.step()
    return loss, [w], optimizer


def _examined(answer, T, rng) -> dict[str, Any]:
    """What the doctor finds in a program, and where its parameters end."""
    with explain.watch():
        loss, parameters, *optimizer = answer(T)
        found = explain.checklist(loss, parameters, *optimizer)
    (parameter,) = parameters
    gradient = explain.graphs.grad_of(parameter)
    return {"first step with the answer no": found.step, "value at the end": parameter, "its gradient": gradient}


def _named(answer, T, rng) -> dict[str, Any]:
    if answer not in CAUSES:
        raise ValueError(f"choose one of {', '.join(CAUSES)}")
    return {"cause": answer}


def _cause_of(program):
    def reference(T):
        with explain.watch():
            found = explain.checklist(*program(T))
        return found.kinds[0]

    return reference


def _name(program, title: str, hints: tuple[str, str], **mutants: tuple[str, str]) -> Exercise:
    """An exercise that asks for the cause; `mutants` are by the kind that is wrongly named."""
    return Exercise(
        id=f"21.{program.__name__}",
        title=title,
        kind="worked",
        minutes=4,
        reference=_cause_of(program),
        hints=hints,
        rows=_named,
        mutants=tuple(Mutant(*words, rows={"cause": kind.replace("_", "-")}) for kind, words in mutants.items()),
    )


EXERCISES = [
    _name(
        flag,
        "The complaint that went away",
        ("Which op does the graph of the loss hold?", "None. What kind of tensor has a flag and no history?"),
        no_grad=("The first cause, and covered up", "It was so until the flag was set. What is the loss now?"),
        non_leaf=(
            "w is a leaf",
            "It has no maker and asks for a gradient. Look at where the walk starts.",
        ),
        detached=(
            "Nobody detached it",
            "There was no graph to cut it from. What did the flag make of the loss?",
        ),
    ),
    _name(
        features,
        "Features",
        ("Is w in the graph of the loss?", "Look at the line that computes h. Does it leave a record?"),
        detached=("Same symptom, another switch", "Nothing is detached here. What does the block around the line do?"),
        non_leaf=("w is a leaf", "h is computed, w is not, and it is w that has no gradient."),
        unused=("It was used", "The loss was computed from h, and h from w. What is missing is the record."),
    ),
    _name(
        decision,
        "A decision",
        ("What does argmax() return when w moves a little?", "The same index. Its derivative says nothing."),
        times_zero=("None is not zero", "Nothing was multiplied: no gradient came near w at all."),
        unused=("It was used", "The loss does depend on w. But by what kind of operation?"),
        detached=("Nobody detached it", "The way ends by itself where a number becomes an index."),
    ),
    _name(
        thaw,
        "Thawed",
        ("What was the flag of w when h was computed?", "It was off, and a record is made op by op, at that moment."),
        unused=("It was used", "h was computed from w. But when?"),
        no_grad=(
            "Recording was on",
            "There is no no_grad here. Did an operand ask for a record at that moment?",
        ),
        non_leaf=(
            "w is a leaf",
            "It is one with the flag and was one without. What was computed before?",
        ),
    ),
    _name(
        copies,
        "Two models",
        ("Which of the two models does the loss come from?", "From `model`. The parameters are those of `best`."),
        not_in_optimizer=(
            "The optimizer holds them",
            "It was made of the parameters of `best`, which are asked about.",
        ),
        detached=("A copy is not a detach", "Nothing on the way of the loss was cut. Does that way pass by `best`?"),
        rate_zero=("The rate is 0.1", "A step with any rate moves nothing whose gradient is None."),
    ),
    Exercise(
        id="21.by_hand",
        title="A step by hand",
        kind="faded",
        minutes=5,
        reference=lambda T: _stepped(rate=0.1),
        hints=(
            "What does the name w stand for after its third line? For a leaf?",
            "For the result of a subtraction. Write into the leaf instead, unrecorded, and empty its slot afterwards.",
        ),
        rows=_examined,
        mutants=(
            Mutant(
                "The old gradient is still there",
                "The second pass added its 3.2 to the 4 of the first. Empty the slot after the step.",
                _stepped(rate=0.1, empties_slot=False),
            ),
            Mutant("No step was taken", "w should end at 2 - 0.1 * 4.", _stepped(rate=0.0)),
            Mutant("Still the result", "w stands for the result of a subtraction, which is no leaf.", by_hand),
        ),
    ),
    Exercise(
        id="21.keep",
        title="Too late",
        kind="faded",
        minutes=5,
        reference=lambda T: _kept,
        hints=("When did the gradient pass by h?", "During backward(). The request must be there before."),
        rows=_examined,
        mutants=(
            Mutant(
                "Another tensor's gradient",
                "You are asked for dL/dh, which is 3. The gradient of w is 12.",
                _of_the_leaf,
            ),
            Mutant("Still too late", "When h is asked to keep its gradient, that has gone by.", keep),
            Mutant("Walked twice", "A retained gradient adds up as that of a leaf does. Walk once.", _kept_twice),
        ),
    ),
    _name(
        bias,
        "No progress",
        ("Is the gradient None, or zero?", "Zero. What does relu() do to the gradient where its input is negative?"),
        saturated=("A relu does not saturate", "It is zero on one side, and has slope one on the other."),
        times_zero=("Close", "A zero did come in. But which op brought it, and why?"),
        cleared=("Nobody cleared it", "There is no zero_grad() here. The zero is what the walk brought."),
    ),
    _name(
        zeros,
        "Begin at zero",
        ("The gradient of `first` is zero. Which op made it so?", "The product: it multiplies by `second`."),
        saturated=("tanh(2) is not flat yet", "Its slope there is small, about 0.07, and not zero."),
        relu=("There is no relu here", "Follow the gradient from the loss to `first`, op by op."),
        unused=("It was used", "A tensor that was not used has the gradient None, and this one has a zero."),
    ),
    Exercise(
        id="21.order",
        title="Nothing moves",
        kind="faded",
        minutes=5,
        reference=lambda T: _descent(start=2.0),
        hints=("What is in the slot when step() looks?", "Nothing. Clear it before the pass, not after it."),
        rows=_examined,
        mutants=(
            Mutant(
                "Never cleared now",
                "Without zero_grad() each step uses all gradients since the beginning.",
                ledger,
            ),
            Mutant("Still nothing moves", "step() must find what backward() has stored.", order),
            Mutant("One step for three walks", "The step belongs into the loop: one for each walk.", _one_step),
        ),
    ),
    Exercise(
        id="21.ledger",
        title="It overshoots",
        kind="faded",
        minutes=5,
        reference=lambda T: _descent(start=2.0),
        hints=("What does backward() do to a slot that is not empty?", "It adds. Empty it once in each round."),
        rows=_examined,
        mutants=(
            Mutant(
                "Cleared before the step",
                "Now step() finds nothing. Clear before backward(), or after step().",
                order,
            ),
            Mutant("Still never cleared", "Each step uses the sum of all gradients so far.", ledger),
            Mutant("One step for three walks", "The step belongs into the loop: one for each walk.", _one_step),
        ),
    ),
    Exercise(
        id="21.stranger",
        title="A stranger in the optimizer",
        kind="faded",
        minutes=5,
        reference=lambda T: _descent(start=2.0),
        hints=(
            "Which tensor does the optimizer hold, and which one gets the gradient?",
            "The optimizer holds the leaf from the first line. Make the optimizer after the last change of w.",
        ),
        rows=_examined,
        mutants=(
            Mutant(
                "The other starting point",
                "The training should begin at 2, which is where the third line of the program brings w.",
                _descent(start=20.0),
            ),
            Mutant("The stranger is still there", "The optimizer holds the leaf that began at 20.", stranger),
            Mutant("The flag was lost", "A detached tensor asks for no gradient until it is told to.", _without_a_flag),
        ),
    ),
]
