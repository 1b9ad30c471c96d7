"""What all operations of a session share: what is checked first, whether to record, and how results are wrapped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial, wraps
from typing import Any, ParamSpec

from ..core.tensor import Tensor
from . import launch
from .checks import broadcast, require
from .cpu_engine import CpuEngine, Loan
from .errors import RuntimeState
from .guards import depths
from .tensor import Context, EagerTensor

P = ParamSpec("P")

EXAMPLE = """{meaning} Stands for `s.{op}({borrowed})?`.

>>> from autograd_core import eager
>>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
>>> s.{op}({given}).value()
{gives}
"""


class Operations:
    """The base of the families of operations.

    An operation first asks for an open session, then that every tensor is of its runtime (`_begin`), then what it needs
    of shapes and types; then it runs (`_run`).
    """

    def __init__(self, runtime: Context, loan: Loan, engine: CpuEngine):
        self._runtime, self._loan, self._engine = runtime, loan, engine
        self._open = True

    def _begin(self, op: str, *tensors) -> None:
        if not self._open:
            raise RuntimeState(op, "the session is closed; open one with rt.session(engine)")
        for tensor in tensors:
            if type(tensor) is not EagerTensor or tensor._runtime is not self._runtime:  # else it would pass
                self._runtime._check(op, tensor)

    def _begin_broadcast(self, op: str, *tensors) -> None:
        """`_begin`, and ShapeMismatch where shapes do not broadcast."""
        self._begin(op, *tensors)
        shapes = [x._tensor._array.shape for x in tensors]
        if shapes.count(shapes[0]) < len(shapes):
            broadcast(op, *shapes)

    def _run(self, op: str, compute: Callable, *inputs: EagerTensor, differentiable: bool = True):
        """`compute` on the tensors behind `inputs`, recorded if it is to be; one EagerTensor, or a tuple of them.

        An op without a derivative is computed apart from the trace. Its result says that it tracks, as upstream, and
        what is reached through it alone is inactive.
        """
        guards = depths()
        tracks = guards.no_grad == 0 and any(x._tracks for x in inputs)
        recorded = differentiable and (tracks or (guards.no_grad == 0 and guards.capture > 0))
        tensors = [self._with_history(x) if recorded else _without_history(x) for x in inputs]
        found = self._engine._run(op, compute, *tensors)
        if isinstance(found, tuple):
            return tuple([EagerTensor(part, self._runtime, tracks, leaf=False) for part in found])
        return EagerTensor(found, self._runtime, tracks, leaf=False)

    def _with_history(self, x: EagerTensor) -> Tensor:
        """A constant leaf gets an edge when it first enters a recorded operation, so that transforms can ask for it."""
        tensor = x._tensor
        if x._leaf and tensor._edge is None and tensor.is_floating_point():
            with self._runtime._lock:
                tensor.requires_grad_()
        return tensor

    def _elementwise(self, op: str, function: Callable, *inputs: EagerTensor, differentiable: bool = True):
        """An op that maps elements to elements: operands broadcast and meet in one type; large ones are cut into
        blocks.
        """
        self._begin_broadcast(op, *inputs)
        compute = partial(launch.in_common_type, self._engine, function)
        return self._run(op, compute, *inputs, differentiable=differentiable)

    def _many(self, op: str, tensors: Sequence[EagerTensor]) -> list[EagerTensor]:
        """A sequence of operands, checked."""
        self._begin(op)
        require(op, "inputs", tensors, Iterable)
        operands = list(tensors)
        self._begin(op, *operands)
        return operands


def _without_history(x: EagerTensor) -> Tensor:
    return x._tensor.detach() if x._tensor.requires_grad else x._tensor


def elementwise_method(
    function: Callable, *operands: str, gives: str, differentiable: bool = True
) -> Callable[[Callable[P, Any]], Callable[P, EagerTensor]]:
    """Decorate the entry of an operation that is `function` element by element, and that takes one tensor or two.

    The entry is a signature and what the operation means. The method says besides what it stands for, and shows by an
    example that `operands` give `gives`.
    """

    def made(entry: Callable[P, Any]) -> Callable[P, EagerTensor]:
        op = entry.__name__

        def unary(self, x):
            return self._elementwise(op, function, x, differentiable=differentiable)

        def binary(self, x, y):
            return self._elementwise(op, function, x, y, differentiable=differentiable)

        method: Callable[..., EagerTensor] = unary if len(operands) == 1 else binary
        entry.__annotations__["return"] = "EagerTensor"
        entry.__doc__ = EXAMPLE.format(
            meaning=entry.__doc__,
            op=op,
            borrowed="&x, &y" if method is binary else "&x",
            given=", ".join([f"s.constant_from({operand})" for operand in operands]),
            gives=gives,
        )
        return wraps(entry)(method)

    return made
