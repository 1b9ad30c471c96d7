"""The session: all operations of a runtime, on an engine that it holds until it closes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..core.tensor import Tensor
from .checks import require
from .composites import Composites
from .einsum import Einsum
from .elementwise import Elementwise
from .indexing import Indexing
from .linalg_ext import Linalg
from .reductions import Reductions
from .shapes import Shapes
from .tensor import EagerTensor


class EagerSession(Elementwise, Reductions, Shapes, Indexing, Composites, Einsum, Linalg):
    """What `rt.session(engine)` opens, and what `rt.with_eager_session(engine, callback)` hands to its callback.

    All mathematics of the explicit runtime are its methods. They take tensors of this runtime and return new ones. Each
    asks first whether the session is open (RuntimeState), then whether every tensor is of this runtime
    (ContextMismatch), then whether shapes, axes and types fit (Validation). An operation is recorded if a tensor tracks
    and no `no_grad()` is open in the thread.

    It is open from its creation until its `with` block ends, until `close()`, or until nothing refers to it any more.

    >>> from autograd_core import eager
    >>> rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
    >>> x = rt.variable_from([1.0, 2.0])
    >>> with rt.session(engine) as s:
    ...     y = s.sin(s.mul(x, x))
    >>> y.tracks_grad(), y.shape
    (True, (2,))
    >>> s.sin(x)
    Traceback (most recent call last):
    ...
    autograd_core.eager.errors.RuntimeState: sin (Execution): runtime state failure: the session is closed; ...
    """

    # -- leaves and values

    def constant_from(self, data) -> EagerTensor:
        """`rt.constant_from(data)`, within the session. Stands for `s.constant_from(tensor)?`.

        >>> from autograd_core import eager
        >>> eager.EagerRuntime().session(eager.CpuEngine.serial()).constant_from([1.0]).tracks_grad()
        False
        """
        self._begin("constant_from")
        return self._runtime.constant_from(data)

    constant_from_host = constant_from  # upstream uploads; here the host is all there is

    def variable_from(self, data) -> EagerTensor:
        """`rt.variable_from(data)`, within the session. Stands for `s.variable_from(tensor)?`.

        >>> from autograd_core import eager
        >>> eager.EagerRuntime().session(eager.CpuEngine.serial()).variable_from([1.0]).tracks_grad()
        True
        """
        self._begin("variable_from")
        return self._runtime.variable_from(data)

    def duplicate_value(self, x: EagerTensor) -> np.ndarray:
        """A copy of the value, to keep and to write. Stands for `s.duplicate_value(&x)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> copy = s.duplicate_value(s.constant_from([1.0, 2.0]))
        >>> copy[0] = 5.0
        """
        self._begin("duplicate_value", x)
        return x.value().copy()

    def apply_standard_op(self, op: Callable, inputs: Sequence[EagerTensor], **params):
        """Any op of this package, recorded as the others are. Stands for `s.apply_standard_op(op, &[..])?`.

        `op` takes tensors and returns one, or a tuple of them. InvalidArgument for what else it returns, and for one
        that would write to its operands.

        >>> import autograd_core as ac
        >>> s = ac.eager.EagerRuntime().session(ac.eager.CpuEngine.serial())
        >>> s.apply_standard_op(ac.cumsum, [s.constant_from([1.0, 2.0, 3.0])], dim=0).value()
        array([1., 3., 6.])
        """
        name = getattr(op, "__name__", "apply_standard_op")
        operands = self._many(name, inputs)

        def compute(*tensors):
            for tensor in tensors:
                tensor._array.flags.writeable = False  # values never change, whatever `op` does
            found = op(*tensors, **params)
            for part in found if isinstance(found, tuple) else (found,):
                require(name, "op, whose result", part, Tensor)
            return found

        return self._run(name, compute, *operands)

    # -- its end

    def close(self) -> None:
        """Give the engine back; a second time changes nothing. Every operation is refused from then on.

        >>> from autograd_core import eager
        >>> rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
        >>> first = rt.session(engine)
        >>> first.close()
        >>> second = rt.session(engine)
        """
        self._open = False
        self._loan.close()

    def __enter__(self) -> EagerSession:
        return self

    def __exit__(self, *_exception) -> None:
        self.close()
