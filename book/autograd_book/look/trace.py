"""Record what a forward and a reverse pass do, as plain data, without doing anything to the program's graph.

A trace is a dict, ready for JSON:

* `title`: the name of the tensor where backward starts, or None; `top`: the same if it is a scalar.
* `nodes`: in program order, each with
    - its `op` (None for a leaf), the `label` that tells it from others of that op, its name as a `grad_fn`, the source
      `line` that made it;
    - its `place`: the calls of modules that made it, outermost first, and the reverse pass, if one did;
    - what it `saved`: dicts of the `name` of the tensor (or else its `role` in the op), `role`, `value`, the `version`
      that was saved and the one of `now`;
    - how many `hooks` of the program wait at it, which do not run here;
    - for each of its outputs the tensor's name in `names`, its shape in `shapes`, its value in `values` (None where
      nobody kept it) and in `slots` the place for a gradient: None, or {"grad": what it holds before the pass}.
* `edges`: {"from": node, "output": its output, "to": the node that used it, "input": as which input}.
* `steps`: the events in order. "leaves" (they are there), "compute" (a node makes its value and saves) and "forward"
  (all of it is done) are the forward pass; then come "seed", "arrive" (a cotangent reaches an output of a node or a
  leaf), "retain" (it is kept for a `retain_grad()`), "release" (a node is done and drops what it saved), "accumulate"
  (a leaf adds the sum of what arrived to its slot), "drop" (the leaf's tensor is gone) and "refuse" (a saved value is
  stale, and the pass ends).

Values are numbers or nested lists of them; arrays of more than six elements are recorded by their shape only.
"""

import math
from collections import Counter
from collections.abc import Mapping
from itertools import chain, count
from string import ascii_lowercase
from typing import Any

import numpy as np

from autograd_core.reading import Edge, GraphReader, Saved, in_order, is_accumulator, reader_of

from ..wording import translate as _
from .edge_arithmetic import RULES, formulas, is_by_rule
from .modules import MODULES

LARGEST = 6
MOST_NODES = 5_000


def record(output: Any, names: Mapping[str, Any], seed: Any = None) -> dict:
    """The trace of the pass that `output.backward(seed)` would make; see `microscope` for the errors."""
    graph = reader_of(output)
    root, seed = graph.start(output, seed)
    nodes = _program_order(graph, root)
    _require_no_pass_inside(graph, nodes)
    kept = {node: [*map(_said, graph.saved(node))] for node in nodes if not is_accumulator(node)}
    run = _Pass(graph, root, nodes, names)
    with np.errstate(all="ignore"):  # an infinity is shown, not warned about
        steps = run.run(seed, kept)
    labels = _labels(graph, nodes, names)
    values = _values(graph, nodes, kept, [*names.values(), output])
    constants = {graph.identity(tensor): name for name, tensor in names.items() if not tensor.requires_grad}

    def saved(entry: Saved) -> dict:
        label = labels.get(entry.edge) or constants.get(id(entry.value)) or entry.role
        value = entry.value if isinstance(entry.value, str) else _known(graph, None if entry.stale else entry.value)
        return {"name": label, "role": entry.role, "value": value, "version": entry.version, "now": entry.now}

    def describe(node: Any) -> dict:
        leaf = is_accumulator(node)
        edges = [(node, k) for k in range(len(graph.shapes(node)))]
        return {
            "op": None if leaf else graph.op_name(node),
            "label": None if leaf else graph.op_name(node),
            "grad_fn": node.name().rpartition("::")[2],
            "line": None if leaf else _text_of(graph.line(node)),
            "place": [] if leaf else [*graph.notes(node).get(MODULES, ()), *graph.reverse_pass(node)],
            "names": [labels.get(edge) for edge in edges],
            "shapes": graph.shapes(node),
            "values": [_known(graph, values.get(edge)) for edge in edges],
            "saved": [saved(entry) for entry in kept.get(node, [])],
            "slots": [run.slot(edge) for edge in edges],
            "hooks": run.hooks[node],
        }

    trace = {
        "title": labels.get(root),
        "top": labels.get(root) if graph.shapes(root[0])[root[1]] == [] else None,
        "nodes": _numbered([describe(node) for node in nodes]),
        "edges": [
            {"from": run.numbers[node], "output": k, "to": run.numbers[user], "input": i}
            for (user, i), (node, k) in run.uses.items()
        ],
        "steps": steps,
    }
    for step, formula in zip(steps, formulas(trace, run.by_rule), strict=True):
        if step["kind"] == "arrive":
            step["formula"] = formula
    return trace


