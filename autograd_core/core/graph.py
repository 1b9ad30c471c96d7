"""The graph that a forward computation leaves behind: leaves, nodes, and the edges between them.

An *edge* says where a cotangent goes: to a `Leaf`, which keeps it; to a `Node`, which passes it on; or to an
`Output`, one of several outputs of a node. A node with one output stands for that output, so the common case
costs nothing. Every edge knows the shape and dtype of the value it belongs to. A tensor holds its edge; the
graph holds a tensor only weakly, so there are no reference cycles.
"""

from __future__ import annotations

import linecache
import os
import sys
from collections.abc import Iterable
from itertools import count
from operator import attrgetter
from pathlib import Path
from typing import Any
from weakref import ref

from .dtypes import HALF

_creation_order = attrgetter("seq")
tick = count(1).__next__  # numbers the nodes; a node is always newer than the nodes it was computed from

new = object.__new__

TEXT_FILE = "<autograd_core "  # how the files of the texts of ops are called: see `source`
OURS = [str(Path(__file__).parents[1]) + os.sep, TEXT_FILE]  # where frames are no user's; the book adds its kit


class _IsOurs(dict):
    """Source file -> whether it is none of the user's. Each is looked at once, since every new node asks."""

    def __missing__(self, file: str) -> bool:
        ours = self[file] = file.startswith(tuple(OURS))
        return ours


is_ours = _IsOurs()


class Rare:
    """What few nodes and leaves have.

    Several `outputs`; `hooks` on the cotangents of outputs and tensors that are `retained` (both by output number);
    `prehooks` and `posthooks` of the node itself, and hooks to run once a leaf's gradient is `accumulated`; a
    `pullback` that maps all cotangents to all contributions, for a custom function; saved values that are `packed` by
    a saved-tensors hook; the `tangents` of saved values, as saved number -> [(level, tangent), ...]; the user's own
    `metadata`; whether a tensor was `detached` from it in place.
    """

    __slots__ = (
        "accumulated",
        "detached",
        "hooks",
        "metadata",
        "outputs",
        "packed",
        "posthooks",
        "prehooks",
        "pullback",
        "retained",
        "tangents",
    )

    def __init__(self, outputs=None, pullback=None):
        self.outputs, self.pullback = outputs, pullback
        self.hooks: dict = {}
        self.retained: dict = {}
        self.prehooks: dict = {}
        self.posthooks: dict = {}
        self.accumulated: dict = {}
        self.packed: dict = {}
        self.tangents: dict = {}
        self.metadata: dict = {}
        self.detached = False


class Leaf:
    """Where gradients are deposited: the graph's side of a tensor that requires gradients and that no op made.

    PyTorch calls it AccumulateGrad. `tensor` is None once the tensor is gone, and from the start for a view
    made under `no_grad`: gradients that arrive are then dropped.
    """

    __slots__ = ("__weakref__", "_tensor", "dtype", "rare", "shape")

    seq = 0
    next_functions = ()

    def __init__(self, tensor, shape, dtype):
        self._tensor = None if tensor is None else ref(tensor)
        self.shape, self.dtype = shape, dtype
        self.rare: Rare | None = None

    @property
    def tensor(self):
        """The tensor that owns this leaf, or None."""
        return None if self._tensor is None else self._tensor()

    @property
    def variable(self):
        """PyTorch's name for `tensor`."""
        return self.tensor

    @property
    def metadata(self) -> dict:
        """A dict for notes of the user's own."""
        return rare_of(self).metadata

    def name(self) -> str:
        """AccumulateGrad, as in PyTorch."""
        return type(self).__name__

    def __repr__(self) -> str:
        return f"<{self.name()} object at {id(self):#x}>"


Leaf.__name__ = "AccumulateGrad"  # programs that walk a graph look for this name


NOTHING_RARE = Rare()


class Node:
    """One recorded op: which rules to run, on what saved values, and where the results go.

    `edges` has one entry an input: its edge, or None. `saved` holds (value, version cell, count when saved,
    owner), in the order of `plan.saved_names`; it is None once released. The owner is the input tensor
    itself, which so lives as long as its value is needed (None for numbers, outputs and residuals). `params`
    are the op's parameters, `extra` the shapes of other inputs that rules ask for. `shape` and
    `dtype` are those of the output; for an op with several, `outputs` has a pair for each. `source` is the
    user's position as (code object, instruction).
    """

    __slots__ = (
        "__weakref__",
        "dtype",
        "edges",
        "extra",
        "op",
        "params",
        "plan",
        "rare",
        "released_by",
        "saved",
        "seq",
        "shape",
        "source",
    )

    op: Any
    plan: Any
    edges: tuple
    saved: Any
    params: Any
    extra: Any
    shape: Any
    dtype: Any
    rare: Any
    released_by: Any
    seq: int
    source: tuple

    @property
    def outputs(self) -> tuple | None:
        """One (shape, dtype) an output; None for an op with one output."""
        return None if self.rare is None else self.rare.outputs

    @property
    def retained(self) -> dict:
        """Tensors that keep the cotangent of an output: output number -> weak reference."""
        return rare_of(self).retained

    def name(self) -> str:
        """The name PyTorch would print, such as MulBackward0."""
        return self.op.node_name

    @property
    def next_functions(self) -> tuple:
        """One pair (node or leaf, output number) an input; (None, 0) where no gradient flows."""
        return tuple((e if type(e) is Leaf else shown(node_of(e)), index_of(e)) for e in self.edges)

    @property
    def metadata(self) -> dict:
        """A dict for notes of the user's own; it goes with the node."""
        return rare_of(self).metadata

    @property
    def position(self) -> str:
        """The user's source line that recorded this node, as "file:line"."""
        return describe(self.source)

    def __repr__(self) -> str:
        return f"<{self.name()} object at {id(self):#x}>"


