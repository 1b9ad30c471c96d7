"""Views and in-place writes: tensors that see the same memory, and what a write does to the history of each.

A view knows its base and the ops that cut it out. A write to any of them counts one version on the storage
that they share; the *history* is kept with the base. A write through a view becomes two nodes: the op, on the
view's history, and `copy_slices`, which puts its result into the base. A view whose base was written since
rebuilds its own edge, from the base, when next looked at.
"""

from __future__ import annotations

import numpy as np

from . import calling, dtypes
from .graph import Leaf, index_of, node_of, user_position
from .modes import RECORDING, current_mode, set_mode
from .primitive import Primitive, linear, signature
from .recording import record
from .tensor import Meta, Tensor, edge_of, overlaps_itself, retain, wrap

# Views whose history cannot follow a write: how they came about, and what to do instead.
_CREATED = {
    "many": "This view is the output of a function that returns multiple views",
    "no_grad": "A view was created in no_grad mode",
    "inference": "A view was created in inference mode",
}
_REMEDY = {
    "many": "Write out of place, or index the base, which gives one view.",
    "no_grad": "Make the view outside no_grad(), or make it and write to it inside.",
    "inference": "Make the view outside inference_mode(), or make it and write to it inside.",
}


class View:
    """How a tensor was cut out of `base`: the ops in order, and the version its edge was made for.

    `origin` is "grad", "no_grad", "inference" or "many" (one of several results of an op): it decides which
    writes are refused.
    """

    __slots__ = ("base", "chain", "count", "origin")

    def __init__(self, base: Tensor, chain: tuple, origin: str):
        self.base, self.chain, self.origin = base, chain, origin
        self.count = base._cell.count

    def refresh(self, tensor: Tensor) -> None:
        """Bring the edge of the view up to date with its base, whatever the mode."""
        base = self.base
        if base._edge is None:
            return
        if base._cell.count != self.count:
            if self.origin != "grad":
                raise RuntimeError(
                    f"{_CREATED[self.origin]} and its base or another view of its base has been modified inplace. "
                    f"{_REMEDY[self.origin]}"
                )
            count, before = base._cell.count, tensor._edge
            tensor._edge = _replay_recorded(base, self.chain)._edge
            self.count = count
            _move_retained(before, tensor)
        elif tensor._edge is None:
            # made under no_grad: it says that it requires gradients, and they end here
            tensor._edge = Leaf(None, tensor._array.shape, tensor._array.dtype)


def replay(value, chain):
    """Cut the same view out of another tensor or array."""
    for primitive, params in chain:
        value = primitive.function(value, **params)
    return value


def _replay_recorded(base, chain):
    before = set_mode(RECORDING)
    try:
        return replay(base, chain)
    finally:
        set_mode(before)


def _make_view(out: Tensor, source: Tensor, primitive: Primitive, params: dict, many: bool) -> None:
    """Note on the result of a view op where it comes from."""
    mode = current_mode()
    origin = "many" if many else "inference" if mode.inference else "grad" if mode.grad else "no_grad"
    base, chain = source, ()
    if source._meta is not None and source._meta.view is not None:
        above = source._meta.view
        base, chain = above.base, above.chain
        origin = above.origin if origin == "grad" else origin
    out._cell = source._cell
    out._meta = Meta(View(base, (*chain, (primitive, params)), origin), inference=source.is_inference())


calling.on_view.append(_make_view)


# -- writing


def in_place(op, name: str | None = None):
    """The in-place form of an op.

    The same forward and rules; the result is written into the first operand, which is returned.
    """
    primitive = op.primitive

    def write_op(self, *args, **params):
        return write(primitive, self, args, params)

    write_op.__name__ = write_op.__qualname__ = name or primitive.name + "_"
    write_op.__module__ = "autograd_core"
    shown = signature(primitive)
    first, *others = shown.parameters.values()
    parameters = [first.replace(name="self"), *others]
    write_op.__signature__ = shown.replace(parameters=parameters)  # type: ignore[attr-defined]
    write_op.__doc__ = (
        f"`{primitive.name}`, written into this tensor.\n\n"
        "Its memory changes, its version goes up by one, and its history is extended.\n\n"
        "Raises RuntimeError, and changes nothing, where the result has another shape or a type that does\n"
        "not fit, where this is a leaf that requires gradients (or a view of one) while ops are recorded, or\n"
        "where several elements share one memory location."
    )
    return write_op


def write(primitive: Primitive, self: Tensor, args: tuple, params: dict) -> Tensor:
    """Run an op and put its result into `self`, as one node.

    Everything that can be refused is refused before anything changes.
    """
    if primitive.kind == "nondiff":
        return self.copy_(
            calling.apply(primitive, (self, *args), params)
        )  # the old value's history ends here, with a zero gradient
    inputs, params = calling.bind(primitive, (self, *args), params)
    arrays, edges, tracked = calling.unwrap(primitive, inputs)
    _check_writable(primitive, self, tracked)
    result = calling.run(primitive, arrays, params)
    result, *residuals = result if primitive.residuals else (result,)
    _check_fits(primitive, result, self._array)
    if tracked:
        arrays[0] = _before_write(primitive, self, edges)
        kept = inputs[:1] if arrays[0] is self._array else [None]
        _record_write(primitive, self, kept + inputs[1:], edges, arrays, residuals, params)
    self._array[...] = result
    self._cell.count += 1
    self._cell.writer = primitive.name + "_", user_position()
    if tracked and (node := node_of(self._edge)) is not None and node.rare is not None:
        edge_of(self)  # a view that retains its gradient does so for the new value
    return self


