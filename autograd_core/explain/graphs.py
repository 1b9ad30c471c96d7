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

from ..core.engine import check, pull_back
from ..core.graph import Leaf, Node, node_of
from ..core.tensor import Tensor
from .lines import by_cell


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


def is_leaf(tensor) -> bool:
    """`.is_leaf`, but it never raises: a view made under no_grad refuses to say once its base was written.

    Such a view has no history, so it counts as a leaf. A view of this package is not brought up to date by the look.
    """
    if is_torch(tensor):
        try:
            return tensor.is_leaf
        except RuntimeError:
            return True
    meta = tensor._meta
    if meta is not None and meta.dual is not None:
        return is_leaf(meta.dual.primal)
    view = meta.view if meta is not None else None
    if view is not None and view.base._edge is not None and view.base._cell.count != view.count:
        return view.origin != "grad"
    return node_of(tensor._edge) is None


def is_view_without_history(tensor) -> bool:
    """Whether this is a view, made under no_grad, of a tensor that requires gradients."""
    return is_leaf(tensor) and tensor.requires_grad and tensor._is_view() and tensor._base.requires_grad


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
    return (accumulator(tensor), 0) if is_leaf(tensor) else (tensor.grad_fn, tensor.output_nr)


def op_name(node) -> str:
    """The op of a node by its ordinary name: masked_fill for MaskedFillBackward0; a custom Function by its own."""
    stem = re.sub(r"(Backward)?\d*$", "", node.name().rsplit(":", 1)[-1])
    if is_custom(node):
        return stem
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
        return by_cell(node.position)
    return None if is_accumulator(node) else node.metadata.get(LINE)


LINE = "autograd_core.line"  # the key under which watch() notes a line with a PyTorch node


class Saved(NamedTuple):
    """A value that a node keeps: its name, the array or tensor, and which rules want it.

    Of one that a saved-tensors hook packed, `value` is what the hook made of it: the unpack hook is not run.
    """

    name: str
    value: Any
    wanted_for: str
    packed: bool = False


def saved_values(node) -> Iterator[Saved]:
    """What a node keeps for its backward. RuntimeError, from the engine concerned, if released or overwritten."""
    if isinstance(node, Node):
        check(node)
        for k, (name, (value, *_)) in enumerate(zip(node.plan.saved_names, node.saved)):
            packed = node.rare is not None and k in node.rare.packed
            yield Saved(name, node.rare.packed[k][1] if packed else value, _wanted_for(node, name), packed)
        return
    for name, slots in _slots(node):
        if any(slot.unpack_hook is not None for slot in slots):
            yield from (Saved(name, slot.data, "", packed=slot.unpack_hook is not None) for slot in slots)
            continue
        value = getattr(node, name if name == "saved_tensors" else f"_saved_{name}")
        parts = value if isinstance(value, (tuple, list)) else (value,)
        several = isinstance(value, (tuple, list)) and name == "saved_tensors"
        yield from (Saved(f"{name}[{k}]" if several else name, part, "") for k, part in enumerate(parts))


def _slots(node) -> Iterator[tuple[str, tuple]]:
    """Where a PyTorch node keeps its tensors: names and slots, which can be looked at without unpacking."""
    for name in dir(node):
        if name.startswith("_raw_saved_"):
            slots = getattr(node, name)
            shown = "saved_tensors" if name == "_raw_saved_tensors" else name.removeprefix("_raw_saved_")
            yield shown, tuple(slots) if isinstance(slots, (tuple, list)) else (slots,)


def has_packed(node) -> bool:
    """Whether a saved-tensors hook packed what a node keeps: unpacking it would run the user's code."""
    if isinstance(node, Node):
        return node.rare is not None and bool(node.rare.packed)
    return any(slot.unpack_hook is not None for _, slots in _slots(node) for slot in slots)


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
        given = _by_users_backward(node, cotangents) if is_custom(node) else node(*cotangents)
    given = given if isinstance(given, tuple) else (given,)
    return [_as_wide_as(edge, value) for edge, value in zip(node.next_functions, given)]


def _by_users_backward(node, cotangents: list) -> tuple:
    """What the backward of a PyTorch custom Function returns for the arguments that are tensors: its engine picks them.

    An output that nothing reached has a cotangent of zeros.
    """
    outputs = node._input_metadata
    zeros = torch_module().zeros
    given = node.apply(
        *[zeros(o.shape, dtype=o.dtype, device=o.device) if g is None else g for g, o in zip(cotangents, outputs)]
    )
    given = given if isinstance(given, tuple) else (given,)
    wanted = iter([value for value, needed in zip(given, node.needs_input_grad) if needed])
    return tuple(None if above is None else next(wanted, None) for above, _ in node.next_functions)


def _as_wide_as(edge, value):
    """A contribution of a PyTorch node, summed over what the input was broadcast along: its engine does that later."""
    above, k = edge
    if above is None or value is None:
        return value
    shape = above._input_metadata[k].shape
    return value if value.shape == shape else value.sum_to_size(shape)


def outputs_of(node) -> int:
    """How many outputs a node has."""
    if isinstance(node, Node):
        return 1 if node.outputs is None else len(node.outputs)
    return len(node._input_metadata)


def ones_like(tensor):
    """A cotangent of ones, as `give_back` takes it."""
    return (
        torch_module().ones_like(tensor.detach())
        if is_torch(tensor)
        else np.ones(tensor._array.shape, tensor._array.dtype)
    )


def uneven_like(cotangent):
    """A cotangent of the same shape whose entries do not cancel by accident, between 1/2 and 1."""
    steps = np.modf(np.arange(1, 1 + np.prod(cotangent.shape, dtype=int)) * 0.6180339887)[0].reshape(cotangent.shape)
    if is_torch(cotangent):
        return torch_module().as_tensor(0.5 + steps / 2).to(cotangent)
    return np.asarray(0.5 + steps / 2, cotangent.dtype)


def where(mask, value):
    """A cotangent where a mask is true, and zero elsewhere."""
    return torch_module().where(mask, value, 0) if is_torch(value) else np.where(mask, value, value.dtype.type(0))


def has_accumulate_hooks(leaf) -> bool:
    """Whether the user's hooks run when a gradient has been stored in a leaf."""
    if is_torch(leaf):
        return bool(leaf._post_accumulate_grad_hooks)
    return leaf._edge is not None and leaf._edge.rare is not None and bool(leaf._edge.rare.accumulated)


def raw(tensor):
    """A cotangent given as a tensor, as `give_back` takes it."""
    return tensor.detach() if is_torch(tensor) else tensor._array
