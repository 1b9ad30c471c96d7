"""Tools for gradients and parameters of a whole model: `torch.nn.utils`."""

from ...names import facade
from . import rnn
from .clipping import clip_grad_norm_, clip_grad_value_, clip_grads_with_norm_, get_total_norm
from .vectors import parameters_to_vector, vector_to_parameters

__all__ = [
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "get_total_norm",
    "parameters_to_vector",
    "rnn",
    "vector_to_parameters",
]
__getattr__, __dir__ = facade(__name__, __all__)
