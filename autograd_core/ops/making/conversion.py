"""Conversions: of dtype, and, since PyTorch programs say so, to a device."""

from __future__ import annotations

import builtins

from ...core import dtypes
from ...core.call import also_called
from ...core.device import check_device, is_row_major
from ...core.device import device as device_type
from ...core.silence import nameless
from ...core.table import linear
from ...core.tensor import Tensor
from ..shapes.shape import clone, layout_of_copy
from . import tensor_types

__all__ = [
    *("can_cast", "is_floating_point", "is_nonzero", "is_same_size", "is_tensor", "numel", "promote_types"),
    "result_type",
]
METHODS = [
    *("bfloat16", "bool", "byte", "char", "cpu", "cuda", "double", "float", "half", "int", "is_nonzero", "long"),
    *("short", "to", "type", "type_as"),
]

to_copy = linear(
    "to_copy",
    nameless(lambda x, dtype, row_major=False: x.astype(dtype, "C" if row_major else layout_of_copy(x))),
    "x",
    lambda g: g,
    doc="A copy with elements of another type. Gradients flow where both types are floating.",
)


def _as_type(input, dtype, row_major=False):
    """The tensor itself if it has this dtype already, else a copy."""
    wanted = dtypes.as_dtype(dtype).numpy
    return input if input.dtype in (wanted, dtypes.OF_NUMPY[wanted]) else to_copy(input, wanted, row_major)


def to(self, *args, other=None, dtype=None, device=None, non_blocking=False, copy=False, memory_format=None):
    """This tensor with another dtype: `to(dtype)`, `to(device)`, `to(device, dtype)` or `to(other)`, meaning its dtype.

    Returns the tensor itself where nothing changes, unless `copy`. Two bools that end the arguments are `non_blocking`,
    of no effect on a CPU, and `copy`. `memory_format` is that of a copy. Gradients flow where both dtypes are floating.
    AssertionError for a CUDA device, TypeError for an argument that is no dtype, device or tensor.

    >>> import autograd_core as ac
    >>> ac.tensor([1, 2]).to(ac.float64)
    tensor([1., 2.], dtype=autograd_core.float64)
    """
    args = args if other is None else (other, *args)
    flags = [arg for arg in args[-2:] if isinstance(arg, builtins.bool)]
    copy = flags[1] if len(flags) == 2 else copy
    for arg in args[: len(args) - len(flags)]:
        if isinstance(arg, Tensor):
            dtype = arg.dtype
        elif isinstance(arg, (str, builtins.int, device_type)):
            device = arg
        elif arg is not None:
            try:
                dtype = dtypes.as_dtype(arg)
            except TypeError:
                raise TypeError(
                    f"to() takes a dtype such as ac.float64, a device such as 'cpu' or a tensor, not {arg!r}"
                ) from None
    check_device(device)
    row_major = memory_format is not None and is_row_major("to", memory_format)
    out = self if dtype is None else _as_type(self, dtype, row_major)
    return clone(out, memory_format=memory_format) if copy and out is self else out


def type(self, dtype=None, non_blocking=False):
    """This tensor with another dtype, also by PyTorch's old name of it; without one, that name of the present dtype.

    >>> import autograd_core as ac
    >>> ac.ones(2).type(), ac.ones(2).type(ac.int64), ac.ones(2).type("torch.LongTensor")
    ('torch.FloatTensor', tensor([1, 1]), tensor([1, 1]))
    """
    return tensor_types.name_of(self.dtype) if dtype is None else _as_type(self, tensor_types.dtype_of(dtype))


def type_as(self, other):
    """This tensor with the dtype of `other`.

    >>> import autograd_core as ac
    >>> ac.tensor([1]).type_as(ac.ones(1))
    tensor([1.])
    """
    return _as_type(self, other.dtype)


def cuda(self, device=None, non_blocking=False, memory_format=None):
    """AssertionError: there is no such device here."""
    check_device("cuda")


def cpu(self, memory_format=None):
    """The tensor itself: it is on the CPU already.

    >>> import autograd_core as ac
    >>> x = ac.ones(1); x.cpu() is x
    True
    """
    return self


def _conversion(name: str, wanted: dtypes.dtype):
    def convert(self, memory_format=None):
        return _as_type(self, wanted, memory_format is not None and is_row_major(name, memory_format))

    convert.__name__ = convert.__qualname__ = name
    convert.__doc__ = f"This tensor as {wanted.name}: itself if it is that already, else a copy."
    return convert


half, float, double = (
    _conversion(name, wanted)
    for name, wanted in (("half", dtypes.float16), ("float", dtypes.float32), ("double", dtypes.float64))
)
byte, char, short, int, long, bool = (
    _conversion(name, wanted)
    for name, wanted in (
        *(("byte", dtypes.uint8), ("char", dtypes.int8), ("short", dtypes.int16), ("int", dtypes.int32)),
        *(("long", dtypes.int64), ("bool", dtypes.bool_)),
    )
)


def bfloat16(self, memory_format=None):
    """NotImplementedError: the dtype can only be named."""
    return _as_type(self, dtypes.bfloat16)


def is_floating_point(input):
    """Whether the dtype is floating: float16, float32 or float64.

    >>> import autograd_core as ac
    >>> ac.is_floating_point(ac.ones(1)), ac.is_floating_point(ac.tensor([1]))
    (True, False)
    """
    return input.is_floating_point()


def is_nonzero(input):
    """Whether the only element is not zero. RuntimeError where there is not exactly one.

    >>> import autograd_core as ac
    >>> ac.is_nonzero(ac.tensor([0.0]))
    False
    """
    return builtins.bool(input)


def is_same_size(input, other):
    """Whether two tensors have the same shape.

    >>> import autograd_core as ac
    >>> ac.is_same_size(ac.ones(2), ac.zeros(2))
    True
    """
    return input.is_same_size(other)


def can_cast(from_, to):
    """Whether an in-place op may bring a result of dtype `from_` into a tensor of dtype `to`.

    >>> import autograd_core as ac
    >>> ac.can_cast(ac.int64, ac.float32), ac.can_cast(ac.float32, ac.int64)
    (True, False)
    """
    return dtypes.as_dtype(from_).category <= dtypes.as_dtype(to).category


def promote_types(type1, type2):
    """The dtype of an op on two tensors of these dtypes that have equally many axes.

    >>> import autograd_core as ac
    >>> ac.promote_types(ac.int64, ac.float16)
    autograd_core.float16
    """
    kinds = dtypes.as_dtype(type1).numpy, dtypes.as_dtype(type2).numpy
    return dtypes.OF_NUMPY[dtypes.promote_types(*kinds)]


@also_called(tensor1="tensor", tensor2="other", scalar="other", scalar1="tensor", scalar2="other")
def result_type(tensor, other):
    """The dtype of an op on two operands, tensors or numbers.

    >>> import autograd_core as ac
    >>> ac.result_type(ac.tensor([1, 2]), 1.0)
    autograd_core.float32
    """
    operands = [x._array if isinstance(x, Tensor) else x for x in (tensor, other)]
    return dtypes.OF_NUMPY[dtypes.result_type(*operands)]


def is_tensor(obj):
    """Whether `obj` is a tensor of this package.

    >>> import autograd_core as ac
    >>> ac.is_tensor(ac.ones(1)), ac.is_tensor(1.0)
    (True, False)
    """
    return isinstance(obj, Tensor)


def numel(input):
    """The number of elements.

    >>> import autograd_core as ac
    >>> ac.numel(ac.ones(2, 3))
    6
    """
    return input.numel()
