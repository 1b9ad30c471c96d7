"""In-place writes: the in-place form of an op, what it refuses, and what it does to the history of a tensor.

A write counts one version on the storage that a tensor shares with its base and the views of it. The *history* is kept
with the base: a write through a view becomes two nodes, the op, on the view's history, and `copy_slices`, which puts
its result into the base.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from . import call, dtypes
from .graph import Leaf, node_of, user_position
from .memory import overlap_in_part, overlaps_itself
from .modes import Transform, current_mode, tell
from .primitive import Primitive, function_of, signature
from .record import record
from .silence import nameless
from .tensor import Tensor, edge_of, wrap
from .view import move_retained, replay_recorded


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
        # the old value's history ends here, with a zero gradient
        return self.copy_(call.apply(primitive, (self, *args), params))
    inputs, params = call.bind(primitive, (self, *args), params)
    mode = current_mode()
    if mode.transform is not None:
        check_captured(primitive.name + "_", self, mode.transform)
    if call.has_dual(inputs):
        return on_dual_write[0](primitive, self, inputs, params)
    arrays, edges, tracked = call.unwrap(primitive, inputs)
    tracked = tracked and self._array.dtype.kind == "f"
    _check_writable(primitive, self, tracked)
    _check_operands_apart(primitive, arrays)
    put, coming, residuals = _prepare(primitive, arrays, params)
    if tracked:
        edges[0] = _edge_for_write(self, edges[0])
        arrays[0] = _before_write(primitive, self, edges)
        kept = inputs[:1] if arrays[0] is self._array else [None]
        written, count = wrap(self._array, cell=self._cell), self._cell.count + 1
        record(
            primitive, kept + inputs[1:], edges, arrays, [written], residuals, params, out_count=count, coming=coming
        )
    put()
    if tracked:
        take_history(self, written._edge)
    count_write(self, primitive.name + "_")
    if tracked and (old := node_of(self._edge)) is not None and old.rare is not None:
        edge_of(self)  # brings a view up to date: what it retains is the gradient of its new value
    if mode.observers:
        tell(primitive.name + "_", (self, *args), (self,))
    return self


def count_write(tensor: Tensor, writer: str) -> None:
    """Note on the storage of a tensor that `writer` has written to it, at the user's line."""
    tensor._cell.count += 1
    tensor._cell.writer = writer, user_position()


on_dual_write: list[Callable] = []  # called as f(primitive, tensor, inputs, params); `forward_ad` joins here

writers: dict[Primitive, Callable] = {}  # ops that need not compute a whole new value: see `written_by`
uniform: set[Primitive] = set()  # ops that write one value everywhere: several elements may share their place
reading_first: set[Primitive] = set()  # ops whose other operands may lie in the memory that is written, as in PyTorch


def written_by(op):
    """Have the in-place form of an op use the decorated function.

    It takes what the forward takes, and either raises, with nothing changed, or returns a function without arguments
    that writes into the first array.
    """

    def register(function):
        writers[op.primitive] = function
        return function

    return register


@nameless
def _prepare(primitive: Primitive, arrays: list, params: dict):
    """How to put the result into the first array: a function that does it, the result if there is one yet, residuals.

    A ufunc on operands of one type writes straight into its destination, since nothing can go wrong half-way.
    """
    destination, *others = arrays
    forward = writers.get(primitive)
    if forward is not None:
        n = len(primitive.inputs) - 1
        operands = [*arrays[:n], arrays[n:]] if primitive.star else arrays
        return forward(*operands, **params), None, []
    if type(primitive.forward) is np.ufunc and current_mode().plain and _goes_into(destination, others):
        operands = list(arrays)
        return lambda: primitive.forward(*operands, out=destination), None, []
    result = call.run(primitive, arrays, params)
    result, *residuals = result if primitive.residuals else (result,)
    _check_fits(primitive, result, destination)

    def put():
        destination[...] = result

    return put, result.astype(destination.dtype, copy=False), residuals


def _goes_into(destination, others) -> bool:
    """Whether a ufunc on these operands has a result of the destination's shape and type, without promotion."""
    dtype, shape = destination.dtype, destination.shape
    if dtype.char not in "fd":
        return False
    for y in others:
        if type(y) is np.ndarray:
            if y.dtype is not dtype or (y.shape != shape and y.size != 1) or y.ndim > len(shape):
                return False
        elif type(y) is not float and type(y) is not int:
            return False
    return True


def _edge_for_write(self: Tensor, edge):
    """The edge of the old value. Hooks and retain flags of a view stay behind with the old view, as in PyTorch."""
    view = self._meta.view if self._meta is not None else None
    if view is None:
        return edge
    node = node_of(edge)
    for _ in view.chain:
        if node is None:
            break
        if node.rare is not None:
            return replay_recorded(view.base, view.chain)._edge
        node = node_of(node.edges[0])
    return edge


