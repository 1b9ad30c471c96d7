"""The eager tensor: a value of one runtime. It has no mathematics; that is the session's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..core.dtypes import dtype
from ..core.tensor import Tensor
from . import arrays
from .checks import require
from .gradients import Gradients

if TYPE_CHECKING:
    from .runtime import EagerRuntime


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

    def __init__(self, tensor: Tensor, runtime: EagerRuntime, tracks: bool, leaf: bool):
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

    def runtime(self) -> EagerRuntime:
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
        return self._runtime._backward(engine, self, None)

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
        return self._runtime._backward(engine, self, cotangent)

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
        return self._runtime._detach(engine, self)

    def detach_into(self, runtime: EagerRuntime) -> EagerTensor:
        """The value as a constant of another runtime: the one way across. Stands for `x.detach_into(&rt)?`.

        >>> from autograd_core import eager
        >>> here, there = eager.EagerRuntime(), eager.EagerRuntime()
        >>> here.variable_from(1.0).detach_into(there).runtime() is there
        True
        """
        require("detach_into", "runtime", runtime, type(self._runtime))
        return runtime.constant_from(self._tensor._array)
