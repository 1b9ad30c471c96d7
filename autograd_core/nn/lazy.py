"""Lazy layers: they learn the sizes of their inputs from the first one, and become ordinary layers.

Until then their parameters are `UninitializedParameter`s. A model of lazy layers is called once, with any input of the
right shape, before an optimizer is made or parameters are counted; loading a state decides the shapes too.
"""

from __future__ import annotations

import inspect
from typing import Any

from ..core.modes import no_grad
from ..core.tensor import Tensor
from .convolution import (
    Conv1d,
    Conv2d,
    Conv3d,
    ConvTranspose1d,
    ConvTranspose2d,
    ConvTranspose3d,
    _ConvNd,
)
from .linear import Linear
from .module import Module
from .normalization import (
    BatchNorm1d,
    BatchNorm2d,
    BatchNorm3d,
    InstanceNorm1d,
    InstanceNorm2d,
    InstanceNorm3d,
    _BatchNorm,
    _NormBase,
)
from .parameter import UninitializedBuffer, UninitializedParameter, is_lazy


class LazyModuleMixin:
    """Beside `Module`, and before it: a module that initializes its parameters at its first call.

    A subclass makes `UninitializedParameter`s, and materializes them in `initialize_parameters(*inputs)`, which is
    called before the first `forward`. Then the class of the object becomes `cls_to_become`, unless that is None.

    >>> import autograd_core as ac
    >>> from autograd_core.nn.modules.lazy import LazyModuleMixin
    >>> class Scale(LazyModuleMixin, ac.nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.factor = ac.nn.UninitializedParameter()
    ...     def initialize_parameters(self, x):
    ...         self.factor.materialize(x.shape[-1:])
    ...         ac.nn.init.ones_(self.factor)
    ...     def forward(self, x):
    ...         return self.factor * x
    >>> scale = Scale()
    >>> scale(ac.ones(2)).tolist(), scale.factor.shape
    ([1.0, 1.0], Size([2]))
    """

    cls_to_become: type[Module] | None = None

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        module: Any = self
        self._load_hook = module._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = module.register_forward_pre_hook(self._infer_parameters, with_kwargs=True)

    def initialize_parameters(self, *args, **kwargs) -> None:
        """Give all parameters shapes and values for an input."""
        raise NotImplementedError(f"initialize_parameters is not implemented for {type(self).__name__}")

    def has_uninitialized_params(self) -> bool:
        """Whether a parameter or buffer waits for its shape."""
        return any(map(is_lazy, (*self._parameters.values(), *self._buffers.values())))  # type: ignore[attr-defined]

    def _infer_parameters(self, module, args: tuple, kwargs: dict | None = None) -> None:
        """Before the first call."""
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(f"module {module._get_name()} has not been fully initialized by initialize_parameters")
        for handle in ("_initialize_hook", "_load_hook"):
            getattr(module, handle).remove()
            delattr(module, handle)
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become

    def _lazy_load_hook(self, state_dict, prefix: str, *_rest) -> None:
        """Before a load: let the shapes be those of the state."""
        for name, tensor in {**self._parameters, **self._buffers}.items():  # type: ignore[attr-defined]
            value = state_dict.get(prefix + name)
            if is_lazy(tensor) and value is not None and not is_lazy(value):
                tensor.materialize(tuple(value.shape))


class _LazyLayer(LazyModuleMixin):
    """A layer of this package that waits for the size of its input, the attribute `unknown`."""

    unknown: str

    def _wait(self) -> None:
        """Let all parameters and buffers with values of their own wait."""
        for held, kind in ((self._parameters, UninitializedParameter), (self._buffers, UninitializedBuffer)):  # type: ignore[attr-defined]
            for name, tensor in held.items():
                if tensor is not None and tensor.ndim:
                    held[name] = kind(tensor.requires_grad, None, tensor.dtype)

    def reset_parameters(self) -> None:
        """Draw new initial values, once there are shapes."""
        if not self.has_uninitialized_params():
            super().reset_parameters()  # type: ignore[misc]

    def initialize_parameters(self, input: Tensor) -> None:
        """Take the size that is unknown from an input."""
        setattr(self, self.unknown, self._size(input))
        if not self.has_uninitialized_params():
            return  # a state has been loaded
        with no_grad():
            for name, shape in self._shapes().items():
                tensor = getattr(self, name)
                if tensor is not None:
                    tensor.materialize(shape)
        self.reset_parameters()

    def _size(self, input: Tensor) -> int:
        raise NotImplementedError

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        raise NotImplementedError