def _numbered(nodes: list[dict]) -> list[dict]:
    """The nodes, with numbers in the labels of those of one op whose results have no names."""
    unnamed = [node for node in nodes if node["op"] and not any(node["names"])]
    for op, times in Counter(node["op"] for node in unnamed).items():
        for number, node in enumerate((node for node in unnamed if node["op"] == op), start=1):
            node["label"] = f"{op} ({number})" if times > 1 else op
    return nodes


def plain(array: Any) -> Any:
    """An array as a number or nested lists of numbers; infinities and NaN, which JSON lacks, as text.

    >>> import numpy as np
    >>> plain(np.array([1.0, np.inf])), plain(np.zeros((64, 10)))
    ([1.0, 'inf'], 'shape (64, 10)')
    """
    array = np.asarray(array)
    if array.size > LARGEST:
        return f"shape {array.shape}"

    def finite(value):
        if isinstance(value, list):
            return [finite(v) for v in value]
        return value if math.isfinite(value) else str(value)

    return finite(array.tolist())


def _said(entry: Saved) -> Saved:
    """A saved value, with a word in place of one that is no number of the program's."""
    if entry.packed:
        return entry._replace(value=_("packed"))
    if type(entry.value) is tuple:
        return entry._replace(value=_("the view"))
    if entry.value is None and not entry.stale:  # in a custom function
        return entry._replace(value="None")
    return entry


def _text_of(line: str | None) -> str | None:
    """What stands on a line, without the place."""
    return (line or "").partition(": ")[2] or None


def _known(graph: GraphReader, value: Any) -> Any:
    """A value as plain data, or None where nobody kept it."""
    if value is None:
        return None
    return plain(value if isinstance(value, (int, float)) else graph.array(value))


def _inputs(node: Any) -> list:
    """(input number, edge) where gradients flow; a leaf has none."""
    return [(i, edge) for i, edge in enumerate(node.next_functions) if edge[0] is not None]


def _program_order(graph: GraphReader, root: Edge) -> list:
    """Leaves and nodes behind `root`, oldest first, each leaf before the first node that uses it."""
    found = in_order([root[0]])
    if len(found) > MOST_NODES:
        raise ValueError(
            f"the graph has {len(found)} nodes, and the microscope takes up to {MOST_NODES}: look at a tensor nearer "
            "to the leaves, or at fewer steps of the loop that built it"
        )
    placed: dict = {}
    for node in sorted((node for node in found if not is_accumulator(node)), key=graph.age):
        placed.update((edge[0], None) for _, edge in _inputs(node) if is_accumulator(edge[0]))
        placed[node] = None
    return list(placed) or [root[0]]


def _require_no_pass_inside(graph: GraphReader, nodes: list) -> None:
    """Raise for a reentrant checkpoint: the pass in its backward would store."""
    if any(not is_accumulator(node) and graph.op_name(node) == "CheckpointFunction" for node in nodes):
        raise ValueError(
            "the graph has a reentrant checkpoint, whose backward runs a pass of its own that stores in every leaf it "
            "reaches. The microscope stores nothing: call checkpoint(..., use_reentrant=False)"
        )


def _labels(graph: GraphReader, nodes: list, names: Mapping[str, Any]) -> dict:
    """A name for each edge that a variable holds; leaves that none holds are called a to z, then a1 to z1."""
    labels: dict = {}
    for name, tensor in names.items():
        if tensor.requires_grad:
            labels.setdefault(graph.edge(tensor), name)
    letters = (letter + number for number in chain([""], map(str, count(1))) for letter in ascii_lowercase)
    letters = (label for label in letters if label not in names)
    for node in nodes:
        if is_accumulator(node) and (node, 0) not in labels:
            labels[node, 0] = next(letters)
    return labels


def _values(graph: GraphReader, nodes: list, kept: dict, tensors: list) -> dict:
    """The value at each edge where one is still to be had: from a tensor, or from a node that saved it."""
    values = {graph.edge(tensor): tensor for tensor in tensors if tensor.requires_grad}
    for node in nodes:
        if is_accumulator(node):
            values[node, 0] = node.variable
        for entry in kept.get(node, []):
            if entry.edge is not None and not isinstance(entry.value, str):
                values.setdefault(entry.edge, entry.value)
    lost = {entry.edge for entries in kept.values() for entry in entries if entry.stale}
    return {edge: value for edge, value in values.items() if edge not in lost}


