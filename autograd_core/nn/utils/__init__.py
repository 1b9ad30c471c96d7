"""Tools for gradients and parameters of a whole model: `torch.nn.utils`."""

from ...names import facade
from . import fusion, parametrizations, parametrize, rnn
from . import prune as prune  # which PyTorch shows once a program has imported it
from .clipping import clip_grad_norm_, clip_grad_value_, clip_grads_with_norm_, get_total_norm
from .fusion import fuse_conv_bn_eval, fuse_conv_bn_weights, fuse_linear_bn_eval, fuse_linear_bn_weights
from .skip_init import skip_init
from .spectral_norm import remove_spectral_norm, spectral_norm
from .vectors import parameters_to_vector, vector_to_parameters
from .weight_norm import remove_weight_norm, weight_norm

__all__ = [
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "fuse_conv_bn_eval",
    "fuse_conv_bn_weights",
    "fuse_linear_bn_eval",
    "fuse_linear_bn_weights",
    "fusion",
    "get_total_norm",
    "parameters_to_vector",
    "parametrizations",
    "parametrize",
    "remove_spectral_norm",
    "remove_weight_norm",
    "rnn",
    "skip_init",
    "spectral_norm",
    "vector_to_parameters",
    "weight_norm",
]
__getattr__, __dir__ = facade(__name__, __all__)
