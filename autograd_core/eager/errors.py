"""The errors of the explicit runtime: one class a kind, all of them an `EagerError`."""

from __future__ import annotations


class EagerError(RuntimeError):
    """What every refusal of the explicit runtime is. Stands for `tenferro_ad::Error`.

    `kind` is a word to match on, the name of the class: "ShapeMismatch", "ContextMismatch", "RuntimeState". A refused
    call changes nothing: no slot, no trace, no guard.

    >>> from autograd_core import eager
    >>> rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
    >>> try:
    ...     rt.variable_from([1.0, 2.0]).backward(engine)
    ... except eager.EagerError as error:
    ...     print(f"{error.kind}: {error}")
    NonScalarGrad: grad requires a scalar output, got shape [2]
    """

    kind = "EagerError"

    def __init_subclass__(cls) -> None:
        cls.kind = cls.__dict__.get("kind", cls.__name__)


class NonScalarGrad(EagerError):
    """A gradient without a cotangent was asked of an output that is no scalar: whose shape is not []."""

    def __init__(self, shape):
        super().__init__(f"grad requires a scalar output, got shape {list(shape)}")
        self.shape = tuple(shape)


class ContextMismatch(EagerError):
    """Tensors of two runtimes met. `lhs` and `rhs` are the ids of the runtimes."""

    def __init__(self, lhs, rhs):
        super().__init__(
            f"tensors belong to different eager AD contexts ({lhs} vs {rhs}); detach into the target context before "
            "combining them"
        )
        self.lhs, self.rhs = lhs, rhs


class Validation(EagerError):
    """The arguments of an operation do not fit it; `op` names it. Stands for `ErrorKind::Validation(..)`."""

    def __init__(self, op: str, text: str):
        super().__init__(f"{op}: {text}")
        self.op = op


class ShapeMismatch(Validation):
    """Shapes do not fit each other."""


class RankMismatch(Validation):
    """An operand has another number of axes than the operation takes."""

    def __init__(self, op: str, expected: int, actual: int):
        super().__init__(op, f"rank mismatch: expected {expected}, actual {actual}")


class AxisOutOfBounds(Validation):
    """There is no axis of this number."""

    def __init__(self, op: str, axis: int, rank: int):
        super().__init__(op, f"axis {axis} out of bounds for rank {rank}")


class DTypeMismatch(Validation):
    """An element type is not the one that is needed."""


class InvalidArgument(Validation):
    """Any other argument that an operation cannot take."""


class InactiveInput(InvalidArgument):
    """`grad`, `vjp` or `jvp` was asked for an input that the output does not depend on, or that is not a leaf.

    Its kind is "InvalidArgument", and its `argument` "wrt", as upstream.
    """

    kind = "InvalidArgument"
    argument = "wrt"

    def __init__(self, transform: str, wrt):
        super().__init__(
            f"{transform} (GraphBuild)",
            f"invalid argument wrt: {transform} is inactive for {wrt!r}; use {transform}_optional to observe the "
            "inactive state",
        )


class EinsumError(EagerError):
    """Subscripts that einsum cannot read, or that do not fit its operands. Stands for `tenferro_einsum::Error`."""


class Unsupported(EagerError):
    """What this runtime does not do, such as complex numbers."""

    def __init__(self, op: str, text: str):
        super().__init__(f"{op} (Execution) is unsupported: {text}")
        self.op = op


class UnsupportedAdRule(EagerError):
    """An operation on the way has no derivative."""

    def __init__(self, transform: str, text: str):
        super().__init__(f"unsupported {transform} AD rule: {text}")


class AdRuleSource(EagerError):
    """The rule of an operation refused to run; the cause says why."""

    def __init__(self, transform: str, source: Exception):
        super().__init__(f"{transform} AD rule failed: {source}")


class NumericalFailure(EagerError):
    """The numbers do not allow the result: a singular matrix, one that is not positive definite."""


class RuntimeState(EagerError):
    """A session that has closed, an engine that is lent already or broken, a guard closed in another thread."""

    def __init__(self, op: str, text: str):
        super().__init__(f"{op} (Execution): runtime state failure: {text}")
        self.op = op
