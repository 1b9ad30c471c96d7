"""Pooling: of each window of the last one to three axes, one number."""

from __future__ import annotations

from collections.abc import Callable

from ..core.tensor import Tensor
from . import functional as F
from .convolution import to_tuple
from .module import Module


class _MaxPoolNd(Module):
    function: Callable

    def __init__(
        self, kernel_size, stride=None, padding=0, dilation=1, return_indices: bool = False, ceil_mode: bool = False
    ):
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.dilation = padding, dilation
        self.return_indices, self.ceil_mode = return_indices, ceil_mode

    def forward(self, input: Tensor):
        """The pooling of `functional` with these settings."""
        return type(self).function(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices
        )

    def extra_repr(self) -> str:
        """The settings."""
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, dilation={self.dilation}, "
            f"ceil_mode={self.ceil_mode}"
        )


class MaxPool1d(_MaxPoolNd):
    """The largest number of each window of (N, C, L) or (C, L); with `return_indices` also where it was.

    `stride` is `kernel_size` unless given. With `ceil_mode` a window may begin in the input and end behind it.

    >>> import autograd_core as ac
    >>> ac.nn.MaxPool1d(2)(ac.ones(1, 1, 4)).shape
    Size([1, 1, 2])
    """

    function = F.max_pool1d


class MaxPool2d(_MaxPoolNd):
    """The largest number of each window of (N, C, H, W) or (C, H, W); with `return_indices` also where it was.

    `stride` is `kernel_size` unless given. With `ceil_mode` a window may begin in the input and end behind it.

    >>> import autograd_core as ac
    >>> ac.nn.MaxPool2d(2)(ac.ones(1, 1, 4, 4)).shape
    Size([1, 1, 2, 2])
    """

    function = F.max_pool2d


class MaxPool3d(_MaxPoolNd):
    """The largest number of each window of (N, C, D, H, W) or (C, D, H, W); with `return_indices` also where it was.

    `stride` is `kernel_size` unless given. With `ceil_mode` a window may begin in the input and end behind it.

    >>> import autograd_core as ac
    >>> ac.nn.MaxPool3d(2)(ac.ones(1, 1, 4, 4, 4)).shape
    Size([1, 1, 2, 2, 2])
    """

    function = F.max_pool3d


