"""The reverse pass: visit the nodes newest first, run their rules, and deposit what reaches the leaves.

The pass keeps one cotangent an edge: it borrows the first that arrives, allocates for the second, and adds in
place from the third. A first-order pass runs the rules on arrays. With `create_graph` it runs them on
tensors, and so records them; and where a seed or a saved value has a tangent, so that tangents reach the gradients.
Nothing here recurses.
"""

from __future__ import annotations

import os
import sys
import threading
from contextvars import ContextVar, copy_context
from typing import Any

import numpy as np

from .graph import NOTHING_RARE, Leaf, Node, Output, Rare, describe, node_of, schedule
from .memory import overlaps_itself
from .modes import current_mode, set_mode
from .primitive import FIRST_TWO_SAVED, ONLY_G, PUBLIC_NAMES, function_of
from .record import FROZEN
from .silence import QUIET, USUAL, current_errors, muted, set_errors
from .tensor import Tensor, dual_of, with_tangent, wrap

ndarray = np.ndarray
# Held only while a gradient is stored or added to. A signal handler may deposit meanwhile, in this thread; and a child
# process must not begin with half a sum, or with a lock whose holder was left behind.
_deposits = threading.RLock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_deposits.acquire, after_in_parent=_deposits.release, after_in_child=_deposits.release)
_running: ContextVar = ContextVar("autograd_core.pass", default=None)
running_pass = _running.get


def backward(roots, targets=None, *, retain_graph: bool, create_graph: bool) -> None:
    """Accumulate gradients into `.grad`: of all leaves, or of those among the edges `targets`, whose nodes run too.

    `roots` are pairs (edge, seed): the seed a tensor of the root's shape, or 1 for a root of one element.
    """
    _Pass(None, None if targets is None else set(targets), retain_graph, create_graph).run(roots)


def gradients(roots, targets, *, retain_graph: bool, create_graph: bool) -> dict:
    """The cotangents that arrive at the edges `targets`, as tensors. Stores nothing.

    An edge that nothing reaches is missing.
    """
    found: dict = {}
    _Pass(found, set(targets), retain_graph, create_graph).run(roots)
    return {edge: g if isinstance(g, Tensor) else wrap(g) for edge, g in found.items()}


def deposit(tensor: Tensor, g) -> None:
    """Add a gradient (an array the caller gives away, or a tensor with history) to `tensor.grad`.

    The existing gradient of a leaf is added to in place, so that references to it see the sum; a recorded one, and that
    of a tensor that retains its gradient, makes a new tensor.

    Another thread may deposit at the same time, and a signal handler between any two lines: the sum is made without the
    lock, and stored only if the gradient that it was made from is still the one that is there.
    """
    while True:
        old = tensor._grad
        # A first gradient is nearly always an array, and to call a function takes longer than to wrap it.
        new = wrap(g) if old is None and type(g) is ndarray else _sum_in_new(tensor, old, g)
        with _deposits:
            if tensor._grad is not old:
                continue
            if new is not old:
                tensor._grad = new
            else:
                old._cell.count += 1
                old._cell.writer = "backward", None
                old._array += g
        return


def _sum_in_new(tensor: Tensor, old: Tensor | None, g) -> Tensor:
    """The tensor that will hold the sum of a gradient and the one that is there: `old` itself where it is added to."""
    if old is None:
        return function_of("clone")(g) if isinstance(g, Tensor) else wrap(g)
    if old._array.shape != g.shape:
        raise RuntimeError(
            f"cannot add a gradient of shape {list(g.shape)} to the .grad of shape {list(old.shape)} that "
            "is there; was .data replaced? Set .grad to None first."
        )
    if isinstance(g, Tensor):
        return old + g
    if type(tensor._edge) is not Leaf:
        return wrap(old._array + g)
    if overlaps_itself(old._array):
        raise RuntimeError(
            "unsupported operation: more than one element of the .grad that is there refers to a single memory "
            f"location (shape {list(old.shape)}, strides {old.stride()}). Assign its clone() instead."
        )
    return old


def pull_back(node: Node, cotangents) -> list:
    """What one node makes of the cotangents of its outputs (arrays, or None): one array an edge, or None.

    No hooks run, and nothing is stored or released. Raises as `check` does.
    """
    check(node)
    return _Pass(None, None, True, False)._contributions(node, node.rare or NOTHING_RARE, cotangents)


