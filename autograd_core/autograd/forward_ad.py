"""Forward mode: a dual tensor carries a tangent, a directional derivative of its value, which every op pushes on.

A dual is a tensor with a `Dual` in its meta: its primal, a tensor on the same memory, and its tangent. An op on duals
runs on the primals, as ever, and once more for the tangents:

* a linear op on them as it is;
* an elementwise op by its own rules, since its Jacobian is diagonal: the rule that takes a cotangent to an input takes
  the tangent of that input to the output, and what comes from the inputs is added;
* any other op through its rules, transposed twice.

Tangents are tensors, so reverse mode goes through them; and a node notes the tangents of what it saves, so forward mode
goes through the reverse pass. *Levels* nest: the primal of a dual, and its tangent, may be dual at an outer level. A
view of a dual has a view of its tangent, so that a write through it reaches both.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from ..core import call, write
from ..core.dtypes import HALF
from ..core.graph import node_of, rare_of, tick
from ..core.modes import ModeSwitch, current_mode, inference_mode, set_mode
from ..core.primitive import Primitive, in_single
from ..core.tensor import Dual, Meta, Tensor, edge_of, with_requires_grad, with_tangent, wrap
from ..core.view import replay
from ..ops.shapes.shape import expand
from .gradient import grad

UnpackedDualTensor = namedtuple("UnpackedDualTensor", "primal tangent")


class Level(ModeSwitch):
    """A context with a level of its own inside those around it; when it ends, its tangents are forgotten."""

    def _changes(self, outside):
        return {"levels": (*outside.levels, tick())}


class dual_level(Level):
    """A context in which duals can be made; when it ends, their tangents are forgotten. These do not nest; `func.jvp`
    does.

    Raises RuntimeError inside another one, or inside `func.jvp`.

    >>> import autograd_core as ac
    >>> import autograd_core.autograd.forward_ad as fwAD
    >>> with fwAD.dual_level():
    ...     x = fwAD.make_dual(ac.tensor(3.0), ac.tensor(1.0))
    ...     fwAD.unpack_dual(x * x).tangent
    tensor(6.)

    The gradient of a dual is dual: its tangent is a product of the Hessian with a vector.

    >>> w = ac.tensor(3.0, requires_grad=True)
    >>> with fwAD.dual_level():
    ...     x = fwAD.make_dual(w, ac.tensor(1.0))
    ...     (g,) = ac.autograd.grad(x**3, w)
    ...     fwAD.unpack_dual(g)
    UnpackedDualTensor(primal=tensor(27.), tangent=tensor(18.))
    """

    def _changes(self, outside):
        if outside.levels:
            raise RuntimeError(
                "Nested forward mode AD is not supported at the moment: leave the dual_level() (or func.jvp) around "
                "this one first, or nest func.jvp."
            )
        return super()._changes(outside)

    def __enter__(self) -> int:
        super().__enter__()
        return 0


def enter_dual_level() -> int:
    """Begin a level of forward mode, as a `dual_level()` block does; `exit_dual_level` ends it. Returns its number, 0.

    Raises RuntimeError inside another one, or inside `func.jvp`.

    >>> import autograd_core as ac
    >>> import autograd_core.autograd.forward_ad as fwAD
    >>> level = fwAD.enter_dual_level()
    >>> fwAD.unpack_dual(fwAD.make_dual(ac.tensor(3.0), ac.tensor(1.0)).square()).tangent
    tensor(6.)
    >>> fwAD.exit_dual_level(level=level)
    """
    return dual_level().__enter__()


def exit_dual_level(*, level: int | None = None) -> None:
    """End the level that `enter_dual_level` began; its tangents are forgotten.

    Raises RuntimeError where there is none, and for another `level` than 0.
    """
    outside = current_mode()
    if not outside.levels:
        raise RuntimeError("exit_dual_level: there is no level to exit; enter_dual_level() begins one")
    if level not in (None, 0):
        raise RuntimeError(
            "Trying to exit a forward AD level that was not the last one that was created. This is not supported. "
            f"The level is 0, not {level}."
        )
    set_mode(outside.but(levels=outside.levels[:-1]))


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """A dual tensor on the memory of `tensor`, with a tangent of the same shape and dtype.

    Raises RuntimeError outside a `dual_level()`, for a `level` other than its number, 0, where one of the two has a
    tangent already, and for a tangent of another shape or dtype; ValueError where one of the two is not floating.

    >>> import autograd_core as ac
    >>> import autograd_core.autograd.forward_ad as fwAD
    >>> with fwAD.dual_level():
    ...     x = fwAD.make_dual(ac.tensor([1.0, 2.0]), ac.tensor([1.0, 0.0]))
    ...     fwAD.unpack_dual(x.exp()).tangent
    tensor([2.7183, 0.0000])
    """
    levels = current_mode().levels
    if not levels or not _is_current(level):
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first."
        )
    if tangent_of(tensor) is not None:
        raise RuntimeError(
            "Making a dual Tensor based on a Tensor that already has a tangent at this level is not supported; take "
            "unpack_dual(tensor).primal"
        )
    if tangent_of(tangent) is not None:
        raise RuntimeError(
            "Trying to set a forward gradient that has a forward gradient at the same level; take "
            "unpack_dual(tangent).primal"
        )
    if not tensor.is_floating_point() or not tangent.is_floating_point():
        which, kind = ("tangent", tangent.dtype) if tensor.is_floating_point() else ("primal", tensor.dtype)
        raise ValueError(f"Expected {which} to be floating point or complex, but got: {kind}")
    if tangent.shape != tensor.shape:
        raise RuntimeError(
            "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not "
            f"supported. Tensor is of size {list(tensor.shape)} while the given forward gradient is of size "
            f"{list(tangent.shape)}."
        )
    if tangent.dtype != tensor.dtype:
        raise RuntimeError(f"Expected tangent to have the primal's dtype, {tensor.dtype}, got {tangent.dtype}")
    return with_tangent(tensor, levels[-1], tangent)


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """A view of a tensor without its tangent, and the tangent: None for a tensor that has none at this level.

    >>> import autograd_core as ac
    >>> import autograd_core.autograd.forward_ad as fwAD
    >>> fwAD.unpack_dual(ac.tensor(1.0))
    UnpackedDualTensor(primal=tensor(1.), tangent=None)
    """
    if not _is_current(level) or not current_mode().levels:
        return UnpackedDualTensor(tensor, None)
    return UnpackedDualTensor(primal_of(tensor).view_as(tensor), tangent_of(tensor))


def _is_current(level: int | None) -> bool:
    """Whether PyTorch's number of a level means the innermost: it is 0, since levels of `dual_level` do not nest."""
    return level in (None, 0)


