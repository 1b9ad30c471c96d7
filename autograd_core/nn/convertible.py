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
        `non_blocking` has no effect. TypeError for a dtype that is not floating, RuntimeError for `copy`.
        """
        if copy:
            raise RuntimeError(".to() does not accept copy argument: a module is converted in place; copy.deepcopy it")
        for target in targets:
            if isinstance(target, Tensor):
                dtype = target.dtype
            elif _is_dtype(target):
                dtype = target
            elif not isinstance(target, bool):  # non_blocking
                device = target
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

    def to_empty(self, *, device=None, recurse: bool = True) -> Self:
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
        """NotImplementedError: NumPy, and so this package, has no bfloat16."""
        raise NotImplementedError("bfloat16 is not implemented: NumPy has no such dtype; use half() or float()")

    def share_memory(self) -> Self:
        """Move parameters, gradients and buffers to memory that processes share which are forked from now on."""
        return self._apply(lambda tensor: tensor.share_memory_())

    def cpu(self) -> Self:
        """The module itself: "cpu" is the only device."""
        return self._apply(lambda tensor: tensor)

    def cuda(self, device=None) -> Self:
        """RuntimeError: "cpu" is the only device."""
        check_device("cuda")
        return self


def _is_dtype(value) -> bool:
    """Whether a value means a dtype. A text does not: it means a device."""
    if isinstance(value, str):
        return False
    try:
        dtypes.as_dtype(value)
    except TypeError:
        return False
    return True
