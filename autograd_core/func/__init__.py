"""Function transforms in the manner of `torch.func` and JAX, over nested lists, tuples and dicts of tensors."""

from ..names import facade
from .functional_call import functional_call, stack_module_state
from .transforms import grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize, value_and_grad, vjp
from .vectorizing import vmap

__all__ = [
    "functional_call",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "stack_module_state",
    "value_and_grad",
    "vjp",
    "vmap",
]
__getattr__, __dir__ = facade(__name__, __all__)