def level_of(values) -> int | None:
    """The innermost living level at which one of the values has a tangent."""
    found = [dual.level for dual in map(_dual_of, values) if dual is not None]
    return max(found, default=None)


def primal_of(value, level: int | None = None):
    """A value without its tangent at `level`, by default the innermost one; tangents of outer levels stay."""
    dual = _dual_of(value)
    return value if dual is None or dual.level != _or_innermost(level) else dual.primal


def tangent_of(value, level: int | None = None) -> Tensor | None:
    """The tangent that a value has at `level`, by default the innermost one."""
    dual = _dual_of(value)
    return None if dual is None or dual.level != _or_innermost(level) else dual.tangent


def _or_innermost(level: int | None) -> int | None:
    return level if level is not None else (current_mode().levels or (None,))[-1]


def write_tangent(tensor: Tensor, tangent: Tensor, level: int) -> None:
    """Note that what was written into a tensor has this tangent."""
    own = tangent_of(tensor, level)
    (_give_tangent(tensor, level) if own is None else own).copy_(tangent)


def _dual_of(value) -> Dual | None:
    """The tangent of a value at the innermost living level where it has one.

    A dual of a level that has ended becomes the primal it was made from, and a view that was cut out before its base
    got a tangent gets its part of that.
    """
    meta = value._meta if isinstance(value, Tensor) else None
    if meta is None:
        return None
    living = current_mode().levels
    if meta.dual is not None and meta.dual.level not in living:
        value._edge, value._meta = edge_of(meta.dual.primal), meta.dual.primal._meta
        return _dual_of(value)
    of_base = meta.view.base._meta if meta.view is not None else None
    if of_base is not None and of_base.dual is not None:
        if of_base.dual.level in living:
            _give_tangent(value, of_base.dual.level)
        else:
            meta.view.base = of_base.dual.primal
    return value._meta.dual


