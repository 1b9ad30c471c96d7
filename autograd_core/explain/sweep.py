"""A reverse pass by hand: find the ops that turned a cotangent that was not zero into one that is."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from ..reading import in_order, is_accumulator, reach, reader_of
from .answers import Cause
from .causes import OF_OP, cause

MIXES = ("mm", "matmul", "addmm", "bmm", "mv", "dot", "linear", "sum", "mean", "t", "transpose", "permute", "view",
         "reshape", "expand", "squeeze", "unsqueeze", "cat", "stack", "flip", "roll", "cumsum", "sort", "index",
         "getitem", "gather", "softmax", "log_softmax")  # fmt: skip


class Given(NamedTuple):
    """One contribution: the node that gave it, to which of its inputs, and what."""

    node: Any
    position: int
    value: Any


class Zeros(NamedTuple):
    """Which entries of a gradient a pass leaves zero, and why."""

    mask: Any
    causes: tuple[Cause, ...]


class Sweep:
    """A reverse pass by hand from a loss, which keeps every cotangent and stores nothing in the tensors.

    No code of the user's is run: neither custom functions nor the hooks that unpack a saved value. Nothing is claimed
    about what lies above them.
    """

    def __init__(self, roots, seeds=()):
        self.graph = reader_of(roots[0])
        self.arrived: dict = {}
        self.given: dict = defaultdict(list)
        self.unknown: set = set()
        for k, root in enumerate(roots):
            seed = self.graph.cotangent(seeds[k]) if k < len(seeds) else self.graph.ones_like(root)
            self._add(self.graph.edge(root), seed)
        for node in in_order([self.graph.edge(root)[0] for root in roots]):
            if is_accumulator(node):
                continue
            if node in self.unknown or self.graph.is_custom(node) or self.graph.has_packed(node):
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
        for i, (edge, value) in enumerate(zip(node.next_functions, self.graph.pull_back(node, cotangents))):
            if edge[0] is not None and value is not None:
                self.given[edge].append(Given(node, i, value))
                self._add(edge, value)

    def at(self, node) -> list:
        """The cotangents that arrived at the outputs of a node."""
        return [self.arrived.get((node, k)) for k in range(len(self.graph.shapes(node)))]

    def zeros(self, edge) -> Zeros:
        """The zeros that arrive at an edge, and where they come from; nothing if that is not known."""
        total = self.arrived.get(edge)
        if total is None or edge[0] in self.unknown:
            return Zeros(np.False_, ())
        mask = total == 0
        return Zeros(np.asarray(mask), self._causes(edge, mask) if mask.any() else ())

    def _causes(self, edge, mask) -> tuple[Cause, ...]:
        """Follow the zeros up to the ops that made them, entry by entry."""
        found: dict[Cause, None] = {}
        seen: dict = {}
        stack = [(edge, mask)]
        while stack:
            edge, mask = stack.pop()
            mask = mask & ~seen[edge] if edge in seen else mask
            if not mask.any():
                continue
            seen[edge] = mask | seen[edge] if edge in seen else mask
            if not self.given[edge]:
                found[cause("zero-seed")] = None
            cancelled = mask & False
            for given in self.given[edge]:
                cancelled = cancelled | (mask & (given.value != 0))
            if cancelled.any():
                found[cause("cancels", self.graph.line(self.given[edge][-1].node))] = None
            for given in self.given[edge]:
                made, onward = self._made_by(given, mask & ~cancelled)
                found |= dict.fromkeys(made)
                stack += onward
        return tuple(found)

    def _made_by(self, given: Given, mask) -> tuple[list[Cause], list]:
        """How one contribution came to be zero where `mask` is: the causes at its node, and where to look on.

        Other cotangents tell. Of the same support: if they give something, the sum inside the op cancelled. Of any
        support: if even they give nothing, the derivative is zero. What is left is zero because the cotangent was zero
        already, or because the product was too small.
        """
        node, position, _ = given
        op, line = self.graph.op_name(node), self.graph.line(node)
        arrived = self.at(node)
        other = [g if g is None else self.graph.uneven_like(g) for g in arrived]
        kind = OF_OP.get(op, "unknown")
        cancelled = mask & self._gives(node, position, [g if g is None else g * o for g, o in zip(arrived, other)])
        dead = mask & ~cancelled & ~self._gives(node, position, other)
        alive = mask & ~cancelled & ~dead
        support = [g if g is None else (g != 0) * o for g, o in zip(arrived, other)]
        small = alive & self._gives(node, position, support)
        together = "normalized" if kind == "normalized" else "cancels"
        kinds = [(together, cancelled), (self._dead(node, kind), dead), ("underflow", small)]
        made = [cause(kind, line, op=f"{op}()") for kind, where in kinds if where.any()]
        return made, self._onward(node, alive & ~small)

    def _gives(self, node, position: int, cotangents):
        """Where a node makes something that is not zero (nor NaN) of these cotangents."""
        value = self.graph.pull_back(node, cotangents)[position]
        return (value != 0) & (value == value)

    def _onward(self, node, mask) -> list:
        """The outputs of a node at which zeros were there already, and where.

        That is at the same entries if the op keeps its entries apart.
        """
        if not mask.any():
            return []
        onward = []
        for k, g in enumerate(self.at(node)):
            if g is not None and (g == 0).any():
                apart = g.shape == mask.shape and self.graph.op_name(node) not in MIXES
                there = mask & (g == 0) if apart else g == 0
                onward.append(((node, k), there if there.any() else g == 0))
        return onward

    def _dead(self, node, kind: str) -> str:
        """The kind of a zero derivative: a softmax that gives everything to one of several entries is saturated."""
        if self.graph.op_name(node) != "softmax":
            return kind
        result = next(entry.value for entry in self.graph.saved(node) if entry.role == "out")
        return "saturated" if bool((result == 0).any()) else kind


def zeros_of(roots, seeds, leaves: dict) -> dict[int, Zeros]:
    """What a backward from `roots` would leave zero in `leaves`, by their keys. Nothing for a pass that will raise."""
    if not roots or not all(root.requires_grad for root in roots):
        return {}
    if any(reader_of(roots[0]).trouble(node) for node in reach(roots)):
        return {}
    with np.errstate(all="ignore"), suppress(RuntimeError):
        sweep = Sweep(roots, seeds)
        return {key: sweep.zeros(reader_of(leaf).edge(leaf)) for key, leaf in leaves.items() if leaf is not None}
    return {}