class LazyLinear(_LazyLayer, Linear):
    """`Linear` whose `in_features` is the last size of its first input.

    >>> import autograd_core as ac
    >>> layer = ac.nn.LazyLinear(2)
    >>> layer.weight
    <UninitializedParameter>
    >>> layer(ac.ones(5, 3)).shape, layer
    (Size([5, 2]), Linear(in_features=3, out_features=2, bias=True))
    """

    cls_to_become = Linear
    unknown = "in_features"

    def __init__(self, out_features: int, bias: bool = True, device=None, dtype=None):
        super().__init__(0, out_features, bias, device, dtype)
        self._wait()

    def _size(self, input: Tensor) -> int:
        return input.shape[-1]

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        return {"weight": (self.out_features, self.in_features), "bias": (self.out_features,)}


class _LazyConv(_LazyLayer, _ConvNd):
    unknown = "in_channels"

    def __init_subclass__(cls):
        """Show the arguments of the layer that it becomes, but for the one that it does not need."""
        layer: Any = cls.cls_to_become
        shown = inspect.signature(layer)
        cls.__signature__ = shown.replace(parameters=list(shown.parameters.values())[1:])  # type: ignore[attr-defined]

    def __init__(self, out_channels: int, kernel_size, *settings, **named):
        super().__init__(0, out_channels, kernel_size, *settings, **named)
        self._wait()

    def _size(self, input: Tensor) -> int:
        if input.ndim not in (self.n_axes + 1, self.n_axes + 2):
            raise RuntimeError(
                f"Expected {self.n_axes + 1}D (unbatched) or {self.n_axes + 2}D (batched) input to "
                f"{type(self).__name__}, but got input of size: {list(input.shape)}"
            )
        channels = input.shape[-self.n_axes - 1]
        if channels % self.groups:
            raise ValueError(f"in_channels must be divisible by groups, got {channels} and {self.groups}")
        return channels

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        return {"weight": self._weight_shape(), "bias": (self.out_channels,)}


class _LazyNorm(_LazyLayer, _NormBase):
    unknown = "num_features"

    def __init__(
        self,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device=None,
        dtype=None,
        *,
        bias: bool = True,
    ):
        super().__init__(0, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)
        self._wait()

    def _size(self, input: Tensor) -> int:
        self._check(input)
        batched = isinstance(self, _BatchNorm) or input.ndim == self.ranks[1]
        return input.shape[1 if batched else 0]

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        names = ("weight", "bias", "running_mean", "running_var")
        return dict.fromkeys(names, (self.num_features,))


class LazyConv1d(_LazyConv, Conv1d):
    """`Conv1d` whose `in_channels` are those of its first input.

    >>> import autograd_core as ac
    >>> layer = ac.nn.LazyConv1d(4, 3)
    >>> _ = layer(ac.ones(1, 2, 8)); layer.in_channels, type(layer).__name__
    (2, 'Conv1d')
    """

    cls_to_become = Conv1d


class LazyConvTranspose1d(_LazyConv, ConvTranspose1d):
    """`ConvTranspose1d` whose `in_channels` are those of its first input.

    >>> import autograd_core as ac
    >>> layer = ac.nn.LazyConvTranspose1d(4, 3)
    >>> _ = layer(ac.ones(1, 2, 8)); layer.in_channels, type(layer).__name__
    (2, 'ConvTranspose1d')
    """

    cls_to_become = ConvTranspose1d


class LazyConv2d(_LazyConv, Conv2d):
    """`Conv2d` whose `in_channels` are those of its first input.

    >>> import autograd_core as ac
    >>> layer = ac.nn.LazyConv2d(4, 3)
    >>> _ = layer(ac.ones(1, 2, 8, 8)); layer.in_channels, type(layer).__name__
    (2, 'Conv2d')
    """

    cls_to_become = Conv2d