class ShownNode(Node):
    """Base of the classes that nodes have once they were looked at: see `shown`. `autograd` adds to its attributes."""

    __slots__ = ()


def new_node(op, plan, edges, saved, params, extra, shape, dtype, frame, kind: type[Node] = Node) -> Node:
    """The node of an op that has just run: the one place that makes one. See `Node` for the parts.

    `frame` is the one that called the op: the user's, or one on the way there.
    """
    node = new(kind)
    node.op, node.edges, node.saved = op, edges, saved
    node.plan = plan if dtype is not HALF or plan is None else plan.wide
    node.params, node.extra = params, extra
    node.shape, node.dtype = shape, dtype
    node.seq, node.rare = tick(), None
    code = frame.f_code
    node.source = user_position(frame) if is_ours[code.co_filename] else (code, frame.f_lasti)
    return node


class Output:
    """Output number `index` of a node with several outputs. Two of them are equal when both parts are."""

    __slots__ = ("dtype", "index", "node", "shape")

    def __init__(self, node: Node, index: int):
        self.node, self.index = node, index
        self.shape, self.dtype = node.rare.outputs[index]

    def __eq__(self, other) -> bool:
        return type(other) is Output and self.node is other.node and self.index == other.index

    def __hash__(self) -> int:
        return hash((self.node, self.index))


def shown(node: Node | None) -> Node | None:
    """A node as users meet it: of a class named after its op, as in PyTorch.

    Nodes are made plain and change their class when first looked at. The hot paths so see one class, which is what
    makes Python's own caches of attributes work: with a class an op a reverse pass takes a third longer.
    """
    if type(node) is Node:
        node.__class__ = node.op.node_class
    return node


def node_of(edge) -> Node | None:
    """The node behind an edge; None for a leaf and for no edge."""
    return edge.node if type(edge) is Output else None if edge is None or type(edge) is Leaf else edge


def rare_of(node: Node | Leaf) -> Rare:
    """The rare part of a node or leaf, made if it has none."""
    if node.rare is None:
        node.rare = Rare()
    return node.rare


def index_of(edge) -> int:
    """Which output of its node an edge stands for."""
    return edge.index if type(edge) is Output else 0


def schedule(roots: Iterable) -> list[Node]:
    """The nodes reachable from the edges `roots`, newest first: every node comes after all its consumers.

    A stack instead of recursion: a chain of a million nodes is no deeper than one of ten. Each node is seen
    once, however many paths lead to it.
    """
    nodes: list[Node] = []
    stack: list[Node] = []
    seen: set[Node] = set()
    for edge in roots:
        node = node_of(edge)
        if node is not None and node not in seen:
            seen.add(node)
            stack.append(node)
    while stack:
        node = stack.pop()
        nodes.append(node)
        for edge in node.edges:
            kind = type(edge)
            if kind is Leaf or edge is None:
                continue
            if kind is Output:
                edge = edge.node
            if edge not in seen:
                seen.add(edge)
                stack.append(edge)
    nodes.sort(key=_creation_order, reverse=True)
    return nodes


def user_position(frame=None):
    """The position of the innermost caller outside this package, from `frame` outward, as (code object, instruction).

    No frame is kept alive.
    """
    frame = sys._getframe(2) if frame is None else frame
    while is_ours[frame.f_code.co_filename] and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_code, frame.f_lasti


def user_level() -> int:
    """How far out the innermost caller outside this package is: 1 for the caller of this function."""
    frame, level = sys._getframe(1), 1
    while is_ours[frame.f_code.co_filename] and frame.f_back is not None:
        frame, level = frame.f_back, level + 1
    return level


def describe(source) -> str:
    """Turn a recorded position into 'file:line: text'."""
    code, instruction = source
    line = next((start for first, last, start in code.co_lines() if first <= instruction < last), code.co_firstlineno)
    text = linecache.getline(code.co_filename, line or 0).strip()
    return f"{code.co_filename}:{line}" + (f": {text}" if text else "")
