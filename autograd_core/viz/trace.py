"""Record what a reverse pass does, as plain data, without doing it to the program's graph.

A trace is a dict, ready for JSON:

* `root`: the `node` and `output` where backward starts.
* `nodes`: in program order, each with its `op` (None for a leaf), the source `line`, what it `saved` as [name, value]
  pairs, and for each of its outputs the tensor's name in `names`, its shape in `shapes`, its value in `values` (None
  where nobody kept it) and in `slots` the place for a gradient: None if there is none, else {"grad": what it holds
  before the pass}.
* `edges`: {"from": node, "output": its output, "to": the node that used it, "input": as which input}.
* `steps`: the events in order. "forward" comes first, then "seed", "arrive" (a cotangent reaches an output of a node or
  a leaf), "retain" (it is kept for a `retain_grad()`), "release" (a node is done and drops what it saved), "accumulate"
  (a leaf adds the sum of what arrived to its slot) and "drop" (the leaf's tensor is gone).

Values are numbers or nested lists of them; arrays of more than six elements are recorded by their shape only.
"""

import math
from collections.abc import Mapping
from string import ascii_lowercase
from typing import Any

import numpy as np

from ..autograd.gradient import _roots
from ..calling import PUBLIC_NAMES
from ..engine import check, pull_back
from ..graph import Leaf, Node, Output, index_of, node_of, schedule
from ..tensor import Tensor, edge_of, wrap

LARGEST = 6

Owner = Any  # a Leaf or a Node
Edge = Any  # a Leaf, a Node that has one output, or an Output


def record(output: Tensor, names: Mapping[str, Tensor], seed: Any = None) -> dict:
    """The trace of the pass that `output.backward(seed)` would make; see `microscope` for the errors."""
    if seed is None:
        seed = wrap(np.ones_like(output._array)) if output._array.size == 1 else None
    elif not isinstance(seed, Tensor):
        seed = wrap(np.array(seed, output._array.dtype))
    ((root, seed),) = _roots(output, seed)
    owners = _program_order(root)
    numbers = {owner: i for i, owner in enumerate(owners)}
    uses = [(owner, i, edge) for owner in owners for i, edge in _inputs(owner)]
    edge_numbers = {(owner, i): e for e, (owner, i, _) in enumerate(uses)}
    with np.errstate(all="ignore"):  # an infinity is shown, not warned about
        steps = _Pass(root, numbers, edge_numbers).run(seed._array)
    labels = _labels(owners, names)
    values = _values(owners, [*names.values(), output])
    return {
        "root": {"node": numbers[_owner(root)], "output": index_of(root)},
        "nodes": [_describe(owner, labels, values, names) for owner in owners],
        "edges": [
            {"from": numbers[_owner(edge)], "output": index_of(edge), "to": numbers[owner], "input": i}
            for owner, i, edge in uses
        ],
        "steps": steps,
    }


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


def _owner(edge: Edge) -> Owner:
    """The leaf or node at the end of an edge."""
    return edge if type(edge) is Leaf else node_of(edge)


def _outputs(owner: Owner) -> list:
    """The edges that stand for the values an owner made."""
    many = isinstance(owner, Node) and owner.outputs is not None
    return [Output(owner, k) for k in range(len(owner.outputs))] if many else [owner]


def _inputs(owner: Owner) -> list:
    """(input number, edge) where gradients flow; a leaf has none."""
    return [] if type(owner) is Leaf else [(i, edge) for i, edge in enumerate(owner.edges) if edge is not None]


def _program_order(root: Edge) -> list:
    """Leaves and nodes behind `root`, oldest first, each leaf before the first node that uses it."""
    owners: dict = {}
    for node in reversed(schedule([root])):
        owners.update((edge, None) for _, edge in _inputs(node) if type(edge) is Leaf)
        owners[node] = None
    return list(owners) or [root]


def _labels(owners: list, names: Mapping[str, Tensor]) -> dict:
    """A name for each edge that a variable holds; leaves that none holds get letters."""
    labels: dict = {}
    for name, tensor in names.items():
        if tensor.requires_grad:
            labels.setdefault(edge_of(tensor), name)
    letters = (letter for letter in ascii_lowercase if letter not in names)
    for owner in owners:
        if type(owner) is Leaf and owner not in labels:
            labels[owner] = next(letters, None)
    return labels


def _values(owners: list, tensors: list[Tensor]) -> dict:
    """The array at each edge where one is still to be had: from a tensor, or from a node that saved it."""
    values = {edge_of(tensor): tensor._array for tensor in tensors}
    for owner in owners:
        if type(owner) is not Leaf:
            for number, (value, *_) in zip(owner.plan.saves, owner.saved, strict=True):
                if value is not None:
                    values.setdefault(_edge_of_value(owner, number), value)
        elif owner.tensor is not None:
            values[owner] = owner.tensor._array
    return values


