"""Why is `.grad` None: what the tensor itself shows, what the log knows, and else what is still possible."""

from __future__ import annotations

from typing import NamedTuple

from ..reading import grad_of, is_parameter, reach, reader_of, require_tensor
from ..reading.lines import rebinds
from .answers import Cause, Verdict
from .causes import cause
from .log import NUMBERS, Event, Log, Pass, current_log

DETACHES = ("detach", "detach_", "data", "set_data")
CONVERSIONS = ("tensor", "as_tensor", "asarray", "array", "from_numpy")
WITHOUT_HISTORY = ("no-requires-grad", "detached", "no-grad", "left-graph", "nondiff", "constant", "frozen")
CUT = ("unused", "detached", "no-grad", "left-graph", "nondiff", "asked-too-late")
UNSTORED = ("no-backward", "cleared", "grad-returned", "inputs", "not-produced")


def why_none(tensor, loss=None) -> Verdict:
    """Why `tensor.grad` is None: the causes, each with its remedy; no cause if a gradient is there.

    Takes a tensor of this package or of PyTorch; `loss` may name the loss that should have reached it. From the
    tensors alone it lists the causes still possible. Inside `watch()` it names the one, and its line.

    Raises TypeError for anything but a tensor.

    >>> import autograd_core as ac
    >>> w = ac.tensor(2.0, requires_grad=True)
    >>> h = w * w
    >>> h.backward()
    >>> ac.explain.why_none(h).kinds, ac.explain.why_none(w).kinds
    (('non-leaf',), ())
    """
    require_tensor(tensor, "why_none")
    question = f"Why is .grad of this tensor of shape {list(tensor.shape)} None?"
    if grad_of(tensor) is not None:
        return Verdict(question, (), ("It is not: a gradient is stored there.",))
    log = current_log()
    causes = _shown_by(tensor, log) or (_known(tensor, loss, log) if log is not None else _possible(tensor, loss))
    facts = ("Possible causes:",) if len(causes) > 1 else ()
    return Verdict(question, tuple(dict.fromkeys(causes)), facts)


def why_unreached(tensor, loss) -> list[Cause]:
    """Why a loss does not lead back to a tensor: the one cause where it is known, else those that are possible."""
    log = current_log()
    if tensor.requires_grad and log is None:
        return _all_of(CUT)
    shown = [] if tensor.requires_grad else _shown_by(tensor, log)
    return shown or (_known(tensor, loss, log) if log is not None else _possible(tensor, loss))


def _shown_by(tensor, log: Log | None) -> list[Cause]:
    """The cause, where the tensor alone is proof enough."""
    if not tensor.is_floating_point():
        return [cause("integer", _made_at(tensor, log), dtype=str(tensor.dtype).rsplit(".", 1)[-1])]
    if tensor.is_inference():
        return [cause("inference", _made_at(tensor, log))]
    if not tensor.requires_grad:
        return []
    graph = reader_of(tensor)
    if graph.is_view_without_history(tensor):
        return [cause("no-grad-view", _made_at(tensor, log))]
    if not tensor.is_leaf and not tensor.retains_grad:
        line, op = graph.line(tensor.grad_fn), f"{graph.op_name(tensor.grad_fn)}()"
        return [cause("rebound" if rebinds(line) else "non-leaf", line, op=op)]
    return []


def _made_at(tensor, log: Log | None) -> str | None:
    made = log.maker(log.number(tensor)) if log is not None else None
    return made[1].line if made is not None else None


def _leads_to(loss, tensor) -> bool:
    """Whether the graph of a loss has the node of a tensor that requires gradients."""
    return reader_of(tensor).edge(tensor)[0] in reach([loss])


# -- from the tensors alone


def _possible(tensor, loss) -> list[Cause]:
    if not tensor.requires_grad:
        return _all_of(("frozen",) if is_parameter(tensor) else WITHOUT_HISTORY)
    late = () if tensor.is_leaf else ("retained-too-late",)
    if loss is None:
        return _all_of((*UNSTORED[:1], *late, *CUT, *UNSTORED[1:]))
    require_tensor(loss, "why_none")
    if not _leads_to(loss, tensor):
        return _all_of(CUT)
    graph = reader_of(loss)
    if any(graph.trouble(node) == "released" for node in reach([loss])):
        return _all_of((*late, *UNSTORED[1:]))
    return _all_of((*UNSTORED[:1], *late, "cleared", "not-produced"))


def _all_of(kinds) -> list[Cause]:
    return [cause(kind) for kind in kinds]


# -- from the log


def _known(tensor, loss, log: Log) -> list[Cause]:
    number = log.number(tensor)
    if not tensor.requires_grad:
        return origin(log, number, is_parameter(tensor))
    if loss is not None:
        require_tensor(loss, "why_none")
        if not _leads_to(loss, tensor):
            return cut_between(log, number, [log.number(loss)], len(log.events))
    return _unstored(log, number)


def origin(log: Log, number: int, is_parameter: bool = False) -> list[Cause]:
    """Why a tensor does not require gradients."""
    switched = log.last(number, "requires_grad_", "detach_")
    if switched is not None:
        _, event = switched
        return [cause("frozen" if event.what == "requires_grad_" else "detached", event.line, op="detach_()")]
    made = log.maker(number)
    if made is None:
        return _all_of(("frozen",) if is_parameter else WITHOUT_HISTORY)
    time, event = made
    if not event.inputs:
        left = log.number_taken_at(time)
        if left is not None:
            return [cause("left-graph", left.line, op=f"{left.what}()")]
        return [cause("frozen" if is_parameter else "no-requires-grad", event.line)]
    cuts = [event for _, event in log.upstream([number], time + 1) if event.cuts(set(event.inputs))]
    if not cuts and log.starts_unseen([number], time + 1):
        return _all_of(WITHOUT_HISTORY)
    return [_of_cut(cut) for cut in cuts] or [cause("constant", event.line)]


def _of_cut(event: Event) -> Cause:
    op = ".data" if event.what in ("data", "set_data") else f"{event.what}()"
    if event.what in DETACHES:
        return cause("detached", event.line, op=op)
    if event.what in CONVERSIONS:
        return cause("left-graph", event.line, op=op)
    if not any(mark.floating for mark in event.outputs.values()):
        return cause("nondiff", event.line, op=op)
    if not event.recording:
        mode = "inference_mode" if event.inference else "no_grad"
        return cause("rebound" if rebinds(event.line) else "no-grad", event.line, op=op, mode=mode)
    if any(mark.leaf and mark.requires_grad for mark in event.outputs.values()):
        return cause("copied", event.line, op=op)
    return cause("nondiff", event.line, op=op)


def _unstored(log: Log, number: int) -> list[Cause]:
    """Why nothing is stored in a tensor that requires gradients."""
    backwards = [p for p in log.passes if p.what == "backward"]
    retained = log.last(number, "retain_grad")
    if retained is not None:
        through = [p.time for p in backwards if p.ended and _follow(log, number, p.roots, p.time).connected]
        if through:
            too_late = retained[0] >= through[-1]
            return [cause("retained-too-late", retained[1].line) if too_late else _cleared(log, number)]
    for p in reversed(log.passes):
        if number in p.reached:
            return _of_pass(log, number, p) if p is log.passes[-1] else _of_earlier(log, number, p, backwards)
    return cut_between(log, number, backwards[-1].roots, backwards[-1].time) if backwards else [cause("no-backward")]


def _of_pass(log: Log, number: int, p: Pass) -> list[Cause]:
    """Why a leaf holds nothing although a pass reached it."""
    if p.what == "grad":
        return [cause("grad-returned", p.line)]
    if number in p.stored:
        return [_cleared(log, number)]
    if p.end is None:
        return [cause("backward-failed", p.line)]
    if p.wanted and number not in p.wanted:
        return [cause("inputs", p.line)]
    reached = p.reached[number]
    not_produced = cause("not-produced", p.line, op=f"{reached.op}()")
    if not reached.hooked:
        return [not_produced]
    within = [event.line for event in log.events[p.time : p.end] if event.what == "clear" and number in event.inputs]
    cleared = cause("cleared-by-hook", within[-1] if within else p.line)
    return [cleared, not_produced] if reached.custom and not within else [cleared]


def _of_earlier(log: Log, number: int, p: Pass, backwards: list[Pass]) -> list[Cause]:
    """The same, where later passes did not reach it: was that meant, or was the way cut since?"""
    cuts = _follow(log, number, backwards[-1].roots, backwards[-1].time).cuts if backwards else []
    return [_of_cut(event) for event in cuts] or _of_pass(log, number, p)


def _cleared(log: Log, number: int) -> Cause:
    cleared = log.last(number, "clear")
    return cause("cleared", cleared[1].line if cleared is not None else None)


class Way(NamedTuple):
    """What lies between a tensor and the roots of a pass: the events, those that cut, and whether a way is left."""

    events: list[Event]
    cuts: list[Event]
    connected: bool


def _follow(log: Log, number: int, roots, before: int) -> Way:
    """Follow a tensor through all that was computed of it on the way to the roots, recorded or not."""
    towards = {time for time, _ in log.upstream(roots, before)}
    way = [event for time, event in log.downstream(number, before) if time in towards]
    tracked, cuts = {number}, []
    for event in way:
        if event.cuts(tracked):
            cuts.append(event)
        elif not tracked.isdisjoint(event.inputs):
            tracked |= {n for n, mark in event.outputs.items() if mark.requires_grad}
    return Way(way, cuts, not tracked.isdisjoint(roots))


def cut_between(log: Log, number: int, roots, before: int) -> list[Cause]:
    """Why the roots do not lead back to a tensor."""
    way = _follow(log, number, roots, before)
    if not way.events:
        left = [(time, event) for time, event in log.downstream(number, before) if event.what in NUMBERS]
        used = {time for time, event in log.upstream(roots, before) if not event.inputs}
        shown = [event for time, event in left if time + 1 in used and log.number_taken_at(time + 1) is event]
        exits = [cause("left-graph", event.line, op=f"{event.what}()") for event in shown or [e for _, e in left]]
        if exits:
            return exits if shown else [*exits, *_all_of(CUT[:1])]
        return _all_of(CUT if log.starts_unseen(roots, before) else CUT[:1])
    uses = [event for event in way.events if number in event.inputs and number not in event.outputs]
    if uses and not any(event.inputs[number].requires_grad for event in uses):
        return [cause("asked-too-late", uses[0].line)]
    return [_of_cut(event) for event in way.cuts] or _all_of(CUT)
