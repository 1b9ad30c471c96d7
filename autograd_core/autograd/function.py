"""Custom functions: a forward and a backward written by hand, recorded as one node.

A call of `apply` runs the forward unrecorded and hangs one node on its outputs. The node's *pullback* is the backward
by hand: the reverse pass calls it with the cotangents of the outputs, and it returns a gradient for every argument.
`ctx` is where forward and backward of one call meet; what it saves is kept by the node, with versions, like the
saved values of any op.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from sys import _getframe
from typing import Any
from weakref import ref

import numpy as np

from ..core.call import has_dual
from ..core.engine import as_tensors, check
from ..core.graph import Node, Output, Rare, new_node, user_position
from ..core.modes import ModeSwitch, current_mode, is_grad_enabled, no_grad, tell
from ..core.record import FROZEN, pack_saved
from ..core.tensor import Tensor, dual_of, edge_of, with_requires_grad, with_tangent, wrap
from ..core.write import check_history, take_history
from .forward_ad import keep_tangents, level_of, primal_of, tangent_of, write_tangent


class FunctionCtx:
    """What the forward of one call leaves for its backward. Any attribute may be set on it.

    A tensor goes through `save_for_backward`: only so is a write to it noticed, does the gradient of the gradient
    see where it came from, and is its memory released with the graph.

    `needs_input_grad` has a bool for each argument of `apply`: whether a gradient for it will be used.
    """

    def __init__(self, needs_input_grad: tuple[bool, ...]):
        self.needs_input_grad = needs_input_grad
        self._materialize = True
        self._pushing = False
        self._node: ref[FunctionNode] | None = None
        self._forget()

    def _forget(self) -> None:
        """Drop what only the end of the forward needs: an output held here would hold its own node."""
        self._to_save: tuple = ()
        self._for_forward: tuple = ()
        self._dirty: tuple = ()
        self._non_differentiable: tuple = ()

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep inputs, outputs or other tensors (or None) for `saved_tensors`. Call it once; the last call counts."""
        self._to_save = tensors

    def save_for_forward(self, *tensors: Tensor | None) -> None:
        """Keep tensors (or None) for `saved_tensors` in `jvp`, which runs right after the forward."""
        self._for_forward = tensors

    @property
    def saved_variables(self) -> tuple:
        """`saved_tensors` under the name that it had before; DeprecationWarning."""
        warnings.warn("'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning, stacklevel=2)
        return self.saved_tensors

    @property
    def saved_tensors(self) -> tuple:
        """What was saved, in order: inputs and outputs with their history. In `jvp`, what `save_for_forward` kept.

        Raises RuntimeError if a value was overwritten since, or released by an earlier backward.
        """
        if self._pushing:
            return self._for_forward
        if self._node is None:
            return ()
        node = self._node()
        if node is None:
            raise RuntimeError("the saved tensors are gone: no tensor is left of the graph that kept them")
        check(node)
        return tuple(value if owner is None or dual_of(value) else owner for value, _, _, owner in as_tensors(node))

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Declare inputs that the forward overwrites; each must be returned as an output."""
        self._dirty = _all_tensors("mark_dirty", tensors)

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Declare outputs through which no gradient flows; the backward gets zeros for them."""
        self._non_differentiable = _all_tensors("mark_non_differentiable", tensors)

    def set_materialize_grads(self, value: bool) -> None:
        """Whether the backward gets zeros (the default) or None for an output to which no gradient came."""
        self._materialize = value


def _all_tensors(name: str, values: tuple) -> tuple:
    for value in values:
        if not isinstance(value, Tensor):
            raise RuntimeError(f"{name} can only accept variables (tensors), but got {type(value).__name__}")
    return values


class Function:
    """Base class of custom functions: define `forward` and `backward` as static methods, call `apply`.

    `forward(ctx, *args)` computes on the arguments as given, unrecorded. `backward(ctx, *grads)` gets a gradient
    for each output and returns one for each argument of the forward, None where there is none. With
    `create_graph` the backward is itself recorded.

    Alternatively `forward(*args)` does without ctx, and `setup_context(ctx, inputs, output)` runs after it.

    >>> import autograd_core as ac
    >>> class Exp(ac.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         y = x.exp()
    ...         ctx.save_for_backward(y)
    ...         return y
    ...     @staticmethod
    ...     def backward(ctx, g):
    ...         y, = ctx.saved_tensors
    ...         return g * y
    >>> x = ac.zeros(2, requires_grad=True)
    >>> y = Exp.apply(x); y
    tensor([1., 1.], grad_fn=<ExpBackward>)
    >>> y.sum().backward(); x.grad
    tensor([1., 1.])
    """

    _node_class: type[FunctionNode]

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        cls._node_class = type(f"{cls.__name__}Backward", (FunctionNode,), {"__slots__": (), "function": cls})

    def __init__(self, *args, **kwargs):
        name = type(self).__name__
        warnings.warn(
            f"{name} should not be instantiated: the methods of an autograd function are static. Call "
            f"{name}.apply(...) on the class itself.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args, **kwargs):
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Make the methods static, and call "
            f"{type(self).__name__}.apply(...) on the class itself."
        )

    @staticmethod
    def forward(*args, **kwargs) -> Any:
        """Compute the outputs: a tensor, or a tuple of tensors and anything else. Subclasses define it."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx: FunctionCtx, inputs: tuple, output: Any) -> None:
        """Save what the backward needs, given all arguments and what `forward` returned."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: FunctionCtx, *grad_outputs) -> Any:
        """Map the gradients of the outputs to a gradient for each argument of `apply`. Also called `vjp`."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
            "backward mode AD."
        )

    vjp = backward

    @staticmethod
    def jvp(ctx: FunctionCtx, *grad_inputs) -> Any:
        """Map the tangents of the arguments of `apply` to those of the outputs, None where there is none."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."
        )

    @classmethod
    def apply(cls, *args, **kwargs) -> Any:
        """Run the forward, and record the call if an argument requires gradients and ops are recorded.

        Only tensors that are arguments themselves count, not those in lists or dicts; keyword arguments follow the
        positional ones. Returns what `forward` returned. An input returned as it is comes back as a view of itself,
        unless `mark_dirty` names it; such a view, or one made in the forward, refuses recorded writes.
        """
        with_setup = cls.setup_context is not Function.setup_context
        if with_setup:
            bound = inspect.signature(cls.forward).bind(*args, **kwargs)
            bound.apply_defaults()
            args, kwargs = bound.args, bound.kwargs
        inputs = (*args, *kwargs.values())
        level = level_of(inputs) if has_dual(inputs) else None
        primals = inputs if level is None else tuple(primal_of(value, level) for value in inputs)
        if level_of(primals) is not None:
            raise NotImplementedError(
                f"{cls.__name__}: a custom Function takes part in one level of forward mode at once"
            )
        edges = [edge_of(t) if isinstance(t, Tensor) else None for t in primals]
        ctx = FunctionCtx(tuple(edge is not None for edge in edges))
        result = _run_forward(cls, ctx, with_setup, primals, kwargs)
        outputs = result if isinstance(result, tuple) else (result,)
        _count_writes(ctx, cls.__name__, primals, outputs)
        if is_grad_enabled() and any(ctx.needs_input_grad) and any(_differentiable(ctx, out) for out in outputs):
            outputs = _record(cls, ctx, primals, edges, outputs)
        else:
            outputs = tuple(_without_history(ctx, out, primals) for out in outputs)
        if level is not None:
            outputs = _push(cls, ctx, inputs, primals, outputs, level)
        ctx._forget()
        tell(cls.__name__, inputs, outputs)
        return outputs if isinstance(result, tuple) else outputs[0]