def _before_write(primitive: Primitive, self: Tensor, edges):
    """The value of the destination for the rules: a copy if they need it, since the write is about to destroy it."""
    mask = sum(1 << i for i, edge in enumerate(edges) if edge is not None)
    return self._array.copy() if 0 in primitive.plan(mask, len(edges)).saves else self._array


def _record_write(primitive, self, inputs, edges, arrays, residuals, params) -> None:
    count = self._cell.count + 1
    view = self._meta.view if self._meta is not None else None
    if view is None:
        before = self._edge
        record(primitive, inputs, edges, arrays, [self], residuals, params, out_count=count)
        _move_retained(before, self)
        return
    base = view.base
    before = base._edge
    piece = wrap(self._array, cell=self._cell)
    record(primitive, inputs, edges, arrays, [piece], residuals, params, out_count=count)
    region = {"chain": view.chain, "strides": base._array.strides}
    record(copy_slices.primitive, [base, piece], [before, piece._edge], [base._array, self._array], [base], [], region)
    _move_retained(before, base)


def _move_retained(before, tensor: Tensor) -> None:
    """A tensor that retains its gradient does so for its new value; hooks stay with the old one."""
    node = node_of(before)
    if node is not None and node.rare is not None and node.retained.pop(index_of(before), None) is not None:
        retain(tensor._edge, tensor)


def _check_writable(primitive: Primitive, self: Tensor, tracked: bool) -> None:
    name = primitive.name + "_"
    if self.is_inference() and not current_mode().inference:
        raise RuntimeError(
            f"Inplace update to inference tensor outside InferenceMode is not allowed ({name}). You can make "
            "a clone() to get a normal tensor before doing inplace update."
        )
    array = self._array
    if overlaps_itself(array):
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory "
            f"location ({name} on a tensor of shape {list(array.shape)} with strides {self.stride()}). Please "
            "clone() the tensor before performing the operation."
        )
    if not array.flags.writeable:
        raise RuntimeError(f"{name}: the memory of this tensor is read-only; clone() it first")
    if not tracked:
        return
    view = self._meta.view if self._meta is not None else None
    if view is not None:
        if view.origin != "grad":
            raise RuntimeError(
                f"{name}: {_CREATED[view.origin]} and is being modified inplace with grad mode enabled. "
                f"{_REMEDY[view.origin]}"
            )
        if type(view.base._edge) is Leaf:
            raise RuntimeError(
                f"a view of a leaf Variable that requires grad is being used in an in-place operation ({name}). "
                "Write under no_grad(), or to a clone()."
            )
    elif type(self._edge) is Leaf:
        raise RuntimeError(
            f"a leaf Variable that requires grad is being used in an in-place operation ({name}). "
            "Write under no_grad(), or to a clone()."
        )


def _check_fits(primitive: Primitive, result, array) -> None:
    if result.shape != array.shape:
        raise RuntimeError(
            f"{primitive.name}_: output with shape {list(array.shape)} doesn't match the broadcast shape "
            f"{list(result.shape)}"
        )
    if not np.can_cast(result.dtype, array.dtype, "same_kind"):
        to = dtypes.OF_NUMPY[array.dtype].name
        raise RuntimeError(
            f"{primitive.name}_: result type {dtypes.OF_NUMPY[result.dtype].name} can't be cast to the "
            f"desired output type {to}; use the op out of place, or convert the tensor first"
        )


# -- the history of a base that was written through a view


def _like_base(g, base_strides):
    """A copy of `g` whose axes lie in memory in the order of the base's, so that it can be cut like the base."""
    order = sorted(range(g.ndim), key=lambda axis: -abs(base_strides[axis]))
    copy = (
        np.empty([g.shape[axis] for axis in order], g.dtype).transpose(np.argsort(order))
        if g.ndim
        else np.empty((), g.dtype)
    )
    copy[...] = g
    return copy


def _without_slices(x, chain, strides):
    kept = _like_base(x, strides)
    replay(kept, chain)[...] = 0
    return kept


def _only_slices(x, chain, strides):
    return replay(_like_base(x, strides), chain)


def _with_slices(base, value, chain, strides):
    joined = _like_base(base, strides)
    replay(joined, chain)[...] = value
    return joined


def _put_slices(x, shape, chain, strides):
    placed = _like_base(np.zeros(shape, x.dtype), strides)
    replay(placed, chain)[...] = x
    return placed


copy_slices = linear(
    "copy_slices",
    _with_slices,
    "base value",
    lambda g, chain, strides: clear_slices(g, chain, strides),
    lambda g, chain, strides: take_slices(g, chain, strides),
    doc="The base with the region that a view shows replaced by a value: the history of a write through that view.",
)
clear_slices = linear(
    "clear_slices",
    _without_slices,
    "x",
    lambda g, chain, strides: clear_slices(g, chain, strides),
    doc="A copy with zeros in the region that a view shows.",
)
take_slices = linear(
    "take_slices",
    _only_slices,
    "x",
    lambda g, x_shape, chain, strides: put_slices(g, x_shape, chain, strides),
    doc="A copy of the region that a view shows.",
)
put_slices = linear(
    "put_slices",
    _put_slices,
    "x",
    lambda g, chain, strides: take_slices(g, chain, strides),
    doc="Zeros with a value in the region that a view shows.",
)
