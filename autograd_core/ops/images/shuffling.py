"""Channels and pixels exchanged: rearranged copies of images, made of reshapes and permutations."""

from __future__ import annotations

from ..shapes.shape import permute, reshape

__all__ = ["channel_shuffle", "pixel_shuffle", "pixel_unshuffle"]


def pixel_shuffle(input, upscale_factor: int):
    """Channels spread over pixels: (..., C r², H, W) to (..., C, H r, W r), where r is `upscale_factor`.

    Linear; the gradient is `pixel_unshuffle`. RuntimeError for fewer than three axes, a factor that is not positive, or
    channels that r² does not divide. Source: Shi et al., Real-Time Single Image and Video Super-Resolution, 2016.

    >>> import autograd_core as ac
    >>> ac.pixel_shuffle(ac.tensor([[[1.0]], [[2.0]], [[3.0]], [[4.0]]]), 2)
    tensor([[[1., 2.],
             [3., 4.]]])
    """
    r = upscale_factor
    _check_image("pixel_shuffle", input, "upscale_factor", r)
    *batch, channels, height, width = input.shape
    if channels % (r * r):
        raise RuntimeError(
            f"pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, "
            f"but {channels} is not divisible by {r * r}"
        )
    b = len(batch)
    parts = reshape(input, (*batch, channels // (r * r), r, r, height, width))
    parts = permute(parts, (*range(b), b, b + 3, b + 1, b + 4, b + 2))
    return reshape(parts, (*batch, channels // (r * r), height * r, width * r))


def pixel_unshuffle(input, downscale_factor: int):
    """Pixels gathered into channels: (..., C, H r, W r) to (..., C r², H, W), where r is `downscale_factor`.

    Linear; the gradient is `pixel_shuffle`. RuntimeError for fewer than three axes, a factor that is not positive, or a
    height or width that r does not divide.

    >>> import autograd_core as ac
    >>> ac.pixel_unshuffle(ac.tensor([[[1.0, 2.0], [3.0, 4.0]]]), 2).flatten()
    tensor([1., 2., 3., 4.])
    """
    r = downscale_factor
    _check_image("pixel_unshuffle", input, "downscale_factor", r)
    *batch, channels, height, width = input.shape
    for name, n in (("height", height), ("width", width)):
        if n % r:
            raise RuntimeError(
                f"pixel_unshuffle expects {name} to be divisible by downscale_factor, but {n} is not divisible by {r}"
            )
    b = len(batch)
    parts = reshape(input, (*batch, channels, height // r, r, width // r, r))
    parts = permute(parts, (*range(b), b, b + 2, b + 4, b + 1, b + 3))
    return reshape(parts, (*batch, channels * r * r, height // r, width // r))


def channel_shuffle(input, groups: int):
    """The channels, axis 1, of `groups` groups interleaved: of (a, b, c, d) in two groups (a, c, b, d).

    Linear; the gradient is the shuffle back. RuntimeError for fewer than three axes, or a number of groups that is not
    positive or does not divide the channels. Source: Zhang et al., ShuffleNet, 2018.

    >>> import autograd_core as ac
    >>> ac.channel_shuffle(ac.arange(4.0).view(1, 4, 1), 2).flatten()
    tensor([0., 2., 1., 3.])
    """
    if input.ndim < 3:
        raise RuntimeError(f"channel_shuffle expects input with > 2 dims, but got input with sizes {list(input.shape)}")
    n, channels, *inner = input.shape
    if groups <= 0 or channels % groups:
        raise RuntimeError(
            f"channel_shuffle: the number of groups must be positive and divide the channels, got {groups} groups for "
            f"{channels} channels"
        )
    parts = reshape(input, (n, groups, channels // groups, *inner))
    parts = permute(parts, (0, 2, 1, *range(3, 3 + len(inner))))
    return reshape(parts, (n, channels, *inner))


def _check_image(name: str, input, factor_name: str, factor: int) -> None:
    if input.ndim < 3:
        raise RuntimeError(
            f"{name} expects input to have at least 3 dimensions, but got input with {input.ndim} dimension(s)"
        )
    if factor <= 0:
        raise RuntimeError(f"{name} expects a positive {factor_name}, but got {factor}")