def _run_forward(cls, ctx: FunctionCtx, with_setup: bool, inputs: tuple, kwargs: dict):
    n = len(inputs) - len(kwargs)
    args, kwargs = inputs[:n], dict(zip(kwargs, inputs[n:]))
    with _InForward():
        if not with_setup:
            return cls.forward(ctx, *args, **kwargs)
        result = cls.forward(*args, **kwargs)
        cls.setup_context(ctx, inputs, result)
        return result


class _InForward(ModeSwitch):
    """A forward by hand is not recorded, and to observers the whole of it is one op."""

    def _changes(self, outside):
        return {"grad": False, "observers": ()}


# -- after the forward: the outputs, and the node that they hang on


def _one_of(value, values) -> bool:
    return any(value is other for other in values)


def _differentiable(ctx: FunctionCtx, out) -> bool:
    return isinstance(out, Tensor) and out.is_floating_point() and not _one_of(out, ctx._non_differentiable)


def _count_writes(ctx: FunctionCtx, name: str, inputs: tuple, outputs: tuple) -> None:
    """Check the tensors marked dirty, and let each have a new version, however the forward wrote to it."""
    for tensor in ctx._dirty:
        if not _one_of(tensor, outputs):
            raise RuntimeError(
                "Some elements marked as dirty during the forward method were not returned as output. The inputs that "
                f"are modified inplace must all be outputs of the Function, {name}."
            )
        if not _one_of(tensor, inputs):
            warnings.warn(
                f"ctx.mark_dirty() in {name} received a tensor that was not an input. Only input Tensors that have "
                "been mutated should be passed to ctx.mark_dirty().",
                UserWarning,
                stacklevel=3,
            )
    for tensor in ctx._dirty:
        tensor._cell.count += 1
        tensor._cell.writer = name, user_position()


