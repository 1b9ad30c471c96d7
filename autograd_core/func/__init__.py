"""Function transforms in the manner of `torch.func` and JAX, over nested lists, tuples and dicts of tensors."""

from .transforms import grad, grad_and_value, hessian, jacfwd, jacrev, jvp, value_and_grad, vjp

__all__ = ["grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "value_and_grad", "vjp"]
