"""The reverse pass: visit the nodes newest first, run their rules, and deposit what reaches the leaves.

The pass keeps one cotangent an edge: it borrows the first that arrives, allocates for the second, and adds in
place from the third. A first-order pass runs the rules on arrays. With `create_graph` it runs them on
tensors, and so records them. Nothing here recurses.
"""

from __future__ import annotations

import threading

import numpy as np

from .graph import NOTHING_RARE, Leaf, Node, Output, describe, schedule
from .modes import current_mode, set_mode
from .ops.shape import clone, sum_to
from .primitive import ONLY_G
from .tensor import Tensor, edge_of, overlaps_itself, wrap

ndarray = np.ndarray
_deposits = threading.Lock()


def backward(roots, targets=None, *, retain_graph: bool, create_graph: bool) -> None:
    """Accumulate gradients into `.grad`: of all leaves, or of `targets` (edge -> tensor) alone.

    `roots` are pairs (edge, seed): the seed a tensor of the root's shape, or 1 for a root of one element.
    """
    _Pass(None if targets is None else _deposit_into(targets), targets, retain_graph, create_graph).run(roots)


def gradients(roots, targets, *, retain_graph: bool, create_graph: bool) -> dict:
    """The cotangents that arrive at the edges `targets`, as tensors. Stores nothing.

    An edge that nothing reaches is missing.
    """
    found: dict = {}
    _Pass(found.__setitem__, dict.fromkeys(targets), retain_graph, create_graph).run(roots)
    return {edge: g if create_graph else wrap(g) for edge, g in found.items()}


def _deposit_into(targets):
    def arrive(edge, g):
        if edge_of(targets[edge]) == edge:
            deposit(targets[edge], g)

    return arrive


def deposit(tensor: Tensor, g) -> None:
    """Add a gradient (an array the caller gives away, or a tensor with history) to `tensor.grad`.

    An existing gradient is added to in place, so that references to it see the sum; a recorded one makes a
    new tensor.
    """
    with _deposits:
        old = tensor._grad
        if old is None:
            tensor._grad = clone(g) if isinstance(g, Tensor) else wrap(g)
        elif old._array.shape != g.shape:
            raise RuntimeError(
                f"cannot add a gradient of shape {list(g.shape)} to the .grad of shape {list(old.shape)} that "
                "is there; was .data replaced? Set .grad to None first."
            )
        elif isinstance(g, Tensor):
            tensor._grad = old + g
        elif overlaps_itself(old._array):
            raise RuntimeError(
                "unsupported operation: more than one element of the .grad that is there refers to a single memory "
                f"location (shape {list(old.shape)}, strides {old.stride()}). Assign its clone() instead."
            )
        else:
            old._array += g
            old._cell.count += 1
            old._cell.writer = "backward", None


def _released(node: Node) -> str:
    return (
        f"Trying to backward through the graph a second time: {node.name()}, recorded at {node.position}, has "
        f"already released the values it saved ({', '.join(node.plan.saved_names)}). Run the forward again, "
        "or pass retain_graph=True to the first backward() or grad()."
    )


def check(node: Node) -> None:
    """Raise if a value that this node needs was released by an earlier pass, or overwritten since it was saved."""
    if node.saved is None:
        raise RuntimeError(_released(node))
    for _, cell, count, _ in node.saved:
        if cell.count != count:
            raise RuntimeError(_stale(node))


def _stale(node: Node) -> str:
    position = next(k for k, (_, cell, count, _) in enumerate(node.saved) if cell.count != count)
    value, cell, count, _ = node.saved[position]
    writer, source = cell.writer or ("something outside autograd_core", None)
    where = f" at {describe(source)}" if source else ""
    return (
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[{value.dtype.name} {list(value.shape)}], which {node.name()} saved as "
        f"`{node.plan.saved_names[position]}` at {node.position}, is at version {cell.count}; expected "
        f"version {count} instead. It was overwritten by {writer}{where}. Write to a clone() instead, or "
        "move the write after backward()."
    )


