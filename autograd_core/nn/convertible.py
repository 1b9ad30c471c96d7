"""Changing all tensors of a module: to another dtype, and whatever else `_apply` is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from ..core import dtypes
from ..core.device import check_device
from ..core.modes import no_grad
from ..core.tensor import Tensor
from ..ops.making.creation import empty_like
from .contents import Contents


class Convertible(Contents):
    """The part of a `Module` that converts it."""

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        """Let `fn` make new values of all parameters, gradients and buffers: what every conversion comes down to.

        The parameters stay the objects that they are. Each child converts its own part, by its own `_apply`.
        """
        for child in self.children() if recurse else ():
            child._apply(fn)
        for parameter in self._parameters.values():
            if parameter is None:
                continue
            with no_grad():
                changed, gradient = fn(parameter), parameter.grad
                gradient = None if gradient is None else fn(gradient)
            parameter.data = changed
            parameter.grad = gradient
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def to(self, *targets, device=None, dtype=None, non_blocking: bool = False, copy: bool = False) -> Self:
        """Convert floating parameters, gradients and buffers to a floating dtype, in this very module; return it.

        The dtype is given as such or by a tensor that has it. A device may be given too; "cpu" is the only one, and
        `non_blocking` has no effect. The order is `to(device, dtype, non_blocking)`, `to(dtype, non_blocking)` or
        `to(tensor, non_blocking)`. TypeError for another and for a dtype that is not floating, RuntimeError for `copy`.
        """
        given = dict(zip(_parts_of(targets), targets))
        for name, value in given.items():
            if value is not None and {"device": device, "dtype": dtype}.get(name) is not None:
                raise TypeError(f"to() received an invalid combination of arguments - {name} is given twice")
        if copy or given.get("copy"):
            raise RuntimeError(".to() does not accept copy argument: a module is converted in place; copy.deepcopy it")
        device, dtype = given.get("device", device), given.get("dtype", dtype)
        dtype = given["tensor"].dtype if "tensor" in given else dtype
        check_device(device)
        if dtype is None:
            return self._apply(lambda tensor: tensor)
        dtype = dtypes.as_dtype(dtype)
        if not dtype.is_floating_point:
            raise TypeError(f"nn.Module.to only accepts floating point dtypes, but got desired dtype={dtype}")
        return self._apply(lambda tensor: tensor.to(dtype) if tensor.is_floating_point() else tensor)

    def type(self, dst_type) -> Self:
        """Convert all parameters and buffers to a dtype, those of integers too."""
        return self._apply(lambda tensor: tensor.type(dst_type))

    def to_empty(self, *, device, recurse: bool = True) -> Self:
        """Give all parameters and buffers new memory, whose values are undefined. "cpu" is the only device."""
        check_device(device)
        return self._apply(empty_like, recurse)

    def double(self) -> Self:
        """Convert to float64."""
        return self.to(dtypes.float64)

    def float(self) -> Self:
        """Convert to float32."""
        return self.to(dtypes.float32)

    def half(self) -> Self:
        """Convert to float16."""
        return self.to(dtypes.float16)

    def bfloat16(self) -> Self:
        """NotImplementedError, unless there is nothing to convert: bfloat16 can only be named."""
        return self.to(dtypes.bfloat16)

    def share_memory(self) -> Self:
        """Move parameters, gradients and buffers to memory that processes share which are forked from now on."""
        return self._apply(lambda tensor: tensor.share_memory_())

    def cpu(self) -> Self:
        """The module itself: "cpu" is the only device."""
        return self._apply(lambda tensor: tensor)

    def cuda(self, device=None) -> Self:
        """AssertionError: "cpu" is the only device."""
        check_device("cuda")
        return self


def _parts_of(targets: tuple) -> tuple[str, ...]:
    """What the positional arguments of `to` are; TypeError where they are in none of its three orders."""
    parts: tuple[str, ...] = ("device", "dtype", "non_blocking", "copy")
    if targets and isinstance(targets[0], Tensor):
        parts = ("tensor", *parts[2:])
    elif targets and targets[0] is not None and _is_dtype(targets[0]):
        parts = parts[1:]
    if len(targets) > len(parts) or not all(v is None or _may_be(part, v) for part, v in zip(parts, targets)):
        kinds = ", ".join(type(value).__name__ for value in targets)
        raise TypeError(
            f"to() received an invalid combination of arguments - got ({kinds}), but expected one of: (device, dtype, "
            "non_blocking), (dtype, non_blocking), (tensor, non_blocking)"
        )
    return parts[: len(targets)]


def _may_be(part: str, value) -> bool:
    return _is_dtype(value) if part == "dtype" else part == "tensor" or isinstance(value, bool) == (part != "device")


def _is_dtype(value) -> bool:
    """Whether a value means a dtype. A text does not: it means a device."""
    if isinstance(value, str):
        return False
    try:
        dtypes.as_dtype(value)
    except TypeError:
        return False
    return True