class LazyConvTranspose2d(_LazyConv, ConvTranspose2d):
    """`ConvTranspose2d` whose `in_channels` are those of its first input.

    >>> import autograd_core as ac
    >>> layer = ac.nn.LazyConvTranspose2d(4, 3)
    >>> _ = layer(ac.ones(1, 2, 8, 8)); layer.in_channels, type(layer).__name__
    (2, 'ConvTranspose2d')
    """

    cls_to_become = ConvTranspose2d


class LazyConv3d(_LazyConv, Conv3d):
    """`Conv3d` whose `in_channels` are those of its first input.

    >>> import autograd_core as ac
    >>> layer = ac.nn.LazyConv3d(4, 3)
    >>> _ = layer(ac.ones(1, 2, 8, 8, 8)); layer.in_channels, type(layer).__name__
    (2, 'Conv3d')
    """

    cls_to_become = Conv3d


class LazyConvTranspose3d(_LazyConv, ConvTranspose3d):
    """`ConvTranspose3d` whose `in_channels` are those of its first input.

    >>> import autograd_core as ac
    >>> layer = ac.nn.LazyConvTranspose3d(4, 3)
    >>> _ = layer(ac.ones(1, 2, 8, 8, 8)); layer.in_channels, type(layer).__name__
    (2, 'ConvTranspose3d')
    """

    cls_to_become = ConvTranspose3d


class LazyBatchNorm1d(_LazyNorm, BatchNorm1d):
    """`BatchNorm1d` whose `num_features` are the channels of its first input.

    >>> import autograd_core as ac
    >>> norm = ac.nn.LazyBatchNorm1d()
    >>> _ = norm(ac.ones(2, 3, 8)); norm.running_mean.shape, type(norm).__name__
    (Size([3]), 'BatchNorm1d')
    """

    cls_to_become = BatchNorm1d


class LazyInstanceNorm1d(_LazyNorm, InstanceNorm1d):
    """`InstanceNorm1d` whose `num_features` are the channels of its first input.

    >>> import autograd_core as ac
    >>> norm = ac.nn.LazyInstanceNorm1d()
    >>> _ = norm(ac.ones(2, 3, 8)); norm.running_mean.shape, type(norm).__name__
    (Size([3]), 'InstanceNorm1d')
    """

    cls_to_become = InstanceNorm1d


class LazyBatchNorm2d(_LazyNorm, BatchNorm2d):
    """`BatchNorm2d` whose `num_features` are the channels of its first input.

    >>> import autograd_core as ac
    >>> norm = ac.nn.LazyBatchNorm2d()
    >>> _ = norm(ac.ones(2, 3, 8, 8)); norm.running_mean.shape, type(norm).__name__
    (Size([3]), 'BatchNorm2d')
    """

    cls_to_become = BatchNorm2d


class LazyInstanceNorm2d(_LazyNorm, InstanceNorm2d):
    """`InstanceNorm2d` whose `num_features` are the channels of its first input.

    >>> import autograd_core as ac
    >>> norm = ac.nn.LazyInstanceNorm2d()
    >>> _ = norm(ac.ones(2, 3, 8, 8)); norm.running_mean.shape, type(norm).__name__
    (Size([3]), 'InstanceNorm2d')
    """

    cls_to_become = InstanceNorm2d


class LazyBatchNorm3d(_LazyNorm, BatchNorm3d):
    """`BatchNorm3d` whose `num_features` are the channels of its first input.

    >>> import autograd_core as ac
    >>> norm = ac.nn.LazyBatchNorm3d()
    >>> _ = norm(ac.ones(2, 3, 8, 8, 8)); norm.running_mean.shape, type(norm).__name__
    (Size([3]), 'BatchNorm3d')
    """

    cls_to_become = BatchNorm3d


class LazyInstanceNorm3d(_LazyNorm, InstanceNorm3d):
    """`InstanceNorm3d` whose `num_features` are the channels of its first input.

    >>> import autograd_core as ac
    >>> norm = ac.nn.LazyInstanceNorm3d()
    >>> _ = norm(ac.ones(2, 3, 8, 8, 8)); norm.running_mean.shape, type(norm).__name__
    (Size([3]), 'InstanceNorm3d')
    """

    cls_to_become = InstanceNorm3d
