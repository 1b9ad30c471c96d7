"""Forward mode: a dual tensor carries a tangent, a directional derivative of its value, which every op pushes on.

A dual is a tensor with a `Dual` in its meta: its primal, an ordinary tensor on the same memory, and its tangent. An op
on duals runs on the primals, as ever, and once more for the tangents: a linear op on them as it is, any other through
its rules, transposed twice. Tangents are tensors, so reverse mode goes through them. A view of a dual has a view of its
tangent, so that a write through it reaches both.
"""

from __future__ import annotations

from collections import namedtuple
from contextvars import ContextVar

import numpy as np

from .. import calling, views
from ..graph import tick
from ..modes import enable_grad
from ..primitive import Primitive
from ..tensor import Dual, Meta, Tensor, edge_of, wrap
from .gradient import grad

UnpackedDualTensor = namedtuple("UnpackedDualTensor", "primal tangent")
_level: ContextVar = ContextVar("autograd_core.dual_level", default=None)


class dual_level:
    """A context in which duals can be made; when it ends, their tangents are forgotten. Levels do not nest.

    A gradient computed inside carries no tangent, unlike PyTorch's. For second derivatives take the gradient of a
    tangent, or `func.jvp` of `func.grad`.

    >>> import autograd_core as ac
    >>> import autograd_core.autograd.forward_ad as fwAD
    >>> with fwAD.dual_level():
    ...     x = fwAD.make_dual(ac.tensor(3.0), ac.tensor(1.0))
    ...     fwAD.unpack_dual(x * x).tangent
    tensor(6.)
    """

    def __enter__(self):
        if _level.get() is not None:
            raise RuntimeError("Nested forward mode AD is not supported: leave the dual_level() around this one first")
        _level.set(tick())
        return self

    def __exit__(self, *_exception) -> None:
        _level.set(None)


def make_dual(tensor: Tensor, tangent: Tensor) -> Tensor:
    """A dual tensor on the memory of `tensor`, with a tangent of the same shape and dtype.

    Raises RuntimeError outside a `dual_level()`, for a tensor that has a tangent already, and for a tangent of another
    shape or dtype; ValueError where one of the two is not floating.

    >>> import autograd_core as ac
    >>> import autograd_core.autograd.forward_ad as fwAD
    >>> with fwAD.dual_level():
    ...     x = fwAD.make_dual(ac.tensor([1.0, 2.0]), ac.tensor([1.0, 0.0]))
    ...     fwAD.unpack_dual(x.exp()).tangent
    tensor([2.7183, 0.0000])
    """
    if _level.get() is None:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first."
        )
    if tangent_of(tensor) is not None:
        raise RuntimeError(
            "Making a dual Tensor based on a Tensor that already has a tangent at this level is not supported; take "
            "unpack_dual(tensor).primal"
        )
    if not tensor.is_floating_point() or not tangent.is_floating_point():
        raise ValueError(f"Expected primal and tangent to be floating point, got {tensor.dtype} and {tangent.dtype}")
    if tangent.shape != tensor.shape or tangent.dtype != tensor.dtype:
        raise RuntimeError(
            f"Expected tangent to have the primal's shape and dtype, {list(tensor.shape)} {tensor.dtype}, got "
            f"{list(tangent.shape)} {tangent.dtype}"
        )
    return with_tangent(tensor, tangent)


def unpack_dual(tensor: Tensor) -> UnpackedDualTensor:
    """The value of a tensor without its tangent, and the tangent: None for a tensor that has none at this level.

    >>> import autograd_core as ac
    >>> import autograd_core.autograd.forward_ad as fwAD
    >>> fwAD.unpack_dual(ac.tensor(1.0))
    UnpackedDualTensor(primal=tensor(1.), tangent=None)
    """
    return UnpackedDualTensor(primal_of(tensor), tangent_of(tensor))


def with_tangent(primal: Tensor, tangent: Tensor) -> Tensor:
    """The dual of the present level."""
    dual = wrap(primal._array, edge_of(primal), primal._cell)
    dual._meta = Meta(inference=primal.is_inference(), dual=Dual(_level.get(), primal, tangent))
    return dual


