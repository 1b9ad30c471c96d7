"""Weight normalization by hooks: a weight as a direction v times a length g. Deprecated for `parametrizations`.

Source: Salimans and Kingma, Weight Normalization, 2016.
"""

from __future__ import annotations

import warnings

from ...core.tensor import Parameter, Tensor
from ...linalg import vector_norm
from ..module import Module
from ..parameter import is_lazy
from .computed_weight import ComputedWeight


def norm_except_dim(v: Tensor, dim: int | None) -> Tensor:
    """The norms of the parts of `v` along `dim`, with its axes; that of all of it for -1 or None."""
    if dim is None or dim == -1:
        return vector_norm(v)
    return vector_norm(v, dim=[axis for axis in range(v.ndim) if axis != dim % v.ndim], keepdim=True)


def scaled(v: Tensor, g: Tensor, dim: int | None) -> Tensor:
    """v with the norms g."""
    return v * (g / norm_except_dim(v, dim))


class WeightNorm(ComputedWeight):
    """The hook that computes a weight before each call."""

    def __init__(self, name: str, dim: int | None):
        self.name, self.dim = name, -1 if dim is None else dim

    def compute_weight(self, module: Module) -> Tensor:
        """The weight for the present v and g."""
        return scaled(getattr(module, f"{self.name}_v"), getattr(module, f"{self.name}_g"), self.dim)

    def __call__(self, module: Module, inputs) -> None:
        setattr(module, self.name, self.compute_weight(module))


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Replace a parameter by `weight_g` and `weight_v`, of which it is computed before each call. Returns the module.

    Deprecated, as in PyTorch: it warns. `parametrizations.weight_norm` computes the weight whenever it is read.

    RuntimeError for a parameter that has it already, ValueError for one that has no values yet.

    >>> import autograd_core as ac, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     layer = ac.nn.utils.weight_norm(ac.nn.Linear(2, 3))
    >>> {name: list(p.shape) for name, p in layer.named_parameters()}
    {'bias': [3], 'weight_g': [3, 1], 'weight_v': [3, 2]}
    """
    warnings.warn(
        "`nn.utils.weight_norm` is deprecated in favor of `nn.utils.parametrizations.weight_norm`.",
        FutureWarning,
        stacklevel=2,
    )
    if WeightNorm.of(module, name):
        raise RuntimeError(f"Cannot register two weight_norm hooks on the same parameter {name}")
    hook, weight = WeightNorm(name, dim), getattr(module, name)
    if is_lazy(weight):
        raise ValueError(
            "The module passed to `WeightNorm` can't have uninitialized parameters. Make sure to run the dummy forward "
            "before applying weight normalization"
        )
    del module._parameters[name]
    module.register_parameter(f"{name}_g", Parameter(norm_except_dim(weight.detach(), hook.dim)))
    module.register_parameter(f"{name}_v", Parameter(weight.data))
    hook(module, ())
    module.register_forward_pre_hook(hook)
    return module


def remove_weight_norm(module: Module, name: str = "weight") -> Module:
    """Make a parameter of a normalized weight again, with its present value. ValueError if it is none.

    >>> import autograd_core as ac
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     layer = ac.nn.utils.weight_norm(ac.nn.Linear(2, 3))
    >>> list(ac.nn.utils.remove_weight_norm(layer).state_dict())
    ['bias', 'weight']
    """
    for number, hook in WeightNorm.of(module, name):
        weight = hook.compute_weight(module)
        for held in (name, f"{name}_g", f"{name}_v"):
            delattr(module, held)
        setattr(module, name, Parameter(weight.data))
        del module._forward_pre_hooks[number]
        return module
    raise ValueError(f"weight_norm of '{name}' not found in {module}")
