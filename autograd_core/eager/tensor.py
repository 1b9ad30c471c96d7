"""Eager tensors, and the context they belong to: leaves, and the slots that a backward pass fills.

A tensor has no mathematics; that is the session's. A context is as much of a runtime as its tensors know.
"""

from __future__ import annotations

import threading
from itertools import count
from typing import Any
from weakref import WeakSet

import numpy as np

from ..core.dtypes import dtype
from ..core.modes import inference_mode
from ..core.tensor import Tensor, wrap
from . import arrays
from .checks import dtype_name, like, require
from .cpu_engine import borrowed
from .errors import ContextMismatch, InvalidArgument, NonScalarGrad, Unsupported
from .gradients import Gradients
from .passes import pulled_back

_next_id = count(1).__next__


class ContextId(int):
    """The number of a runtime, unique in the process; printed as upstream.

    >>> from autograd_core.eager import ContextId
    >>> ContextId(10)
    ctx@a
    """

    def __repr__(self) -> str:
        return f"ctx@{int(self):x}"

    __str__ = __repr__


class Context:
    """What the tensors of one runtime have in common: a number, and the variables among them, which it knows weakly."""

    def __init__(self):
        self._id = ContextId(_next_id())
        self._variables: WeakSet[EagerTensor] = WeakSet()
        self._lock = threading.RLock()

    def id(self) -> ContextId:
        """The number by which errors name this runtime. Stands for `rt.id()`.

        >>> from autograd_core import eager
        >>> eager.EagerRuntime().id() == eager.EagerRuntime().id()
        False
        """
        return self._id

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._id})"

    # -- leaves

    def variable_from(self, data) -> EagerTensor:
        """A leaf that gradients are computed for: a copy of an array, of nested lists or of a number.

        Stands for `rt.variable_from(tensor)?`; PyTorch's `requires_grad=True`. Unsupported for anything but floats.

        >>> from autograd_core import eager
        >>> eager.EagerRuntime().variable_from([1.0, 2.0]).tracks_grad()
        True
        """
        array = arrays.taken_in("variable_from", data)
        if array.dtype.kind != "f":
            raise Unsupported(
                "variable_from", f"a variable of {dtype_name(array.dtype)}; write the numbers with a decimal point"
            )
        variable = self._leaf(array, tracks=True)
        with self._lock:
            self._variables.add(variable)
        return variable

    def constant_from(self, data) -> EagerTensor:
        """A leaf without a slot. Stands for `rt.constant_from(tensor)?`.

        `backward` never reaches it. The functional transforms do, where it fed a recorded operation.

        >>> from autograd_core import eager
        >>> eager.EagerRuntime().constant_from([1, 2]).dtype
        autograd_core.int64
        """
        return self._leaf(arrays.taken_in("constant_from", data), tracks=False)

    def _leaf(self, array: np.ndarray, tracks: bool) -> EagerTensor:
        with inference_mode(False):
            tensor = wrap(array)
        if tracks:
            tensor.requires_grad_()
        return EagerTensor(tensor, self, tracks, leaf=True)

    # -- slots

    def clear_grads(self) -> None:
        """Empty the slots of all living variables. Stands for `rt.clear_grads()?`.

        >>> from autograd_core import eager
        >>> rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
        >>> x = rt.variable_from(3.0)
        >>> _ = x.backward(engine)
        >>> rt.clear_grads()
        >>> x.grad() is None
        True
        """
        with self._lock:
            for variable in self._variables:
                variable._gradient = None

    # -- what belongs here

    def _check(self, op: str, *tensors) -> None:
        """Raise ContextMismatch for a tensor of another runtime, InvalidArgument for what is no EagerTensor."""
        for tensor in tensors:
            check_kind(op, tensor)
            if tensor._runtime is not self:
                raise ContextMismatch(self._id, tensor._runtime._id)