def public_name(value: str) -> str:
    """What a user calls a saved value that the rules speak of as x, y or xs."""
    return PUBLIC_NAMES.get(value, value)


def _released(node: Node) -> str:
    text = (
        f"Trying to backward through the graph a second time: {node.name()}, recorded at {node.position}, has "
        f"already released the values it saved ({', '.join(map(public_name, node.plan.saved_names))}): nothing can go "
        "through it again, or directly access saved tensors after they have already been freed. "
    )
    running, releaser = running_pass(), node.released_by
    if running is None or running.origin == releaser:
        return text + "Specify retain_graph=True in the first backward() or grad(), or run the forward again."
    _, op, source = releaser
    return text + (
        f"They went with the backward pass of {op.node_name}, recorded at {describe(source)}: the two losses share "
        "this part of the graph. Add the losses and call backward() once. Specify retain_graph=True in the first pass "
        "if you need both. Where this part was computed before a loop or in an earlier step of it, compute it again "
        "in each step, or detach() it."
    )


def check(node: Node) -> None:
    """Raise if a value that this node needs was released by an earlier pass, or overwritten since it was saved."""
    saved = node.saved  # read once: a pass in another thread may release it at any moment
    if saved is None:
        raise RuntimeError(_released(node))
    for _, cell, count, _ in saved:
        if cell.count != count:
            raise _stale(node, saved)