class _AvgPoolNd(Module):
    function: Callable

    def __init__(
        self,
        kernel_size,
        stride=None,
        padding=0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ):
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.ceil_mode, self.count_include_pad = padding, ceil_mode, count_include_pad
        self.divisor_override = divisor_override

    def forward(self, input: Tensor) -> Tensor:
        """The pooling of `functional` with these settings."""
        return type(self).function(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )

    def extra_repr(self) -> str:
        """The sizes."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool1d(_AvgPoolNd):
    """The mean of each window of (N, C, L) or (C, L).

    `stride` is `kernel_size` unless given. Padding counts as zeros, or not at all without `count_include_pad`.

    >>> import autograd_core as ac
    >>> ac.nn.AvgPool1d(2)(ac.tensor([[1.0, 3.0, 5.0, 7.0]]))
    tensor([[2., 6.]])
    """

    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode: bool = False, count_include_pad: bool = True):
        stride = kernel_size if stride is None else stride
        super().__init__(
            to_tuple(kernel_size, 1), to_tuple(stride, 1), to_tuple(padding, 1), ceil_mode, count_include_pad
        )

    def forward(self, input: Tensor) -> Tensor:
        """`functional.avg_pool1d`, which has no `divisor_override`."""
        return F.avg_pool1d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)


class AvgPool2d(_AvgPoolNd):
    """The mean of each window of (N, C, H, W) or (C, H, W); otherwise as `AvgPool1d`.

    `divisor_override` takes the place of the number of elements in a window.

    >>> import autograd_core as ac
    >>> ac.nn.AvgPool2d(2)(ac.ones(1, 1, 4, 4)).shape
    Size([1, 1, 2, 2])
    """

    function = F.avg_pool2d


class AvgPool3d(_AvgPoolNd):
    """The mean of each window of (N, C, D, H, W) or (C, D, H, W); otherwise as `AvgPool1d`.

    `divisor_override` takes the place of the number of elements in a window.

    >>> import autograd_core as ac
    >>> ac.nn.AvgPool3d(2)(ac.ones(1, 1, 4, 4, 4)).shape
    Size([1, 1, 2, 2, 2])
    """

    function = F.avg_pool3d


class _AdaptiveAvgPoolNd(Module):
    function: Callable

    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size

    def forward(self, input: Tensor):
        """The pooling of `functional` to this size."""
        return type(self).function(input, self.output_size)

    def extra_repr(self) -> str:
        """The size of the result."""
        return f"output_size={self.output_size}"


class _AdaptiveMaxPoolNd(_AdaptiveAvgPoolNd):
    def __init__(self, output_size, return_indices: bool = False):
        super().__init__(output_size)
        self.return_indices = return_indices

    def forward(self, input: Tensor):
        """The pooling of `functional` to this size."""
        return type(self).function(input, self.output_size, self.return_indices)


class AdaptiveAvgPool1d(_AdaptiveAvgPoolNd):
    """The mean of each of `output_size` windows of near equal sizes.

    The input is (N, C, L) or (C, L).

    >>> import autograd_core as ac
    >>> ac.nn.AdaptiveAvgPool1d(2)(ac.ones(1, 1, 5)).shape
    Size([1, 1, 2])
    """

    function = F.adaptive_avg_pool1d


class AdaptiveAvgPool2d(_AdaptiveAvgPoolNd):
    """The mean of each of `output_size` windows of near equal sizes.

    The input is (N, C, H, W) or (C, H, W). None in it keeps an axis.

    >>> import autograd_core as ac
    >>> ac.nn.AdaptiveAvgPool2d(2)(ac.ones(1, 1, 5, 5)).shape
    Size([1, 1, 2, 2])
    """

    function = F.adaptive_avg_pool2d


class AdaptiveAvgPool3d(_AdaptiveAvgPoolNd):
    """The mean of each of `output_size` windows of near equal sizes.

    The input is (N, C, D, H, W) or (C, D, H, W). None in it keeps an axis.

    >>> import autograd_core as ac
    >>> ac.nn.AdaptiveAvgPool3d(2)(ac.ones(1, 1, 5, 5, 5)).shape
    Size([1, 1, 2, 2, 2])
    """

    function = F.adaptive_avg_pool3d


class AdaptiveMaxPool1d(_AdaptiveMaxPoolNd):
    """The largest number of each of `output_size` windows of near equal sizes.

    The input is (N, C, L) or (C, L). With `return_indices` also where they were.

    >>> import autograd_core as ac
    >>> ac.nn.AdaptiveMaxPool1d(2)(ac.ones(1, 1, 5)).shape
    Size([1, 1, 2])
    """

    function = F.adaptive_max_pool1d


class AdaptiveMaxPool2d(_AdaptiveMaxPoolNd):
    """The largest number of each of `output_size` windows of near equal sizes.

    The input is (N, C, H, W) or (C, H, W). None in it keeps an axis. With `return_indices` also where they were.

    >>> import autograd_core as ac
    >>> ac.nn.AdaptiveMaxPool2d(2)(ac.ones(1, 1, 5, 5)).shape
    Size([1, 1, 2, 2])
    """

    function = F.adaptive_max_pool2d


class AdaptiveMaxPool3d(_AdaptiveMaxPoolNd):
    """The largest number of each of `output_size` windows of near equal sizes.

    The input is (N, C, D, H, W) or (C, D, H, W). None in it keeps an axis. With `return_indices` also where they were.

    >>> import autograd_core as ac
    >>> ac.nn.AdaptiveMaxPool3d(2)(ac.ones(1, 1, 5, 5, 5)).shape
    Size([1, 1, 2, 2, 2])
    """

    function = F.adaptive_max_pool3d


class _LPPoolNd(Module):
    function: Callable

    def __init__(self, norm_type: float, kernel_size, stride=None, ceil_mode: bool = False):
        super().__init__()
        self.norm_type, self.kernel_size, self.stride, self.ceil_mode = norm_type, kernel_size, stride, ceil_mode

    def forward(self, input: Tensor) -> Tensor:
        """The pooling of `functional` with these settings."""
        return type(self).function(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)

    def extra_repr(self) -> str:
        """The settings."""
        return (
            f"norm_type={self.norm_type}, kernel_size={self.kernel_size}, stride={self.stride}, "
            f"ceil_mode={self.ceil_mode}"
        )


class LPPool1d(_LPPoolNd):
    """The `norm_type`-norm of each window of (N, C, L) or (C, L).

    >>> import autograd_core as ac
    >>> ac.nn.LPPool1d(2, 2)(ac.ones(1, 1, 4)).shape
    Size([1, 1, 2])
    """

    function = F.lp_pool1d


class LPPool2d(_LPPoolNd):
    """The `norm_type`-norm of each window of (N, C, H, W) or (C, H, W).

    >>> import autograd_core as ac
    >>> ac.nn.LPPool2d(2, 2)(ac.ones(1, 1, 4, 4)).shape
    Size([1, 1, 2, 2])
    """

    function = F.lp_pool2d


class LPPool3d(_LPPoolNd):
    """The `norm_type`-norm of each window of (N, C, D, H, W) or (C, D, H, W).

    >>> import autograd_core as ac
    >>> ac.nn.LPPool3d(2, 2)(ac.ones(1, 1, 4, 4, 4)).shape
    Size([1, 1, 2, 2, 2])
    """

    function = F.lp_pool3d


class _MaxUnpoolNd(Module):
    n_axes: int
    function: Callable

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        sizes = (kernel_size, kernel_size if stride is None else stride, padding)
        self.kernel_size, self.stride, self.padding = (to_tuple(size, self.n_axes) for size in sizes)

    def forward(self, input: Tensor, indices: Tensor, output_size=None) -> Tensor:
        """The inverse pooling of `functional`; `output_size` chooses one where several are possible."""
        return type(self).function(input, indices, self.kernel_size, self.stride, self.padding, output_size)

    def extra_repr(self) -> str:
        """The sizes."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class MaxUnpool1d(_MaxUnpoolNd):
    """Put the results of `MaxPool1d` back where they were, by its indices, and zeros elsewhere.

    >>> import autograd_core as ac
    >>> values, indices = ac.nn.MaxPool1d(2, return_indices=True)(ac.ones(1, 1, 4))
    >>> ac.nn.MaxUnpool1d(2)(values, indices).shape
    Size([1, 1, 4])
    """

    n_axes, function = 1, F.max_unpool1d