class _Pass:
    """One walk. `arrive(edge, cotangent)` is called for each of `targets`.

    Without targets the leaves' tensors get a deposit.
    """

    def __init__(self, arrive, targets, retain_graph: bool, create_graph: bool):
        self.arrive, self.targets = arrive, targets
        self.retain_graph, self.recorded = retain_graph, create_graph
        self.cotangents: dict = {}
        self.owned: set = set()  # edges whose cotangent was allocated by this pass, so that it may be added to in place
        self.wanted: set | None = None  # edges that lead to a target; None for all

    def run(self, roots) -> None:
        nodes = schedule([edge for edge, _ in roots])
        if self.targets is not None:
            nodes = self._leading_to_targets(nodes)
        ends, foreign = self._prepare(nodes)
        for edge, seed in roots:
            present = self.cotangents.get(edge)
            self.cotangents[edge] = self._seed(edge, seed) if present is None else present + self._seed(edge, seed)
        if not (foreign or self.recorded):
            self._visit(nodes, ends, foreign)
            return
        before = set_mode(current_mode().with_grad(self.recorded))
        try:
            self._visit(nodes, ends, foreign)
        finally:
            set_mode(before)

    def _prepare(self, nodes) -> tuple[dict, bool]:
        """Check every node before the first rule runs.

        Finds after which node each leaf is complete, and whether user code will run.
        """
        for node in nodes:
            if self.wanted is None or not self.wanted.isdisjoint(node.edges):
                check(node)
        ends: dict = {}
        complete = set()
        foreign = False
        for node in reversed(nodes):
            if node.rare is not None:
                foreign = True
            for edge in node.edges:
                if type(edge) is Leaf and edge not in complete:
                    complete.add(edge)
                    if edge.hooks is not None:
                        foreign = True
                    if node in ends:
                        ends[node].append(edge)
                    else:
                        ends[node] = [edge]
        return ends, foreign

    def _leading_to_targets(self, nodes) -> list[Node]:
        """Only the nodes on a way to a target, and the targets' own; notes the edges on these ways."""
        self.wanted, keep = set(self.targets), []
        for node in reversed(nodes):
            outputs = [node] if node.outputs is None else [Output(node, k) for k in range(len(node.outputs))]
            leads_on = not self.wanted.isdisjoint(node.edges)
            if leads_on or not self.wanted.isdisjoint(outputs):
                keep.append(node)
            if leads_on:
                self.wanted.update(outputs)
        return keep[::-1]

    def _seed(self, edge, seed):
        if isinstance(seed, Tensor):
            return seed if self.recorded else seed._array
        array = np.empty(edge.shape, edge.dtype)
        array[...] = seed
        return wrap(array) if self.recorded else array

    def _visit(self, nodes, ends, foreign) -> None:
        """Node by node: run the wanted rules on the cotangents of the outputs, and pass the results on."""
        cotangents, owned, wanted, recorded = self.cotangents, self.owned, self.wanted, self.recorded
        for node in nodes:
            edges = node.edges
            if node.rare is None and wanted is None:
                g = cotangents.pop(node, None)
                gs = None
                arrived = g is not None
            else:
                gs = self._outputs_of(node)
                g = gs[0]
                arrived = any(c is not None for c in gs) and (wanted is None or not wanted.isdisjoint(edges))
            if arrived:
                if foreign:
                    check(node)
                saved = _as_tensors(node) if recorded else node.saved
                for i, rule, pick in node.plan.rules:
                    edge = edges[i]
                    if wanted is not None and edge not in wanted:
                        continue
                    if pick >= 0:
                        contribution = rule(g, saved[pick][0])
                    elif pick == ONLY_G:
                        contribution = rule(g)
                    else:
                        contribution = rule(*_arguments(node, i, gs or (g,), saved))
                        if contribution is None:
                            continue
                    if contribution.shape != edge.shape or contribution.dtype is not edge.dtype:
                        contribution = fit(contribution, edge)
                    present = cotangents.get(edge)
                    if present is not None:
                        if edge in owned and type(present) is ndarray:
                            present += contribution
                        else:
                            cotangents[edge] = present + contribution
                            if not recorded:
                                owned.add(edge)
                    elif type(edge) is Leaf and not recorded:
                        cotangents[edge] = _own(contribution, gs or (g,), saved)
                        owned.add(edge)
                    else:
                        cotangents[edge] = contribution
                if node.plan.saves and not self.retain_graph:
                    node.saved = None
            if node in ends:
                self._finish(ends[node])
        if cotangents:  # outputs that are leaves themselves
            self._finish([edge for edge in cotangents if type(edge) is Leaf])

    def _outputs_of(self, node: Node) -> list:
        """The cotangents of a node with hooks, with retained or wanted outputs, or with several outputs."""
        gs = []
        rare = node.rare or NOTHING_RARE
        for k in range(1 if rare.outputs is None else len(rare.outputs)):
            edge = node if rare.outputs is None else Output(node, k)
            g = self.cotangents.pop(edge, None)
            if g is not None:
                if k in rare.hooks:
                    g = run_hooks(rare.hooks[k], g)
                tensor = rare.retained[k]() if k in rare.retained else None
                if tensor is not None:
                    deposit(tensor, g if self.recorded else np.array(g))
                if self.targets is not None and edge in self.targets:
                    self.arrive(edge, g if self.recorded else np.array(g))
            gs.append(g)
        return gs

    def _finish(self, leaves) -> None:
        """All contributions to these leaves are in: run their hooks, then hand the sums over."""
        for leaf in leaves:
            g = self.cotangents.pop(leaf, None)
            if g is None:
                continue
            if leaf.hooks:
                g = run_hooks(leaf.hooks, g)
                self.owned.discard(leaf)  # a hook may keep what it saw or returned
            if not self.recorded and leaf not in self.owned:
                g = np.array(g)
            if self.targets is not None:
                if leaf in self.targets:
                    self.arrive(leaf, g)
            elif (tensor := leaf.tensor) is not None and tensor._edge is leaf:
                deposit(tensor, g)


