"""Unfolding an image into the columns of its windows, and folding columns back into an image."""

from __future__ import annotations

import math

import numpy as np

from ...core.table import linear
from ..floats_only import refuse_type
from ..precision import carrier
from ..shapes.shape import reshape, squeeze, unsqueeze
from .placements import col2im as add_columns
from .placements import im2col as take_columns
from .placements import per_axis, refuse, window_sizes

__all__: list[str] = []  # `unfold` and `fold` are in `nn.functional`


def _im2col(x, kernel_size, dilation, padding, stride):
    sizes = window_sizes(x.shape[2:], kernel_size, stride, padding, dilation)
    columns = take_columns(x, sizes, kernel_size, stride, padding, dilation)
    return columns.reshape(len(x), x.shape[1] * math.prod(kernel_size), math.prod(sizes))


def _col2im(x, output_size, kernel_size, dilation, padding, stride):
    sizes = window_sizes(output_size, kernel_size, stride, padding, dilation)
    out = np.zeros((len(x), x.shape[1] // math.prod(kernel_size), *output_size), carrier(x.dtype))
    return add_columns(x, out, sizes, kernel_size, stride, padding, dilation).astype(x.dtype, copy=False)


im2col = linear(
    "im2col",
    _im2col,
    "x",
    lambda g, x_shape, kernel_size, dilation, padding, stride: col2im(
        g, tuple(x_shape[2:]), kernel_size, dilation, padding, stride
    ),
    doc="`nn.functional.unfold` of a batch of images, on arguments that were checked, with one int an axis.",
)
col2im = linear(
    "col2im",
    _col2im,
    "x",
    lambda g, kernel_size, dilation, padding, stride: im2col(g, kernel_size, dilation, padding, stride),
    doc="`nn.functional.fold` of a batch, on arguments that were checked, with one int an axis.",
)


def _arguments(name: str, kernel_size, dilation, padding, stride) -> tuple:
    """The four arguments with one int an axis. RuntimeError where one is too small."""
    given = {"kernel_size": kernel_size, "dilation": dilation, "padding": padding, "stride": stride}
    values = tuple([per_axis(name, what, value, 2) for what, value in given.items()])
    for what, value in zip(given, values):
        if min(value) < (0 if what == "padding" else 1):
            least = "non-negative" if what == "padding" else "greater than zero"
            refuse(name, f"{what} should be {least}, but got {list(value)}")
    return values


def _check_type(name: str, x) -> None:
    if x.dtype.name.startswith(("int", "uint")):
        refuse_type(name, x.dtype)


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """The windows of an image as columns of a matrix.

    `input` has shape (n, c, h, w), or (c, h, w) for one image. The result has shape (n, c kh kw, windows): a column
    holds the elements of one window, channel by channel and row by row; the windows follow each other row by row. The
    other arguments are one int or one an axis, and mean what they mean in `conv2d`. NotImplementedError for integers,
    RuntimeError for other shapes and where no window fits.

    Gradient: `fold` of g: an element receives a share from every window that holds it.

    >>> import autograd_core as ac
    >>> ac.nn.functional.unfold(ac.arange(6.0).reshape(1, 2, 3), kernel_size=2)
    tensor([[0., 1.],
            [1., 2.],
            [3., 4.],
            [4., 5.]])
    """
    kernel_size, dilation, padding, stride = _arguments("unfold", kernel_size, dilation, padding, stride)
    _check_type("unfold", input)
    if input.ndim not in (3, 4) or 0 in tuple(input.shape)[-3:]:
        refuse(
            "unfold",
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions "
            f"for input, but got: {list(input.shape)}",
        )
    sizes = list(window_sizes(input.shape[-2:], kernel_size, stride, padding, dilation))
    if min(sizes) < 1:
        refuse(
            "unfold",
            f"Given input with spatial size {list(input.shape[-2:])}, kernel_size={list(kernel_size)}, "
            f"dilation={list(dilation)}, padding={list(padding)}, calculated shape of the array of sliding blocks as "
            f"{sizes}, but its components must be at least one: no window fits",
        )
    if input.ndim == 3:
        return squeeze(im2col(unsqueeze(input, 0), kernel_size, dilation, padding, stride), 0)
    return im2col(input, kernel_size, dilation, padding, stride)


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """The image of which columns are windows: each element the sum of what all the windows that hold it have there.

    `input` has shape (n, c kh kw, windows), or without n for one image: what `unfold` makes of an image (n, c, h, w)
    with (h, w) = `output_size`, which is the shape of the result. It undoes `unfold` only where windows do not overlap.
    NotImplementedError for integers, RuntimeError where the shapes do not fit.

    Gradient: `unfold` of g.

    >>> import autograd_core as ac
    >>> ac.nn.functional.fold(ac.ones(4, 2), output_size=(2, 3), kernel_size=2)
    tensor([[[1., 2., 1.],
             [1., 2., 1.]]])
    """
    output_size = per_axis("fold", "output_size", output_size, 2)
    kernel_size, dilation, padding, stride = _arguments("fold", kernel_size, dilation, padding, stride)
    _check_type("fold", input)
    shape = tuple(input.shape)
    if len(shape) not in (2, 3) or 0 in shape[-2:]:
        refuse(
            "fold",
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero "
            f"dimensions for input, but got: {list(shape)}",
        )
    if shape[-2] % math.prod(kernel_size):
        refuse(
            "fold",
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got "
            f"input.size(1)={shape[-2]} and kernel_size={list(kernel_size)}",
        )
    sizes = window_sizes(output_size, kernel_size, stride, padding, dilation)
    if min(sizes) < 1:
        refuse(
            "fold",
            f"Given output_size={list(output_size)}, kernel_size={list(kernel_size)}, dilation={list(dilation)}, "
            f"padding={list(padding)}, stride={list(stride)}, calculated shape of the array of sliding blocks as "
            f"{list(sizes)}, but its components must be at least one: no window fits",
        )
    if math.prod(sizes) != shape[-1]:
        refuse(
            "fold",
            f"Given output_size={list(output_size)}, kernel_size={list(kernel_size)}, "
            f"dilation={list(dilation)}, padding={list(padding)}, stride={list(stride)}, expected size of input's "
            f"dimension 2 to match the calculated number of sliding blocks, {math.prod(sizes)}, but got "
            f"input.size(2)={shape[-1]}",
        )
    batch = reshape(input, (1, *shape)) if len(shape) == 2 else input
    out = col2im(batch, output_size, kernel_size, dilation, padding, stride)
    return squeeze(out, 0) if len(shape) == 2 else out
