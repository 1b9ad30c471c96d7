"""The runtime: what opens sessions and guards, and computes derivatives of its tensors."""

from __future__ import annotations

from collections.abc import Callable

from ..core.tensor import Tensor, edge_of
from .checks import like
from .cpu_engine import borrowed
from .errors import InactiveInput, NonScalarGrad
from .guards import EagerNoGradGuard, EagerTraceCaptureGuard
from .passes import pulled_back, pushed_forward
from .session import EagerSession
from .tensor import Context, EagerTensor, check_kind


class EagerRuntime(Context):
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
        check_kind("grad", output)
        if output.shape != ():
            raise NonScalarGrad(output.shape)
        self._check("grad", output, wrt)
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
        self._check("vjp", output, wrt, cotangent)
        like("vjp", output, cotangent)
        return self._pull("vjp", engine, output, wrt, cotangent._tensor)

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
        self._check("jvp", output, wrt, tangent)
        like("jvp", wrt, tangent)
        with borrowed(engine, "jvp"):
            found = pushed_forward(engine, output._tensor, wrt._tensor, tangent._tensor) if wrt._leaf else None
            return self._derivative(found)

    def _pull(self, transform: str, engine, output, wrt, cotangent: Tensor | None) -> EagerTensor | None:
        with borrowed(engine, transform):
            edge = edge_of(wrt._tensor) if wrt._leaf else None
            if edge is None:
                return None
            found = pulled_back(transform, engine, output._tensor, cotangent, [edge], create_graph=True)
            return self._derivative(found.get(edge))

    def _derivative(self, found: Tensor | None) -> EagerTensor | None:
        return None if found is None else EagerTensor(found, self, tracks=True, leaf=False)


def _active(transform: str, wrt, found: EagerTensor | None) -> EagerTensor:
    if found is None:
        raise InactiveInput(transform, wrt)
    return found
