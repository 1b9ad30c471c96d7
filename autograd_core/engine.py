"""The reverse pass: visit the nodes newest first, run their rules, and deposit what reaches the leaves.

The pass keeps one cotangent an edge: it borrows the first that arrives, allocates for the second, and adds in place from the third.
A first-order pass runs the rules on arrays. With `create_graph` it runs them on tensors, and so records them. Nothing here recurses.
"""

from __future__ import annotations

import threading

import numpy as np

from .graph import Leaf, Node, Output, describe, schedule
from .modes import current_mode, set_mode
from .ops.shape import sum_to
from .tensor import Tensor, edge_of, wrap

ndarray = np.ndarray
_deposits = threading.Lock()


def backward(roots, seeds, targets=None, *, retain_graph: bool, create_graph: bool) -> None:
    """Accumulate gradients of the edges `roots` into `.grad`: of all leaves, or of `targets` (edge -> tensor) alone.

    `seeds` are tensors shaped like the roots.
    """

    def arrive(edge, g):
        tensor = edge.tensor if targets is None else targets[edge]
        if tensor is not None and edge_of(tensor) == edge:
            deposit(tensor, g)

    _Pass(arrive, targets, retain_graph, create_graph).run(roots, seeds)


def gradients(roots, seeds, targets, *, retain_graph: bool, create_graph: bool) -> dict:
    """The cotangents that arrive at the edges `targets`, as tensors; an edge that nothing reaches is missing. Stores nothing."""
    found: dict = {}
    _Pass(found.__setitem__, dict.fromkeys(targets), retain_graph, create_graph).run(roots, seeds)
    return {edge: g if create_graph else wrap(g) for edge, g in found.items()}


def deposit(tensor: Tensor, g) -> None:
    """Add a gradient (an array the caller gives away, or a tensor with history) to `tensor.grad`.

    An existing gradient is added to in place, so that references to it see the sum; a recorded one makes a new tensor.
    """
    with _deposits:
        old = tensor._grad
        if old is None:
            tensor._grad = g if isinstance(g, Tensor) else wrap(g)
        elif old._array.shape != g.shape:
            raise RuntimeError(
                f"cannot add a gradient of shape {list(g.shape)} to the .grad of shape {list(old.shape)} that is there; "
                "was .data replaced? Set .grad to None first."
            )
        elif isinstance(g, Tensor):
            tensor._grad = old + g
        else:
            old._array += g
            old._cell.count += 1
            old._cell.writer = "backward", None


def check(node: Node) -> None:
    """Raise if a value that this node needs was released by an earlier pass, or overwritten since it was saved."""
    saved = node.saved
    if saved is None:
        raise RuntimeError(
            f"Trying to backward through the graph a second time: {node.name()}, recorded at {node.position}, has already released "
            f"the values it saved ({', '.join(node.plan.saved_names)}). Run the forward again, or pass retain_graph=True to the "
            "first backward() or grad()."
        )
    for _, version, count in saved:
        if version.count != count:
            raise RuntimeError(_stale(node))


def _stale(node: Node) -> str:
    position = next(k for k, (_, version, count) in enumerate(node.saved) if version.count != count)
    value, version, count = node.saved[position]
    writer, source = version.writer
    return (
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[{value.dtype.name} {list(value.shape)}], which {node.name()} saved as `{node.plan.saved_names[position]}` at "
        f"{node.position}, is at version {version.count}; expected version {count} instead. It was overwritten by {writer}"
        f"{' at ' + describe(source) if source else ''}. Write to a clone() instead, or move the write after backward()."
    )


