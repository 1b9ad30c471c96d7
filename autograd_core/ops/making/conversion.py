"""Conversions: of dtype, and, since PyTorch programs say so, to a device."""

from __future__ import annotations

import builtins

from ...core import dtypes
from ...core.silence import nameless
from ...core.table import linear
from ...core.tensor import Tensor
from ..shapes.shape import clone, layout_of_copy
from .creation import check_device

__all__ = ["is_tensor", "numel"]
METHODS = ["bool", "cpu", "double", "float", "half", "int", "long", "short", "to", "type", "type_as"]

to_copy = linear(
    "to_copy",
    nameless(lambda x, dtype: x.astype(dtype, layout_of_copy(x))),
    "x",
    lambda g: g,
    doc="A copy with elements of another type. Gradients flow where both types are floating.",
)


def _as_type(input, dtype):
    """The tensor itself if it has this dtype already, else a copy."""
    wanted = dtypes.as_dtype(dtype).numpy
    return input if input.dtype in (wanted, dtypes.OF_NUMPY[wanted]) else to_copy(input, wanted)


def to(self, *args, dtype=None, device=None, non_blocking=False, copy=False):
    """This tensor with another dtype: `to(dtype)`, `to(device)`, `to(device, dtype)` or `to(other)`, meaning its dtype.

    Returns the tensor itself where nothing changes, unless `copy`. Two bools that end the arguments are `non_blocking`,
    of no effect on a CPU, and `copy`. Gradients flow where both dtypes are floating.
    RuntimeError for a device other than the CPU, TypeError for an argument that is no dtype, device or tensor.

    >>> import autograd_core as ac
    >>> ac.tensor([1, 2]).to(ac.float64)
    tensor([1., 2.], dtype=autograd_core.float64)
    """
    flags = [arg for arg in args[-2:] if isinstance(arg, builtins.bool)]
    copy = flags[1] if len(flags) == 2 else copy
    for arg in args[: len(args) - len(flags)]:
        if isinstance(arg, Tensor):
            dtype = arg.dtype
        elif isinstance(arg, str):
            device = arg
        elif arg is not None:
            try:
                dtype = dtypes.as_dtype(arg)
            except TypeError:
                raise TypeError(
                    f"to() takes a dtype such as ac.float64, a device such as 'cpu' or a tensor, not {arg!r}"
                ) from None
    check_device(device)
    out = self if dtype is None else _as_type(self, dtype)
    return clone(out) if copy and out is self else out


def type(self, dtype=None):
    """This tensor with another dtype; without one, the name of the present dtype.

    >>> import autograd_core as ac
    >>> ac.ones(2).type(), ac.ones(2).type(ac.int64)
    ('autograd_core.float32', tensor([1, 1]))
    """
    return repr(self.dtype) if dtype is None else _as_type(self, dtype)


def type_as(self, other):
    """This tensor with the dtype of `other`.

    >>> import autograd_core as ac
    >>> ac.tensor([1]).type_as(ac.ones(1))
    tensor([1.])
    """
    return _as_type(self, other.dtype)


def cpu(self):
    """The tensor itself: it is on the CPU already.

    >>> import autograd_core as ac
    >>> x = ac.ones(1); x.cpu() is x
    True
    """
    return self


def _conversion(name: str, wanted: dtypes.dtype):
    def convert(self):
        return _as_type(self, wanted)

    convert.__name__ = convert.__qualname__ = name
    convert.__doc__ = f"This tensor as {wanted.name}: itself if it is that already, else a copy."
    return convert


half, float, double = (
    _conversion(name, wanted)
    for name, wanted in (("half", dtypes.float16), ("float", dtypes.float32), ("double", dtypes.float64))
)
short, int, long, bool = (
    _conversion(name, wanted)
    for name, wanted in (("short", dtypes.int16), ("int", dtypes.int32), ("long", dtypes.int64), ("bool", dtypes.bool_))
)


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