def _without_history(ctx: FunctionCtx, out, inputs: tuple):
    """An output through which no gradient flows. A view stays one, as it does where ops are not recorded."""
    if not isinstance(out, Tensor):
        return out
    given = _one_of(out, inputs)
    if out.requires_grad and (given or not out._is_view()):
        return out.detach()
    if given:
        return out if _one_of(out, ctx._dirty) else out.view(out.shape)
    if out._meta is not None and out._meta.view is not None:
        out._meta.view.origin = "custom"
    return out


class HandWritten:
    """What stands where other nodes have their op and its plan: a name, no rules, and what one call saved.

    `saves` numbers the saved values as a `Plan` does: inputs that are tensors, then outputs, then others.
    """

    __slots__ = ("name", "node_name", "outputs", "saved_names", "saves")

    rules = ()

    def __init__(self, name: str, n_outputs: int, saves: tuple[int, ...]):
        self.name, self.node_name, self.saves = name, name + "Backward", saves
        self.outputs = tuple(f"outputs[{k}]" for k in range(n_outputs))
        self.saved_names = tuple(f"saved_tensors[{k}]" for k in range(len(saves)))

    def value_names(self, n_inputs: int) -> list[str]:
        """Names of inputs and outputs."""
        return [*(f"inputs[{i}]" for i in range(n_inputs)), *self.outputs]


class FunctionNode(Node):
    """The node of one call of a `Function`: it has the attributes of the call's ctx besides its own."""

    __slots__ = ("ctx", "positions")

    function: type[Function]
    ctx: FunctionCtx
    positions: list[int]  # which arguments are tensors: an edge for each

    def __getattr__(self, name: str):
        return getattr(self.ctx, name)


def _record(cls, ctx: FunctionCtx, inputs: tuple, edges: list, outputs: tuple) -> tuple:
    """Make the node of a call that has just run, and return the outputs with their edges to it."""
    for tensor in ctx._dirty:
        check_history(cls.__name__, tensor)
    view = next((t for t in ctx._dirty if t._meta is not None and t._meta.view is not None), None)
    if view is not None and sum(isinstance(out, Tensor) for out in outputs) > 1:
        raise RuntimeError(
            f"If your Function modifies inplace an input that is a view of another Tensor, as {cls.__name__} does, it "
            "cannot return more than one Tensor. Give it a clone() of the view, or split it into two Functions."
        )
    positions = [i for i, value in enumerate(inputs) if isinstance(value, Tensor)]
    kinds = [(o._array.shape, o._array.dtype) if isinstance(o, Tensor) else ((), None) for o in outputs]
    shape, dtype = kinds[0] if len(outputs) == 1 else (None, None)
    own_edges = tuple(edges[i] for i in positions)
    node: Any = new_node(None, None, own_edges, (), None, None, shape, dtype, _getframe(1), cls._node_class)
    node.ctx, node.positions = ctx, positions
    node.rare = Rare(None if len(outputs) == 1 else tuple(kinds), _pull_back)
    made, numbers = [], {}
    for k, out in enumerate(outputs):
        if _differentiable(ctx, out):
            out = _with_history(ctx, out, node if len(outputs) == 1 else Output(node, k), inputs, outputs)
            numbers[id(out)] = len(node.edges) + k
        else:
            out = _without_history(ctx, out, inputs)
        made.append(out)
    _save(node, [inputs[i] for i in node.positions], numbers, len(node.edges) + len(outputs))
    ctx._node = ref(node)
    return tuple(made)


def _with_history(ctx: FunctionCtx, out: Tensor, edge, inputs: tuple, outputs: tuple) -> Tensor:
    """An output that has come from `edge`: the tensor itself, except that an input becomes a view of itself."""
    if _one_of(out, ctx._dirty):
        take_history(out, edge)
        return out
    if _one_of(out, inputs):
        with no_grad():
            out = out.view(out.shape)
    out._edge = edge
    if out._meta is not None and out._meta.view is not None:
        alone = sum(_differentiable(ctx, other) for other in outputs) == 1
        out._meta.view.origin = "custom" if alone else "many"
        out._meta.view.count = out._cell.count  # what the forward wrote before is behind this edge
    return out