def primal_of(value):
    """A value of a call without its tangent."""
    dual = _dual_of(value)
    return value if dual is None else dual.primal


def tangent_of(value) -> Tensor | None:
    """The tangent that a value of a call has at the present level."""
    dual = _dual_of(value)
    return dual.tangent if dual is not None and dual.level == _level.get() else None


def write_tangent(tensor: Tensor, tangent: Tensor) -> None:
    """Note that what was written into a tensor has this tangent."""
    own = tangent_of(tensor)
    (_give_tangent(tensor) if own is None else own).copy_(tangent)


def _dual_of(value) -> Dual | None:
    """A view that was cut out before its base got a tangent gets its part of that first."""
    meta = value._meta if isinstance(value, Tensor) else None
    if meta is None:
        return None
    of_base = meta.view.base._meta if meta.view is not None else None
    if of_base is not None and of_base.dual is not None:
        if of_base.dual.level == _level.get():
            _give_tangent(value)
        else:
            meta.view.base = of_base.dual.primal
    return value._meta.dual


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
    """An op of which an input is dual."""
    primals, tangents = [primal_of(v) for v in inputs], [tangent_of(v) for v in inputs]
    result = _call(primitive, primals, params)
    if primitive.kind == "nondiff" or all(t is None for t in tangents):
        return result
    outs = _sequence(result)
    pushed = _push(primitive, primals, tangents, params)
    duals = [o if t is None else with_tangent(o, t) for o, t in zip(outs, pushed)]
    return primitive.result_type(*duals) if primitive.result_type else tuple(duals) if primitive.many else duals[0]


def _push(primitive: Primitive, primals: list, tangents: list, params: dict) -> tuple:
    """The tangents of the outputs: None for one that is not floating."""
    if primitive.kind == "linear":
        last = len(primitive.rules) - 1
        directions = [
            t if t is not None else _zeros(p) if isinstance(p, Tensor) and primitive.rules[min(i, last)] else p
            for i, (p, t) in enumerate(zip(primals, tangents))
        ]
        return _sequence(_call(primitive, directions, params))
    return _transposed_twice(primitive, primals, tangents, params)


def _transposed_twice(primitive: Primitive, primals: list, tangents: list, params: dict) -> tuple:
    """vᵀJ is linear in v; the transpose of that linear map, applied to the tangents, is J times the tangents."""
    with enable_grad():
        moving = [i for i, t in enumerate(tangents) if t is not None]
        points = list(primals)
        for i in moving:  # stand-ins: a gradient must not come through another operand, or count a repeated one twice
            p = primals[i]
            points[i] = p.view_as(p) if p.requires_grad else p.detach().requires_grad_()
        outs = _sequence(_call(primitive, points, params))
        seeds = {k: _zeros(o).requires_grad_() for k, o in enumerate(outs) if o.is_floating_point()}
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
    primals, tangents = [primal_of(v) for v in inputs], [tangent_of(v) for v in inputs]
    moves = any(t is not None for t in tangents)
    pushed = _push(primitive, primals, tangents, params)[0] if moves else None
    views.write(primitive, primals[0], tuple(primals[1:]), params)
    if pushed is not None:
        write_tangent(self, pushed)
    return self


def _give_tangent(tensor: Tensor) -> Tensor:
    """Make a tensor dual, with a tangent of zeros to be written into, and the base that it is a view of."""
    meta = tensor._meta
    primal = wrap(tensor._array, tensor._edge, tensor._cell)
    primal._meta = meta
    view = meta.view if meta is not None else None
    if view is None:
        tangent = _zeros(tensor)
    else:
        if tangent_of(view.base) is None:
            _give_tangent(view.base)
        tangent = views.replay(tangent_of(view.base), view.chain)
        view.base = primal_of(view.base)  # which keeps the history
    tensor._meta = Meta(dual=Dual(_level.get(), primal, tangent))
    return tangent


calling.on_dual.append(_apply)
views.on_dual_write.append(_write)