def _still(value):
    """The tangent of what does not move."""
    return _zeros(value) if isinstance(value, Tensor) else None if value is None else 0.0


def _zeros(tensor: Tensor) -> Tensor:
    return wrap(np.zeros(tensor._array.shape, tensor._array.dtype))


def _call(primitive: Primitive, inputs, params):
    """The op on its inputs, the group of a star op gathered again."""
    if primitive.star:
        n = len(primitive.inputs) - 1
        return primitive.function(*inputs[:n], inputs[n:], **params)
    return primitive.function(*inputs, **params)


def _sequence(result) -> tuple:
    return result if isinstance(result, tuple) else (result,)


def _apply(primitive: Primitive, inputs: list, params: dict):
    """An op of which an input is dual, or was."""
    level = level_of(inputs)
    if level is None:
        return _call(primitive, inputs, params)
    primals, tangents = [primal_of(v, level) for v in inputs], [tangent_of(v, level) for v in inputs]
    result = _call(primitive, primals, params)
    if primitive.kind == "nondiff":
        return result
    outs = _sequence(result)
    pushed = _push(primitive, primals, tangents, outs, params)
    keep_tangents(node_of(outs[0]._edge) if outs else None, level, [*tangents, *pushed])
    duals = [o if t is None else with_tangent(o, level, t) for o, t in zip(outs, pushed)]
    return primitive.result_type(*duals) if primitive.result_type else tuple(duals) if primitive.many else duals[0]


def keep_tangents(node, level: int, tangents: list) -> None:
    """Note on the node of an op the tangents of what it saves; `tangents` are those of its inputs, then its outputs.

    A residual has none: rules treat it as a constant.
    """
    if node is None:
        return
    for k, j in enumerate(node.plan.saves):
        if j < len(tangents) and tangents[j] is not None:
            rare_of(node).tangents.setdefault(k, []).append((level, tangents[j]))


def _push(primitive: Primitive, primals: list, tangents: list, outs: tuple, params: dict) -> tuple:
    """The tangents of the outputs: None for one that is not floating."""
    if primitive.kind == "linear":
        last = len(primitive.rules) - 1
        directions = [
            p if primitive.rules[min(i, last)] is None else _still(p) if t is None else t
            for i, (p, t) in enumerate(zip(primals, tangents))
        ]
        return _sequence(_call(primitive, directions, params))
    if primitive.kind == "elementwise" and not (primitive.star or primitive.residuals or len(outs) > 1):
        return (_by_rules(primitive, primals, tangents, outs[0], params),)
    return _transposed_twice(primitive, primals, tangents, params)


def _by_rules(primitive: Primitive, primals: list, tangents: list, out: Tensor, params: dict) -> Tensor | None:
    """Σ (∂out/∂input) tangent, each term the rule of that input."""
    if not out.is_floating_point():
        return None
    known = {**primitive.params, **params, **dict(zip(primitive.inputs, primals)), primitive.outputs[0]: out}
    for name, value in zip(primitive.inputs, primals):
        if isinstance(value, Tensor):
            known |= {f"{name}_shape": tuple(value.shape), f"{name}_dtype": value._array.dtype}
    total = None
    for rule, tangent in zip(primitive.rules, tangents):
        if rule is not None and tangent is not None:
            names = primitive.rule_names[rule][1:]
            rule = in_single(rule) if out._array.dtype == HALF else rule
            term = rule(tangent, *[known[name] for name in names])
            total = term if total is None else total + term
    if total is None:
        return _zeros(out)
    total = total if total.shape == out.shape else expand(total, out.shape).clone()
    return total if total.dtype == out.dtype else total.to(out.dtype)