def _save(node: FunctionNode, inputs: list, numbers: dict, n_values: int) -> None:
    """Move what ctx was given to save into the node. An output is kept without its edge, which would be a cycle."""
    saves: list[int] = []
    saved: list[tuple] = []
    numbers = {**{id(value): i for i, value in reversed(list(enumerate(inputs)))}, **numbers}
    for k, tensor in enumerate(node.ctx._to_save):
        if tensor is None:
            saves.append(n_values)
            saved.append((None, FROZEN, 0, None))
            continue
        if not isinstance(tensor, Tensor):
            raise TypeError(
                f"save_for_backward can only save variables (tensors), but argument {k} is of type "
                f"{type(tensor).__name__}; set it as an attribute of ctx instead"
            )
        if tensor.is_inference():
            raise RuntimeError(
                f"Inference tensors cannot be saved for backward: argument {k} of save_for_backward in "
                f"{node.function.__name__}. Make a normal tensor of it with clone()."
            )
        number = numbers.get(id(tensor), n_values)
        is_output = len(inputs) <= number < n_values
        saves.append(number)
        saved.append((tensor._array, tensor._cell, tensor._cell.count, None if is_output else tensor))
    node.op = node.plan = HandWritten(node.function.__name__, n_values - len(inputs), tuple(saves))
    node.saved = tuple(saved)
    hooks = current_mode().saved_hooks
    if saved and isinstance(hooks, tuple):
        pack_saved(node, *hooks[:2])


# -- forward mode


def _push(cls, ctx: FunctionCtx, inputs: tuple, primals: tuple, outputs: tuple, level: int) -> tuple:
    """The outputs with the tangents that the jvp by hand makes of those of the inputs, zeros where one has none."""
    tangents = [tangent_of(value, level) for value in inputs]
    node = ctx._node() if ctx._node is not None else None
    for i, value in enumerate(primals):
        if tangents[i] is None and ctx._materialize and isinstance(value, Tensor) and value.is_floating_point():
            tangents[i] = wrap(np.zeros(value._array.shape, value._array.dtype))
    counts = [None if t is None else t._cell.count for t in tangents]
    ctx._pushing = True
    try:
        pushed = cls.jvp(ctx, *tangents)
    finally:
        ctx._pushing = False
    pushed = pushed if isinstance(pushed, tuple) else (pushed,)
    if len(pushed) != len(outputs):
        raise RuntimeError(
            f"{cls.__name__}.jvp returned an incorrect number of tangents (expected {len(outputs)}, got {len(pushed)}):"
            " one for each output of forward, None where there is none"
        )
    if node is not None:
        keep_tangents(node, level, [*(tangent_of(inputs[i], level) for i in node.positions), *pushed])
    duals = []
    for k, (out, tangent) in enumerate(zip(outputs, pushed)):
        place = next((j for j, primal in enumerate(primals) if primal is out), None)
        if tangent is not None:
            _check_tangent(cls.__name__, k, out, tangent)
        if place is None:
            _check_view(cls.__name__, out, tangent, primals, inputs, level)
            duals.append(out if tangent is None else with_tangent(out, level, tangent))
            continue
        duals.append(inputs[place])
        own = tangent_of(inputs[place], level)
        if tangent is not None and own is None:
            write_tangent(inputs[place], tangent, level)
        elif tangent is not None and (tangent is not own or own._cell.count == counts[place]):
            raise RuntimeError(
                f"{cls.__name__}: An inplace custom Function is not modifying the forward mode gradients inplace. If "
                "the forward is modifying an input inplace, then the jvp function must modify the corresponding "
                "gradient inplace and return it."
            )
    return tuple(duals)


def _check_view(name: str, out, tangent, primals: tuple, inputs: tuple, level: int) -> None:
    """Raise unless the tangent of a view of an input is a view of that input's tangent, so that writes reach both."""
    base = _base_of(out)
    own = None
    if base is not None:
        own = next((tangent_of(x, level) for p, x in zip(primals, inputs) if p is base or _base_of(p) is base), None)
    if own is None:
        return
    if _base_of(tangent) is None:
        raise RuntimeError(
            f"{name}: A custom Function's forward is returning a view (or an input as-is) but the jvp is not returning "
            "a view."
        )
    own_base = _base_of(own)
    if _base_of(tangent) is not (own if own_base is None else own_base):
        which = "given grad input" if own_base is None else "same base as the given grad input"
        raise RuntimeError(
            f"{name}: A custom Function is returning a view but the jvp is not returning a view of the {which}."
        )


def _base_of(value) -> Tensor | None:
    return value._base if isinstance(value, Tensor) else None


