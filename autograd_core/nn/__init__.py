"""Layers, models and losses: `torch.nn`."""

from ..names import facade
from ..tensor import Parameter
from . import functional, init
from .functional.linear_loss import LinearCrossEntropyOptions
from .layers import BatchNorm1d, Dropout, Embedding, LayerNorm, Linear, ReLU, Sequential, Sigmoid, Tanh
from .module import Module

__all__ = [
    "BatchNorm1d",
    "Dropout",
    "Embedding",
    "LayerNorm",
    "Linear",
    "LinearCrossEntropyOptions",
    "Module",
    "Parameter",
    "ReLU",
    "Sequential",
    "Sigmoid",
    "Tanh",
    "functional",
    "init",
]
__getattr__, __dir__ = facade(__name__, __all__)