def _before_write(primitive: Primitive, self: Tensor, edges):
    """The value of the destination for the rules: a copy if they need it, since the write is about to destroy it."""
    mask = sum(1 << i for i, edge in enumerate(edges) if edge is not None)
    return self._array.copy() if 0 in primitive.plan(mask, len(edges)).saves else self._array


def take_history(self: Tensor, edge) -> None:
    """Let the value just written into a tensor have come from `edge`; through a view, that of a part of its base."""
    view = self._meta.view if self._meta is not None else None
    if view is None:
        before, self._edge = self._edge, edge
        move_retained(before, self)
        return
    base = view.base
    before = base._edge
    region = view.chain, base._array.strides
    record(
        function_of("copy_slices").primitive,
        [base, self],
        [before, edge],
        [base._array, self._array],
        [base],
        [region],
        {},
    )
    move_retained(before, base)


def check_inference(name: str, self: Tensor) -> None:
    """Raise if this is an inference tensor, and its mode is over."""
    if self.is_inference() and not current_mode().inference:
        raise RuntimeError(
            f"Inplace update to inference tensor outside InferenceMode is not allowed ({name}). You can make "
            "a clone() to get a normal tensor before doing inplace update."
        )


def _check_writable(primitive: Primitive, self: Tensor, tracked: bool) -> None:
    name = primitive.name + "_"
    if self._meta is not None:
        check_inference(name, self)
    array = self._array
    if overlaps_itself(array):
        if not tracked and primitive in uniform:
            return
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory "
            f"location ({name} on a tensor of shape {list(array.shape)} with strides {self.stride()}). Please "
            "clone() the tensor before performing the operation."
        )
    if not array.flags.writeable:
        raise RuntimeError(f"{name}: the memory of this tensor is read-only; clone() it first")
    if tracked:
        check_history(name, self)


def check_captured(name: str, self: Tensor, transform: Transform) -> None:
    """Raise if this tensor comes from outside the function transform that runs, and is none of its arguments."""
    if transform.captures(self._cell):
        raise RuntimeError(
            "During a grad (vjp, jvp, grad, etc) transform, the function provided attempted to call in-place operation "
            f"({name}) that would mutate a captured Tensor, here of shape {list(self.shape)}. This is not supported; "
            "please rewrite the function being transformed to explicitly accept the mutated Tensor(s) as inputs, or "
            "write to a clone()."
        )


def check_history(name: str, self: Tensor) -> None:
    """Raise if the history of a tensor cannot go on through a write: that of a leaf, or of a view that allows none."""
    view = self._meta.view if self._meta is not None else None
    if view is not None:
        if view.origin != "grad":
            raise RuntimeError(f"{name}: {view.refusal(self, 'is being')}")
        if node_of(view.base._edge) is None and self.requires_grad:
            raise RuntimeError(
                f"a view of a leaf Variable that requires grad is being used in an in-place operation ({name}). "
                "Write under no_grad(), or to a clone()."
            )
    elif type(self._edge) is Leaf:
        raise RuntimeError(
            f"a leaf Variable that requires grad is being used in an in-place operation ({name}). "
            "Write under no_grad(), or to a clone()."
        )


def _check_operands_apart(primitive: Primitive, arrays: list) -> None:
    """Raise where another operand lies in part of the memory that is written: what it holds would depend on the order.

    Two arrays overlap in this sense if both fill a stretch of memory without gaps, as in PyTorch; the very same view is
    fine.
    """
    destination = arrays[0]
    if primitive in reading_first:
        return
    for y in arrays[1:]:
        if type(y) is np.ndarray and overlap_in_part(y, destination):
            raise RuntimeError(
                "unsupported operation: some elements of the input tensor and the written-to tensor refer to a "
                f"single memory location ({primitive.name}_ into shape {list(destination.shape)}, with an operand "
                f"of shape {list(y.shape)}). Please clone() the tensor before performing the operation."
            )


def _check_fits(primitive: Primitive, result, array) -> None:
    if result.shape != array.shape:
        raise RuntimeError(
            f"{primitive.name}_: output with shape {list(array.shape)} doesn't match the broadcast shape "
            f"{list(result.shape)}; a write cannot enlarge its tensor, so use the op out of place"
        )
    if dtypes.category(result) > dtypes.category(array):
        to = dtypes.OF_NUMPY[array.dtype].name
        raise RuntimeError(
            f"{primitive.name}_: result type {dtypes.OF_NUMPY[result.dtype].name} can't be cast to the "
            f"desired output type {to}; use the op out of place, or convert the tensor first"
        )
