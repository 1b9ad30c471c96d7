"""Making the node of an op that has just run: what it saves, at which version, and where its results go."""

from __future__ import annotations

from sys import _getframe

import numpy as np

from .dtypes import HALF
from .graph import Node, Output, Rare, new_node, node_of, rare_of
from .modes import current_mode, set_mode
from .tensor import Tensor, wrap
from .version import Version

FROZEN = Version()  # the version of values nobody can write: numbers and residuals


def record(primitive, inputs, edges, arrays, outs, residuals, params, *, out_count=0, coming=None) -> Node:
    """Make the node of a computation that has just run, and hang the outputs on it.

    A write in place is recorded before it happens: `out_count` is the version that a saved output will have then, and
    `coming` the values, for a saved-tensors hook.
    """
    mask = 0
    for i, edge in enumerate(edges):
        if edge is not None:
            mask |= 1 << i
    plan = primitive.plan(mask, len(inputs))
    saved = _saved(primitive, plan, inputs, arrays, outs, residuals, out_count) if plan.saves else ()
    single = len(primitive.outputs) == 1 and not primitive.many
    extra = extras(plan, arrays) if plan.extras else None
    shape, dtype = (outs[0]._array.shape, outs[0]._array.dtype) if single else (None, None)
    if has_half(arrays) or has_half([out._array for out in outs]):
        plan = plan.wide
    node = new_node(primitive, plan, tuple(edges), saved, params, extra, shape, dtype, _getframe(1))
    if not single:
        node.rare = Rare(tuple([(o._array.shape, o._array.dtype) for o in outs]))
    hooks = current_mode().saved_hooks
    if node.saved and isinstance(hooks, tuple):
        pack, unpack, _ = hooks
        pack_saved(node, pack, unpack, coming)
    for k, out in enumerate(outs):
        if out._array.dtype.kind == "f":
            out._edge = node if single else Output(node, k)
    return node


def has_half(values) -> bool:
    """Whether any of the values is an array of half precision."""
    for value in values:  # noqa: SIM110 (`any` with a generator takes twice as long)
        if isinstance(value, np.ndarray) and value.dtype == HALF:
            return True
    return False


def _saved(primitive, plan, inputs, arrays, outs, residuals, out_count) -> tuple:
    """The saved values of a plan: what the forward saw, and the version it had."""
    n = len(inputs)
    saved: list[tuple] = []
    for j in plan.saves:
        if j < n:
            owner = inputs[j]
            if not isinstance(owner, Tensor):
                saved.append((arrays[j], FROZEN, 0, None))
                continue
            if owner._meta is not None and owner._meta.inference:
                raise RuntimeError(
                    f"Inference tensors cannot be saved for backward: {primitive.name} needs one of shape "
                    f"{list(owner.shape)} for a gradient. Make a normal tensor of it with clone()."
                )
            saved.append((arrays[j], owner._cell, owner._cell.count, owner))
        elif j < n + len(outs):
            out = outs[j - n]
            saved.append((out._array, out._cell, out_count, None))
        else:
            saved.append((residuals[j - n - len(outs)], FROZEN, 0, None))
    return tuple(saved)


def pack_saved(node: Node, pack, unpack, coming=None) -> None:
    """Hand the saved tensors to a saved-tensors hook, and keep what it returns in their place.

    The hook sees a leaf itself, another input with its history, and an output without (its node would hold itself).
    """
    for k, (value, *_) in enumerate(node.saved):
        if isinstance(value, np.ndarray):
            pack_one(node, k, pack, unpack, coming)


def pack_one(node: Node, k: int, pack, unpack, coming=None) -> None:
    """The same for saved value number `k`."""
    j, (value, cell, _, owner), mode = node.plan.saves[k], node.saved[k], current_mode()
    edge = node.edges[j] if j < len(node.edges) else None
    if owner is None or node_of(edge) is not None:
        is_output = len(node.edges) <= j < len(node.edges) + len(node.op.outputs)
        value = coming if coming is not None and is_output else value
        owner = wrap(value, edge, None if cell is FROZEN or is_output else cell)
    count = owner._cell.count
    try:
        set_mode(mode.but(grad=False))
        kept = pack(owner)
    finally:
        set_mode(mode)
    if owner._cell.count != count:
        raise RuntimeError(
            f"A saved tensor pack hook is modifying its input in place (what {node.name()} saves). It is the tensor of "
            "the computation itself; return a changed copy instead."
        )
    rare_of(node).packed[k] = unpack, kept
    node.saved = (*node.saved[:k], (None, FROZEN, 0, None), *node.saved[k + 1 :])


def extras(plan, arrays: list) -> dict:
    """The shapes and dtypes of other inputs that the rules of a plan name; a list of them for a group."""
    found = {}
    for name, (what, i, is_group) in plan.extras.items():
        empty = () if what == "shape" else None
        found[name] = [getattr(a, what, empty) for a in arrays[i:]] if is_group else getattr(arrays[i], what, empty)
    return found
