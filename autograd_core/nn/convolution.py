"""Convolutions and their transposes, along one to three axes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..core.tensor import Parameter, Tensor
from ..ops.making.creation import empty
from . import functional as F
from . import init
from .contents import Held
from .module import Module

PADDING_MODES = ("zeros", "reflect", "replicate", "circular")


def to_tuple(value, n: int) -> tuple:
    """One number for each of `n` axes."""
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * n


class _ConvNd(Module):
    """What convolutions and their transposes share: settings, parameters and how they print."""

    n_axes: int
    transposed = False
    output_padding: tuple = ()
    weight: Any = Held()
    bias: Any = Held()

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride, self.dilation = (
            to_tuple(value, self.n_axes) for value in (kernel_size, stride, dilation)
        )
        self.padding = padding if isinstance(padding, str) else to_tuple(padding, self.n_axes)
        self.padding_mode = padding_mode
        self._check()
        self.weight = Parameter(empty(*self._weight_shape(), device=device, dtype=dtype))
        self.register_parameter("bias", Parameter(empty(out_channels, device=device, dtype=dtype)) if bias else None)
        self.reset_parameters()

    def _check(self) -> None:
        if self.groups <= 0:
            raise ValueError(f"groups must be a positive integer, got {self.groups}")
        for name in ("in_channels", "out_channels"):
            if getattr(self, name) % self.groups:
                raise ValueError(f"{name} must be divisible by groups, got {getattr(self, name)} and {self.groups}")
        if isinstance(self.padding, str):
            if self.padding not in ("same", "valid"):
                raise ValueError(f"Invalid padding string {self.padding!r}, should be one of 'same', 'valid'")
            if self.padding == "same" and any(step != 1 for step in self.stride):
                raise ValueError("padding='same' is not supported for strided convolutions")
        if self.padding_mode not in PADDING_MODES:
            raise ValueError(f"padding_mode must be one of {PADDING_MODES}, but got padding_mode='{self.padding_mode}'")

    def _weight_shape(self) -> tuple[int, ...]:
        first, second = self.out_channels, self.in_channels
        if self.transposed:
            first, second = second, first
        return first, second // self.groups, *self.kernel_size

    def reset_parameters(self) -> None:
        """Draw new initial values."""
        fan_in = math.prod(self.weight.shape[1:])
        init.uniform_within(1 / math.sqrt(fan_in) if fan_in else 0.0, self.weight, self.bias)

    def extra_repr(self) -> str:
        """Channels, sizes, and the settings that are not the usual ones."""
        usual, zeros, ones = [], (0,) * self.n_axes, (1,) * self.n_axes
        if self.padding != zeros:
            usual.append(f"padding={self.padding}")
        if self.dilation != ones:
            usual.append(f"dilation={self.dilation}")
        if any(self.output_padding):
            usual.append(f"output_padding={self.output_padding}")
        if self.groups != 1:
            usual.append(f"groups={self.groups}")
        if self.bias is None:
            usual.append("bias=False")
        if self.padding_mode != "zeros":
            usual.append(f"padding_mode={self.padding_mode}")
        sizes = f"kernel_size={self.kernel_size}, stride={self.stride}"
        return ", ".join([f"{self.in_channels}, {self.out_channels}", sizes, *usual])


class _Convolution(_ConvNd):
    function: Callable

    def forward(self, input: Tensor) -> Tensor:
        """The convolution of `functional` with this weight and bias."""
        return self._conv_forward(input, self.weight, self.bias)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        """The same with another weight and bias: what subclasses that change the weight call."""
        padding: Any = self.padding
        if self.padding_mode != "zeros":
            input, padding = F.pad(input, self._both_ends(), self.padding_mode), 0
        return type(self).function(input, weight, bias, self.stride, padding, self.dilation, self.groups)

    def _both_ends(self) -> list[int]:
        """How much to pad before and behind each axis, the last axis first: what `functional.pad` takes."""
        if isinstance(self.padding, str):
            total = [step * (size - 1) for step, size in zip(self.dilation, self.kernel_size)]
            total = total if self.padding == "same" else [0] * self.n_axes
            return [amount for n in reversed(total) for amount in (n // 2, n - n // 2)]
        return [n for n in reversed(self.padding) for _ in range(2)]


class Conv1d(_Convolution):
    """Convolution of (N, C, L), or of (C, L), by `out_channels` kernels.

    `weight` has shape (out_channels, in_channels / groups, kernel_size). It and `bias` start uniform within
    ± √(groups / (in_channels kernel_size)). `padding` is a number, "same" or "valid"; `padding_mode` says with what:
    "zeros", "reflect", "replicate" or "circular". ValueError for settings that do not fit together.

    >>> import autograd_core as ac
    >>> ac.nn.Conv1d(2, 4, 3, padding=1)(ac.ones(5, 2, 10)).shape
    Size([5, 4, 10])
    """

    n_axes, function = 1, F.conv1d


class Conv2d(_Convolution):
    """Convolution of (N, C, H, W), or of (C, H, W), by `out_channels` kernels: as `Conv1d`, with sizes for two axes.

    >>> import autograd_core as ac
    >>> ac.nn.Conv2d(1, 8, 3, stride=2), ac.nn.Conv2d(1, 8, 3, stride=2)(ac.ones(5, 1, 28, 28)).shape
    (Conv2d(1, 8, kernel_size=(3, 3), stride=(2, 2)), Size([5, 8, 13, 13]))
    """

    n_axes, function = 2, F.conv2d


class Conv3d(_Convolution):
    """Convolution of (N, C, D, H, W), or of (C, D, H, W): as `Conv1d`, with sizes for three axes.

    >>> import autograd_core as ac
    >>> ac.nn.Conv3d(1, 2, 2)(ac.ones(1, 1, 4, 4, 4)).shape
    Size([1, 2, 3, 3, 3])
    """

    n_axes, function = 3, F.conv3d


class _ConvTransposeNd(_ConvNd):
    function: Callable
    transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups: int = 1,
        bias: bool = True,
        dilation=1,
        padding_mode: str = "zeros",
        device=None,
        dtype=None,
    ):
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}, got {padding_mode!r}')
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            groups,
            bias,
            padding_mode,
            device=device,
            dtype=dtype,
        )
        self.output_padding = to_tuple(output_padding, self.n_axes)

    def forward(self, input: Tensor, output_size=None) -> Tensor:
        """The transposed convolution of `functional` with this weight and bias.

        Several sizes lead to this input where the stride is not 1: `output_size` chooses one, in place of
        `output_padding`. ValueError for one that is not among them.
        """
        extra = self.output_padding if output_size is None else self._extra(input, tuple(output_size))
        return type(self).function(
            input, self.weight, self.bias, self.stride, self.padding, extra, self.groups, self.dilation
        )

    def _extra(self, input: Tensor, wanted: tuple) -> tuple:
        if len(wanted) == input.ndim:
            wanted = wanted[-self.n_axes :]
        if len(wanted) != self.n_axes:
            raise ValueError(
                f"{type(self).__name__}: for {input.ndim}D input, output_size must have {self.n_axes} or {input.ndim} "
                f"elements (got {len(wanted)})"
            )
        least = [
            (n - 1) * step - 2 * pad + gap * (size - 1) + 1
            for n, step, pad, gap, size in zip(
                input.shape[-self.n_axes :], self.stride, self.padding, self.dilation, self.kernel_size
            )
        ]
        most = [n + step - 1 for n, step in zip(least, self.stride)]
        if not all(low <= n <= high for low, n, high in zip(least, wanted, most)):
            raise ValueError(
                f"requested an output size of {wanted}, but valid sizes range from {least} to {most} (for an input of "
                f"{list(input.shape[-self.n_axes :])})"
            )
        return tuple(n - low for n, low in zip(wanted, least))


class ConvTranspose1d(_ConvTransposeNd):
    """The transpose of `Conv1d` as a linear map: of (N, C, L), or of (C, L).

    `weight` has shape (in_channels, out_channels / groups, kernel_size). It and `bias` start uniform within
    ± √(groups / (out_channels kernel_size)). `output_padding` lengthens the result at its end.

    >>> import autograd_core as ac
    >>> layer = ac.nn.ConvTranspose1d(4, 2, 3, stride=2)
    >>> layer(ac.ones(5, 4, 10)).shape, layer(ac.ones(5, 4, 10), output_size=[22]).shape
    (Size([5, 2, 21]), Size([5, 2, 22]))
    """

    n_axes, function = 1, F.conv_transpose1d


class ConvTranspose2d(_ConvTransposeNd):
    """The transpose of `Conv2d`: of (N, C, H, W), or of (C, H, W). Otherwise as `ConvTranspose1d`.

    >>> import autograd_core as ac
    >>> ac.nn.ConvTranspose2d(8, 1, 2, stride=2)(ac.ones(5, 8, 14, 14)).shape
    Size([5, 1, 28, 28])
    """

    n_axes, function = 2, F.conv_transpose2d


class ConvTranspose3d(_ConvTransposeNd):
    """The transpose of `Conv3d`: of (N, C, D, H, W), or of (C, D, H, W). Otherwise as `ConvTranspose1d`.

    >>> import autograd_core as ac
    >>> ac.nn.ConvTranspose3d(2, 1, 2)(ac.ones(1, 2, 3, 3, 3)).shape
    Size([1, 1, 4, 4, 4])
    """

    n_axes, function = 3, F.conv_transpose3d