def _own(g, gs, saved):
    """`g` itself if the rule made it for us alone, else a copy.

    So no gradient shares memory with another or with a saved value.
    """
    if type(g) is not ndarray:
        return np.asarray(g)
    if g.base is not None:
        return g.copy()
    for other in gs:
        if g is other:
            return g.copy()
    for value, *_ in saved:
        if g is value:
            return g.copy()
    return g


def fit(g, edge):
    """Bring a gradient to the shape and dtype of the value it belongs to.

    This is the one place that undoes broadcasting and promotion.
    """
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
        elif kind == "own":
            values.append(node.edges[i].shape if key == "shape" else node.edges[i].dtype)
        elif kind == "param":
            values.append(node.params.get(*key))
        else:
            values.append(key if kind == "constant" else node.extra[key])
    return values


def _as_tensors(node: Node) -> list:
    """Saved values with their edges and versions back.

    So what a rule computes from them is recorded and stays checked.
    """
    n = len(node.edges)
    restored = []
    for j, (value, cell, count, owner) in zip(node.plan.saves, node.saved):
        if isinstance(value, ndarray):
            if j < n:
                edge = node.edges[j]
            else:
                edge = node if node.outputs is None else Output(node, j - n) if j - n < len(node.outputs) else None
            value = wrap(value, edge if value.dtype.kind == "f" else None, cell)
        restored.append((value, cell, count, owner))
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
            raise RuntimeError(
                f"hook changed the shape of the gradient from {list(value.shape)} to {list(result.shape)}"
            )
        if result._array.dtype != value._array.dtype:
            raise RuntimeError(f"hook changed the type of the gradient from {value.dtype} to {result.dtype}")
        value = result
    return value if isinstance(g, Tensor) else value._array
