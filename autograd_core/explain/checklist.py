"""Why does it not learn? The questions in the order in which to ask them, each answered from the graph and the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from textwrap import indent
from typing import Any

import numpy as np

from ..reading import grad_of, is_accumulator, is_parameter, is_tensor, reach, reader_of, require_tensor
from .answers import Cause
from .causes import cause
from .log import Log, Pass, current_log
from .none import why_none, why_unreached
from .reached import explain
from .zero import why_zero

QUESTIONS = (
    "Is the loss connected to a graph?",
    "Are the parameters in that graph?",
    "Has a gradient arrived and been kept, and is it not zero?",
    "Was it cleared at the right time?",
    "Does the optimizer hold them, with a learning rate that moves them?",
)
CLEARED = {"cleared", "cleared-by-hook", "zeroed"}


@dataclass(frozen=True)
class Finding:
    """What is wrong, or may be, with the parameters of these names; no names where it is the loss."""

    names: tuple[str, ...]
    causes: tuple[Cause, ...]


@dataclass(frozen=True)
class Step:
    """A question of the checklist and its answer: "yes", "no" or "not asked"; `facts` say what was looked at."""

    question: str
    answer: str
    facts: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class Checklist:
    """The five steps, in order; `str()` and a notebook show all of them."""

    steps: tuple[Step, ...]

    @property
    def step(self) -> int | None:
        """The number of the first step with the answer "no", counted from 1; None if there is none."""
        return next((k for k, step in enumerate(self.steps, 1) if step.answer == "no"), None)

    @property
    def causes(self) -> tuple[Cause, ...]:
        """All causes that were found, or that are possible, in order."""
        return tuple(dict.fromkeys(c for step in self.steps for finding in step.findings for c in finding.causes))

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the causes, each once."""
        return tuple(dict.fromkeys(c.kind for c in self.causes))

    def __repr__(self) -> str:
        blocks = []
        for k, step in enumerate(self.steps, 1):
            below = [*step.facts]
            for finding in step.findings:
                below += [_heading(finding), *(f"- {c}" for c in finding.causes)]
            blocks += [f"{k}. {step.question} {step.answer.capitalize()}.", *(indent(text, "   ") for text in below)]
        return "\n".join(blocks)

    def _repr_html_(self) -> str:
        return f'<ol class="ac-checklist">{"".join(map(_as_html, self.steps))}</ol>'


def checklist(loss, parameters, optimizer=None) -> Checklist:
    """Go through the checklist for a loss and the parameters that it should train.

    `parameters` is a module, one tensor, or an iterable of tensors or of (name, tensor); they, the loss and the
    optimizer are of this package or of PyTorch. Ask after `backward()` and before `zero_grad()`. A parameter that fails
    a step is not asked about in the later ones. Outside `watch()` the causes that are possible are listed; inside, the
    one cause is named with its line.

    Raises TypeError for anything but tensors, and ValueError if there are no parameters.

    >>> import autograd_core as ac
    >>> w = ac.tensor([1.0, 2.0], requires_grad=True)
    >>> with ac.explain.watch():
    ...     loss = (w.detach() * w).sum()
    ...     loss.backward()
    ...     found = ac.explain.checklist(loss, [w], ac.optim.SGD([w], lr=0.0))
    >>> found.step, found.kinds
    (5, ('rate-zero',))
    """
    require_tensor(loss, "checklist")
    asked = _named(parameters)
    graph, fatal = _ask_the_loss(loss, asked)
    if fatal:
        return Checklist((graph, *(Step(question, "not asked") for question in QUESTIONS[1:])))
    steps = [graph]
    for question, look in zip(QUESTIONS[1:], (_ask_the_graph, _ask_the_slots, _ask_the_log)):
        step, asked = look(question, asked, loss, optimizer)
        steps.append(step)
    return Checklist((*steps, _ask_the_optimizer(asked, optimizer)))


def _named(parameters) -> dict[str, Any]:
    if hasattr(parameters, "named_parameters"):
        parameters = parameters.named_parameters()
    elif is_tensor(parameters):
        parameters = [parameters]
    named = {}
    for k, item in enumerate(parameters):
        name, tensor = item if isinstance(item, tuple) else (f"parameters[{k}]", item)
        require_tensor(tensor, "checklist")
        named[name] = tensor
    if not named:
        raise ValueError(
            "checklist() was given no parameters; a module finds those of layers that are its attributes or in a "
            "ModuleList, and not those in a plain list"
        )
    return named


# -- the steps: each takes the parameters still asked about, and gives back those that passed


def _ask_the_loss(loss, asked) -> tuple[Step, bool]:
    verdict = explain(loss)
    causes = verdict.causes
    if all(grad_of(p) is not None for p in asked.values()):  # the pass has run; what is stale now is history
        causes = tuple(c for c in causes if c.kind != "stale")
    facts = verdict.facts[:1] if loss.requires_grad and loss.numel() == 1 else verdict.facts[:2]
    if causes:
        return Step(QUESTIONS[0], "no", facts, (Finding((), causes),)), True
    return Step(QUESTIONS[0], "yes", facts), False


def _ask_the_graph(question: str, asked, loss, optimizer):
    nodes = set(reach([loss]))
    inside = {name: p for name, p in asked.items() if p.requires_grad and reader_of(p).edge(p)[0] in nodes}
    outside = {name: p for name, p in asked.items() if name not in inside}
    frozen = [name for name, p in outside.items() if inside and is_parameter(p) and not p.requires_grad]
    found = _grouped({name: why_unreached(p, loss) for name, p in outside.items() if name not in frozen})
    ids = {id(p) for p in asked.values()}
    leaves = [node.variable for node in nodes if is_accumulator(node) and node.variable is not None]
    others = sorted(str(list(leaf.shape)) for leaf in leaves if id(leaf) not in ids)
    facts = [f"{len(inside)} of {len(asked)} are."]
    if frozen:
        facts.append(f"Frozen, and left alone: {', '.join(frozen)}.")
    if others:
        facts.append(f"The graph also reaches leaves that were not asked about, of shape {', '.join(others)}.")
    return _step(question, facts, found), inside


