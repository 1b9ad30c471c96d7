"""Function transforms in the manner of `torch.func` and JAX, over nested lists, tuples and dicts of tensors."""

from ..names import facade
from .functional_call import functional_call
from .transforms import grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize, value_and_grad, vjp

__all__ = [
    "functional_call",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "value_and_grad",
    "vjp",
]
__getattr__, __dir__ = facade(__name__, __all__)
