"""What a node saved, by PyTorch's names: `grad_fn._saved_self`, `grad_fn._saved_result`, `grad_fn._saved_dim`.

`_raw_saved_self` is the place where the value is kept, a `SavedTensor`, on which hooks can be put before the backward.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..core.engine import as_tensors, check
from ..core.graph import Node
from ..core.primitive import PUBLIC_NAMES, Primitive
from ..core.record import pack_one
from ..core.tensor import Tensor


class SavedTensor:
    """The place in a node where a tensor is kept for the backward; `grad_fn._raw_saved_...` is one.

    >>> import autograd_core as ac
    >>> w = ac.tensor(2.0, requires_grad=True)
    >>> y = w.exp()
    >>> y.grad_fn._raw_saved_result.register_hooks(lambda t: t.item(), lambda number: ac.tensor(number))
    >>> y.backward(); w.grad
    tensor(7.3891)
    """

    __slots__ = ("_node", "_number")

    _node: Node
    _number: int

    def __init__(self):
        raise RuntimeError(
            "Trying to create a SavedTensor object from Python is forbidden: ops make them; see grad_fn._raw_saved_..."
        )

    def register_hooks(self, pack_hook: Callable, unpack_hook: Callable) -> None:
        """Keep `pack_hook(tensor)` in place of the tensor; backward uses `unpack_hook` of that.

        The hooks are as in `saved_tensors_hooks`. Raises RuntimeError where the value has hooks already, is no tensor,
        or was released, TypeError for a hook that cannot be called.
        """
        for hook in (pack_hook, unpack_hook):
            if not callable(hook):
                raise TypeError(f"register_hooks() takes two functions, not {type(hook).__name__}")
        check(self._node)
        if self._node.rare is not None and self._number in self._node.rare.packed:
            raise RuntimeError(
                "Calling register_hooks on a saved tensor whose hooks have already been set is not allowed."
            )
        if not isinstance(self._node.saved[self._number][0], np.ndarray):
            raise RuntimeError("Calling register_hooks on a saved value that is no tensor is not allowed.")
        pack_one(self._node, self._number, pack_hook, unpack_hook)


def saved_by_name(node: Node, name: str):
    """The value behind an attribute `_saved_...` or `_raw_saved_...` of a node. Raises AttributeError for any other."""
    raw, asked = name.startswith("_raw_saved_"), name.removeprefix("_raw").removeprefix("_saved_")
    if raw or name.startswith("_saved_"):
        places = [k for k, names in enumerate(_names(node)) if asked in names]
        if places:
            check(node)
            found = [_place(node, k) if raw else _value(node, k) for k in places]
            return tuple(found) if _is_group(node, places[0]) else found[0]
        if not raw and asked in (constants := _constants(node)):
            return constants[asked]
    raise AttributeError(f"{node.name()} has no {name}; it has {', '.join(saved_names(node)) or 'saved nothing'}")


def saved_names(node: Node) -> list[str]:
    """The attributes `_saved_...` of a node."""
    return [f"_saved_{name}" for name in [*dict.fromkeys(names[0] for names in _names(node)), *_constants(node)]]


def names_of(node: Node) -> list[str]:
    """All attributes of a node, for `dir`."""
    return [*object.__dir__(node), *saved_names(node)]


def _names(node: Node) -> list[tuple[str, ...]]:
    """What each saved value is called: PyTorch's word for it, then that of the signature."""
    op, n = node.op, len(node.edges)
    if not isinstance(op, Primitive):
        return []
    names = op.value_names(n)
    called: list[tuple[str, ...]] = []
    for j in node.plan.saves:
        public = PUBLIC_NAMES.get(names[j], names[j])
        if j == 0 and public == "input":
            called.append(("self", public))
        elif n <= j < n + len(op.outputs):
            word = "result" if len(op.outputs) == 1 else f"result{j - n}"
            called.append((word, public) if public == "out" else (public, word))
        else:
            called.append((public,))
    return called


def _constants(node: Node) -> dict:
    """What is known without being saved: the parameters, and the shape of the input."""
    if not isinstance(node.op, Primitive):
        return {}
    known = {**node.op.params, **(node.params or {})}
    if node.edges and node.edges[0] is not None:
        known["self_sym_sizes"] = tuple(node.edges[0].shape)
    return known


def _is_group(node: Node, k: int) -> bool:
    return node.op.star and len(node.op.inputs) - 1 <= node.plan.saves[k] < len(node.edges)


def _place(node: Node, k: int) -> SavedTensor | None:
    if node.saved[k][0] is None and (node.rare is None or k not in node.rare.packed):
        return None
    place = object.__new__(SavedTensor)
    place._node, place._number = node, k
    return place


def _value(node: Node, k: int):
    """The tensor itself where it is an input, else one on the memory that is kept; a number as it is."""
    owner = node.saved[k][3]
    return owner if isinstance(owner, Tensor) else as_tensors(node)[k][0]
