"""Function transforms in the manner of `torch.func` and JAX, over nested lists, tuples and dicts of tensors."""

from ..names import facade
from .transforms import grad, grad_and_value, hessian, jacfwd, jacrev, jvp, value_and_grad, vjp

__all__ = ["grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "value_and_grad", "vjp"]
__getattr__, __dir__ = facade(__name__, __all__)
