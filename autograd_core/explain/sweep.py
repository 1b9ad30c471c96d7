"""A reverse pass by hand: find the ops that turned a cotangent that was not zero into one that is."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

from . import graphs
from .causes import OF_OP, cause
from .verdict import Cause

MIXES = ("mm", "matmul", "addmm", "bmm", "mv", "dot", "linear", "sum", "mean", "t", "transpose", "permute", "view",
         "reshape", "expand", "squeeze", "unsqueeze", "cat", "stack", "clone")  # fmt: skip


class Given(NamedTuple):
    """One contribution: the node that gave it, to which of its inputs, and what."""

    node: Any
    position: int
    value: Any


class Sweep:
    """A reverse pass by hand from a loss, which keeps every cotangent and stores nothing in the tensors.

    Custom functions are not run; nothing is claimed about what lies above them.
    """

    def __init__(self, roots, seeds=()):
        self.arrived: dict = {}
        self.given: dict = defaultdict(list)
        self.unknown: set = set()
        for k, root in enumerate(roots):
            seed = graphs.raw(seeds[k]) if k < len(seeds) else graphs.ones_like(root)
            self._add(graphs.top(root), seed)
        for node in graphs.in_order([graphs.top(root)[0] for root in roots]):
            if graphs.is_accumulator(node):
                continue
            if node in self.unknown or graphs.is_custom(node):
                self.unknown.update(above for above, _ in node.next_functions)
            else:
                self._pass_through(node)

    def _add(self, edge, value) -> None:
        present = self.arrived.get(edge)
        self.arrived[edge] = value if present is None else present + value

    def _pass_through(self, node) -> None:
        cotangents = self.at(node)
        if all(g is None for g in cotangents):
            return
        for i, (edge, value) in enumerate(zip(node.next_functions, graphs.give_back(node, cotangents))):
            if edge[0] is not None and value is not None:
                self.given[edge].append(Given(node, i, value))
                self._add(edge, value)

    def at(self, node) -> list:
        """The cotangents that arrived at the outputs of a node."""
        return [self.arrived.get((node, k)) for k in range(graphs.outputs_of(node))]

    def zeros(self, edge) -> tuple[Cause, ...]:
        """Where the zeros that arrived at an edge come from; nothing if there are none, or that is not known."""
        total = self.arrived.get(edge)
        if total is None or edge[0] in self.unknown:
            return ()
        mask = total == 0
        return self._causes(edge, mask) if mask.any() else ()

    def _causes(self, edge, mask) -> tuple[Cause, ...]:
        """Follow the zeros up to the ops that made them."""
        found: dict[Cause, None] = {}
        seen = set()
        stack = [(edge, mask)]
        while stack:
            edge, mask = stack.pop()
            if edge in seen:
                continue
            seen.add(edge)
            if not self.given[edge]:
                found[cause("zero-seed")] = None
            for node, _, value in self.given[edge]:
                if value[mask].any():
                    found[cause("cancels", graphs.line_of(node))] = None
                    break
            else:
                for node, position, value in self.given[edge]:
                    onward = self._onward(node, value, mask)
                    stack += onward
                    if not onward:
                        found[self._made_by(node, position, mask)] = None
        return tuple(found)

    def _made_by(self, node, position: int, mask) -> Cause:
        """How a node made zeros of what was not: another cotangent tells a zero derivative from a sum that cancels."""
        op, line = graphs.op_name(node), graphs.line_of(node)
        kind = OF_OP.get(op, "unknown")
        probe = [g if g is None else graphs.uneven_like(g) for g in self.at(node)]
        if kind != "normalized" and graphs.give_back(node, probe)[position][mask].any():
            kind = "cancels"
        return cause(kind, line, op=f"{op}()")

    def _onward(self, node, value, mask) -> list:
        """The outputs of a node at which the zeros were already there, with where they were; none if it made them."""
        onward = []
        for k, g in enumerate(self.at(node)):
            if g is None:
                continue
            if g.shape == value.shape and graphs.op_name(node) not in MIXES:
                already = mask if not g[mask].any() else None
            else:
                zero = g == 0
                already = zero if zero.all() or (graphs.op_name(node) in MIXES and zero.any()) else None
            if already is None:
                return []
            onward.append(((node, k), already))
        return onward


def zeros_of(roots, seeds, leaves: dict) -> dict[int, tuple[Cause, ...]]:
    """What a backward from `roots` would leave zero in `leaves`, by their keys. Nothing for a pass that will raise."""
    if not all(root.requires_grad for root in roots) or any(graphs.trouble(node) for node in graphs.reach(roots)):
        return {}
    sweep = Sweep(roots, seeds)
    return {key: sweep.zeros(graphs.top(leaf)) for key, leaf in leaves.items() if leaf is not None}
