"""Reverse-mode differentiation: `backward` stores, `grad` returns."""

from ..tensor import Tensor
from .gradient import backward, grad, tensor_backward

Tensor.backward = tensor_backward

__all__ = ["backward", "grad"]
