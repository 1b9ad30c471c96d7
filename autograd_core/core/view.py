"""Views: tensors that see the memory of another, and how their history follows a write to it.

A view knows its base and the ops that cut it out. One whose base was written since rebuilds its own edge, from the
base, when next looked at.
"""

from __future__ import annotations

from .graph import Leaf, index_of, node_of
from .modes import RECORDING, current_mode, set_mode
from .primitive import Primitive
from .tensor import Meta, Tensor, retain, wrap

# Views whose history cannot follow a write, by how they came about: why, and what to do instead.
REMEDY = {
    "many": "This view is the output of a function that returns multiple views. Such functions do not allow the output "
    "views to be modified inplace. Write out of place, or index the base, which gives one view.",
    "no_grad": "Given that this use case is ambiguous and error-prone, it is forbidden. Make the view and "
    "write to it both inside the no_grad block, where the write is not tracked, or both outside.",
    "inference": "Given that this use case is ambiguous and error-prone, it is forbidden. Make the view "
    "and write to it both inside the inference_mode block, where the write is not tracked, or both outside.",
    "custom": "This view was created inside a custom Function (or because an input was returned as-is), and the "
    "history of the write would bypass the backward of the Function. Write to a clone() of its output.",
}


class View:
    """How a tensor was cut out of `base`: the ops in order, and the version its edge was made for.

    `origin` is "grad", "no_grad", "inference", "many" (one of several results of an op) or "custom" (a result of
    a custom function): it decides which writes are refused.
    """

    __slots__ = ("base", "chain", "count", "origin")

    def __init__(self, base: Tensor, chain: tuple, origin: str):
        self.base, self.chain, self.origin = base, chain, origin
        self.count = base._cell.count

    def refresh(self, tensor: Tensor) -> None:
        """Bring the edge of the view up to date with its base, whatever the mode."""
        base, written = self.base, self.base._cell.count != self.count
        if base._edge is None:
            if not written or node_of(tensor._edge) is None:
                return
            # detached in place, then written
            base = wrap(base._array, Leaf(None, base._array.shape, base._array.dtype))
        if written:
            if self.origin != "grad":
                raise RuntimeError(self.refusal(tensor, "its base or another view of its base has been"))
            if self.count < self.base._cell.restrided:
                raise RuntimeError(
                    "the base of this view was given another shape in place, by t_() or the like, after the view was "
                    "made, so it has no history any more. Make the view after that, or use the op out of place"
                )
            count, before = self.base._cell.count, tensor._edge
            tensor._edge = replay_recorded(base, self.chain)._edge
            self.count = count
            move_retained(before, tensor)
        elif tensor._edge is None:
            # made under no_grad: it says that it requires gradients, and they end here
            tensor._edge = Leaf(None, tensor._array.shape, tensor._array.dtype)

    def refusal(self, tensor: Tensor, what: str) -> str:
        """Why a write to what this view sees is refused; `what` was to be written."""
        node = node_of(tensor._edge)
        made_by = None if node is None else node.name().rpartition("Backward")[0] or node.name()
        output = "A view" if node is None else f"Output {index_of(tensor._edge)} of {made_by} is a view"
        if node is None or self.origin in ("no_grad", "inference"):
            inference = self.origin == "inference"
            output += " was created" if node is None else " of a view which was created"
            output += " in inference mode" if inference else " in no_grad mode"
            what, where = f"{what} modified inplace", " in normal mode" if inference else " with grad mode enabled"
        else:
            what, where = f"{what} modified inplace", ""
        return f"{output} and {what}{where}. {REMEDY[self.origin]}"


def replay(value, chain):
    """Cut the same view out of another tensor or array."""
    for primitive, params in chain:
        value = primitive.function(value, **params)
    return value


def replay_recorded(base, chain):
    before = current_mode()
    try:
        set_mode(RECORDING)
        return replay(base, chain)
    finally:
        set_mode(before)


def make_view(out: Tensor, source: Tensor, primitive: Primitive, params: dict, many: bool) -> None:
    """Note on the result of a view op where it comes from."""
    out._cell, meta = source._cell, source._meta
    if meta is not None and meta.inference:  # nothing to follow: its writes are not watched
        out._meta = Meta(inference=True)
        return
    mode = current_mode()
    origin = "many" if many else "inference" if mode.inference else "grad" if mode.grad else "no_grad"
    base, chain = source, ()
    if meta is not None and meta.view is not None:
        above = meta.view
        base, chain = above.base, above.chain
        origin = above.origin if origin == "grad" else origin
    out._meta = Meta(View(base, (*chain, (primitive, params)), origin))


def move_retained(before, tensor: Tensor) -> None:
    """A tensor that retains its gradient does so for its new value; hooks stay with the old one."""
    node = node_of(before)
    if node is not None and node.rare is not None and node.retained.pop(index_of(before), None) is not None:
        retain(tensor._edge, tensor)