class _Pass:
    """One walk. `arrive(edge, cotangent)` is called for each leaf, or for each of `targets` where these are given."""

    def __init__(self, arrive, targets, retain_graph: bool, create_graph: bool):
        self.arrive, self.targets = arrive, targets
        self.retain_graph, self.recorded = retain_graph, create_graph
        self.cotangents: dict = {}
        self.owned: set = set()  # edges whose cotangent was allocated by this pass, so that it may be added to in place
        self.wanted: set | None = None  # edges that lead to a target; None for all

    def run(self, roots, seeds) -> None:
        nodes, self.uses = schedule(roots)
        if self.targets is not None:
            nodes = self._leading_to_targets(nodes)
        for node in nodes:
            if self.wanted is None or any(edge in self.wanted for edge in node.edges):
                check(node)
        before = set_mode(current_mode().with_grad(self.recorded))
        try:
            for root, seed in zip(roots, seeds):
                self.add(root, seed if self.recorded else seed._array.copy() if type(root) is Leaf else seed._array)
            for leaf in [edge for edge in self.cotangents if type(edge) is Leaf and edge not in self.uses]:
                self.finish(leaf)
            for node in nodes:
                if node.outputs is None and node.hooks is None and node.retained is None and self.targets is None:
                    g = self.cotangents.pop(node, None)
                    if g is not None:
                        self.propagate(node, g, (g,))
                else:
                    self._meet(node)
                for edge in node.edges:
                    if type(edge) is Leaf:
                        self.uses[edge] -= 1
                        if not self.uses[edge]:
                            self.finish(edge)
        finally:
            set_mode(before)

    def _leading_to_targets(self, nodes) -> list[Node]:
        self.wanted, keep = set(self.targets), []
        for node in reversed(nodes):
            outputs = [node] if node.outputs is None else [Output(node, k) for k in range(len(node.outputs))]
            if any(edge in self.wanted for edge in node.edges):
                self.wanted.update(outputs)
                keep.append(node)
            elif any(edge in self.wanted for edge in outputs):
                keep.append(node)
        self.uses = {}
        for node in keep:
            for edge in node.edges:
                if type(edge) is Leaf:
                    self.uses[edge] = self.uses.get(edge, 0) + 1
        return keep[::-1]

    def _meet(self, node: Node) -> None:
        """Propagate through a node with hooks, with retained or wanted outputs, or with several outputs."""
        outputs = (node,) if node.outputs is None else [Output(node, k) for k in range(len(node.outputs))]
        gs = []
        for k, edge in enumerate(outputs):
            g = self.cotangents.pop(edge, None)
            if g is not None:
                if node.hooks is not None and k in node.hooks:
                    g = run_hooks(node.hooks[k], g)
                if node.retained is not None and (tensor := node.retained[k]() if k in node.retained else None) is not None:
                    deposit(tensor, g if self.recorded else g.copy())
                if self.targets is not None and edge in self.targets:
                    self.arrive(edge, g if self.recorded else g.copy())
            gs.append(g)
        leads_on = self.wanted is None or any(edge in self.wanted for edge in node.edges)
        if leads_on and any(g is not None for g in gs):
            self.propagate(node, gs[0], gs)

    def propagate(self, node: Node, g, gs) -> None:
        """Run the wanted rules of a node on the cotangents of its outputs, and pass the results on."""
        check(node)
        saved = _as_tensors(node) if self.recorded else node.saved
        edges, wanted = node.edges, self.wanted
        for i, rule, picks in node.plan.rules:
            edge = edges[i]
            if wanted is not None and edge not in wanted:
                continue
            if picks is None:
                contribution = rule(*_arguments(node, i, gs, saved))
                if contribution is None:
                    continue
            elif not picks:
                contribution = rule(g)
            elif len(picks) == 1:
                contribution = rule(g, saved[picks[0]][0])
            else:
                contribution = rule(g, *[saved[j][0] for j in picks])
            if contribution.shape != edge.shape or contribution.dtype is not edge.dtype:
                contribution = fit(contribution, edge)
            if type(edge) is Leaf and not self.recorded and edge not in self.cotangents:
                contribution = _own(contribution, gs, saved)
                self.owned.add(edge)
            self.add(edge, contribution)
        if node.plan.saves and not self.retain_graph:
            node.saved = None

    def add(self, edge, contribution) -> None:
        """Sum a contribution into the cotangent of an edge."""
        present = self.cotangents.get(edge)
        if present is None:
            self.cotangents[edge] = contribution
        elif edge in self.owned and type(present) is ndarray:
            present += contribution
        else:
            self.cotangents[edge] = present + contribution
            if not self.recorded:
                self.owned.add(edge)

    def finish(self, leaf: Leaf) -> None:
        """All contributions to a leaf are in: run its hooks, then hand the sum over."""
        g = self.cotangents.pop(leaf, None)
        if g is None:
            return
        if leaf.hooks is not None:
            g = run_hooks(leaf.hooks, g)
        if self.targets is None or leaf in self.targets:
            self.arrive(leaf, g if self.recorded else np.asarray(g))


def _own(g, gs, saved):
    """`g` itself if the rule made it for us alone, else a copy: no gradient shares memory with another or with a saved value."""
    if type(g) is ndarray:
        aliased = g.base is not None or any(g is other for other in gs) or any(g is value for value, _, _ in saved)
        return g.copy() if aliased else g
    return np.asarray(g)


def fit(g, edge):
    """Bring a gradient to the shape and dtype of the value it belongs to: the one place that undoes broadcasting and promotion."""
    if isinstance(g, Tensor):
        g = sum_to(g, edge.shape) if g.shape != edge.shape else g
        return g if g._array.dtype == edge.dtype else g.to(edge.dtype)
    if g.shape != edge.shape:
        g = sum_to(g, edge.shape)
    return g if g.dtype == edge.dtype else g.astype(edge.dtype)


def _arguments(node: Node, i: int, gs, saved) -> list:
    """The arguments of the rule for input `i` where they are more than saved values."""
    values = []
    for kind, key in node.plan.arguments[i]:
        if kind == "g":
            values.append(gs[key])
        elif kind == "gs":
            values.append(list(gs))
        elif kind == "saved":
            values.append(saved[key][0])
        elif kind == "group":
            values.append([saved[j][0] for j in key])
        else:
            values.append(key if kind == "constant" else node.extra[key])
    return values


def _as_tensors(node: Node) -> list:
    """Saved values with their edges and versions back, so that what a rule computes from them is recorded and stays checked."""
    n = len(node.edges)
    restored = []
    for j, (value, version, count) in zip(node.plan.saves, node.saved):
        if isinstance(value, ndarray):
            if j < n:
                edge = node.edges[j]
            else:
                edge = node if node.outputs is None else Output(node, j - n) if j - n < len(node.outputs) else None
            value = wrap(value, edge if value.dtype.kind == "f" else None, version)
        restored.append((value, version, count))
    return restored


def run_hooks(hooks: dict, g):
    """Run the hooks of an edge in order; each sees what the one before returned."""
    value = g if isinstance(g, Tensor) else wrap(np.array(g))
    for hook in list(hooks.values()):
        result = hook(value)
        if result is None:
            continue
        if not isinstance(result, Tensor):
            raise TypeError(f"expected hook to return a Tensor or None, got {type(result).__name__}")
        if result._array.shape != value._array.shape:
            raise RuntimeError(f"hook changed the shape of the gradient from {list(value.shape)} to {list(result.shape)}")
        value = result
    return value if isinstance(g, Tensor) else value._array
