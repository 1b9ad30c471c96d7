"""Rearranging: layers without parameters that give elements a new place, or the grid a new size."""

from __future__ import annotations

from typing import Any

from ..core.tensor import Tensor
from . import functional as F
from .module import Module


class Flatten(Module):
    """Join the axes `start_dim` to `end_dim` into one; the first is left as it is.

    >>> import autograd_core as ac
    >>> ac.nn.Flatten()(ac.ones(5, 1, 28, 28)).shape
    Size([5, 784])
    """

    def __init__(self, start_dim: int = 1, end_dim: int = -1):
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input: Tensor) -> Tensor:
        """`flatten` of the input."""
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        """The axes."""
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """Split axis `dim` into axes of sizes `unflattened_size`, one of which may be -1. TypeError unless it is a tuple.

    >>> import autograd_core as ac
    >>> ac.nn.Unflatten(1, (1, 28, 28))(ac.ones(5, 784)).shape
    Size([5, 1, 28, 28])
    """

    unflattened_size: Any

    def __init__(self, dim: int, unflattened_size):
        super().__init__()
        if not isinstance(unflattened_size, (tuple, list)):
            raise TypeError(f"unflattened_size must be a tuple of ints, but found {type(unflattened_size).__name__}")
        for i, size in enumerate(unflattened_size):
            if not isinstance(size, int):
                kind = type(size).__name__
                raise TypeError(f"unflattened_size must be tuple of ints, but found element of type {kind} at pos {i}")
        self.dim, self.unflattened_size = dim, unflattened_size

    def forward(self, input: Tensor) -> Tensor:
        """`unflatten` of the input."""
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        """The axis and its new sizes."""
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"


class _Blocks(Module):
    def __init__(self, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        self.kernel_size, self.dilation, self.padding, self.stride = kernel_size, dilation, padding, stride

    def extra_repr(self) -> str:
        """The settings."""
        return f"kernel_size={self.kernel_size}, dilation={self.dilation}, padding={self.padding}, stride={self.stride}"


class Unfold(_Blocks):
    """The windows of (N, C, H, W) or (C, H, W) as columns: (N, C kernel size, number of windows).

    >>> import autograd_core as ac
    >>> ac.nn.Unfold(2)(ac.ones(1, 3, 4, 4)).shape
    Size([1, 12, 9])
    """

    def forward(self, input: Tensor) -> Tensor:
        """`functional.unfold`."""
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)


class Fold(_Blocks):
    """Windows that are columns, as `Unfold` makes them, added up in an image of `output_size`.

    >>> import autograd_core as ac
    >>> ac.nn.Fold((4, 4), 2)(ac.ones(1, 12, 9)).shape
    Size([1, 3, 4, 4])
    """

    def __init__(self, output_size, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__(kernel_size, dilation, padding, stride)
        self.output_size = output_size

    def forward(self, input: Tensor) -> Tensor:
        """`functional.fold`."""
        return F.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        """The settings."""
        return f"output_size={self.output_size}, {super().extra_repr()}"


class PixelShuffle(Module):
    """(N, C r², H, W) as (N, C, H r, W r), r the `upscale_factor`.

    >>> import autograd_core as ac
    >>> ac.nn.PixelShuffle(2)(ac.ones(1, 12, 3, 3)).shape
    Size([1, 3, 6, 6])
    """

    def __init__(self, upscale_factor: int):
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Tensor) -> Tensor:
        """`functional.pixel_shuffle`."""
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self) -> str:
        """The factor."""
        return f"upscale_factor={self.upscale_factor}"


class PixelUnshuffle(Module):
    """The inverse of `PixelShuffle`.

    >>> import autograd_core as ac
    >>> ac.nn.PixelUnshuffle(2)(ac.ones(1, 3, 6, 6)).shape
    Size([1, 12, 3, 3])
    """

    def __init__(self, downscale_factor: int):
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Tensor:
        """`functional.pixel_unshuffle`."""
        return F.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self) -> str:
        """The factor."""
        return f"downscale_factor={self.downscale_factor}"


class ChannelShuffle(Module):
    """Channels (axis 1) in `groups` groups, then one from each group in turn.

    >>> import autograd_core as ac
    >>> ac.nn.ChannelShuffle(2)(ac.arange(4.0).reshape(1, 4, 1)).flatten()
    tensor([0., 2., 1., 3.])
    """

    def __init__(self, groups: int):
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        """`functional.channel_shuffle`."""
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self) -> str:
        """The number of groups."""
        return f"groups={self.groups}"


class Upsample(Module):
    """`functional.interpolate`: another `size`, or `scale_factor` times it, of the axes from the third on.

    >>> import autograd_core as ac
    >>> ac.nn.Upsample(scale_factor=2)(ac.tensor([[[1.0, 2.0]]]))
    tensor([[[1., 1., 2., 2.]]])
    """

    def __init__(
        self,
        size=None,
        scale_factor=None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ):
        super().__init__()
        if isinstance(scale_factor, (tuple, list)):
            scale_factor = tuple(float(factor) for factor in scale_factor)
        elif scale_factor is not None:
            scale_factor = float(scale_factor)
        self.size, self.scale_factor, self.mode = size, scale_factor, mode
        self.align_corners, self.recompute_scale_factor = align_corners, recompute_scale_factor

    def forward(self, input: Tensor) -> Tensor:
        """`functional.interpolate`."""
        return F.interpolate(
            input, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor
        )

    def extra_repr(self) -> str:
        """The size or the factor, and the mode."""
        how = f"size={self.size}" if self.scale_factor is None else f"scale_factor={self.scale_factor}"
        return f"{how}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """`Upsample` of images by the nearest element.

    >>> import autograd_core as ac
    >>> ac.nn.UpsamplingNearest2d(scale_factor=2)(ac.ones(1, 1, 2, 2)).shape
    Size([1, 1, 4, 4])
    """

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, "nearest")


class UpsamplingBilinear2d(Upsample):
    """`Upsample` of images by bilinear interpolation, with corners that stay in place.

    >>> import autograd_core as ac
    >>> ac.nn.UpsamplingBilinear2d(size=(3, 3))(ac.ones(1, 1, 2, 2)).shape
    Size([1, 1, 3, 3])
    """

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, "bilinear", align_corners=True)
