"""Clipping: gradients made smaller, in place, where they are too large for a step.

`foreach` says how PyTorch is to compute, all tensors at once or one by one, and changes nothing here.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable

from ...core.modes import no_grad
from ...core.tensor import Tensor
from ...linalg import vector_norm
from ...ops.making.creation import tensor
from ...ops.shapes.joining import stack


def _gradients(parameters: Tensor | Iterable[Tensor]) -> list[Tensor]:
    """The gradients that there are."""
    parameters = [parameters] if isinstance(parameters, Tensor) else parameters
    return [parameter.grad for parameter in parameters if parameter.grad is not None]


@no_grad()
def get_total_norm(
    tensors: Tensor | Iterable[Tensor],
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The `norm_type`-norm of all tensors as one vector, a 0-d tensor; 0 if there are none.

    Raises RuntimeError with `error_if_nonfinite` if it is NaN or infinite.

    >>> import autograd_core as ac
    >>> ac.nn.utils.get_total_norm([ac.tensor([3.0]), ac.tensor([[4.0]])])
    tensor(5.)
    """
    each = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    if not each:
        return tensor(0.0)
    norm_type = float(norm_type)
    total = vector_norm(stack([vector_norm(x, norm_type) for x in each]), norm_type)
    if error_if_nonfinite and not total.isfinite():
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite ({total.item()}), so "
            "it cannot be clipped. To disable this error and scale the gradients by the non-finite norm anyway, set "
            "`error_if_nonfinite=False`"
        )
    return total


@no_grad()
def clip_grads_with_norm_(
    parameters: Tensor | Iterable[Tensor], max_norm: float, total_norm: Tensor, foreach: bool | None = None
) -> None:
    """Multiply all gradients by max_norm / (total_norm + 1e-6), if that is below 1.

    >>> import autograd_core as ac
    >>> w = ac.tensor([1.0], requires_grad=True)
    >>> (8 * w).backward()
    >>> ac.nn.utils.clip_grads_with_norm_(w, 1.0, ac.tensor(2.0)); w.grad
    tensor([4.0000])
    """
    factor = (max_norm / (total_norm + 1e-6)).clamp(max=1.0)
    for gradient in _gradients(parameters):
        gradient.mul_(factor)


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scale all gradients together so that their total norm is at most `max_norm`; returns the norm that it was.

    Raises RuntimeError with `error_if_nonfinite`, before anything changes, if the norm is NaN or infinite.
    Source: Pascanu, Mikolov and Bengio, 2013.

    >>> import autograd_core as ac
    >>> w = ac.tensor([1.0, 1.0], requires_grad=True)
    >>> (w * ac.tensor([3.0, 4.0])).sum().backward()
    >>> ac.nn.utils.clip_grad_norm_([w], max_norm=1.0), w.grad
    (tensor(5.), tensor([0.6000, 0.8000]))
    """
    parameters = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    total = get_total_norm(_gradients(parameters), norm_type, error_if_nonfinite)
    clip_grads_with_norm_(parameters, max_norm, total)
    return total


def clip_grad_norm(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The old name of `clip_grad_norm_`, with a FutureWarning."""
    warnings.warn(
        "`clip_grad_norm` is deprecated, as in PyTorch; please use `clip_grad_norm_`", FutureWarning, stacklevel=2
    )
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


@no_grad()
def clip_grad_value_(parameters: Tensor | Iterable[Tensor], clip_value: float, foreach: bool | None = None) -> None:
    """Hold each entry of each gradient within ± `clip_value`.

    >>> import autograd_core as ac
    >>> w = ac.tensor([1.0, 1.0], requires_grad=True)
    >>> (w * ac.tensor([0.5, -4.0])).sum().backward()
    >>> ac.nn.utils.clip_grad_value_(w, 1.0); w.grad
    tensor([ 0.5000, -1.0000])
    """
    for gradient in _gradients(parameters):
        gradient.clamp_(-clip_value, clip_value)
