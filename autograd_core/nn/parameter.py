"""Tensors that a module registers when they are assigned to its attributes, and those whose shape is not known yet."""

from __future__ import annotations

from typing import Any

from ..core import dtypes
from ..core.graph import Leaf
from ..core.tensor import Parameter, Tensor, with_requires_grad, wrap
from ..ops.making.creation import empty

__all__ = ["Buffer", "Parameter", "UninitializedBuffer", "UninitializedParameter", "is_lazy"]


class Buffer(Tensor):
    """A tensor that a `Module` registers as a buffer when it is assigned to an attribute.

    It shares the memory of `data`. One that is not `persistent` stays out of the `state_dict`.

    >>> import autograd_core as ac
    >>> module = ac.nn.Module()
    >>> module.mean = ac.nn.Buffer(ac.zeros(2))
    >>> [name for name, _ in module.named_buffers()]
    ['mean']
    """

    __slots__ = ()
    persistent = True

    def __new__(cls, data: Tensor | None = None, *, persistent: bool = True):
        if data is None:
            data = empty(0)
        if not isinstance(data, Tensor):
            raise TypeError(f"Buffer data has to be a tensor, but got {type(data).__name__}; wrap it in ac.tensor(...)")
        kind = cls if persistent else PassingBuffer
        return with_requires_grad(wrap(data._array, kind=kind, cell=data._cell), data.requires_grad)


class PassingBuffer(Buffer):
    """A `Buffer` that does not belong to the `state_dict`."""

    __slots__ = ()
    persistent = False


# -- shape not known yet


def _refuse(tensor: Tensor):
    kind = type(tensor).__name__
    raise ValueError(
        f"Attempted to use an uninitialized parameter: this {kind} has no values yet. This error happens when you are "
        "using a `LazyModule` before its first call. Call `forward` with a dummy batch to initialize the parameters, "
        f"or materialize(shape) on the {kind}."
    )


class _Uninitialized(Tensor):
    """A tensor whose shape its first use decides. It knows its dtype; all that needs values is refused."""

    __slots__ = ()
    cls_to_become: type[Tensor]
    _array: Any = property(_refuse, Tensor._array.__set__)  # type: ignore[attr-defined]

    def __new__(cls, requires_grad: bool = False, device=None, dtype=None):
        array = empty(0, device=device, dtype=dtype, requires_grad=requires_grad)._array
        waiting = wrap(array, kind=cls)
        waiting._edge = Leaf(waiting, array.shape, array.dtype) if requires_grad else None
        return waiting

    def _empty(self) -> Tensor:
        return wrap(Tensor._array.__get__(self))  # type: ignore[attr-defined]

    @property
    def dtype(self) -> dtypes.dtype:
        """The element type that the values will have."""
        return self._empty().dtype

    @property
    def shape(self):
        """RuntimeError: there is none yet."""
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in "
            "`load_state_dict` when trying to load an uninitialized parameter into an initialized one. Call `forward` "
            "to initialize the parameters before accessing their attributes."
        )

    @property
    def data(self) -> Tensor:
        """A tensor without elements, so that what initializes values has none to write."""
        return self._empty()

    @data.setter
    def data(self, new: Tensor) -> None:
        Tensor.data.fset(self, new)  # type: ignore[attr-defined]

    @property
    def ndim(self) -> int:
        """1, as of a tensor without elements."""
        return 1

    def materialize(self, shape, device=None, dtype=None) -> None:
        """Give this tensor a shape, and make it an ordinary one: its values are whatever the memory holds."""
        self.__class__ = self.cls_to_become  # type: ignore[assignment]
        self.data = empty(shape, device=device, dtype=self.dtype if dtype is None else dtype)

    def is_floating_point(self) -> bool:
        """Whether the values will be floating."""
        return self._empty().is_floating_point()

    def detach(self) -> Tensor:
        """The tensor itself: there are no values to share."""
        return self

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __reduce__(self):
        return type(self), (self.requires_grad, None, self.dtype)

    def __deepcopy__(self, memo: dict) -> Tensor:
        copied = memo[id(self)] = type(self)(self.requires_grad, None, self.dtype)
        return copied


def _of_no_elements(name: str):
    def converted(self, *args, **options) -> Tensor:
        """A tensor without elements of the dtype asked for, which `Module.to` gives to this one."""
        return getattr(self._empty(), name)(*args, **options)

    return converted


for _name in ("to", "type", "double", "float", "half", "cpu"):
    setattr(_Uninitialized, _name, _of_no_elements(_name))


class UninitializedParameter(_Uninitialized, Parameter):
    """A `Parameter` whose shape is not known yet, as those of lazy layers before the first call.

    `materialize(shape)` makes it a `Parameter`. ValueError for what needs its values, RuntimeError for its shape.

    >>> import autograd_core as ac
    >>> weight = ac.nn.UninitializedParameter()
    >>> weight, ac.nn.parameter.is_lazy(weight)
    (<UninitializedParameter>, True)
    >>> weight.materialize((2, 3)); weight.shape
    Size([2, 3])
    """

    __slots__ = ()
    cls_to_become = Parameter

    def __new__(cls, requires_grad: bool = True, device=None, dtype=None):
        return super().__new__(cls, requires_grad, device, dtype)


class UninitializedBuffer(_Uninitialized):
    """A buffer whose shape is not known yet; otherwise as `UninitializedParameter`. See `Buffer` for `persistent`.

    >>> import autograd_core as ac
    >>> ac.nn.UninitializedBuffer(dtype=ac.float64).dtype
    autograd_core.float64
    """

    __slots__ = ()
    cls_to_become = Tensor
    persistent = True

    def __new__(cls, requires_grad: bool = False, device=None, dtype=None, persistent: bool = True):
        return super().__new__(cls if persistent else PassingUninitializedBuffer, requires_grad, device, dtype)


class PassingUninitializedBuffer(UninitializedBuffer):
    """An `UninitializedBuffer` that does not belong to the `state_dict`."""

    __slots__ = ()
    persistent = False


def is_lazy(param) -> bool:
    """Whether a tensor waits for its shape."""
    return isinstance(param, _Uninitialized)
