"""Reading a graph, of this engine or of PyTorch.

The two have the same surface where it is public: `grad_fn`, `next_functions`, `name()`, `variable` of an
AccumulateGrad. What is not (saved values, source lines, running one node by hand) is told apart here.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ..engine import check, pull_back
from ..graph import Leaf, Node
from ..tensor import Tensor


def torch_module():
    """PyTorch, if the program has imported it."""
    return sys.modules.get("torch")


def is_torch(value) -> bool:
    """Whether a value is a PyTorch tensor."""
    torch = torch_module()
    return torch is not None and isinstance(value, torch.Tensor)


def is_tensor(value) -> bool:
    """Whether a value is a tensor of this package or of PyTorch."""
    return isinstance(value, Tensor) or is_torch(value)


def require_tensor(value, asked: str) -> None:
    """Raise TypeError unless a value is a tensor."""
    if not is_tensor(value):
        raise TypeError(
            f"{asked}() is about a tensor of autograd_core or PyTorch, not {type(value).__name__}; a number that "
            "left the graph has no gradient"
        )


def grad_of(tensor):
    """`.grad`, without the warning that a non-leaf gives."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tensor.grad


def is_view_without_history(tensor) -> bool:
    """Whether this is a view, made under no_grad, of a tensor that requires gradients."""
    if is_torch(tensor):
        return tensor.is_leaf and tensor._is_view() and tensor.requires_grad and tensor._base.requires_grad
    view = tensor._meta.view if tensor._meta is not None else None
    return view is not None and view.base.requires_grad and tensor.is_leaf


def is_parameter(tensor) -> bool:
    """Whether this is an `nn.Parameter`, which requires gradients unless that was switched off."""
    return "Parameter" in {kind.__name__ for kind in type(tensor).__mro__}


# -- nodes


def is_accumulator(node) -> bool:
    """Whether a node is where gradients are stored, and not an op."""
    return type(node).__name__ == "AccumulateGrad"


def stores_nowhere(node) -> bool:
    """Whether a node is the accumulator of a view made under no_grad, which has no tensor to store in."""
    return isinstance(node, Leaf) and node._tensor is None


def accumulator(tensor):
    """The AccumulateGrad of a leaf that requires gradients."""
    if is_torch(tensor):
        return torch_module().autograd.graph.get_gradient_edge(tensor).node
    return tensor._edge


def top(tensor) -> tuple:
    """The (node, output number) that a tensor which requires gradients stands for."""
    return (accumulator(tensor), 0) if tensor.is_leaf else (tensor.grad_fn, tensor.output_nr)


def op_name(node) -> str:
    """The op of a node by its ordinary name: masked_fill for MaskedFillBackward0."""
    stem = re.sub(r"(Backward)?\d*$", "", node.name().rsplit(":", 1)[-1])
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", stem).lower()


def in_order(nodes: Iterable) -> list:
    """All nodes reachable from `nodes`, each before those it was computed from. No recursion."""
    finished: list = []
    seen: set = set()
    stack: list[tuple[Any, bool]] = [(node, False) for node in nodes]
    while stack:
        node, done = stack.pop()
        if done:
            finished.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack += [(above, False) for above, _ in node.next_functions if above is not None and above not in seen]
    return finished[::-1]


def reach(tensors: Iterable) -> list:
    """The nodes reachable from those of the given tensors that require gradients."""
    return in_order([top(t)[0] for t in tensors if t.requires_grad])


def line_of(node) -> str | None:
    """Where the user's program recorded a node: always known here, in PyTorch only inside `watch()`."""
    if isinstance(node, Node):
        return node.position
    return None if is_accumulator(node) else node.metadata.get(LINE)


LINE = "autograd_core.line"  # the key under which watch() notes a line with a PyTorch node


class Saved(NamedTuple):
    """A value that a node keeps: its name, the array or tensor (None if packed elsewhere), and which rules want it."""

    name: str
    value: Any
    wanted_for: str


def saved_values(node) -> Iterator[Saved]:
    """What a node keeps for its backward. RuntimeError, from the engine concerned, if released or overwritten."""
    if isinstance(node, Node):
        check(node)
        for k, (name, (value, *_)) in enumerate(zip(node.plan.saved_names, node.saved)):
            packed = node.rare is not None and k in node.rare.packed
            yield Saved(name, node.rare.packed[k][1] if packed else value, _wanted_for(node, name))
        return
    if hasattr(node, "saved_tensors"):
        yield from (Saved(f"saved_tensors[{k}]", value, "") for k, value in enumerate(node.saved_tensors))
    for name in dir(node):
        if name.startswith("_saved_"):
            value = getattr(node, name)
            parts = value if isinstance(value, (tuple, list)) else (value,)
            yield from (Saved(name.removeprefix("_saved_"), part, "") for part in parts)


def _wanted_for(node: Node, name: str) -> str:
    names = node.op.value_names(len(node.edges))
    rules = [(i, node.op.rule_names[rule]) for i, rule, _ in node.plan.rules]
    return ", ".join(dict.fromkeys(names[i] for i, arguments in rules if name in arguments))


def trouble(node) -> str | None:
    """ "released" or "stale" where the backward of this node would raise."""
    try:
        for _ in saved_values(node):
            pass
    except RuntimeError as error:
        return "released" if "a second time" in str(error) else "stale"
    return None


# -- one node, by hand


def is_custom(node) -> bool:
    """Whether the backward of a node is the user's own code, which must not run once more: it may store or print."""
    if isinstance(node, Node):
        return node.rare is not None and node.rare.pullback is not None
    return isinstance(node, torch_module().autograd.function.BackwardCFunction)


def give_back(node, cotangents: list) -> list:
    """What the rules of a node make of the cotangents of its outputs: one an input, or None. Nothing is stored.

    The hooks of the program do not run.
    """
    if isinstance(node, Node):
        return pull_back(node, cotangents)
    with torch_module().no_grad():
        given = node(*cotangents)
    return list(given) if isinstance(given, tuple) else [given]


def outputs_of(node) -> int:
    """How many outputs a node has."""
    if isinstance(node, Node):
        return 1 if node.outputs is None else len(node.outputs)
    return len(node._input_metadata)


def ones_like(tensor):
    """A cotangent of ones, as `give_back` takes it."""
    return torch_module().ones_like(tensor) if is_torch(tensor) else np.ones(tensor._array.shape, tensor._array.dtype)


def uneven_like(cotangent):
    """A cotangent of the same shape whose entries do not cancel by accident."""
    steps = np.modf(np.arange(1, 1 + np.prod(cotangent.shape, dtype=int)) * 0.6180339887)[0].reshape(cotangent.shape)
    if is_torch(cotangent):
        return torch_module().as_tensor(1 + steps).to(cotangent)
    return np.asarray(1 + steps, cotangent.dtype)


def raw(tensor):
    """A cotangent given as a tensor, as `give_back` takes it."""
    return tensor.detach() if is_torch(tensor) else tensor._array