def _check_tangent(name: str, k: int, out, tangent) -> None:
    """Raise unless this is a tangent for output `k`."""
    if not isinstance(tangent, Tensor):
        raise RuntimeError(f"{name}.jvp: expected a tensor or None (got {type(tangent).__name__}) at position {k}")
    if not isinstance(out, Tensor) or not out.is_floating_point():
        raise RuntimeError(
            f"{name}.jvp: the output at index {k} is not differentiable, and a tangent was returned for it. You should "
            "return None at that position instead."
        )
    if tangent.shape != out.shape or tangent.dtype != out.dtype:
        raise RuntimeError(
            f"{name}.jvp returned an invalid tangent at index {k} - got {list(tangent.shape)} {tangent.dtype} but "
            f"expected {list(out.shape)} {out.dtype}"
        )


# -- the backward


def _pull_back(node: FunctionNode, cotangents, recorded: bool) -> list:
    """Call the backward by hand, and check what it returns: one gradient for each input that is a tensor."""
    cls, name = node.function, node.name()
    if cls.vjp is not Function.vjp and cls.backward is not Function.backward:
        raise RuntimeError(
            f"Implementing both 'backward' and 'vjp' for a custom Function is not allowed ({cls.__name__}). You should "
            "only implement one of them."
        )
    backward = cls.backward if cls.vjp is Function.vjp else cls.vjp
    outputs = [(node.shape, node.dtype)] if node.outputs is None else node.outputs
    results = backward(node.ctx, *[_shown(g, kind, node.ctx) for g, kind in zip(cotangents, outputs)])
    results = results if isinstance(results, tuple) else (results,)
    n = len(node.ctx.needs_input_grad)
    if len(results) < n or any(g is not None for g in results[n:]):
        raise RuntimeError(
            f"function {name} returned an incorrect number of gradients (expected {n}, got {len(results)}): one for "
            "each argument of forward, None where there is none"
        )
    for i, g in enumerate(results[:n]):
        if g is not None and i not in node.positions:
            raise RuntimeError(
                f"function {name} returned a gradient different than None at position {i + 1}, but the corresponding "
                "forward input was not a Variable (a tensor)"
            )
    gradients = [_checked(results[i], edge, k, name) for k, (i, edge) in enumerate(zip(node.positions, node.edges))]
    return gradients if recorded else [g if g is None else g._array for g in gradients]


def _shown(g, kind: tuple, ctx: FunctionCtx):
    """A cotangent as the backward gets it: zeros where none came, unless ctx wants None."""
    shape, dtype = kind
    if g is None:
        return wrap(np.zeros(shape, dtype)) if ctx._materialize and dtype is not None else None
    return g if isinstance(g, Tensor) else wrap(g)


def _checked(g, edge, k: int, name: str):
    """A gradient for input `k`, which may still have to be summed to the shape of the input; None if unused."""
    if g is None or edge is None:
        return None
    if not isinstance(g, Tensor):
        raise RuntimeError(f"{name}: expected Variable (a tensor) or None (got {type(g).__name__}) at position {k}")
    fits = g.ndim >= len(edge.shape) and all(n in (1, m) for n, m in zip(edge.shape[::-1], g.shape[::-1]))
    if not fits:
        raise RuntimeError(
            f"Function {name} returned an invalid gradient at index {k} - got {list(g.shape)} but expected shape "
            f"compatible with {list(edge.shape)}"
        )
    return g


# -- a backward that cannot be differentiated


def once_differentiable(backward):
    """Decorate a backward whose own ops cannot be differentiated: it runs unrecorded.

    Its results can still be used; differentiating them raises RuntimeError.

    >>> import autograd_core as ac
    >>> class Square(ac.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x * x
    ...     @staticmethod
    ...     @ac.autograd.function.once_differentiable
    ...     def backward(ctx, g):
    ...         x, = ctx.saved_tensors
    ...         return ac.tensor(2 * x.detach().numpy()) * g
    >>> x = ac.tensor(3.0, requires_grad=True)
    >>> ac.autograd.grad(Square.apply(x), x)
    (tensor(6.),)
    """

    @functools.wraps(backward)
    def unrecorded(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not (is_grad_enabled() and any(isinstance(g, Tensor) and g.requires_grad for g in grads)):
            return results
        results = results if isinstance(results, tuple) else (results,)
        return tuple(
            _End.apply(with_requires_grad(g.detach())) if isinstance(g, Tensor) and g.is_floating_point() else g
            for g in results
        )

    return unrecorded


class _End(Function):
    """The identity, whose backward refuses."""

    @staticmethod
    def forward(ctx, g):
        return g

    @staticmethod
    def backward(ctx, g):
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable; write its backward "
            "with tensor ops only, and take the mark away"
        )