class MaxUnpool2d(_MaxUnpoolNd):
    """Put the results of `MaxPool2d` back where they were, by its indices, and zeros elsewhere.

    >>> import autograd_core as ac
    >>> values, indices = ac.nn.MaxPool2d(2, return_indices=True)(ac.ones(1, 1, 4, 4))
    >>> ac.nn.MaxUnpool2d(2)(values, indices).shape
    Size([1, 1, 4, 4])
    """

    n_axes, function = 2, F.max_unpool2d


class MaxUnpool3d(_MaxUnpoolNd):
    """Put the results of `MaxPool3d` back where they were, by its indices, and zeros elsewhere.

    >>> import autograd_core as ac
    >>> values, indices = ac.nn.MaxPool3d(2, return_indices=True)(ac.ones(1, 1, 4, 4, 4))
    >>> ac.nn.MaxUnpool3d(2)(values, indices).shape
    Size([1, 1, 4, 4, 4])
    """

    n_axes, function = 3, F.max_unpool3d


class _FractionalMaxPool(Module):
    function: Callable
    _random_samples: Tensor | None

    def __init__(
        self, kernel_size, output_size=None, output_ratio=None, return_indices: bool = False, _random_samples=None
    ):
        super().__init__()
        self.register_buffer("_random_samples", _random_samples)
        if (output_size is None) == (output_ratio is None):
            raise ValueError(
                f"{type(self).__name__} requires specifying either an output size, or a pooling ratio; got "
                f"output_size={output_size} and output_ratio={output_ratio}"
            )
        self.kernel_size, self.output_size, self.output_ratio = kernel_size, output_size, output_ratio
        self.return_indices = return_indices

    def forward(self, input: Tensor):
        """The pooling of `functional` with these settings."""
        return type(self).function(
            input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices, self._random_samples
        )


class FractionalMaxPool2d(_FractionalMaxPool):
    """The largest number of each window of (N, C, H, W) or (C, H, W), at positions that are drawn at random.

    Either `output_size` is given or `output_ratio`, a share of the input's size. Source: Graham, 2014.

    >>> import autograd_core as ac
    >>> ac.nn.FractionalMaxPool2d(2, output_size=2)(ac.ones(1, 1, 4, 4)).shape
    Size([1, 1, 2, 2])
    """

    function = F.fractional_max_pool2d


class FractionalMaxPool3d(_FractionalMaxPool):
    """The largest number of each window of (N, C, D, H, W) or (C, D, H, W), at positions that are drawn at random.

    Either `output_size` is given or `output_ratio`, a share of the input's size. Source: Graham, 2014.

    >>> import autograd_core as ac
    >>> ac.nn.FractionalMaxPool3d(2, output_size=2)(ac.ones(1, 1, 4, 4, 4)).shape
    Size([1, 1, 2, 2, 2])
    """

    function = F.fractional_max_pool3d