def _ask_the_slots(question: str, asked, loss, optimizer):
    failed: dict[str, tuple[Cause, ...]] = {}
    kept = {}
    for name, p in asked.items():
        causes = _wrong_with_the_slot(p, loss)
        if causes and not {c.kind for c in causes} <= CLEARED:
            failed[name] = causes
        else:
            kept[name] = p
    facts = [f"{name}: {_size(p)}." for name, p in kept.items() if grad_of(p) is not None]
    return _step(question, facts, _grouped(failed), asked), kept


def _wrong_with_the_slot(p, loss) -> tuple[Cause, ...]:
    gradient = grad_of(p)
    if gradient is None:
        return why_none(p, loss).causes
    values = np.asarray(reader_of(gradient).cotangent(gradient))
    if not np.isfinite(values).all():
        return (cause("not-finite"),)
    return why_zero(p, loss).causes if values.size and not values.any() else ()


def _ask_the_log(question: str, asked, loss, optimizer):
    log = current_log()
    failed: dict[str, tuple[Cause, ...]] = {}
    used_before = False
    for name, p in asked.items():
        causes = _wrong_with_the_slot(p, loss)
        if log is not None:
            passes = [q for q in log.passes if log.number(p) in q.stored]
            if not causes:
                causes = _wrong_with_the_rhythm(log, p, passes[-2:], optimizer)
            elif causes[0].kind == "cleared" and passes and passes[-1].reached[log.number(p)].version != p._version:
                causes, used_before = (), True
        if causes:
            failed[name] = causes
    passed = {name: p for name, p in asked.items() if name not in failed}
    facts = ["A step used it before it was cleared."] if used_before else []
    if passed and log is None:
        facts.append("It is there. Whether it holds one pass or several is known only inside watch().")
    return _step(question, facts, _grouped(failed), asked), passed


def _wrong_with_the_rhythm(log: Log, p, passes: list[Pass], optimizer) -> tuple[Cause, ...]:
    """What the last two passes tell: one gradient on another across a step, or one that no step has used."""
    if len(passes) < 2:
        return ()
    before, last = passes
    number, slot = log.number(p), log.number(grad_of(p))
    cleared = [
        event
        for event in log.events[before.end : last.time]
        if (event.what == "clear" and number in event.inputs) or (event.what == "zero_" and slot in event.inputs)
    ]
    moved = before.reached[number].version != last.reached[number].version
    if moved and not cleared:
        return (cause("never-cleared", last.line),)
    if cleared and not moved and optimizer is not None and not _was_used(before):
        return (cause("thrown-away", cleared[-1].line),)
    return ()


def _was_used(p: Pass) -> bool:
    """Whether some leaf has moved since the pass, if only the one it was meant for, as where two networks compete."""
    leaves = [(reached.leaf(), reached.version) for reached in p.reached.values()]
    return any(leaf is not None and leaf._version != version for leaf, version in leaves)


def _ask_the_optimizer(asked, optimizer) -> Step:
    if optimizer is None or not asked:
        return Step(QUESTIONS[4], "not asked", ("No optimizer was given.",) if optimizer is None else ())
    rates = {id(p): float(group["lr"]) for group in optimizer.param_groups for p in group["params"]}
    failed = {name: (cause("not-in-optimizer"),) for name, p in asked.items() if id(p) not in rates}
    failed |= {name: (cause("rate-zero"),) for name, p in asked.items() if rates.get(id(p)) == 0}
    shown = ", ".join(f"{rate:g}" for rate in sorted({rates[id(p)] for p in asked.values() if id(p) in rates}))
    facts = [f"{type(optimizer).__name__}, learning rate {shown}."] if shown else [f"{type(optimizer).__name__}."]
    return _step(QUESTIONS[4], facts, _grouped(failed))


# -- what is shown


def _step(question: str, facts: Iterable[str], found: tuple[Finding, ...], asked=True) -> Step:
    answer = "no" if found else "yes" if asked else "not asked"
    return Step(question, answer, tuple(facts) if asked else (), found)


def _grouped(failed: Mapping[str, Iterable[Cause]]) -> tuple[Finding, ...]:
    """One finding for the parameters that share their causes."""
    groups: dict[tuple[Cause, ...], list[str]] = {}
    for name, causes in failed.items():
        groups.setdefault(tuple(causes), []).append(name)
    return tuple(Finding(tuple(names), causes) for causes, names in groups.items())


def _size(p) -> str:
    values = np.asarray(reader_of(p).cotangent(grad_of(p)))
    return f"largest entry {np.abs(values).max():.3g}" if values.size else "no entries"


def _heading(finding: Finding) -> str:
    who = ", ".join(finding.names) or "the loss"
    return f"{who}, possible causes:" if len(finding.causes) > 1 else f"{who}:"


def _as_html(step: Step) -> str:
    parts = [f"<strong>{escape(step.question)} {escape(step.answer.capitalize())}.</strong>", *map(escape, step.facts)]
    for finding in step.findings:
        parts.append(escape(_heading(finding)))
        parts += [c.html() for c in finding.causes]
    return f"<li>{''.join(f'<p>{part}</p>' for part in parts)}</li>"
