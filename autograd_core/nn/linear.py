"""Layers that are linear in each of their inputs."""

from __future__ import annotations

import math
from typing import Any

from ..core.tensor import Parameter, Tensor
from ..ops.making.creation import empty
from . import functional as F
from . import init
from .contents import Held
from .module import Module


class Identity(Module):
    """The input as it is. Arguments are accepted, and do nothing.

    >>> import autograd_core as ac
    >>> ac.nn.Identity(54)(ac.ones(2))
    tensor([1., 1.])
    """

    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        """The input."""
        return input


class Linear(Module):
    """x Wᵀ + b on the last axis: (*, in_features) to (*, out_features). `weight` has shape (out_features, in_features).

    Both start uniform within ± 1 / √in_features. `bias=False` leaves b out.

    >>> import autograd_core as ac
    >>> layer = ac.nn.Linear(3, 2)
    >>> layer, layer(ac.ones(5, 3)).shape
    (Linear(in_features=3, out_features=2, bias=True), Size([5, 2]))
    """

    weight: Any = Held()
    bias: Any = Held()

    def __init__(self, in_features: int, out_features: int, bias: bool = True, device=None, dtype=None):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter(empty(out_features, in_features, device=device, dtype=dtype))
        self.register_parameter("bias", Parameter(empty(out_features, device=device, dtype=dtype)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new initial values."""
        init.uniform_within(1 / math.sqrt(self.in_features) if self.in_features else 0.0, self.weight, self.bias)

    def forward(self, input: Tensor) -> Tensor:
        """`functional.linear` with this weight and bias."""
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        """Sizes and whether there is a bias."""
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


NonDynamicallyQuantizableLinear = Linear  # PyTorch's name behind the heads of attention; nothing is quantized here


class Bilinear(Module):
    """x₁ᵀ W_k x₂ + b_k for each output k, on the last axes: (*, in1_features) and (*, in2_features).

    `weight` has shape (out_features, in1_features, in2_features). Both start uniform within ± 1 / √in1_features.

    >>> import autograd_core as ac
    >>> ac.nn.Bilinear(2, 3, 4)(ac.ones(5, 2), ac.ones(5, 3)).shape
    Size([5, 4])
    """

    weight: Any = Held()
    bias: Any = Held()

    def __init__(
        self, in1_features: int, in2_features: int, out_features: int, bias: bool = True, device=None, dtype=None
    ):
        super().__init__()
        if in1_features <= 0:
            raise ValueError(f"in1_features must be > 0, but got {in1_features}")
        self.in1_features, self.in2_features, self.out_features = in1_features, in2_features, out_features
        self.weight = Parameter(empty(out_features, in1_features, in2_features, device=device, dtype=dtype))
        self.register_parameter("bias", Parameter(empty(out_features, device=device, dtype=dtype)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new initial values."""
        init.uniform_within(1 / math.sqrt(self.in1_features), self.weight, self.bias)

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        """`functional.bilinear` with this weight and bias."""
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        """Sizes and whether there is a bias."""
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )
