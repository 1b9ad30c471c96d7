"""What a backward from this loss would reach, and what stands in its way."""

from __future__ import annotations

from collections import Counter

from ..reading import GraphReader, grad_of, is_accumulator, reach, reader_of, require_tensor
from .answers import Cause, Verdict
from .causes import cause
from .log import current_log
from .none import WITHOUT_HISTORY, origin


def explain(loss) -> Verdict:
    """Look at a loss, of this package or of PyTorch: is it connected, what will its backward reach, will it raise?

    `facts` say how many ops and leaves its graph has and which of the leaves hold a gradient; a cause is named only
    for what is wrong. Inside `watch()` a loss without history is explained by fact, with the line.

    Raises TypeError for anything but a tensor.

    >>> import autograd_core as ac
    >>> w = ac.tensor([1.0, 2.0], requires_grad=True)
    >>> ac.explain.explain((w * w).sum())
    What will backward() from this tensor of shape [] reach?
    2 ops were recorded: mul, sum.
    1 leaf of shape [2]: no gradient yet.
    """
    require_tensor(loss, "explain")
    question = f"What will backward() from this tensor of shape {list(loss.shape)} reach?"
    if not loss.requires_grad:
        return Verdict(question, tuple(_why_disconnected(loss)), ("Nothing: it does not require gradients.",))
    graph, nodes = reader_of(loss), reach([loss])
    if loss.is_leaf:
        return Verdict(question, (cause("loss-is-leaf"),), ("Only itself.",))
    return Verdict(question, tuple(_problems(graph, nodes)), tuple(_facts(graph, loss, nodes)))


def _why_disconnected(loss) -> list[Cause]:
    log = current_log()
    if not loss.is_floating_point():
        return [cause("integer", dtype=str(loss.dtype).rsplit(".", 1)[-1])]
    if log is not None:
        return origin(log, log.number(loss))
    return [cause(kind) for kind in WITHOUT_HISTORY]


def _problems(graph: GraphReader, nodes):
    for node in nodes:
        if is_accumulator(node):
            if graph.stores_nowhere(node):
                yield cause("dropped")
        elif graph.trouble(node) == "stale":
            yield cause("stale", graph.line(node), op=f"{graph.op_name(node)}()")


def _facts(graph: GraphReader, loss, nodes):
    ops = [graph.op_name(node) for node in nodes if not is_accumulator(node)][::-1]
    names = ", ".join(op if times == 1 else f"{op} ({times} times)" for op, times in Counter(ops).items())
    yield f"{len(ops)} {'op was' if len(ops) == 1 else 'ops were'} recorded: {names}."
    if loss.numel() != 1:
        yield "It has more than one element: backward() needs a gradient of its shape."
    if any(graph.trouble(node) == "released" for node in nodes if not is_accumulator(node)):
        yield "A pass has run and released saved values: a second one will raise."
    leaves = [node.variable for node in nodes if is_accumulator(node) and node.variable is not None]
    for leaf in leaves:
        gradient = grad_of(leaf)
        state = "no gradient yet" if gradient is None else "holds a gradient"
        if gradient is not None and not graph.cotangent(gradient).any():
            state = "its gradient is zero"
        yield f"1 leaf of shape {list(leaf.shape)}: {state}."
