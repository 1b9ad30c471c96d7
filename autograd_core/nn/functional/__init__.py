"""Layers and losses as functions, without state: `torch.nn.functional`."""

from ...names import facade
from ...ops.linalg import linear
from ...ops.padding import pad
from .activation import (
    gelu,
    hardtanh,
    leaky_relu,
    log_softmax,
    logsigmoid,
    relu,
    relu6,
    sigmoid,
    softmax,
    softplus,
    tanh,
)
from .classification import cross_entropy, nll_loss
from .dropout import dropout
from .embedding import embedding, one_hot
from .loss import binary_cross_entropy, binary_cross_entropy_with_logits, l1_loss, mse_loss
from .normalization import batch_norm, layer_norm

__all__ = [
    "batch_norm",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "cross_entropy",
    "dropout",
    "embedding",
    "gelu",
    "hardtanh",
    "l1_loss",
    "layer_norm",
    "leaky_relu",
    "linear",
    "log_softmax",
    "logsigmoid",
    "mse_loss",
    "nll_loss",
    "one_hot",
    "pad",
    "relu",
    "relu6",
    "sigmoid",
    "softmax",
    "softplus",
    "tanh",
]
__getattr__, __dir__ = facade(__name__, __all__)
