"""Normalization layers: `functional` normalizations with a weight, a bias and, where they have one, a memory."""

from __future__ import annotations

import warnings
from typing import Any

from ..core import dtypes
from ..core.tensor import Parameter, Tensor
from ..ops.making.creation import ones, tensor, zeros
from ..ops.shapes.shape import several
from . import functional as F
from . import init
from .contents import Held
from .module import Module

# -- over the last axes, or over groups of channels


class LayerNorm(Module):
    """`functional.layer_norm` over the last axes, with a weight that starts at 1 and a bias that starts at 0.

    >>> import autograd_core as ac
    >>> ac.nn.LayerNorm(2)(ac.tensor([[1.0, 3.0]]))
    tensor([[-1.0000,  1.0000]], grad_fn=<NativeLayerNormBackward0>)
    """

    weight: Any = Held()
    bias: Any = Held()

    def __init__(
        self,
        normalized_shape,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        shape = several(normalized_shape)
        self.normalized_shape, self.eps, self.elementwise_affine = shape, eps, elementwise_affine
        _add_affine(self, shape, elementwise_affine, bias, device, dtype)

    def reset_parameters(self) -> None:
        """Set the initial weight and bias."""
        _reset_affine(self)

    def forward(self, input: Tensor) -> Tensor:
        """`functional.layer_norm` with this weight and bias."""
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """The normalized shape and the settings."""
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, "
            f"bias={self.bias is not None}"
        )


class RMSNorm(Module):
    """`functional.rms_norm` over the last axes, with a weight that starts at 1.

    >>> import autograd_core as ac
    >>> ac.nn.RMSNorm(2, elementwise_affine=False)(ac.tensor([[0.0, 2.0]]))
    tensor([[0.0000, 1.4142]])
    """

    weight: Any = Held()

    def __init__(
        self, normalized_shape, eps: float | None = None, elementwise_affine: bool = True, device=None, dtype=None
    ):
        super().__init__()
        shape = several(normalized_shape)
        self.normalized_shape, self.eps, self.elementwise_affine = shape, eps, elementwise_affine
        weight = Parameter(ones(shape, device=device, dtype=dtype)) if elementwise_affine else None
        self.register_parameter("weight", weight)

    def reset_parameters(self) -> None:
        """Set the initial weight."""
        if self.weight is not None:
            init.ones_(self.weight)

    def forward(self, x: Tensor) -> Tensor:
        """`functional.rms_norm` with this weight."""
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        """The normalized shape and the settings."""
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class GroupNorm(Module):
    """`functional.group_norm` of (N, C, *), with a weight (1) and a bias (0) for each channel.

    ValueError where `num_groups` does not divide `num_channels`.

    >>> import autograd_core as ac
    >>> ac.nn.GroupNorm(2, 4)(ac.ones(3, 4, 5)).shape
    Size([3, 4, 5])
    """

    weight: Any = Held()
    bias: Any = Held()

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device=None,
        dtype=None,
        *,
        bias: bool = True,
    ):
        super().__init__()
        if num_channels % num_groups:
            raise ValueError(f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})")
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        _add_affine(self, num_channels, affine, bias, device, dtype)

    def reset_parameters(self) -> None:
        """Set the initial weight and bias."""
        _reset_affine(self)

    def forward(self, input: Tensor) -> Tensor:
        """`functional.group_norm` with this weight and bias."""
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """The numbers of groups and channels, and the settings."""
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, "
            f"bias={self.bias is not None}"
        )


class LocalResponseNorm(Module):
    """`functional.local_response_norm` over `size` neighboring channels.

    >>> import autograd_core as ac
    >>> ac.nn.LocalResponseNorm(2)(ac.ones(1, 4, 3)).shape
    Size([1, 4, 3])
    """

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0):
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, input: Tensor) -> Tensor:
        """`functional.local_response_norm`."""
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self) -> str:
        """The settings."""
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"


def _add_affine(module: Module, shape, affine: bool, bias: bool, device, dtype) -> None:
    weight = Parameter(ones(shape, device=device, dtype=dtype)) if affine else None
    module.register_parameter("weight", weight)
    module.register_parameter("bias", Parameter(zeros(shape, device=device, dtype=dtype)) if affine and bias else None)


def _reset_affine(module) -> None:
    if module.weight is not None:
        init.ones_(module.weight)
    if module.bias is not None:
        init.zeros_(module.bias)


# -- with running statistics


class _NormBase(Module):
    """A weight and a bias for each channel, and the running mean and variance."""

    _version = 2  # the number of batches came with it
    ranks: tuple[int, ...]  # numbers of axes of an input
    weight: Any = Held()
    bias: Any = Held()
    running_mean: Tensor | None
    running_var: Tensor | None
    num_batches_tracked: Tensor | None

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device=None,
        dtype=None,
        *,
        bias: bool = True,
    ):
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        _add_affine(self, num_features, affine, bias, device, dtype)
        kept = track_running_stats
        self.register_buffer("running_mean", zeros(num_features, device=device, dtype=dtype) if kept else None)
        self.register_buffer("running_var", ones(num_features, device=device, dtype=dtype) if kept else None)
        self.register_buffer("num_batches_tracked", tensor(0, device=device, dtype=dtypes.int64) if kept else None)

    def reset_running_stats(self) -> None:
        """Forget all batches."""
        if self.running_mean is not None and self.running_var is not None and self.num_batches_tracked is not None:
            init.zeros_(self.running_mean)
            init.ones_(self.running_var)
            init.zeros_(self.num_batches_tracked)

    def reset_parameters(self) -> None:
        """Set the initial weight and bias, and forget all batches."""
        self.reset_running_stats()
        _reset_affine(self)

    def _load_from_state_dict(self, state_dict, prefix: str, local_metadata, *noted) -> None:
        key = prefix + "num_batches_tracked"
        if self.num_batches_tracked is not None and local_metadata.get("version", 1) < 2 and key not in state_dict:
            state_dict[key] = self.num_batches_tracked
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *noted)

    def _check(self, input: Tensor) -> None:
        if input.ndim not in self.ranks:
            wanted = " or ".join(f"{rank}D" for rank in self.ranks)
            raise ValueError(f"expected {wanted} input (got {input.ndim}D input)")

    def extra_repr(self) -> str:
        """The number of channels and the settings."""
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


