"""Layers: modules that hold the state of one function of `nn.functional`, and call it."""

from __future__ import annotations

import math

from .. import dtypes
from ..ops.creation import empty, ones, tensor, zeros
from ..tensor import Parameter, Tensor
from . import functional as F
from . import init
from .module import Module


class Linear(Module):
    """x Wᵀ + b on the last axis: (*, in_features) to (*, out_features). `weight` has shape (out_features, in_features).

    Both start uniform within ± 1 / √in_features. `bias=False` leaves b out.

    >>> import autograd_core as ac
    >>> layer = ac.nn.Linear(3, 2)
    >>> layer, layer(ac.ones(5, 3)).shape
    (Linear(in_features=3, out_features=2, bias=True), Size([5, 2]))
    """

    def __init__(self, in_features: int, out_features: int, bias: bool = True, *, device=None, dtype=None):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter(empty(out_features, in_features, device=device, dtype=dtype))
        self.bias = Parameter(empty(out_features, device=device, dtype=dtype)) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new initial values."""
        bound = 1 / math.sqrt(self.in_features) if self.in_features else 0.0
        init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Tensor) -> Tensor:
        """`functional.linear` with this weight and bias."""
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        """Sizes and whether there is a bias."""
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class Embedding(Module):
    """A table of `num_embeddings` vectors of length `embedding_dim`, looked up by integers of any shape.

    Values start normal (0, 1); the row `padding_idx` starts at zero and gets no gradient.

    >>> import autograd_core as ac
    >>> ac.nn.Embedding(10, 3)(ac.tensor([[1, 2], [1, 0]])).shape
    Size([2, 2, 3])
    """

    def __init__(
        self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None, *, device=None, dtype=None
    ):
        super().__init__()
        if padding_idx is not None:
            if not -num_embeddings <= padding_idx < num_embeddings:
                raise AssertionError(
                    f"Padding_idx must be within num_embeddings: got {padding_idx} of {num_embeddings}"
                )
            padding_idx %= num_embeddings
        self.num_embeddings, self.embedding_dim, self.padding_idx = num_embeddings, embedding_dim, padding_idx
        self.weight = Parameter(empty(num_embeddings, embedding_dim, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new initial values."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            init.zeros_(self.weight.detach()[self.padding_idx])

    def forward(self, input: Tensor) -> Tensor:
        """`functional.embedding` with this table."""
        return F.embedding(input, self.weight, self.padding_idx)

    def extra_repr(self) -> str:
        """Sizes, and the padding row if there is one."""
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"


class LayerNorm(Module):
    """`functional.layer_norm` over the last axes, with a weight that starts at 1 and a bias that starts at 0.

    >>> import autograd_core as ac
    >>> ac.nn.LayerNorm(2)(ac.tensor([[1.0, 3.0]]))
    tensor([[-1.0000,  1.0000]], grad_fn=<NativeLayerNormBackward0>)
    """

    def __init__(
        self,
        normalized_shape,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        *,
        device=None,
        dtype=None,
    ):
        super().__init__()
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.normalized_shape, self.eps, self.elementwise_affine = shape, eps, elementwise_affine
        self.weight = Parameter(ones(shape, device=device, dtype=dtype)) if elementwise_affine else None
        self.bias = Parameter(zeros(shape, device=device, dtype=dtype)) if elementwise_affine and bias else None

    def forward(self, input: Tensor) -> Tensor:
        """`functional.layer_norm` with this weight and bias."""
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """The normalized shape and the settings."""
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, "
            f"bias={self.bias is not None}"
        )


class BatchNorm1d(Module):
    """`functional.batch_norm` of (N, C) or (N, C, L), one channel an entry of axis 1.

    While training it uses the batch's statistics and updates `running_mean` and `running_var`, under `no_grad` too;
    after `eval()` it uses those. `momentum=None` keeps the plain average over all batches. `affine` gives it a weight
    (1) and, with `bias`, a bias (0).

    >>> import autograd_core as ac
    >>> norm = ac.nn.BatchNorm1d(1)
    >>> _ = norm(ac.tensor([[0.0], [2.0]])); norm.running_mean, norm.running_var
    (tensor([0.1000]), tensor([1.1000]))
    """

    running_mean: Tensor | None
    running_var: Tensor | None
    num_batches_tracked: Tensor

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        *,
        bias: bool = True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        self.weight = Parameter(ones(num_features, device=device, dtype=dtype)) if affine else None
        self.bias = Parameter(zeros(num_features, device=device, dtype=dtype)) if affine and bias else None
        self.register_buffer(
            "running_mean", zeros(num_features, device=device, dtype=dtype) if track_running_stats else None
        )
        self.register_buffer(
            "running_var", ones(num_features, device=device, dtype=dtype) if track_running_stats else None
        )
        self.register_buffer(
            "num_batches_tracked", tensor(0, device=device, dtype=dtypes.int64) if track_running_stats else None
        )

    def forward(self, input: Tensor) -> Tensor:
        """`functional.batch_norm` with this state. ValueError for an input that has not two or three axes."""
        if input.ndim not in (2, 3):
            raise ValueError(f"expected 2D or 3D input (got {input.ndim}D input)")
        momentum = self.momentum
        if self.training and self.track_running_stats:
            self.num_batches_tracked.add_(1)
            if momentum is None:
                momentum = 1 / self.num_batches_tracked.item()
        return F.batch_norm(
            input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or self.running_mean is None,
            momentum or 0.0,
            self.eps,
        )

    def extra_repr(self) -> str:
        """The number of channels and the settings."""
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


class Dropout(Module):
    """`functional.dropout` while training, and the input as it is after `eval()`.

    >>> import autograd_core as ac
    >>> ac.nn.Dropout(0.9).eval()(ac.ones(2))
    tensor([1., 1.])
    """

    def __init__(self, p: float = 0.5):
        super().__init__()
        if not 0.0 <= p <= 1.0:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p

    def forward(self, input: Tensor) -> Tensor:
        """`functional.dropout` if training."""
        return F.dropout(input, self.p, self.training)

    def extra_repr(self) -> str:
        """The probability."""
        return f"p={self.p}"


class ReLU(Module):
    """`functional.relu` as a module; with `inplace` it overwrites its input.

    >>> import autograd_core as ac
    >>> ac.nn.ReLU()(ac.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """

    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """`functional.relu`."""
        return F.relu(input, self.inplace)

    def extra_repr(self) -> str:
        """Whether it works in place."""
        return "inplace=True" if self.inplace else ""


class Tanh(Module):
    """`tanh` as a module.

    >>> import autograd_core as ac
    >>> ac.nn.Tanh()(ac.tensor([0.0]))
    tensor([0.])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Hyperbolic tangent."""
        return F.tanh(input)


class Sigmoid(Module):
    """`sigmoid` as a module.

    >>> import autograd_core as ac
    >>> ac.nn.Sigmoid()(ac.tensor([0.0]))
    tensor([0.5000])
    """

    def forward(self, input: Tensor) -> Tensor:
        """The logistic function."""
        return F.sigmoid(input)


class Sequential(Module):
    """Modules one after the other: each gets what the one before returned. Index, slice and iterate it like a list.

    >>> import autograd_core as ac
    >>> net = ac.nn.Sequential(ac.nn.Linear(2, 3), ac.nn.ReLU())
    >>> net
    Sequential(
      (0): Linear(in_features=2, out_features=3, bias=True)
      (1): ReLU()
    )
    >>> net[-1], len(net)
    (ReLU(), 2)
    """

    def __init__(self, *modules: Module | dict[str, Module]):
        super().__init__()
        named: dict = dict(enumerate(modules))
        if len(modules) == 1 and isinstance(modules[0], dict):
            named = modules[0]
        for name, module in named.items():
            if not isinstance(module, Module):
                raise TypeError(
                    f"{type(module).__name__} is not a Module subclass; wrap functions in a Module, or use nn.ReLU() "
                    "and the like"
                )
            setattr(self, str(name), module)

    def _modules(self) -> list[Module]:
        return [value for value in vars(self).values() if isinstance(value, Module)]

    def __iter__(self):
        return iter(self._modules())

    def __len__(self) -> int:
        return len(self._modules())

    def __getitem__(self, index):
        held = self._modules()
        return Sequential(*held[index]) if isinstance(index, slice) else held[index]

    def forward(self, input):
        """The last module's result."""
        for module in self._modules():
            input = module(input)
        return input
