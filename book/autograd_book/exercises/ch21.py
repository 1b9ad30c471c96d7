"""Chapter 21: twelve training programs that do not train. Seven ask for the cause, five for the mend.

A program returns its loss, the parameters and the optimizer, as `autograd_core.explain.checklist` takes them.
It stands in the chapter alone.
"""

from functools import partial
from typing import Any

from autograd_core import explain
from autograd_core.reading import grad_of

from ..check.chapters import asked
from ..check.exercise import Exercise, Mutant, from_chapter
from ..check.solution import names_in

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


def shown(name):
    """A program as the chapter shows it."""
    return names_in(asked(f"21.{name}").program)[name]


def _examined(answer, T, rng) -> dict[str, Any]:
    """What the doctor finds in a program, and where its parameters end."""
    with explain.watch():
        loss, parameters, *optimizer = answer(T)
        found = explain.checklist(loss, parameters, *optimizer)
    (parameter,) = parameters
    gradient = grad_of(parameter)
    return {"first step with the answer no": found.step, "value at the end": parameter, "its gradient": gradient}


def _named(answer, T, rng) -> dict[str, Any]:
    if answer not in CAUSES:
        raise ValueError(f"choose one of {', '.join(CAUSES)}")
    return {"cause": answer}


def _cause(name, T):
    with explain.watch():
        found = explain.checklist(*shown(name)(T))
    return found.kinds[0]


def _name(name, **mutants: tuple[str, str]) -> Exercise:
    """An exercise that asks for the cause; `mutants` are by the kind that is wrongly named."""
    return from_chapter(
        id=f"21.{name}",
        kind="worked",
        minutes=4,
        reference=partial(_cause, name),
        rows=_named,
        mutants=tuple(Mutant(*words, rows={"cause": kind.replace("_", "-")}) for kind, words in mutants.items()),
    )


EXERCISES = [
    _name(
        "flag",
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
        "features",
        detached=("Same symptom, another switch", "Nothing is detached here. What does the block around the line do?"),
        non_leaf=("w is a leaf", "h is computed, w is not, and it is w that has no gradient."),
        unused=("It was used", "The loss was computed from h, and h from w. What is missing is the record."),
    ),
    _name(
        "decision",
        times_zero=("None is not zero", "Nothing was multiplied: no gradient came near w at all."),
        unused=("It was used", "The loss does depend on w. But by what kind of operation?"),
        detached=("Nobody detached it", "The way ends by itself where a number becomes an index."),
    ),
    _name(
        "thaw",
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
        "copies",
        not_in_optimizer=(
            "The optimizer holds them",
            "It was made of the parameters of `best`, which are asked about.",
        ),
        detached=("A copy is not a detach", "Nothing on the way of the loss was cut. Does that way pass by `best`?"),
        rate_zero=("The rate is 0.1", "A step with any rate moves nothing whose gradient is None."),
    ),
    from_chapter(
        id="21.by_hand",
        kind="faded",
        minutes=5,
        rows=_examined,
        mutants=(
            Mutant(
                "The old gradient is still there",
                "The second pass added its 3.2 to the 4 of the first. Empty the slot after the step.",
                instead={"w.grad = None": "pass"},
            ),
            Mutant("No step was taken", "w should end at 2 - 0.1 * 4.", instead={"0.1": "0.0"}),
            Mutant("Still the result", "w stands for the result of a subtraction, which is no leaf.", shown("by_hand")),
        ),
    ),
    from_chapter(
        id="21.keep",
        kind="faded",
        minutes=5,
        rows=_examined,
        mutants=(
            Mutant(
                "Another tensor's gradient",
                "You are asked for dL/dh, which is 3. The gradient of w is 12.",
                instead={"[h]": "[w]"},
            ),
            Mutant("Still too late", "When h is asked to keep its gradient, that has gone by.", shown("keep")),
            Mutant(
                "Walked twice",
                "A retained gradient adds up as that of a leaf does. Walk once.",
                instead={"loss.backward()": "loss.backward(retain_graph=True)\n    loss.backward()"},
            ),
        ),
    ),
    _name(
        "bias",
        saturated=("A relu does not saturate", "It is zero on one side, and has slope one on the other."),
        times_zero=("Close", "A zero did come in. But which op brought it, and why?"),
        cleared=("Nobody cleared it", "There is no zero_grad() here. The zero is what the walk brought."),
    ),
    _name(
        "zeros",
        saturated=("tanh(2) is not flat yet", "Its slope there is small, about 0.07, and not zero."),
        relu=("There is no relu here", "Follow the gradient from the loss to `first`, op by op."),
        unused=("It was used", "A tensor that was not used has the gradient None, and this one has a zero."),
    ),
    from_chapter(
        id="21.order",
        kind="faded",
        minutes=5,
        rows=_examined,
        mutants=(
            Mutant(
                "Never cleared now",
                "Without zero_grad() each step uses all gradients since the beginning.",
                shown("ledger"),
            ),
            Mutant("Still nothing moves", "step() must find what backward() has stored.", shown("order")),
            Mutant(
                "One step for three walks",
                "The step belongs into the loop: one for each walk.",
                instead={"        optimizer.step()": "    optimizer.step()"},
            ),
        ),
    ),
    from_chapter(
        id="21.ledger",
        kind="faded",
        minutes=5,
        rows=_examined,
        mutants=(
            Mutant(
                "Cleared before the step",
                "Now step() finds nothing. Clear before backward(), or after step().",
                shown("order"),
            ),
            Mutant("Still never cleared", "Each step uses the sum of all gradients so far.", shown("ledger")),
            Mutant(
                "One step for three walks",
                "The step belongs into the loop: one for each walk.",
                instead={"        optimizer.step()": "    optimizer.step()"},
            ),
        ),
    ),
    from_chapter(
        id="21.stranger",
        kind="faded",
        minutes=5,
        rows=_examined,
        mutants=(
            Mutant(
                "The other starting point",
                "The training should begin at 2, which is where the third line of the program brings w.",
                instead={"w = (w.detach() / 10).requires_grad_()": "pass"},
            ),
            Mutant("The stranger is still there", "The optimizer holds the leaf that began at 20.", shown("stranger")),
            Mutant(
                "The flag was lost",
                "A detached tensor asks for no gradient until it is told to.",
                instead={".requires_grad_()": ""},
            ),
        ),
    ),
]