class _BatchNorm(_NormBase):
    def forward(self, input: Tensor) -> Tensor:
        """`functional.batch_norm` with this state. ValueError for an input with another number of axes."""
        self._check(input)
        training, tracked, momentum = self.training, self.track_running_stats, self.momentum
        mean, var = self.running_mean, self.running_var
        batches = self.num_batches_tracked if training and tracked else None
        if batches is not None:
            batches.add_(1)
            if momentum is None:
                momentum = 1 / batches.item()
        kept = tracked or not training
        return F.batch_norm(
            input,
            mean if kept else None,
            var if kept else None,
            self.weight,
            self.bias,
            training or (mean is None and var is None),
            momentum or 0.0,
            self.eps,
        )


class BatchNorm1d(_BatchNorm):
    """`functional.batch_norm` of (N, C) or (N, C, L), one channel an entry of axis 1.

    While training it uses the batch's statistics and updates `running_mean` and `running_var`, under `no_grad` too;
    after `eval()` it uses those. `momentum=None` keeps the plain average over all batches. `affine` gives it a weight
    (1) and, with `bias`, a bias (0).

    >>> import autograd_core as ac
    >>> norm = ac.nn.BatchNorm1d(1)
    >>> _ = norm(ac.tensor([[0.0], [2.0]])); norm.running_mean, norm.running_var
    (tensor([0.1000]), tensor([1.1000]))
    """

    ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """`functional.batch_norm` of (N, C, H, W); otherwise as `BatchNorm1d`.

    >>> import autograd_core as ac
    >>> ac.nn.BatchNorm2d(3)(ac.ones(2, 3, 4, 4)).shape
    Size([2, 3, 4, 4])
    """

    ranks = (4,)


class BatchNorm3d(_BatchNorm):
    """`functional.batch_norm` of (N, C, D, H, W); otherwise as `BatchNorm1d`.

    >>> import autograd_core as ac
    >>> ac.nn.BatchNorm3d(1)(ac.ones(2, 1, 3, 3, 3)).shape
    Size([2, 1, 3, 3, 3])
    """

    ranks = (5,)


class _InstanceNorm(_NormBase):
    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device=None,
        dtype=None,
        *,
        bias: bool = True,
    ):
        super().__init__(
            num_features, eps, momentum, affine, track_running_stats, bias=bias, device=device, dtype=dtype
        )

    def forward(self, input: Tensor) -> Tensor:
        """`functional.instance_norm` with this state. ValueError for an input with another number of axes."""
        self._check(input)
        batched = input.ndim == self.ranks[1]
        channels = input.shape[1 if batched else 0]
        if channels != self.num_features:
            told = f"expected {self.num_features} channels (num_features), got {channels}, shape {list(input.shape)}"
            if self.affine:
                raise ValueError(told)
            warnings.warn(f"{told}; without affine the number is not used", UserWarning, stacklevel=2)
        out = F.instance_norm(
            input if batched else input.unsqueeze(0),
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            self.momentum or 0.0,
            self.eps,
        )
        return out if batched else out.squeeze(0)


class InstanceNorm1d(_InstanceNorm):
    """`functional.instance_norm` of (N, C, L) or (C, L): each channel of each entry by its own statistics.

    With `track_running_stats` their means over the batches are kept, and used after `eval()`. `affine` gives it a
    weight (1) and, with `bias`, a bias (0).

    >>> import autograd_core as ac
    >>> ac.nn.InstanceNorm1d(1)(ac.tensor([[[1.0, 3.0]]]))
    tensor([[[-1.0000,  1.0000]]])
    """

    ranks = (2, 3)


class InstanceNorm2d(_InstanceNorm):
    """`functional.instance_norm` of (N, C, H, W) or (C, H, W); otherwise as `InstanceNorm1d`.

    >>> import autograd_core as ac
    >>> ac.nn.InstanceNorm2d(3)(ac.ones(2, 3, 4, 4)).shape
    Size([2, 3, 4, 4])
    """

    ranks = (3, 4)


class InstanceNorm3d(_InstanceNorm):
    """`functional.instance_norm` of (N, C, D, H, W) or (C, D, H, W); otherwise as `InstanceNorm1d`.

    >>> import autograd_core as ac
    >>> ac.nn.InstanceNorm3d(1)(ac.ones(2, 1, 3, 3, 3)).shape
    Size([2, 1, 3, 3, 3])
    """

    ranks = (4, 5)
