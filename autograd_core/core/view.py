"""Views: tensors that see the memory of another, and how their history follows a write to it.

A view knows its base and the ops that cut it out. One whose base was written since rebuilds its own edge, from the
base, when next looked at.
"""

from __future__ import annotations

from .graph import Leaf, index_of, node_of
from .modes import RECORDING, current_mode, set_mode
from .primitive import Primitive
from .tensor import Meta, Tensor, retain, wrap

# Views whose history cannot follow a write: how they came about, and what to do instead.
CREATED = {
    "many": "One of several outputs of an op is a view",
    "no_grad": "A view was created in no_grad mode",
    "inference": "A view was created in inference mode",
    "custom": "This view was created inside a custom Function (or because an input was returned as-is)",
}
REMEDY = {
    "many": "This view is the output of a function that returns multiple views. Such functions do not allow the output "
    "views to be modified inplace: write out of place, or index the base, which gives one view.",
    "no_grad": "Make the view outside no_grad(), or make it and write to it inside.",
    "inference": "Make the view outside inference_mode(), or make it and write to it inside.",
    "custom": "The history of the write would bypass the backward of the Function: write to a clone() of its output.",
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
                raise RuntimeError(
                    f"{CREATED[self.origin]} and its base or another view of its base has been modified inplace. "
                    f"{REMEDY[self.origin]}"
                )
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


def replay(value, chain):
    """Cut the same view out of another tensor or array."""
    for primitive, params in chain:
        value = primitive.function(value, **params)
    return value


def replay_recorded(base, chain):
    before = set_mode(RECORDING)
    try:
        return replay(base, chain)
    finally:
        set_mode(before)


def make_view(out: Tensor, source: Tensor, primitive: Primitive, params: dict, many: bool) -> None:
    """Note on the result of a view op where it comes from."""
    out._cell = source._cell
    if source.is_inference():  # nothing to follow: its writes are not watched
        out._meta = Meta(inference=True)
        return
    mode = current_mode()
    origin = "many" if many else "inference" if mode.inference else "grad" if mode.grad else "no_grad"
    base, chain = source, ()
    if source._meta is not None and source._meta.view is not None:
        above = source._meta.view
        base, chain = above.base, above.chain
        origin = above.origin if origin == "grad" else origin
    out._meta = Meta(View(base, (*chain, (primitive, params)), origin))


def move_retained(before, tensor: Tensor) -> None:
    """A tensor that retains its gradient does so for its new value; hooks stay with the old one."""
    node = node_of(before)
    if node is not None and node.rare is not None and node.retained.pop(index_of(before), None) is not None:
        retain(tensor._edge, tensor)
