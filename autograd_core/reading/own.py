"""The reader of this engine's graphs: all that `explain` and the pictures know of how a node is kept is here."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..autograd.gradient import checked_roots
from ..core.engine import check, public_name, pull_back
from ..core.graph import Leaf, Node, index_of, node_of, tick
from ..core.memory import address, owner_of
from ..core.tensor import Tensor, edge_of, wrap
from .lines import by_cell, called_at
from .reader import Edge, GraphReader, Saved

REVERSE = {"grad", "backward", "vjp", "jacobian", "hessian", "jacrev", "hvp", "vhp"}


class OwnReader(GraphReader):
    """Reads a graph of this package."""

    tensor_type = Tensor
    checks_first = True

    def is_leaf(self, tensor: Tensor) -> bool:
        """A view is not brought up to date by the look."""
        meta = tensor._meta
        if meta is not None and meta.dual is not None:
            return self.is_leaf(meta.dual.primal)
        view = meta.view if meta is not None else None
        if view is not None and view.base._edge is not None and view.base._cell.count != view.count:
            return view.origin != "grad"
        return node_of(tensor._edge) is None

    def edge(self, tensor: Tensor) -> Edge:
        return _pair(tensor._edge if self.is_leaf(tensor) else edge_of(tensor))

    def start(self, output: Tensor, seed: Any) -> tuple[Edge, np.ndarray]:
        if seed is not None and not isinstance(seed, Tensor):
            seed = wrap(np.array(seed, output._array.dtype))
        ((root, checked),) = checked_roots(output, seed)
        return _pair(root), self.ones_like(output) if seed is None else checked._array

    def array(self, value: Any) -> np.ndarray:
        return value._array if isinstance(value, Tensor) else np.asarray(value)

    def identity(self, tensor: Tensor) -> int:
        return id(tensor._array)

    def storage(self, value: Tensor | np.ndarray) -> tuple[int, int]:
        owner = owner_of(self.array(value))
        return address(owner), owner.nbytes

    def has_accumulate_hooks(self, leaf: Tensor) -> bool:
        return leaf._edge is not None and leaf._edge.rare is not None and bool(leaf._edge.rare.accumulated)

    def age(self, node: Node | Leaf) -> int:
        return node.seq

    def now(self) -> int:
        return tick()

    def is_custom(self, node: Node | Leaf) -> bool:
        return node.rare is not None and node.rare.pullback is not None

    def shapes(self, node: Node | Leaf) -> list[list[int]]:
        several = node.rare.outputs if node.rare is not None else None
        return [list(node.shape)] if several is None else [list(shape) for shape, _dtype in several]

    def line(self, node: Node) -> str | None:
        return by_cell(node.position)

    def reverse_pass(self, node: Node) -> list[str]:
        called = called_at(node.source)
        return [f"{called}()"] if called in REVERSE else []

    def notes(self, node: Node) -> dict:
        return node.rare.metadata if node.rare is not None else {}

    def saved(self, node: Node) -> list[Saved]:
        if node.saved is None:
            check(node)
        packed = node.rare.packed if node.rare is not None else {}
        edges = [*(edge and _pair(edge) for edge in node.edges), *((node, k) for k in range(len(self.shapes(node))))]
        found = []
        for k, (number, name, (value, cell, version, _owner)) in enumerate(
            zip(node.plan.saves, node.plan.saved_names, node.saved, strict=True)
        ):
            found.append(
                Saved(
                    name=name,
                    role=public_name(name),
                    value=packed[k][1] if k in packed else value,
                    edge=edges[number] if number < len(edges) else None,
                    version=version,
                    now=cell.count,
                    wanted_for=_wanted_for(node, name),
                    packed=k in packed,
                )
            )
        return found

    def stores_nowhere(self, leaf: Leaf) -> bool:
        return leaf._tensor is None

    def receiver(self, edge: Edge, held: Tensor | None) -> Tensor | None:
        node, k = edge
        if type(node) is Leaf:
            tensor = node.tensor
            return tensor if tensor is not None and edge_of(tensor) is node else None
        kept = node.rare.retained.get(k) if node.rare is not None else None
        return kept() if kept else None

    def hooks(self, node: Node | Leaf, held: list[Tensor | None]) -> int:
        if node.rare is None:
            return 0
        on_outputs = sum(map(len, node.rare.hooks.values()))
        return on_outputs + sum(map(len, (node.rare.prehooks, node.rare.posthooks, node.rare.accumulated)))

    def pull_back(self, node: Node, cotangents: list) -> list:
        return pull_back(node, cotangents)

    def cotangent(self, tensor: Tensor) -> np.ndarray:
        return tensor._array

    def ones_like(self, tensor: Tensor) -> np.ndarray:
        return np.ones(tensor._array.shape, tensor._array.dtype)

    def converted(self, numbers: np.ndarray, cotangent: np.ndarray) -> np.ndarray:
        return np.asarray(numbers, cotangent.dtype)


def _pair(edge: Any) -> Edge:
    return (edge, 0) if type(edge) is Leaf else (node_of(edge), index_of(edge))


def _wanted_for(node: Node, name: str) -> str:
    names = node.op.value_names(len(node.edges))
    rules = [(i, node.op.rule_names[rule]) for i, rule, _ in node.plan.rules]
    return ", ".join(dict.fromkeys(names[i] for i, arguments in rules if name in arguments))


OWN = OwnReader()
