"""Convolutions in any number of spatial axes, and the three ops that are each other's derivatives.

A convolution is linear in its input and linear in its weight. Its two gradients are the transposed convolution and the
correlation of input with output, and the gradients of these are found among the same three. Each is one matrix product
an image between the weight and the windows of the input laid out in columns (see `windows`).
"""

from __future__ import annotations

import math

import numpy as np

from ...core.table import general
from ..large_arrays import blocks
from ..precision import carrier
from ..reductions.reduction import sum
from ..shapes.shape import squeeze, unsqueeze
from .borders import constant_pad
from .placements import col2im, im2col, per_axis, refuse, window_sizes

__all__ = ["conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"]

# -- the three ops

CACHES = 4  # for the columns of a block: a product of matrices waits less for the memory than a sum


def _columns(x, sizes, kernel, stride, padding, dilation):
    if math.prod(kernel) == math.prod(stride) == 1 and not any(padding):
        return x  # a 1x1 kernel: the input is its own windows
    return im2col(x, sizes, kernel, stride, padding, dilation)


def _convolution(x, weight, bias=None, stride=(1,), padding=(0,), dilation=(1,), groups=1):
    kernel, n, n_out = weight.shape[2:], len(x), len(weight)
    sizes = window_sizes(x.shape[2:], kernel, stride, padding, dilation)
    dtype = carrier(x.dtype)
    out = np.empty((n, n_out, *sizes), dtype)
    matrices = weight.astype(dtype, copy=False).reshape(groups, n_out // groups, math.prod(weight.shape[1:]))
    for block in blocks(n, x.shape[1] * math.prod(kernel) * math.prod(sizes), CACHES):
        columns = _columns(x[block].astype(dtype, copy=False), sizes, kernel, stride, padding, dilation)
        columns = columns.reshape(len(columns), groups, matrices.shape[2], math.prod(sizes))
        np.matmul(matrices, columns, out=out[block].reshape(len(columns), *matrices.shape[:2], math.prod(sizes)))
        if bias is not None:
            out[block] += _along_channels(bias, len(sizes))
    return out.astype(x.dtype, copy=False)


def _transposed_convolution(
    x, weight, bias=None, stride=(1,), padding=(0,), output_padding=(0,), dilation=(1,), groups=1
):
    kernel, n, sizes = weight.shape[2:], len(x), x.shape[2:]
    n_in, n_out = len(weight), weight.shape[1] * groups
    shape = transposed_sizes(sizes, kernel, stride, padding, output_padding, dilation)
    dtype = carrier(x.dtype)
    out = np.zeros((n, n_out, *shape), dtype)
    matrices = (
        weight.astype(dtype, copy=False).reshape(groups, n_in // groups, math.prod(weight.shape[1:])).swapaxes(1, 2)
    )
    product = np.multiply if n_in == groups else np.matmul  # a sum of one product: many small ones are quicker so
    for block in blocks(n, n_out * math.prod(kernel) * math.prod(sizes), CACHES):
        rows = x[block].astype(dtype, copy=False)
        rows = rows.reshape(len(rows), groups, n_in // groups, math.prod(sizes))
        columns = product(matrices, rows)
        col2im(columns, out[block], sizes, kernel, stride, padding, dilation)
        if bias is not None:
            out[block] += _along_channels(bias, len(sizes))
    return out.astype(x.dtype, copy=False)


def _weight_convolution(x, y, kernel, stride=(1,), padding=(0,), dilation=(1,), groups=1):
    n_out, sizes = y.shape[1], y.shape[2:]
    dtype = carrier(x.dtype)
    rows = x.shape[1] // groups * math.prod(kernel)
    out = np.zeros((groups, n_out // groups, rows), dtype)
    for block in blocks(len(x), max(x.shape[1] * math.prod(kernel) * math.prod(sizes), out.size), CACHES):
        columns = _columns(x[block].astype(dtype, copy=False), sizes, kernel, stride, padding, dilation)
        columns = columns.reshape(len(columns), groups, rows, math.prod(sizes))
        at_windows = y[block].astype(dtype, copy=False).reshape(len(columns), groups, n_out // groups, math.prod(sizes))
        out += np.add.reduce(np.matmul(at_windows, columns.swapaxes(2, 3)), axis=0)
    return out.reshape(n_out, x.shape[1] // groups, *kernel).astype(x.dtype, copy=False)


def transposed_sizes(sizes, kernel, stride, padding, output_padding, dilation) -> tuple[int, ...]:
    """The spatial shape of a transposed convolution."""
    return tuple(
        (n - 1) * s - 2 * p + d * (k - 1) + 1 + extra
        for n, k, s, p, d, extra in zip(sizes, kernel, stride, padding, dilation, output_padding)
    )


def _unseen(shape, sizes, kernel, stride, padding, dilation) -> tuple[int, ...]:
    """How many elements at the end of each axis of length `shape` no window reaches: the `output_padding` back."""
    reached = transposed_sizes(sizes, kernel, stride, padding, (0,) * len(sizes), dilation)
    return tuple(n - m for n, m in zip(shape, reached))


def _first(out, shape):
    """The windows that there were: an `output_padding` as large as the stride makes room for more."""
    return out if tuple(out.shape) == tuple(shape) else out[tuple([slice(n) for n in shape])]


def _along_channels(bias, n_axes: int):
    return bias.reshape(-1, *[1] * n_axes)


def d_convolution_dx(g, weight, x_shape, stride, padding, dilation, groups):
    """The transposed convolution of g with the same weight."""
    unseen = _unseen(x_shape[2:], g.shape[2:], weight.shape[2:], stride, padding, dilation)
    return transposed_convolution(g, weight, None, stride, padding, unseen, dilation, groups)


def d_convolution_dweight(g, x, weight_shape, stride, padding, dilation, groups):
    """For each tap of the kernel, x there times g, summed over all windows."""
    return weight_convolution(x, g, weight_shape[2:], stride, padding, dilation, groups)


def d_transposed_dx(g, weight, x_shape, stride, padding, dilation, groups):
    """The convolution of g with the same weight."""
    return _first(convolution(g, weight, None, stride, padding, dilation, groups), x_shape)


def d_transposed_dweight(g, x, weight_shape, stride, padding, dilation, groups):
    """As for the convolution that leads back, with g as its input and x at its windows."""
    return weight_convolution(g, x, weight_shape[2:], stride, padding, dilation, groups)


def d_bias(g):
    """g, summed over the batch and all positions."""
    return sum(g, (0, *range(2, g.ndim)))


def d_weight_convolution_dx(g, y, x_shape, stride, padding, dilation, groups):
    """The transposed convolution of y, with g as the weight."""
    unseen = _unseen(x_shape[2:], y.shape[2:], g.shape[2:], stride, padding, dilation)
    return transposed_convolution(y, g, None, stride, padding, unseen, dilation, groups)


def d_weight_convolution_dy(g, x, y_shape, stride, padding, dilation, groups):
    """The convolution of x, with g as the weight."""
    return _first(convolution(x, g, None, stride, padding, dilation, groups), y_shape)


convolution = general(
    "convolution",
    _convolution,
    "x weight bias",
    d_convolution_dx,
    d_convolution_dweight,
    d_bias,
    doc="`conv1d`, `conv2d`, `conv3d` on arguments that were checked, with one int an axis.",
)
transposed_convolution = general(
    "transposed_convolution",
    _transposed_convolution,
    "x weight bias",
    d_transposed_dx,
    d_transposed_dweight,
    d_bias,
    node_name="ConvolutionBackward0",
    doc="`conv_transpose1d`, `conv_transpose2d`, `conv_transpose3d` on arguments that were checked, with one int an "
    "axis. It is the gradient of `convolution` for its input.",
)
weight_convolution = general(
    "weight_convolution",
    _weight_convolution,
    "x y",
    d_weight_convolution_dx,
    d_weight_convolution_dy,
    doc="The sum over all windows of (element of `x` at a tap) times (element of `other` at that window): the gradient "
    "of `convolution` for its weight.",
)

# -- checks


def _check_types(name: str, x, weight, bias) -> None:
    for what, other in (("weight", weight), ("bias", bias)):
        if other is not None and other.dtype != x.dtype:
            refuse(
                name,
                f"Input type ({x.dtype.name}) and {what} type ({other.dtype.name}) should be the same; convert one "
                "with .to(...)",
            )
    if x.dtype.name == "bool":
        raise NotImplementedError(f'"{name}" not implemented for bool; convert the input with .float()')


def _check_numbers(name: str, stride, padding, dilation, groups) -> None:
    if groups <= 0:
        refuse(name, f"non-positive groups is not supported, got {groups}")
    if min(stride) <= 0:
        refuse(name, f"non-positive stride is not supported, got {list(stride)}")
    if min(padding) < 0:
        refuse(name, f"negative padding is not supported, got {list(padding)}; cut the input instead")
    if min(dilation) <= 0:
        refuse(name, f"dilation should be greater than zero, got {list(dilation)}")


def _check_shapes(name: str, x, weight, bias, n_axes: int, groups: int, transposed: bool) -> None:
    if weight.ndim != n_axes + 2:
        least = "weight should have at least three dimensions; " if weight.ndim < 3 else ""
        refuse(
            name,
            f"{least}Expected {weight.ndim}-dimensional input for {weight.ndim}-dimensional weight "
            f"{list(weight.shape)}, but {name} takes a weight of {n_axes + 2} axes",
        )
    if x.ndim not in (n_axes + 1, n_axes + 2):
        refuse(
            name,
            f"Expected {n_axes + 1}D (unbatched) or {n_axes + 2}D (batched) input, but got input of size: "
            f"{list(x.shape)}",
        )
    if len(weight) < groups:
        refuse(
            name,
            f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight of "
            f"size {list(weight.shape)} instead",
        )
    if len(weight) % groups:
        refuse(
            name,
            f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but got weight "
            f"of size {list(weight.shape)} instead",
        )
    channels, wanted = x.shape[-n_axes - 1], len(weight) if transposed else weight.shape[1] * groups
    if channels != wanted:
        refuse(
            name,
            f"Given groups={groups}, weight of size {list(weight.shape)}, expected input{list(x.shape)} to have "
            f"{wanted} channels, but got {channels} channels instead",
        )
    n_out = weight.shape[1] * groups if transposed else len(weight)
    if bias is not None and tuple(bias.shape) != (n_out,):
        refuse(
            name,
            f"Given weight of size {list(weight.shape)}, expected bias to be 1-dimensional with {n_out} elements, "
            f"but got bias of size {list(bias.shape)} instead",
        )


def _batched(op, n_axes: int, x, *rest):
    """`op` on a batch, or on one image as a batch of one."""
    return op(x, *rest) if x.ndim == n_axes + 2 else squeeze(op(unsqueeze(x, 0), *rest), 0)


# -- the public functions


def _same_padding(name: str, x, kernel, stride, dilation) -> tuple:
    """The input and padding that make the result as long as the input. Where that is odd, the far end gets one more."""
    if max(stride) > 1:
        refuse(name, f"padding='same' is not supported for strided convolutions, got stride {list(stride)}")
    total = [d * (k - 1) for k, d in zip(kernel, dilation)]
    odd = [n % 2 for n in total]
    if any(odd):
        x = constant_pad(x, tuple(n for extra in reversed(odd) for n in (0, extra)))
    return x, tuple(n // 2 for n in total)


def _conv(name: str, n_axes: int, x, weight, bias, stride, padding, dilation, groups):
    stride, dilation = per_axis(name, "stride", stride, n_axes), per_axis(name, "dilation", dilation, n_axes)
    if isinstance(padding, str):
        if padding not in ("same", "valid"):
            refuse(name, f"Invalid padding string: '{padding}'; use 'same', 'valid' or integers")
        given = (0,) * n_axes
    else:
        given = per_axis(name, "padding", padding, n_axes)
    _check_types(name, x, weight, bias)
    _check_numbers(name, stride, given, dilation, groups)
    _check_shapes(name, x, weight, bias, n_axes, groups, transposed=False)
    kernel = tuple(weight.shape[2:])
    if padding == "same":
        x, given = _same_padding(name, x, kernel, stride, dilation)
    if any(n <= 0 for n in window_sizes(x.shape[-n_axes:], kernel, stride, given, dilation)) or 0 in kernel:
        padded = [n + 2 * p for n, p in zip(x.shape[-n_axes:], given)]
        refuse(
            name,
            f"Calculated padded input size per channel: {padded}. Kernel size: {list(kernel)}, dilation "
            f"{list(dilation)}. Kernel size can't be zero or greater than actual input size",
        )
    return _batched(convolution, n_axes, x, weight, bias, stride, given, dilation, groups)


def _conv_transpose(name: str, n_axes: int, x, weight, bias, stride, padding, output_padding, groups, dilation):
    stride, dilation = per_axis(name, "stride", stride, n_axes), per_axis(name, "dilation", dilation, n_axes)
    padding = per_axis(name, "padding", padding, n_axes)
    output_padding = per_axis(name, "output_padding", output_padding, n_axes)
    _check_types(name, x, weight, bias)
    _check_numbers(name, stride, padding, dilation, groups)
    _check_shapes(name, x, weight, bias, n_axes, groups, transposed=True)
    if any(not 0 <= extra < max(s, d) for extra, s, d in zip(output_padding, stride, dilation)):
        refuse(
            name,
            f"output padding must be non-negative and smaller than either stride or dilation, but got output_padding "
            f"{list(output_padding)}, stride {list(stride)}, dilation {list(dilation)}",
        )
    kernel = tuple(weight.shape[2:])
    sizes = transposed_sizes(x.shape[-n_axes:], kernel, stride, padding, output_padding, dilation)
    if min(sizes) <= 0:
        refuse(
            name,
            f"Given input size per channel: {list(x.shape[-n_axes:])}. Calculated output size per channel: "
            f"{list(sizes)}. Output size is too small",
        )
    return _batched(transposed_convolution, n_axes, x, weight, bias, stride, padding, output_padding, dilation, groups)


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """The product sums of a kernel with each window of a signal: see `conv2d`, here with one spatial axis.

    `input` has shape (n, c, length) or (c, length), `weight` (c_out, c / groups, kernel), `bias` (c_out).

    >>> import autograd_core as ac
    >>> ac.conv1d(ac.tensor([[1.0, 2.0, 4.0, 8.0]]), ac.tensor([[[-1.0, 1.0]]]))
    tensor([[1., 2., 4.]])
    """
    return _conv("conv1d", 1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """The product sums of a kernel with each window of an image, which deep learning calls a convolution.

    `input` has shape (n, c, h, w), or (c, h, w) for one image; `weight` (c_out, c / groups, kh, kw); `bias` (c_out);
    all of one dtype. The result has shape (n, c_out, h_out, w_out), with
    h_out = ⌊(h + 2 padding - dilation (kh - 1) - 1) / stride⌋ + 1. `stride`, `padding` and `dilation` are one int, or
    one an axis. `padding` counts zeros at each end; "same" adds as many as keep the size, at the far end one more
    where they are odd, and needs stride 1; "valid" adds none. With `groups`, channels and kernels are split and each
    group sees its own.

    RuntimeError for shapes, dtypes or numbers that do not fit, NotImplementedError for bools.

    Gradients: `conv_transpose2d` of g with the weight; for the weight, input times g at each tap, summed over all
    windows; for the bias, g summed over all but channels (Dumoulin and Visin, A guide to convolution arithmetic for
    deep learning, 2016).

    >>> import autograd_core as ac
    >>> ac.conv2d(ac.arange(9.0).reshape(1, 3, 3), ac.ones(1, 1, 2, 2))
    tensor([[[ 8., 12.],
             [20., 24.]]])
    """
    return _conv("conv2d", 2, input, weight, bias, stride, padding, dilation, groups)


def conv3d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """The product sums of a kernel with each window of a volume: see `conv2d`, here with three spatial axes.

    `input` has shape (n, c, d, h, w) or (c, d, h, w), `weight` (c_out, c / groups, kd, kh, kw), `bias` (c_out).

    >>> import autograd_core as ac
    >>> ac.conv3d(ac.ones(1, 1, 3, 3, 3), ac.ones(1, 1, 2, 2, 2), padding="same").shape
    Size([1, 1, 3, 3, 3])
    """
    return _conv("conv3d", 3, input, weight, bias, stride, padding, dilation, groups)


def conv_transpose1d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """The transpose of `conv1d`: see `conv_transpose2d`, here with one spatial axis.

    `input` has shape (n, c, length) or (c, length), `weight` (c, c_out / groups, kernel), `bias` (c_out).

    >>> import autograd_core as ac
    >>> ac.conv_transpose1d(ac.tensor([[1.0, 10.0]]), ac.tensor([[[1.0, 2.0]]]), stride=2)
    tensor([[ 1.,  2., 10., 20.]])
    """
    return _conv_transpose(
        "conv_transpose1d", 1, input, weight, bias, stride, padding, output_padding, groups, dilation
    )


def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """The transpose of the linear map `conv2d`: each element of the input adds its multiple of the kernel to a window.

    `input` has shape (n, c, h, w), or (c, h, w) for one image; `weight` (c, c_out / groups, kh, kw), that of the
    `conv2d` that leads back; `bias` (c_out); all of one dtype. The result has shape (n, c_out, h_out, w_out), with
    h_out = (h - 1) stride - 2 padding + dilation (kh - 1) + 1 + output_padding. `output_padding` lengthens the far end:
    with a stride, `conv2d` maps several sizes to one, and this says which to go back to.

    RuntimeError for shapes, dtypes or numbers that do not fit, NotImplementedError for bools.

    Gradients: `conv2d` of g with the weight; for the weight, g times input at each tap, summed over all windows; for
    the bias, g summed over all but channels (Dumoulin and Visin, A guide to convolution arithmetic for deep learning,
    2016).

    >>> import autograd_core as ac
    >>> ac.conv_transpose2d(ac.ones(1, 2, 2), ac.ones(1, 1, 2, 2))
    tensor([[[1., 2., 1.],
             [2., 4., 2.],
             [1., 2., 1.]]])
    """
    return _conv_transpose(
        "conv_transpose2d", 2, input, weight, bias, stride, padding, output_padding, groups, dilation
    )


def conv_transpose3d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """The transpose of `conv3d`: see `conv_transpose2d`, here with three spatial axes.

    `input` has shape (n, c, d, h, w) or (c, d, h, w), `weight` (c, c_out / groups, kd, kh, kw), `bias` (c_out).

    >>> import autograd_core as ac
    >>> ac.conv_transpose3d(ac.ones(1, 1, 2, 2, 2), ac.ones(1, 3, 2, 2, 2), stride=2).shape
    Size([1, 3, 4, 4, 4])
    """
    return _conv_transpose(
        "conv_transpose3d", 3, input, weight, bias, stride, padding, output_padding, groups, dilation
    )
