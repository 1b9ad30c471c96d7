"""What becomes of `.grad` between two backward passes."""

from __future__ import annotations

from ..core.tensor import Tensor


def clear_grad(parameter: Tensor, set_to_none: bool) -> None:
    """Drop the gradient of a parameter, or fill it with zeros, cut from any history it has."""
    if set_to_none or parameter.grad is None:
        parameter.grad = None
    else:
        parameter.grad = parameter.grad.detach() if parameter.grad.requires_grad else parameter.grad
        parameter.grad.zero_()
