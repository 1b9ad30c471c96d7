"""What a trace asks of a graph, answered for the graphs of this package.

An edge is a pair (node, output number); a leaf is a node without inputs. `TorchGraph` in `torch_reading` answers the
same questions for PyTorch.
"""

import ast
import linecache
from functools import lru_cache
from types import CodeType
from typing import Any, NamedTuple

import numpy as np

from autograd_core.autograd.gradient import _roots
from autograd_core.core.call import PUBLIC_NAMES
from autograd_core.core.engine import check, pull_back
from autograd_core.core.graph import Leaf, Node, index_of, node_of, tick
from autograd_core.core.tensor import Tensor, edge_of, wrap

from ..wording import translate as _

Edge = tuple[Any, int]

REVERSE = {"grad", "backward", "vjp", "jacobian", "hessian", "jacrev", "hvp", "vhp"}


class Kept(NamedTuple):
    """A value that a node saved: its part in the op, whose value it is (None for a constant), and two versions.

    `version` is the one that was saved, `now` that of the memory today. The value is stale where they differ, and is
    then None if the engine will not hand it out.
    """

    role: str
    value: Any
    edge: Edge | None
    version: int
    now: int

    @property
    def stale(self) -> bool:
        """Whether the value was overwritten after it was saved."""
        return self.version != self.now


class OwnGraph:
    """A graph of this package. Its engine looks at every node before the first rule runs."""

    tensor_type = Tensor
    checks_first = True

    def start(self, output: Tensor, seed: Any) -> tuple[Edge, Any]:
        """The edge where the pass begins and the cotangent it begins with; raises as `backward` does."""
        if seed is None:
            seed = wrap(np.ones_like(output._array)) if output._array.size == 1 else None
        elif not isinstance(seed, Tensor):
            seed = wrap(np.array(seed, output._array.dtype))
        ((root, seed),) = _roots(output, seed)
        return _edge(root), seed._array

    def edge(self, tensor: Tensor) -> Edge:
        """The edge of a tensor that requires a gradient."""
        return _edge(edge_of(tensor))

    def age(self, node: Any) -> int:
        """A number that grows from node to node as the program makes them."""
        return node.seq

    def op(self, node: Node) -> str:
        """What the program calls the op."""
        return node.op.name

    def line(self, node: Node) -> str | None:
        """The source line that made a node."""
        return node.position.partition(": ")[2] or None

    def reverse_pass(self, node: Node) -> list[str]:
        """The call of the program whose reverse pass recorded a node, such as grad(), if one did."""
        called = _called(*node.source)
        return [f"{called}()"] if called in REVERSE else []

    def notes(self, node: Node) -> dict:
        """What was noted with a node."""
        return node.rare.metadata if node.rare else {}

    def now(self) -> int:
        """The age that the next node exceeds."""
        return tick()

    def shapes(self, node: Any) -> list[list[int]]:
        """The shape of each output."""
        many = isinstance(node, Node) and node.outputs is not None
        return [list(shape) for shape, _dtype in node.outputs] if many else [list(node.shape)]

    def identity(self, tensor: Tensor) -> int:
        """The id under which a constant lies in what a node saved."""
        return id(tensor._array)

    def array(self, value: Any) -> np.ndarray:
        """A tensor's or a cotangent's numbers."""
        return value._array if isinstance(value, Tensor) else np.asarray(value)

    def kept(self, node: Node) -> list[Kept]:
        """What a node saved. Raises RuntimeError if it was released."""
        if node.saved is None:
            check(node)
        packed = node.rare.packed if node.rare else {}
        edges = [*(edge and _edge(edge) for edge in node.edges), *((node, k) for k in range(len(self.shapes(node))))]
        found = []
        for k, (number, role, (value, cell, version, _owner)) in enumerate(
            zip(node.plan.saves, node.plan.saved_names, node.saved, strict=True)
        ):
            if type(value) is tuple:
                value = _("the view")
            elif value is None:  # a saved-tensors hook has it; or there was none, in a custom function
                value = _("packed") if k in packed else "None"
            edge = edges[number] if number < len(edges) else None
            found.append(Kept(PUBLIC_NAMES.get(role, role), value, edge, version, cell.count))
        return found

    def receiver(self, edge: Edge, held: Tensor | None) -> Tensor | None:
        """The tensor whose `.grad` stores what arrives at an edge, if there is one; the caller `held` it or not."""
        node, k = edge
        if type(node) is Leaf:
            tensor = node.tensor
            return tensor if tensor is not None and edge_of(tensor) is node else None
        kept = node.rare.retained.get(k) if node.rare else None
        return kept() if kept else None

    def hooks(self, node: Node | Leaf, held: list[Tensor | None]) -> int:
        """How many of the program's hooks run when a pass comes to a node."""
        if node.rare is None:
            return 0
        on_outputs = sum(map(len, node.rare.hooks.values()))
        return on_outputs + sum(map(len, (node.rare.prehooks, node.rare.posthooks, node.rare.accumulated)))

    def tensor(self, leaf: Leaf) -> Tensor | None:
        """The tensor of a leaf, while it lives."""
        return leaf.tensor

    def pull_back(self, node: Node, cotangents: list) -> list:
        """What a node makes of the cotangents of its outputs: one an input. No hook on it runs, nothing is released."""
        return pull_back(node, cotangents)


def _edge(edge: Any) -> Edge:
    return (edge, 0) if type(edge) is Leaf else (node_of(edge), index_of(edge))


@lru_cache(256)
def _called(code: CodeType, instruction: int) -> str | None:
    """The name of the function that an instruction of the program calls."""
    first, last, begin, end = list(code.co_positions())[instruction // 2]
    if first is None or last is None or begin is None or end is None:
        return None
    lines = [line.encode() for line in linecache.getlines(code.co_filename)[first - 1 : last]]
    if not lines:
        return None
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][begin:]
    try:
        call = ast.parse(b"".join(lines).decode(), mode="eval").body
    except SyntaxError:
        return None
    while isinstance(call, ast.Call):  # grad(f)(x) is a call of grad
        call = call.func
        if isinstance(call, (ast.Attribute, ast.Name)):
            return call.attr if isinstance(call, ast.Attribute) else call.id
    return None
