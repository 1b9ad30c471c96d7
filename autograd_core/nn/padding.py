"""Padding of the last one to three axes."""

from __future__ import annotations

from ..core.tensor import Tensor
from ..core.whole_numbers import is_whole
from . import functional as F
from .module import Module


class _Pad(Module):
    """`padding` is one number, or one for each end: before and behind the last axis, then the axis before it, ..."""

    n_axes: int
    mode: str

    def __init__(self, padding):
        super().__init__()
        self.padding = (padding,) * (2 * self.n_axes) if is_whole(padding) else tuple(padding)

    def forward(self, input: Tensor) -> Tensor:
        """`functional.pad` in this mode."""
        return F.pad(input, self.padding, self.mode)

    def extra_repr(self) -> str:
        """How much is added at each end."""
        return f"{self.padding}"


class _ConstantPad(_Pad):
    def __init__(self, padding, value: float):
        super().__init__(padding)
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        """`functional.pad` with this value."""
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        """How much is added at each end, and what."""
        return f"padding={self.padding}, value={self.value}"


class _ZeroPad(_Pad):
    mode = "constant"


class ConstantPad1d(_ConstantPad):
    """Continue the last axis by `value`.

    >>> import autograd_core as ac
    >>> ac.nn.ConstantPad1d(1, 3.5)(ac.ones(1, 1, 4)).shape
    Size([1, 1, 6])
    """

    n_axes = 1


class ConstantPad2d(_ConstantPad):
    """Continue the last two axes by `value`.

    >>> import autograd_core as ac
    >>> ac.nn.ConstantPad2d(1, 3.5)(ac.ones(1, 1, 4, 4)).shape
    Size([1, 1, 6, 6])
    """

    n_axes = 2


class ConstantPad3d(_ConstantPad):
    """Continue the last three axes by `value`.

    >>> import autograd_core as ac
    >>> ac.nn.ConstantPad3d(1, 3.5)(ac.ones(1, 1, 4, 4, 4)).shape
    Size([1, 1, 6, 6, 6])
    """

    n_axes = 3


class ZeroPad1d(_ZeroPad):
    """Continue the last axis by zeros.

    >>> import autograd_core as ac
    >>> ac.nn.ZeroPad1d(1)(ac.ones(1, 1, 4)).shape
    Size([1, 1, 6])
    """

    n_axes = 1


class ZeroPad2d(_ZeroPad):
    """Continue the last two axes by zeros.

    >>> import autograd_core as ac
    >>> ac.nn.ZeroPad2d(1)(ac.ones(1, 1, 4, 4)).shape
    Size([1, 1, 6, 6])
    """

    n_axes = 2


class ZeroPad3d(_ZeroPad):
    """Continue the last three axes by zeros.

    >>> import autograd_core as ac
    >>> ac.nn.ZeroPad3d(1)(ac.ones(1, 1, 4, 4, 4)).shape
    Size([1, 1, 6, 6, 6])
    """

    n_axes = 3


class ReflectionPad1d(_Pad):
    """Continue the last axis by the input mirrored at its ends, which are not repeated.

    >>> import autograd_core as ac
    >>> ac.nn.ReflectionPad1d(1)(ac.ones(1, 1, 4)).shape
    Size([1, 1, 6])
    """

    n_axes, mode = 1, "reflect"


class ReflectionPad2d(_Pad):
    """Continue the last two axes by the input mirrored at its ends, which are not repeated.

    >>> import autograd_core as ac
    >>> ac.nn.ReflectionPad2d(1)(ac.ones(1, 1, 4, 4)).shape
    Size([1, 1, 6, 6])
    """

    n_axes, mode = 2, "reflect"


class ReflectionPad3d(_Pad):
    """Continue the last three axes by the input mirrored at its ends, which are not repeated.

    >>> import autograd_core as ac
    >>> ac.nn.ReflectionPad3d(1)(ac.ones(1, 1, 4, 4, 4)).shape
    Size([1, 1, 6, 6, 6])
    """

    n_axes, mode = 3, "reflect"


class ReplicationPad1d(_Pad):
    """Continue the last axis by the elements at its ends.

    >>> import autograd_core as ac
    >>> ac.nn.ReplicationPad1d(1)(ac.ones(1, 1, 4)).shape
    Size([1, 1, 6])
    """

    n_axes, mode = 1, "replicate"


class ReplicationPad2d(_Pad):
    """Continue the last two axes by the elements at its ends.

    >>> import autograd_core as ac
    >>> ac.nn.ReplicationPad2d(1)(ac.ones(1, 1, 4, 4)).shape
    Size([1, 1, 6, 6])
    """

    n_axes, mode = 2, "replicate"


class ReplicationPad3d(_Pad):
    """Continue the last three axes by the elements at its ends.

    >>> import autograd_core as ac
    >>> ac.nn.ReplicationPad3d(1)(ac.ones(1, 1, 4, 4, 4)).shape
    Size([1, 1, 6, 6, 6])
    """

    n_axes, mode = 3, "replicate"


class CircularPad1d(_Pad):
    """Continue the last axis by the elements at the other end.

    >>> import autograd_core as ac
    >>> ac.nn.CircularPad1d(1)(ac.ones(1, 1, 4)).shape
    Size([1, 1, 6])
    """

    n_axes, mode = 1, "circular"


class CircularPad2d(_Pad):
    """Continue the last two axes by the elements at the other end.

    >>> import autograd_core as ac
    >>> ac.nn.CircularPad2d(1)(ac.ones(1, 1, 4, 4)).shape
    Size([1, 1, 6, 6])
    """

    n_axes, mode = 2, "circular"


class CircularPad3d(_Pad):
    """Continue the last three axes by the elements at the other end.

    >>> import autograd_core as ac
    >>> ac.nn.CircularPad3d(1)(ac.ones(1, 1, 4, 4, 4)).shape
    Size([1, 1, 6, 6, 6])
    """

    n_axes, mode = 3, "circular"