def _stale(node: Node, saved: tuple) -> RuntimeError:
    position = next(k for k, (_, cell, count, _) in enumerate(saved) if cell.count != count)
    value, cell, count, _ = saved[position]
    writer, source = cell.writer or ("something outside autograd_core", None)
    where = f" at {describe(source)}" if source else ""
    return RuntimeError(
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[{value.dtype.name} {list(value.shape)}], saved by {node.name()} (as its "
        f"`{public_name(node.plan.saved_names[position])}`) at {node.position}, is at version {cell.count}; expected "
        f"version {count} instead. It was overwritten by {writer}{where}. Write to a clone() instead, or "
        "move the write after backward()."
    )


class _Pass:
    """One walk. What reaches an edge among `targets` is noted in `found`.

    If that is None, it is deposited in the tensors of the leaves among them; without targets, of every leaf.
    """

    detached = False  # whether tensors that a scheduled node made were detached in place
    wanted: set | None = None  # edges that lead to a target; None for all

    def __init__(self, found: dict | None, targets: set | None, retain_graph: bool, create_graph: bool):
        self.found, self.targets = found, targets
        self.retain_graph, self.recorded = retain_graph, create_graph
        self.on_tensors = create_graph  # what the rules run on; else on arrays
        self.cotangents: dict = {}
        self.owned: set = set()  # edges whose cotangent was allocated by this pass, so that it may be added to in place

    def run(self, roots) -> None:
        outer = running_pass()
        if outer is not None and _stack_is_deep():
            return _in_new_thread(self.run, roots)
        nodes = schedule([edge for edge, _ in roots])
        if nodes:
            self.origin = nodes[0].seq, nodes[0].op, nodes[0].source  # noted on what this pass releases
        if self.targets is not None:
            nodes = self._leading_to_targets(nodes, {node_of(edge) for edge, _ in roots})
        mode = current_mode()
        ends, foreign = self._prepare(nodes)
        if mode.levels and not self.on_tensors:
            self.on_tensors = any(isinstance(seed, Tensor) and dual_of(seed) for _, seed in roots) or any(
                node.rare is not None and node.rare.tangents for node in nodes
            )
        for edge, seed in roots:
            if type(edge) is Leaf:
                foreign = True
                ends.setdefault(None, []).append(edge)
            self._add(edge, self._seed(edge, seed))
        self.anomaly = mode.anomaly
        self.setting = setting = current_errors()
        if not (foreign or self.on_tensors or self.anomaly is not None):
            try:
                set_errors(QUIET if setting is USUAL else muted(setting))
                self._visit(nodes, ends, foreign)
            finally:
                set_errors(self.setting)
            return
        self.nodes, self.ends = nodes, ends
        try:
            set_mode(mode.but(grad=self.recorded))
            _running.set(self)
            set_errors(QUIET if setting is USUAL else muted(setting))
            self._visit(nodes, ends, foreign)
        finally:
            set_mode(mode)
            _running.set(outer)
            set_errors(self.setting)

    def will_reach(self, edge) -> bool:
        """Whether the pass is going to visit this edge: for hooks that wait for several tensors."""
        if self.wanted is not None and edge not in self.wanted:
            return False
        if type(edge) is Leaf:
            return any(edge in leaves for leaves in self.ends.values())
        return node_of(edge) in self.nodes

    def _prepare(self, nodes) -> tuple[dict, bool]:
        """Check the saved values of every node before the first rule runs, so that a stale one changes nothing.

        A released one is reported when the pass comes to it, as in PyTorch. Finds after which node each leaf is
        complete, and whether each node must be checked again, since user code runs or values have been released.
        """
        foreign = False
        for node in nodes:
            if self.wanted is None or self._runs(node):
                saved = node.saved
                if saved is None:
                    foreign = True
                    continue
                for _, cell, count, _ in saved:  # as in `check`: to call it takes longer than what it does
                    if cell.count != count:
                        raise _stale(node, saved)
        ends: dict = {}
        complete = set()
        for node in reversed(nodes):
            if node.rare is not None:
                foreign = True
                self.detached = self.detached or node.rare.detached
            for edge in node.edges:
                if type(edge) is Leaf and edge not in complete:
                    complete.add(edge)
                    if edge.rare is not None:
                        foreign = True
                    if node in ends:
                        ends[node].append(edge)
                    else:
                        ends[node] = [edge]
        return ends, foreign

    def _leading_to_targets(self, nodes, first) -> list[Node]:
        """Only the nodes on a way to a target, the targets' own, and those it starts from, whose hooks run anyway.

        Notes the edges on these ways.
        """
        self.wanted, keep = set(self.targets or ()), []
        for node in reversed(nodes):
            outputs = [node] if node.outputs is None else [Output(node, k) for k in range(len(node.outputs))]
            matters = not (self.wanted.isdisjoint(node.edges) and self.wanted.isdisjoint(outputs))
            if matters or node in first:
                keep.append(node)
            if matters:  # all its outputs, whose hooks see what arrives
                self.wanted.update(outputs)
        return keep[::-1]

    def _runs(self, node: Node) -> bool:
        """Whether a node sends something on, or would if a pass that stores did not end there."""
        if self.wanted is None or not self.wanted.isdisjoint(node.edges):
            return True
        return self.found is None and any(node_of(edge) is node for edge in self.targets or ())

    def _seed(self, edge, seed):
        if isinstance(seed, Tensor):
            return seed if self.on_tensors else seed._array
        array = np.empty(edge.shape, edge.dtype)
        array[...] = seed
        return wrap(array) if self.on_tensors else array

    def _visit(self, nodes, ends, foreign) -> None:
        """Node by node: run the rules on the cotangent of the output, and pass the results on."""
        cotangents, owned, on_tensors = self.cotangents, self.owned, self.on_tensors
        wanted, targets, every_node_is_special = self.wanted, self.targets or (), self.anomaly is not None
        for node in nodes:
            if every_node_is_special or node.rare is not None or node in targets:
                self._meet(node)
            elif wanted is not None and wanted.isdisjoint(node.edges):
                cotangents.pop(node, None)  # a root that leads nowhere
            elif (g := cotangents.pop(node, None)) is not None:
                if foreign:
                    self._check_again(node)
                edges = node.edges
                saved = as_tensors(node) if on_tensors else node.saved
                if saved is None:  # by a pass in another thread, since `_prepare`
                    raise RuntimeError(_released(node))
                for i, rule, pick in node.plan.rules:
                    edge = edges[i]
                    if wanted is not None and edge not in wanted:
                        continue
                    if pick >= 0:
                        contribution = rule(g, saved[pick][0])
                    elif pick == ONLY_G:
                        contribution = rule(g)
                    elif pick == FIRST_TWO_SAVED:
                        contribution = rule(g, saved[0][0], saved[1][0])
                    else:
                        contribution = rule(*_arguments(node, i, (g,), saved))
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
                            if not on_tensors:
                                owned.add(edge)
                    elif type(edge) is Leaf and not on_tensors:
                        cotangents[edge] = _own(contribution, (g,), saved)
                        owned.add(edge)
                    else:
                        cotangents[edge] = contribution
                if node.plan.saves and not self.retain_graph:
                    node.released_by, node.saved = self.origin, None
            else:
                self._pass_by(node)
            if node in ends:
                self._finish(ends[node])
        if cotangents:  # outputs that are leaves themselves
            self._finish([edge for edge in cotangents if type(edge) is Leaf])

    def _add(self, edge, contribution) -> None:
        """Sum a contribution that may share memory with anything into the cotangent of an edge."""
        present = self.cotangents.get(edge)
        self.cotangents[edge] = contribution if present is None else present + contribution
        if present is not None and not self.on_tensors:
            self.owned.add(edge)

    def _pass_by(self, node: Node) -> None:
        """Visit a node that no gradient reaches: it has to be whole, and gives up what it saved."""
        self._check_again(node)
        if node.plan.saves and not self.retain_graph:
            node.released_by, node.saved = self.origin, None

    def _check_again(self, node: Node) -> None:
        """What may have changed since the pass began, and what PyTorch reports only when it comes to the node."""
        check(node)
        for j, (*_, owner) in zip(node.plan.saves, node.saved) if self.detached else ():
            if owner is not None and node_of(node.edges[j]) is not None and node_of(owner._edge) is None:
                raise RuntimeError(
                    "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_(): "
                    f"{node.name()}, recorded at {node.position}, saved it with its history. Use detach() instead."
                )

    def _meet(self, node: Node) -> None:
        """A node of which more than its rules is wanted: hooks, several outputs, a pullback, some inputs only.

        Hooks see None for an output that nothing reached, be it the only one.
        """
        rare = node.rare or NOTHING_RARE
        gs = self._outputs_of(node, rare)
        if not self._runs(node):
            return
        for hook in list(rare.prehooks.values()):
            gs = self._replaced(hook, users(hook, self._shown(gs)), gs)
        self._check_again(node)
        if self.anomaly is None:
            contributions = self._contributions(node, rare, gs)
        else:
            contributions = explain_failure(node, self.anomaly, lambda: self._contributions(node, rare, gs))
        for hook in list(rare.posthooks.values()):
            new = users(hook, self._shown(contributions), self._shown(gs))
            contributions = self._replaced(hook, new, contributions)
        made_here = not (self.on_tensors or rare.posthooks or rare.pullback)
        for edge, contribution in zip(node.edges, contributions):
            if contribution is None or (self.wanted is not None and edge not in self.wanted):
                continue
            if made_here and type(edge) is Leaf and edge not in self.cotangents:
                self.cotangents[edge] = _own(contribution, gs, node.saved)
                self.owned.add(edge)
            else:
                self._add(edge, contribution)
        if node.saved and not self.retain_graph:
            node.released_by, node.saved = self.origin, None
            rare.packed.clear()

    def _contributions(self, node: Node, rare: Rare, gs) -> list:
        """What the rules, or the pullback, make of the cotangents: one an edge, of its shape and dtype, or None."""
        results: list = [None] * len(node.edges)
        if rare.pullback is not None:
            results = list(users(rare.pullback, node, gs, self.on_tensors))
        elif any(g is not None for g in gs):
            saved = as_tensors(node) if self.on_tensors else unpacked(node)
            for i, rule, _ in node.plan.rules:
                if self.wanted is None or node.edges[i] in self.wanted:
                    results[i] = rule(*_arguments(node, i, gs, saved))
        return [g if g is None or edge is None else fit(g, edge) for g, edge in zip(results, node.edges)]

    def _shown(self, values) -> tuple:
        """Cotangents as tensors, for a hook."""
        return tuple(g if g is None or isinstance(g, Tensor) else wrap(np.array(g)) for g in values)

    def _replaced(self, hook, new, old):
        """What a node's hook returned in place of the cotangents it was given: None keeps them."""
        if new is None:
            return old
        name = getattr(hook, "__name__", repr(hook))
        if not isinstance(new, tuple):
            raise TypeError(f"expected tuple, but hook returned '{type(new).__name__}' ({name})")
        if len(new) != len(old):
            raise RuntimeError(
                f"hook '{name}' has returned an incorrect number of values (got {len(new)}, but expected {len(old)})"
            )
        for g, replaced in zip(new, old):
            if g is not None:
                check_replacement(g, replaced)
        return [g if self.on_tensors or g is None else g._array for g in new]

    def _outputs_of(self, node: Node, rare: Rare) -> list:
        """The cotangents that arrived at the outputs of a node, after their hooks; stored where they are wanted."""
        gs = []
        for k in range(1 if rare.outputs is None else len(rare.outputs)):
            edge = node if rare.outputs is None else Output(node, k)
            g = self.cotangents.pop(edge, None)
            if k in rare.hooks:
                g = run_hooks(rare.hooks[k], g)
            if g is not None:
                tensor = rare.retained[k]() if k in rare.retained else None
                if tensor is not None:
                    deposit(tensor, g if self.on_tensors else np.array(g))
                if self.found is not None and self.targets and edge in self.targets:
                    self.found[edge] = g if self.on_tensors else np.array(g)
            gs.append(g)
        return gs

    def _finish(self, leaves) -> None:
        """All contributions to these leaves are in: run their hooks, then hand the sums over."""
        for leaf in leaves:
            g, rare = self.cotangents.pop(leaf, None), leaf.rare
            if (g is None and rare is None) or (self.targets is not None and leaf not in self.targets):
                continue
            if rare is not None:
                g = run_hooks(rare.hooks.get(0, {}), g)
            if g is not None and not self.on_tensors and (rare is not None or leaf not in self.owned):
                g = np.array(g)
            if self.found is None:
                self._accumulate(leaf, g)
            elif g is not None:
                self.found[leaf] = g

    def _accumulate(self, leaf: Leaf, g) -> None:
        """What the leaf does as a node: its hooks, and a deposit in its tensor, if that is there and still its own."""
        tensor, rare = leaf.tensor, leaf.rare
        if rare is not None:
            for hook in list(rare.prehooks.values()):
                (g,) = self._replaced(hook, users(hook, self._shown((g,))), (g,))
        if tensor is None or tensor._edge is not leaf:
            if tensor is not None and (node := node_of(tensor._edge)) is not None:
                raise RuntimeError(
                    f"leaf variable has been moved into the graph interior: the tensor of shape {list(leaf.shape)} to "
                    f"which this pass brings a gradient has become a result of {node.name()}, written in place after a "
                    "detach_(). Use detach() and a new tensor instead."
                )
            return
        if g is not None:
            if self.on_tensors and not self.recorded:  # a stored gradient keeps no tangent, as in PyTorch
                g = g._array.copy()
            elif not self.recorded and rare is not None and rare.prehooks:
                g = np.array(g)
            deposit(tensor, g)
        if rare is None:
            return
        for hook in list(rare.accumulated.values()):
            if (result := users(hook, tensor)) is not None:
                raise (RuntimeError if isinstance(result, Tensor) else TypeError)(
                    "Tensor post accumulate grad hooks should return None. This "
                    f"hook returned '{type(result).__name__}'; what it computes it can write to tensor.grad"
                )
        for hook in list(rare.posthooks.values()):
            users(hook, (), (g if g is None or isinstance(g, Tensor) else wrap(g),))


def _stack_is_deep() -> bool:
    """Whether half of the frames that Python allows are in use."""
    frame, left = sys._getframe(), sys.getrecursionlimit() // 2
    while frame is not None and left:
        frame, left = frame.f_back, left - 1  # type: ignore[assignment]
    return not left


def _in_new_thread(function, *args) -> None:
    """Call a function where the stack is empty, in the modes that hold here, and wait for it.

    So passes nest as deep as a hook, a custom backward or a checkpoint asks for, as in PyTorch.
    """
    from concurrent.futures import ThreadPoolExecutor  # few programs come here

    with ThreadPoolExecutor(1) as thread:
        thread.submit(copy_context().run, function, *args).result()


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
    for value, _, _, _ in saved:
        if g is value:
            return g.copy()
    return g


def fit(g, edge):
    """Bring a gradient to the shape and dtype of the value it belongs to.

    This is the one place that undoes broadcasting and promotion.
    """
    if g.shape != edge.shape:
        try:
            g = function_of("sum_to")(g, edge.shape)
        except ValueError:
            raise RuntimeError(
                f"a gradient of shape {list(g.shape)} does not fit its value, of shape {list(edge.shape)}. "
                "Was `.data` replaced by a tensor of another shape after the forward? Run the forward again."
            ) from None
    if isinstance(g, Tensor):
        return g if g._array.dtype == edge.dtype else g.to(edge.dtype)
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


def unpacked(node: Node):
    """The saved values as arrays, those that a saved-tensors hook packed unpacked."""
    saved = node.saved
    if saved is None:
        raise RuntimeError(_released(node))
    packed = node.rare.packed if node.rare is not None else {}
    if not packed:
        return saved
    return [(unpack_one(*packed[k])._array, *entry[1:]) if k in packed else entry for k, entry in enumerate(saved)]


def unpack_one(unpack, kept) -> Tensor:
    """What the unpack hook makes of what the pack hook returned."""
    tensor = users(unpack, kept)
    if not isinstance(tensor, Tensor):
        raise TypeError(f"Output of saved tensor unpack_hook expected to be a Tensor but got {type(tensor).__name__}")
    return tensor


def as_tensors(node: Node) -> list:
    """Saved values with their edges, versions and tangents back.

    So what a rule computes from them is recorded, stays checked, and moves as they do.
    """
    n = len(node.edges)
    tangents = node.rare.tangents if node.rare is not None else {}
    restored: list = []
    for j, (value, cell, count, owner) in zip(node.plan.saves, unpacked(node)):
        if isinstance(value, ndarray):
            if j < n:
                edge = node.edges[j]
            elif node.outputs is None:
                edge = node if j == n else None
            else:
                edge = Output(node, j - n) if j - n < len(node.outputs) else None
            value = wrap(value, edge if value.dtype.kind == "f" else None, None if cell is FROZEN else cell)
            for level, tangent in tangents.get(len(restored), ()):
                value = with_tangent(value, level, tangent)
        restored.append((value, cell, count, owner))
    return restored


def explain_failure(node: Node, check_nan: bool, compute):
    """Run the rules of a node in anomaly mode: an error, or a NaN they return, is traced to the forward line."""
    try:
        results = compute()
    except Exception as error:
        error.add_note(f"Error detected in {node.name()}, recorded at {node.position}")
        raise
    if check_nan:
        for i, g in enumerate(results):
            if g is not None and np.isnan(g._array if isinstance(g, Tensor) else g).any():
                raise RuntimeError(
                    f"Function '{node.name()}' returned nan values in its {i}th output. It was recorded at "
                    f"{node.position}."
                )
    return results


def users(function, *args):
    """Call what the user wrote: what NumPy does about infinities and NaNs is there what it was around the pass."""
    running = running_pass()
    if running is None:
        return function(*args)
    setting = current_errors()
    try:
        set_errors(running.setting)
        return function(*args)
    finally:
        set_errors(setting)


def run_hooks(hooks: dict, g):
    """Run the hooks of an edge in order; each sees what the one before returned, or None where nothing arrived."""
    value: Any = g if g is None or isinstance(g, Tensor) else wrap(np.array(g))
    for hook in list(hooks.values()):
        result = users(hook, value)
        if result is None:
            continue
        check_replacement(result, value)
        value = result
    return value if value is None or isinstance(g, Tensor) else value._array


def check_replacement(new, old) -> None:
    """Raise unless a hook's result can stand for the gradient it was given."""
    if not isinstance(new, Tensor):
        raise TypeError(f"expected hook to return a Tensor or None, got {type(new).__name__}")
    if old is None:
        raise RuntimeError("can't replace a None gradient with a non-None value: no gradient came here in this pass")
    if tuple(new.shape) != tuple(old.shape):
        raise RuntimeError(f"hook changed the shape of the gradient from {list(old.shape)} to {list(new.shape)}")
    before = old._array.dtype if isinstance(old, Tensor) else old.dtype
    if new._array.dtype != before:
        raise RuntimeError(f"hook changed the type of the gradient from {before.name} to {new._array.dtype.name}")