class EagerTensor:
    """A value that belongs to an `EagerRuntime`, and perhaps the trace of how it was computed.

    `rt.variable_from` and `rt.constant_from` make leaves, the operations of a session everything else. There are no
    operators: `x * y` is `s.mul(x, y)`. Values never change. A variable has a slot, into which `backward` adds.

    >>> from autograd_core import eager
    >>> rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
    >>> x = rt.variable_from([3.0, 4.0])
    >>> with rt.session(engine) as s:
    ...     loss = s.reduce_sum(s.mul(x, x), None)
    >>> _ = loss.backward(engine)
    >>> x.grad(), loss.grad()
    (array([6., 8.]), None)
    """

    __slots__ = ("__weakref__", "_gradient", "_key", "_leaf", "_runtime", "_tensor", "_tracks")

    def __init__(self, tensor: Tensor, runtime: Context, tracks: bool, leaf: bool):
        self._tensor, self._runtime, self._tracks, self._leaf = tensor, runtime, tracks, leaf
        self._gradient: np.ndarray | None = None
        self._key = object()

    from_vec_col_major = staticmethod(arrays.from_vec_col_major)

    # -- the value

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each axis; `()` for a scalar. Stands for `x.shape()`."""
        return self._tensor._array.shape

    @property
    def dtype(self) -> dtype:
        """The element type, such as `ac.float64`. Stands for `x.dtype()`."""
        return self._tensor.dtype

    def value(self) -> np.ndarray:
        """The value as an array that cannot be written, memory shared. Stands for the guard of `x.value()?`.

        >>> from autograd_core import eager
        >>> eager.EagerRuntime().constant_from([[1.0, 2.0]]).value()
        array([[1., 2.]])
        """
        return arrays.read_only(self._tensor._array)

    def runtime(self) -> Any:  # the EagerRuntime, which is built upon this module
        """The runtime it belongs to, which lives as long as any of its tensors. Stands for `x.runtime()`.

        >>> from autograd_core import eager
        >>> rt = eager.EagerRuntime()
        >>> rt.constant_from(1.0).runtime() is rt
        True
        """
        return self._runtime

    def same_context(self, other: EagerTensor) -> bool:
        """Whether both belong to one runtime. Stands for `x.same_context(&y)`.

        >>> from autograd_core import eager
        >>> rt = eager.EagerRuntime()
        >>> rt.constant_from(1.0).same_context(rt.variable_from(2.0))
        True
        """
        return self._runtime is other._runtime

    def __repr__(self) -> str:
        return (
            f"EagerTensor(shape={list(self.shape)}, dtype={self.dtype.name}, tracks_grad={self._tracks}, "
            f"{self._runtime.id()})"
        )

    # -- gradients

    def tracks_grad(self) -> bool:
        """Whether it is a variable, or was recorded from one, or is a derivative. PyTorch's `requires_grad`.

        It is this tensor's own flag. What `rt.grad` returns has it even for a linear function, whose gradient is
        constant.

        >>> from autograd_core import eager
        >>> rt = eager.EagerRuntime()
        >>> rt.variable_from(1.0).tracks_grad(), rt.constant_from(1.0).tracks_grad()
        (True, False)
        """
        return self._tracks

    def backward(self, engine) -> Gradients:
        """Add the gradient of this scalar to the slots of all variables of the runtime that it was computed from.

        Stands for `loss.backward(&mut engine)?`. Nothing is consumed: a second call adds the same bits again. Where
        nothing was recorded the result is empty and no slot changes; `tracks_grad()` tells before, `len()` of the
        result after.

        NonScalarGrad where the shape is not [], [1] included; this is asked first, whatever was recorded.

        >>> from autograd_core import eager
        >>> rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
        >>> x = rt.variable_from(3.0)
        >>> with rt.session(engine) as s:
        ...     y = s.mul(x, x)
        >>> y.backward(engine), y.backward(engine), x.grad()
        (Gradients(len=1), Gradients(len=1), array(12.))
        """
        if self.shape != ():
            raise NonScalarGrad(self.shape)
        return self._fill_slots(engine, None)

    def backward_with(self, engine, cotangent: EagerTensor) -> Gradients:
        """`backward` from an output of any shape, weighted by `cotangent`. PyTorch's `backward(gradient=v)`.

        Stands for `p.backward_with(&mut engine, &v)?`. The cotangent is of the same runtime (else ContextMismatch), of
        exactly this dtype (DTypeMismatch) and shape (ShapeMismatch), asked in this order; it is taken as a constant.

        >>> from autograd_core import eager
        >>> rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
        >>> x, v = rt.variable_from([2.0, 3.0]), rt.constant_from([1.0, 2.0])
        >>> with rt.session(engine) as s:
        ...     y = s.mul(x, x)
        >>> y.backward_with(engine, v)[x]
        array([ 4., 12.])
        """
        self._runtime._check("backward", cotangent)
        like("backward", self, cotangent)
        return self._fill_slots(engine, cotangent._tensor)

    def _fill_slots(self, engine, cotangent: Tensor | None) -> Gradients:
        runtime = self._runtime
        with borrowed(engine, "backward"):
            with runtime._lock:
                variables = {x._tensor._edge: x for x in runtime._variables}
            found = pulled_back("backward", engine, self._tensor, cotangent, [*variables], create_graph=False)
            reached = {variables[edge]: arrays.read_only(g._array) for edge, g in found.items()}
            with runtime._lock:
                sums = {
                    x: g if x._gradient is None else arrays.read_only(np.asarray(x._gradient + g))
                    for x, g in reached.items()
                }
                for x, total in sums.items():
                    x._gradient = total
            return Gradients({x._key: g for x, g in reached.items()})

    def grad(self) -> np.ndarray | None:
        """What `backward` has added so far, as an array that cannot be written; None where nothing arrived.

        Stands for `x.grad()?`, a terminal value: to differentiate again, use `rt.grad`. Always None for what is no
        variable, without a warning; there is no `retain_grad`.

        >>> from autograd_core import eager
        >>> x = eager.EagerRuntime().variable_from(3.0)
        >>> _ = x.backward(eager.CpuEngine.serial())
        >>> x.grad()
        array(1.)
        """
        return self._gradient

    def clear_grad(self) -> None:
        """Empty the slot of this variable. Stands for `x.clear_grad()?`; PyTorch's `x.grad = None`.

        >>> from autograd_core import eager
        >>> x = eager.EagerRuntime().variable_from(3.0)
        >>> _ = x.backward(eager.CpuEngine.serial())
        >>> x.clear_grad()
        >>> x.grad() is None
        True
        """
        with self._runtime._lock:
            self._gradient = None

    def detach(self, engine) -> EagerTensor:
        """A constant with a copy of the value. Stands for `x.detach(&mut engine)?`.

        >>> from autograd_core import eager
        >>> rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
        >>> rt.variable_from(1.0).detach(engine).tracks_grad()
        False
        """
        with borrowed(engine, "detach"):
            return engine._run("detach", self._runtime.constant_from, self._tensor._array)

    def detach_into(self, runtime: Context) -> EagerTensor:
        """The value as a constant of another runtime: the one way across. Stands for `x.detach_into(&rt)?`.

        >>> from autograd_core import eager
        >>> here, there = eager.EagerRuntime(), eager.EagerRuntime()
        >>> here.variable_from(1.0).detach_into(there).runtime() is there
        True
        """
        require("detach_into", "runtime", runtime, type(self._runtime))
        return runtime.constant_from(self._tensor._array)


def check_kind(op: str, tensor) -> None:
    """InvalidArgument for what is no EagerTensor."""
    if not isinstance(tensor, EagerTensor):
        raise InvalidArgument(
            op,
            f"invalid argument: {type(tensor).__name__} is no EagerTensor; bring it in with rt.constant_from(...)",
        )