class _Pass:
    """A forward pass retold, and a reverse pass on cotangents of its own. It stores nothing and releases nothing."""

    def __init__(self, graph: GraphReader, root: Edge, nodes: list, names: Mapping[str, Any]):
        self.graph, self.root, self.nodes = graph, root, nodes
        self.numbers = {node: k for k, node in enumerate(nodes)}
        self.uses = {(node, i): edge for node in nodes for i, edge in _inputs(node)}
        self.edge_numbers = {use: e for e, use in enumerate(self.uses)}
        held = {graph.edge(tensor): tensor for tensor in names.values() if tensor.requires_grad}
        outputs = {node: [(node, k) for k in range(len(graph.shapes(node)))] for node in nodes}
        self.receivers = {edge: graph.receiver(edge, held.get(edge)) for edges in outputs.values() for edge in edges}
        self.hooks = {node: graph.hooks(node, [held.get(edge) for edge in edges]) for node, edges in outputs.items()}
        self.cotangents: dict = {}
        self.steps: list[dict] = []
        self.by_rule: set[int] = set()  # the edges on which what is sent follows the rule of the op

    def slot(self, edge: Edge) -> dict | None:
        """What is in the place for the gradient of an edge."""
        tensor = self.receivers[edge]
        if tensor is None:
            return None
        return {"grad": None if tensor.grad is None else self._plain(tensor.grad)}

    def run(self, seed: Any, kept: dict) -> list[dict]:
        ops = [node for node in self.nodes if not is_accumulator(node)]
        if ops:
            self.steps.append({"kind": "leaves"})
        self.steps += [{"kind": "compute", "node": self.numbers[node]} for node in ops]
        self.steps.append({"kind": "forward"})
        stale = [node for node in reversed(ops) if any(entry.stale for entry in kept[node])]
        if self.graph.checks_first and stale:
            self._refuse(stale[0])
            return self.steps
        last_use = {edge: node for (node, _), edge in reversed(self.uses.items()) if is_accumulator(edge[0])}
        done_after: dict = {}
        for edge, node in last_use.items():
            done_after.setdefault(node, []).append(edge)
        self._arrive(self.root, seed, {"kind": "seed"})
        if not ops:
            self._store("accumulate", self.root, seed)
        for node in reversed(ops):
            if node in stale:
                self._refuse(node)
                return self.steps
            self._visit(node, kept[node])
            for edge in done_after.get(node, ()):
                if edge in self.cotangents:
                    self._store("accumulate", edge, self.cotangents[edge])
        return self.steps

    def _visit(self, node: Any, kept: list[Saved]) -> None:
        outputs = [(node, k) for k in range(len(self.graph.shapes(node)))]
        gs = [self.cotangents.pop(edge, None) for edge in outputs]
        if all(g is None for g in gs):
            return
        for edge, g in zip(outputs, gs, strict=True):
            if g is not None and self.receivers[edge] is not None:
                self._store("retain", edge, g)
        for i, sent in enumerate(self.graph.pull_back(node, gs)):
            if sent is not None and (node, i) in self.uses:
                number = self.edge_numbers[node, i]
                self._arrive(self.uses[node, i], sent, {"kind": "arrive", "edge": number})
                if self._is_by_rule(node, i, gs[0], kept, sent):
                    self.by_rule.add(number)
        self.steps.append({"kind": "release", "node": self.numbers[node]})

    def _is_by_rule(self, node: Any, position: int, g: Any, kept: list[Saved], sent: Any) -> bool:
        op, array = self.graph.op_name(node), self.graph.array
        if op not in RULES or g is None:
            return False
        saved = {
            entry.role: entry.value if isinstance(entry.value, (int, float)) else array(entry.value)
            for entry in kept
            if entry.value is not None and not isinstance(entry.value, str)
        }
        return is_by_rule(op, position, array(g), saved, array(sent))

    def _refuse(self, node: Any) -> None:
        self.steps.append({"kind": "refuse", "node": self.numbers[node]})

    def _arrive(self, edge: Edge, g: Any, step: dict) -> None:
        before = self.cotangents.get(edge)
        total = self.cotangents[edge] = g if before is None else before + g
        amounts = {"cotangent": self._plain(g), "before": None if before is None else self._plain(before)}
        self.steps.append(step | self._at(edge) | amounts | {"total": self._plain(total)})

    def _store(self, kind: str, edge: Edge, g: Any) -> None:
        tensor = self.receivers[edge]
        if tensor is None:
            self.steps.append({"kind": "drop"} | self._at(edge))
            return
        old = None if tensor.grad is None else self.graph.array(tensor.grad)
        g = self.graph.array(g)
        amounts = {
            "old": None if old is None else plain(old),
            "cotangent": plain(g),
            "grad": plain(g if old is None else old + g),
        }
        self.steps.append({"kind": kind} | self._at(edge) | amounts)

    def _at(self, edge: Edge) -> dict:
        return {"node": self.numbers[edge[0]], "output": edge[1]}

    def _plain(self, value: Any) -> Any:
        return plain(self.graph.array(value))