def _edge_of_value(node: Owner, number: int) -> Edge:
    """The edge of a saved value, numbered as in its plan: an input's, an output's, or None for what has no edge."""
    edges = [*node.edges, *_outputs(node)]
    return edges[number] if number < len(edges) else None


def _describe(owner: Owner, labels: dict, values: dict, names: Mapping[str, Tensor]) -> dict:
    node, edges = isinstance(owner, Node), _outputs(owner)
    return {
        "op": owner.op.name if node else None,
        "line": owner.position.partition(": ")[2] or None if node else None,
        "names": [labels.get(edge) for edge in edges],
        "shapes": [list(edge.shape) for edge in edges],
        "values": [plain(values[edge]) if edge in values else None for edge in edges],
        "saved": _saved(owner, labels, names) if node else [],
        "slots": [_slot(edge) for edge in edges],
    }


def _saved(node: Owner, labels: dict, names: Mapping[str, Tensor]) -> list:
    """What a node saved: each value under the name of its tensor, or else of the op's parameter."""
    constants = {id(tensor._array): name for name, tensor in names.items() if not tensor.requires_grad}
    packed = node.rare.packed if node.rare else {}
    entries = []
    for k, (number, role, (value, *_)) in enumerate(
        zip(node.plan.saves, node.plan.saved_names, node.saved, strict=True)
    ):
        label = labels.get(_edge_of_value(node, number)) or constants.get(id(value)) or PUBLIC_NAMES.get(role, role)
        missing = "packed" if k in packed else "None"  # by a saved-tensors hook; nothing, in a custom function
        shown = missing if value is None else "the part that was written" if type(value) is tuple else plain(value)
        entries.append([label, shown])
    return entries


def _receiver(edge: Edge) -> Tensor | None:
    """The tensor whose `.grad` stores what arrives here, if there is one."""
    if type(edge) is Leaf:
        tensor = edge.tensor
        return tensor if tensor is not None and edge_of(tensor) is edge else None
    rare = _owner(edge).rare
    kept = rare.retained.get(index_of(edge)) if rare else None
    return kept() if kept else None


def _slot(edge: Edge) -> dict | None:
    tensor = _receiver(edge)
    if tensor is None:
        return None
    return {"grad": None if tensor._grad is None else plain(tensor._grad._array)}


class _Pass:
    """A reverse pass on cotangents of its own, in the engine's order. It stores nothing and releases nothing."""

    def __init__(self, root: Edge, numbers: dict, edge_numbers: dict):
        self.root, self.numbers, self.edge_numbers = root, numbers, edge_numbers
        self.cotangents: dict = {}
        self.steps: list[dict] = [{"kind": "forward"}]

    def run(self, seed: np.ndarray) -> list[dict]:
        nodes = schedule([self.root])
        last_use: dict = {}
        for node in nodes:
            check(node)
            last_use |= {edge: node for _, edge in _inputs(node) if type(edge) is Leaf}
        self._arrive(self.root, seed, {"kind": "seed"})
        if type(self.root) is Leaf:
            self._store("accumulate", self.root, seed)
        for node in nodes:
            self._visit(node)
            for leaf, last in last_use.items():
                if last is node and leaf in self.cotangents:
                    self._store("accumulate", leaf, self.cotangents[leaf])
        return self.steps

    def _visit(self, node: Owner) -> None:
        outputs = _outputs(node)
        gs = [self.cotangents.pop(edge, None) for edge in outputs]
        if all(g is None for g in gs):
            return
        for edge, g in zip(outputs, gs, strict=True):
            if g is not None and _receiver(edge) is not None:
                self._store("retain", edge, g)
        for i, sent in enumerate(pull_back(node, gs)):
            if sent is not None:
                self._arrive(node.edges[i], sent, {"kind": "arrive", "edge": self.edge_numbers[node, i]})
        self.steps.append({"kind": "release", "node": self.numbers[node]})

    def _arrive(self, edge: Edge, g: np.ndarray, step: dict) -> None:
        before = self.cotangents.get(edge)
        total = self.cotangents[edge] = g if before is None else before + g
        amounts = {"cotangent": plain(g), "total": plain(total), "first": before is None}
        self.steps.append(step | self._at(edge) | amounts)

    def _store(self, kind: str, edge: Edge, g: np.ndarray) -> None:
        tensor = _receiver(edge)
        if tensor is None:
            self.steps.append({"kind": "drop"} | self._at(edge))
            return
        old = None if tensor._grad is None else tensor._grad._array
        amounts = {
            "old": None if old is None else plain(old),
            "cotangent": plain(g),
            "grad": plain(g if old is None else old + g),
        }
        self.steps.append({"kind": kind} | self._at(edge) | amounts)

    def _at(self, edge: Edge) -> dict:
        return {"node": self.numbers[_owner(edge)], "output": index_of(edge)}
