"""Spectral normalization by hooks: a weight divided by its largest singular value. Deprecated for `parametrizations`.

The singular value is estimated by the power method, a step at each call while training, with vectors that stay.
Source: Miyato et al., Spectral Normalization for Generative Adversarial Networks, 2018.
"""

from __future__ import annotations

from ...core.modes import no_grad
from ...core.tensor import Parameter, Tensor
from ...ops.linear_algebra.matmul import dot, mv
from ...ops.making.creation import empty
from .. import functional as F
from ..convolution import _ConvTransposeNd
from ..module import Module
from ..parameter import is_lazy
from .computed_weight import ComputedWeight


def as_matrix(weight: Tensor, dim: int) -> Tensor:
    """A weight as a matrix whose rows are along `dim`."""
    if dim:
        weight = weight.permute(dim, *(axis for axis in range(weight.ndim) if axis != dim))
    return weight.flatten(1)


def output_axis(module: Module) -> int:
    """The axis of a weight that stands for the outputs of a layer."""
    return 1 if isinstance(module, _ConvTransposeNd) else 0


def direction(n: int, like: Tensor, eps: float) -> Tensor:
    """A random vector of length 1."""
    return F.normalize(empty(n, dtype=like.dtype).normal_(0, 1), dim=0, eps=eps)


def check_iterations(n: int) -> None:
    """Raise ValueError where the power method is to take no step."""
    if n <= 0:
        raise ValueError(f"Expected n_power_iterations to be positive, but got n_power_iterations={n}")


class SpectralNorm(ComputedWeight):
    """The hook that computes a weight before each call."""

    def __init__(self, name: str = "weight", n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12):
        check_iterations(n_power_iterations)
        self.name, self.dim, self.n_power_iterations, self.eps = name, dim, n_power_iterations, eps

    def compute_weight(self, module: Module, do_power_iteration: bool) -> Tensor:
        """The weight for the present original and vectors."""
        weight, u, v = (getattr(module, f"{self.name}_{part}") for part in ("orig", "u", "v"))
        matrix = as_matrix(weight, self.dim)
        if do_power_iteration:
            with no_grad():
                for _ in range(self.n_power_iterations):
                    v.copy_(F.normalize(mv(matrix.T, u), dim=0, eps=self.eps))
                    u.copy_(F.normalize(mv(matrix, v), dim=0, eps=self.eps))
                u, v = u.clone(), v.clone()  # the next call overwrites them
        return weight / dot(u, mv(matrix, v))

    def __call__(self, module: Module, inputs) -> None:
        setattr(module, self.name, self.compute_weight(module, module.training))


def spectral_norm(
    module: Module,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Module:
    """Replace a parameter by `weight_orig`, of which it is computed before each call. Returns the module.

    `parametrizations.spectral_norm` computes the weight whenever it is read. `dim` is that of the outputs.

    RuntimeError for a parameter that has it already, ValueError for one that is None or has no values yet.

    >>> import autograd_core as ac
    >>> layer = ac.nn.utils.spectral_norm(ac.nn.Linear(2, 3))
    >>> list(layer.state_dict())
    ['bias', 'weight_orig', 'weight_u', 'weight_v']
    """
    if SpectralNorm.of(module, name):
        raise RuntimeError(f"Cannot register two spectral_norm hooks on the same parameter {name}")
    hook = SpectralNorm(name, n_power_iterations, output_axis(module) if dim is None else dim, eps)
    weight = module._parameters[name]
    if weight is None:
        raise ValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
    if is_lazy(weight):
        raise ValueError(
            "The module passed to `SpectralNorm` can't have uninitialized parameters. Make sure to run the dummy "
            "forward before applying spectral normalization"
        )
    rows, columns = as_matrix(weight.detach(), hook.dim).shape
    u, v = direction(rows, weight, eps), direction(columns, weight, eps)
    delattr(module, name)
    module.register_parameter(f"{name}_orig", weight)
    setattr(module, name, weight.data)  # until the first call
    module.register_buffer(f"{name}_u", u)
    module.register_buffer(f"{name}_v", v)
    module.register_forward_pre_hook(hook)
    return module


def remove_spectral_norm(module: Module, name: str = "weight") -> Module:
    """Make a parameter of a normalized weight again, with its present value. ValueError if it is none.

    >>> import autograd_core as ac
    >>> layer = ac.nn.utils.remove_spectral_norm(ac.nn.utils.spectral_norm(ac.nn.Linear(2, 3)))
    >>> list(layer.state_dict())
    ['bias', 'weight']
    """
    for number, hook in SpectralNorm.of(module, name):
        with no_grad():
            weight = hook.compute_weight(module, False)
        for held in (name, f"{name}_u", f"{name}_v", f"{name}_orig"):
            delattr(module, held)
        module.register_parameter(name, Parameter(weight))
        del module._forward_pre_hooks[number]
        return module
    raise ValueError(f"spectral_norm of '{name}' not found in {module}")