def _transposed_twice(primitive: Primitive, primals: list, tangents: list, params: dict) -> tuple:
    """vᵀJ is linear in v; the transpose of that linear map, applied to the tangents, is J times the tangents."""
    with inference_mode(False):  # also records
        last = len(primitive.rules) - 1
        moving = [i for i, t in enumerate(tangents) if t is not None and primitive.rules[min(i, last)] is not None]
        points = list(primals)
        for i in moving:  # stand-ins: a gradient must not come through another operand, or count a repeated one twice
            p = primals[i]
            points[i] = p.view_as(p) if p.requires_grad else with_requires_grad(p.detach())
        outs = _sequence(_call(primitive, points, params))
        if not moving:
            return (None,) * len(outs)
        seeds = {k: with_requires_grad(_zeros(o)) for k, o in enumerate(outs) if o.is_floating_point()}
        gradients = grad(
            [outs[k] for k in seeds],
            [points[i] for i in moving],
            list(seeds.values()),
            create_graph=True,
            materialize_grads=True,
        )
        pairs = [(g, tangents[i]) for g, i in zip(gradients, moving) if g.requires_grad]
        if not pairs:
            return tuple(_zeros(o) if k in seeds else None for k, o in enumerate(outs))
        pushed = grad(
            [g for g, _ in pairs],
            list(seeds.values()),
            [t for _, t in pairs],
            create_graph=True,
            materialize_grads=True,
        )
    tracked = any(
        t is not None and t.requires_grad for t in [*(p for p in primals if isinstance(p, Tensor)), *tangents]
    )
    found = dict(zip(seeds, pushed if tracked else [p.detach() for p in pushed]))
    return tuple(found.get(k) for k in range(len(outs)))


def _write(primitive: Primitive, self: Tensor, inputs: list, params: dict) -> Tensor:
    """An in-place op of which an operand is dual: the value is written as ever, then the tangent of the destination."""
    level = level_of(inputs)
    if level is None:
        write.write(primitive, inputs[0], tuple(inputs[1:]), params)
        return self
    primals, tangents = [primal_of(v, level) for v in inputs], [tangent_of(v, level) for v in inputs]
    destination = primals[0]
    if tangents[0] is not None:
        tangents[0] = tangents[0].clone()  # the write is about to overwrite it
    kept = [p.clone() if isinstance(p, Tensor) and p._cell is destination._cell else p for p in primals]
    pushed = _push(primitive, kept, tangents, _sequence(_call(primitive, kept, params)), params)[0]
    write.write(primitive, destination, tuple(primals[1:]), params)
    keep_tangents(_node_of_write(destination), level, [*tangents, pushed])
    if pushed is not None:
        write_tangent(self, pushed, level)
    return self


def _node_of_write(written: Tensor):
    """The node of the op whose result was just written; through a view, it stands behind the one of its base."""
    view = written._meta.view if written._meta is not None else None
    node = node_of(written._edge if view is None else view.base._edge)
    return node if view is None or node is None else node_of(node.edges[1])


def _give_tangent(tensor: Tensor, level: int) -> Tensor:
    """Make a tensor dual, with a tangent of zeros to be written into, and the base that it is a view of."""
    meta = tensor._meta
    primal = wrap(tensor._array, tensor._edge, tensor._cell)
    primal._meta = meta
    view = meta.view if meta is not None else None
    if view is None:
        tangent = _zeros(tensor)
    else:
        if tangent_of(view.base, level) is None:
            _give_tangent(view.base, level)
        tangent = replay(tangent_of(view.base, level), view.chain)
        view.base = primal_of(view.base, level)  # which keeps the history
    tensor._meta = Meta(dual=Dual(level, primal, tangent))
    return tangent


call.on_dual.append(_apply)
write.on_dual_write.append(_write)
