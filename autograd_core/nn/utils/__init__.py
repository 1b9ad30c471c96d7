"""Tools for gradients and parameters of a whole model: `torch.nn.utils`."""

from ...names import on_demand

# The modules, and the names that each has to show. They are imported when one of these is first asked for.
HOMES = {
    ".": "fusion parametrizations parametrize prune rnn",
    ".clipping": "clip_grad_norm clip_grad_norm_ clip_grad_value_ clip_grads_with_norm_ get_total_norm",
    ".fusion": "fuse_conv_bn_eval fuse_conv_bn_weights fuse_linear_bn_eval fuse_linear_bn_weights",
    ".skip_init": "skip_init",
    ".spectral_norm": "remove_spectral_norm spectral_norm",
    ".vectors": "parameters_to_vector vector_to_parameters",
    ".weight_norm": "remove_weight_norm weight_norm",
}
__getattr__, __dir__, __all__ = on_demand(__name__, HOMES)
