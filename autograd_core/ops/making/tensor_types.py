"""PyTorch's old names of its tensors, one a dtype: `FloatTensor`, `LongTensor`, and what can be done with them."""

from __future__ import annotations

from ...core import dtypes, legacy
from ...core.device import REMEDY, check_device
from ...core.tensor import Tensor, wrap

NAMES = {
    **{"HalfTensor": dtypes.float16, "FloatTensor": dtypes.float32, "DoubleTensor": dtypes.float64},
    **{"CharTensor": dtypes.int8, "ByteTensor": dtypes.uint8, "ShortTensor": dtypes.int16, "IntTensor": dtypes.int32},
    **{"LongTensor": dtypes.int64, "BoolTensor": dtypes.bool_},
}
__all__ = [*NAMES, "set_default_tensor_type"]
METHODS = ["new"]


class TensorType(type):
    """The type of `FloatTensor` and its kin: a call makes a tensor of the dtype, `isinstance` asks for that dtype."""

    dtype: dtypes.dtype

    def __call__(cls, *data, device=None):
        return _made(data, cls.dtype, device)

    def __instancecheck__(cls, value) -> bool:
        return isinstance(value, Tensor) and value.dtype is cls.dtype


def _made(data: tuple, dtype: dtypes.dtype, device) -> Tensor:
    check_device(device)
    if len(data) == 1 and isinstance(data[0], Tensor):
        if data[0].dtype is not dtype:
            raise TypeError(f"expected a tensor of dtype {dtype} (got {data[0].dtype}); convert it with .to(...)")
        return data[0].view(data[0].shape)
    return wrap(legacy.array_of(data, dtype.numpy))


def _documented(name: str, dtype: dtypes.dtype) -> str:
    return f"""PyTorch's old name for a tensor of {dtype.name}, and its constructor.

    It takes lengths, for unset memory, or a sequence or an array, as data. `ac.tensor(data, dtype=...)` says it better.

    >>> import autograd_core as ac
    >>> isinstance(ac.{name}([1, 0]), ac.{name}), ac.{name}(2, 3).shape, ac.{name}.dtype
    (True, Size([2, 3]), {dtype})
    """


for _name, _dtype in NAMES.items():
    globals()[_name] = TensorType(
        _name,
        (),
        {"dtype": _dtype, "__doc__": _documented(_name, _dtype), "__module__": "autograd_core", "__slots__": ()},
    )


def name_of(dtype: dtypes.dtype) -> str:
    """PyTorch's old name for a tensor of this dtype, as its `type()` says it."""
    return f"torch.{scalar_type(dtype)}Tensor"


def scalar_type(dtype: dtypes.dtype) -> str:
    """How PyTorch calls this dtype in messages.

    >>> import autograd_core as ac
    >>> scalar_type(ac.int64)
    'Long'
    """
    return next(name.removesuffix("Tensor") for name, known in NAMES.items() if known is dtype)


def dtype_of(kind) -> dtypes.dtype:
    """The dtype that a dtype, one of the old types, or the name of one stands for."""
    if isinstance(kind, TensorType):
        return kind.dtype
    if kind is Tensor:
        return dtypes.get_default_dtype()
    if not isinstance(kind, str):
        return dtypes.as_dtype(kind)
    space, _, name = kind.rpartition(".")
    if name == "Tensor" and space in ("torch", "autograd_core"):
        return dtypes.get_default_dtype()
    if name not in NAMES or space.partition(".")[0] not in ("torch", "autograd_core"):
        raise ValueError(f"invalid type: '{kind}'; such names are torch.FloatTensor, torch.LongTensor")
    if "." in space:
        raise TypeError(f"type {kind} not available. Torch not compiled with CUDA enabled. {REMEDY}")
    return NAMES[name]


def set_default_tensor_type(t) -> None:
    """Make the dtype of an old type, a floating one, the default one. TypeError for anything else.

    >>> import autograd_core as ac
    >>> ac.set_default_tensor_type("torch.FloatTensor")
    """
    dtypes.set_default_dtype(dtype_of(t))


def new(self, *data, device=None) -> Tensor:
    """A tensor of this dtype: of unset memory for lengths, or with the elements of a sequence.

    >>> import autograd_core as ac
    >>> ac.zeros(2, dtype=ac.int64).new([3, 4])
    tensor([3, 4])
    """
    return _made(data, self.dtype, device)
