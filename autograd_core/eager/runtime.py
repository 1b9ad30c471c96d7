"""The runtime: which tensors belong together, which variables have slots, and the derivatives it computes of them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import count
from weakref import WeakSet

import numpy as np

from ..autograd.functional import pushforward
from ..core import engine as passes
from ..core.tensor import Tensor, edge_of, wrap
from ..ops.linear_algebra.matmul import LinAlgError
from . import arrays
from .checks import dtype_name
from .engine import REFUSALS, borrowed
from .errors import (
    AdRuleSource,
    ContextMismatch,
    DTypeMismatch,
    EagerError,
    InactiveInput,
    InvalidArgument,
    NonScalarGrad,
    NumericalFailure,
    ShapeMismatch,
    Unsupported,
    UnsupportedAdRule,
)
from .gradients import Gradients
from .guards import EagerNoGradGuard, EagerTraceCaptureGuard
from .recording import in_own_mode
from .session import EagerSession
from .tensor import EagerTensor

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


class EagerRuntime:
    """An explicit context of eager differentiation. Stands for `EagerRuntime::new()?`.

    It knows its variables, weakly, and owns no engine: every call that computes borrows one. Leaves come from
    `variable_from` and `constant_from`, mathematics from a session, gradients from `loss.backward(engine)`, which adds
    to slots, or from `grad`, `vjp` and `jvp`, which touch none and can be differentiated again.

    >>> from autograd_core import eager
    >>> rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
    >>> x = rt.variable_from([1.0, 2.0, 3.0])
    >>> with rt.session(engine) as s:
    ...     loss = s.reduce_sum(s.mul(x, x), None)
    >>> grads = loss.backward(engine)
    >>> x.grad()
    array([2., 4., 6.])
    """

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
        return f"EagerRuntime({self._id})"

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
        tensor = in_own_mode(wrap, array)
        if tracks:
            tensor.requires_grad_()
        return EagerTensor(tensor, self, tracks, leaf=True)

    # -- sessions and guards

    def session(self, engine) -> EagerSession:
        """A session that holds `engine` until its `with` block ends, or `close()`.

        Stands, with its block, for `rt.with_eager_session(&mut engine, |s| { .. })`.

        >>> from autograd_core import eager
        >>> rt = eager.EagerRuntime()
        >>> with rt.session(eager.CpuEngine.serial()) as s:
        ...     y = s.exp(rt.constant_from(0.0))
        >>> y.value()
        array(1.)
        """
        return EagerSession(self, borrowed(engine, "session"), engine)

    def with_eager_session(self, engine, callback: Callable):
        """`callback(s)` in a session that closes when it returns; its result, or its exception unchanged.

        Stands for `rt.with_eager_session(&mut engine, |s| { .. })?`.

        >>> from autograd_core import eager
        >>> rt = eager.EagerRuntime()
        >>> rt.with_eager_session(eager.CpuEngine.serial(), lambda s: s.exp(rt.constant_from(0.0))).value()
        array(1.)
        """
        with self.session(engine) as s:
            return callback(s)

    def no_grad(self) -> EagerNoGradGuard:
        """Stop recording in this thread, in all runtimes, while the guard is open: see `EagerNoGradGuard`.

        >>> from autograd_core import eager
        >>> rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
        >>> x = rt.variable_from(2.0)
        >>> with rt.no_grad(), rt.session(engine) as s:
        ...     y = s.mul(x, x)
        >>> len(y.backward(engine)), x.grad()
        (0, None)
        """
        return EagerNoGradGuard()

    def capture_trace(self) -> EagerTraceCaptureGuard:
        """Record operations on constants too, while the guard is open: see `EagerTraceCaptureGuard`.

        >>> from autograd_core import eager
        >>> rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
        >>> c = rt.constant_from(2.0)
        >>> with rt.capture_trace(), rt.session(engine) as s:
        ...     y = s.mul(c, c)
        >>> rt.grad(engine, y, c).value()
        array(4.)
        """
        return EagerTraceCaptureGuard()

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

    # -- functional derivatives

    def grad(self, engine, output: EagerTensor, wrt: EagerTensor) -> EagerTensor:
        """The gradient of a scalar with respect to a leaf, as a tensor that can be differentiated again.

        Stands for `rt.grad(&mut engine, &output, &wrt)?`; PyTorch's `autograd.grad(..., create_graph=True)`. No slot
        changes. NonScalarGrad first; ContextMismatch; InactiveInput where `output` does not depend on `wrt`, or only
        through what has no derivative, or `wrt` is no leaf.

        >>> from autograd_core import eager
        >>> rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
        >>> x = rt.variable_from(3.0)
        >>> with rt.session(engine) as s:
        ...     cube = s.mul(s.mul(x, x), x)
        >>> first = rt.grad(engine, cube, x)
        >>> first.value(), rt.grad(engine, first, x).value()
        (array(27.), array(18.))
        """
        return _active("grad", wrt, self.grad_optional(engine, output, wrt))

    def grad_optional(self, engine, output: EagerTensor, wrt: EagerTensor) -> EagerTensor | None:
        """`grad`, and None for an inactive input: never zeros. Stands for `rt.grad_optional(..)?`.

        >>> from autograd_core import eager
        >>> rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
        >>> x, unused = rt.variable_from(3.0), rt.variable_from(1.0)
        >>> rt.grad_optional(engine, x, x).value(), rt.grad_optional(engine, x, unused)
        (array(1.), None)
        """
        self._check_tensor("grad", output)
        if output.shape != ():
            raise NonScalarGrad(output.shape)
        return self._pull("grad", engine, output, wrt, None)

    def vjp(self, engine, output: EagerTensor, wrt: EagerTensor, cotangent: EagerTensor) -> EagerTensor:
        """vᵀJ for an output of any shape and a cotangent of the same; otherwise as `grad`.

        Stands for `rt.vjp(&mut engine, &output, &wrt, &cotangent)?`. ContextMismatch for output, wrt and cotangent in
        this order; DTypeMismatch, then ShapeMismatch, where the cotangent is not like the output.

        >>> from autograd_core import eager
        >>> rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
        >>> x, v = rt.variable_from([2.0, 3.0]), rt.constant_from([1.0, 2.0])
        >>> with rt.session(engine) as s:
        ...     y = s.mul(x, x)
        >>> rt.vjp(engine, y, x, v).value()
        array([ 4., 12.])
        """
        return _active("vjp", wrt, self.vjp_optional(engine, output, wrt, cotangent))

    def vjp_optional(self, engine, output: EagerTensor, wrt: EagerTensor, cotangent: EagerTensor) -> EagerTensor | None:
        """`vjp`, and None for an inactive input. Stands for `rt.vjp_optional(..)?`.

        >>> from autograd_core import eager
        >>> rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
        >>> x, unused, v = rt.variable_from(3.0), rt.variable_from(1.0), rt.constant_from(2.0)
        >>> rt.vjp_optional(engine, x, x, v).value(), rt.vjp_optional(engine, x, unused, v)
        (array(2.), None)
        """
        return self._pull("vjp", engine, output, wrt, cotangent)

    def jvp(self, engine, output: EagerTensor, wrt: EagerTensor, tangent: EagerTensor) -> EagerTensor:
        """J v: how the output moves when the leaf `wrt` moves by `tangent`, which is like the leaf; otherwise as `vjp`.

        Stands for `rt.jvp(&mut engine, &output, &wrt, &tangent)?`. Computed on the recorded trace, by two reverse
        passes: the transpose of u ↦ uᵀJ.

        >>> from autograd_core import eager
        >>> rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
        >>> x, v = rt.variable_from([2.0, 3.0]), rt.constant_from([1.0, 1.0])
        >>> with rt.session(engine) as s:
        ...     y = s.mul(x, x)
        >>> rt.jvp(engine, y, x, v).value()
        array([4., 6.])
        """
        return _active("jvp", wrt, self.jvp_optional(engine, output, wrt, tangent))

    def jvp_optional(self, engine, output: EagerTensor, wrt: EagerTensor, tangent: EagerTensor) -> EagerTensor | None:
        """`jvp`, and None for an inactive input. Stands for `rt.jvp_optional(..)?`.

        >>> from autograd_core import eager
        >>> rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
        >>> x, unused, v = rt.variable_from(3.0), rt.variable_from(1.0), rt.constant_from(2.0)
        >>> rt.jvp_optional(engine, x, x, v).value(), rt.jvp_optional(engine, x, unused, v)
        (array(2.), None)
        """
        for tensor in (output, wrt, tangent):
            self._check("jvp", tensor)
        _check_like("jvp", wrt, tangent)
        with borrowed(engine, "jvp"):
            if not _may_reach(output, wrt):
                return None
            return self._derivative(engine._run("jvp", _differentiating, "jvp", _push_forward, output, wrt, tangent))

    def _pull(self, transform: str, engine, output, wrt, cotangent) -> EagerTensor | None:
        for tensor in (output, wrt) if cotangent is None else (output, wrt, cotangent):
            self._check(transform, tensor)
        if cotangent is not None:
            _check_like(transform, output, cotangent)
        with borrowed(engine, transform):
            if not _may_reach(output, wrt):
                return None
            edge = edge_of(wrt._tensor)
            found = engine._run(transform, _differentiating, transform, _pass, output, cotangent, [edge], True)
            return self._derivative(found.get(edge))

    def _derivative(self, found: Tensor | None) -> EagerTensor | None:
        return None if found is None else EagerTensor(found, self, tracks=True, leaf=False)

    # -- what the methods of tensors and sessions ask of their runtime

    def _check(self, op: str, tensor) -> None:
        """Raise ContextMismatch for a tensor of another runtime, InvalidArgument for what is no EagerTensor."""
        self._check_tensor(op, tensor)
        if tensor._runtime is not self:
            raise ContextMismatch(self._id, tensor._runtime._id)

    @staticmethod
    def _check_tensor(op: str, tensor) -> None:
        if not isinstance(tensor, EagerTensor):
            raise InvalidArgument(
                op,
                f"invalid argument: {type(tensor).__name__} is no EagerTensor; bring it in with rt.constant_from(...)",
            )

    def _backward(self, engine, output: EagerTensor, cotangent: EagerTensor | None) -> Gradients:
        if cotangent is None:
            if output.shape != ():
                raise NonScalarGrad(output.shape)
        else:
            self._check("backward", cotangent)
            _check_like("backward", output, cotangent)
        with borrowed(engine, "backward"):
            if edge_of(output._tensor) is None:
                return Gradients({})
            with self._lock:
                variables = {variable._tensor._edge: variable for variable in self._variables}
            found = engine._run("backward", _differentiating, "backward", _pass, output, cotangent, [*variables], False)
            reached = {variables[edge]: arrays.read_only(g._array) for edge, g in found.items()}
            with self._lock:
                sums = {
                    x: g if x._gradient is None else arrays.read_only(np.asarray(x._gradient + g))
                    for x, g in reached.items()
                }
                for x, total in sums.items():
                    x._gradient = total
            return Gradients({x._key: g for x, g in reached.items()})

    def _detach(self, engine, tensor: EagerTensor) -> EagerTensor:
        with borrowed(engine, "detach"):
            return engine._run("detach", self.constant_from, tensor._tensor._array)


def _active(transform: str, wrt, found: EagerTensor | None) -> EagerTensor:
    if found is None:
        raise InactiveInput(transform, wrt)
    return found


def _may_reach(output: EagerTensor, wrt: EagerTensor) -> bool:
    """Whether there is a trace, and a leaf to look for in it."""
    return wrt._leaf and edge_of(wrt._tensor) is not None and edge_of(output._tensor) is not None


def _check_like(op: str, tensor: EagerTensor, seed: EagerTensor) -> None:
    if seed.dtype is not tensor.dtype:
        raise DTypeMismatch(op, f"dtype mismatch: expected {dtype_name(tensor.dtype)}, actual {dtype_name(seed.dtype)}")
    if seed.shape != tensor.shape:
        raise ShapeMismatch(op, f"incompatible shapes: lhs={list(tensor.shape)}, rhs={list(seed.shape)}")


# -- the passes, all of the one engine of this package


def _pass(output: EagerTensor, cotangent: EagerTensor | None, targets: list, again: bool) -> dict:
    """One reverse pass that consumes nothing: what arrives at the edges `targets`; recorded if wanted `again`."""
    seed = 1 if cotangent is None else cotangent._tensor.detach()
    return passes.gradients([(edge_of(output._tensor), seed)], targets, retain_graph=True, create_graph=again)


def _push_forward(output: EagerTensor, wrt: EagerTensor, tangent: EagerTensor) -> Tensor | None:
    """J v by two reverse passes. A map that is reached and does not move the output gives zeros."""
    rows, push = pushforward([output._tensor], [wrt._tensor])
    if rows[0] is None:
        return None
    (pushed,) = push([tangent._tensor.detach()], create_graph=True)
    return wrap(np.zeros_like(output._tensor._array)) if pushed is None else pushed


def _differentiating(transform: str, run: Callable, *args):
    """`run(*args)`; what a rule on the way refuses becomes an error of this runtime."""
    try:
        return in_own_mode(run, *args)
    except EagerError:
        raise
    except NotImplementedError as error:
        raise UnsupportedAdRule(transform, str(error)) from error
    except LinAlgError as error:
        raise NumericalFailure(f"{transform}: {error}") from error
    except REFUSALS as error:
        raise AdRuleSource(transform, error) from error
