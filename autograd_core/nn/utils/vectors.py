"""The parameters of a model as one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable

from ...core.tensor import Tensor
from ...ops.shapes.joining import cat


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """All entries of all parameters, one after the other; gradients flow back to the parameters.

    >>> import autograd_core as ac
    >>> ac.nn.utils.parameters_to_vector([ac.ones(2), ac.zeros(1, 2)])
    tensor([1., 1., 0., 0.])
    """
    return cat([parameter.reshape(-1) for parameter in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Let each parameter be its part of the vector, whose memory it then shares; no history.

    Raises TypeError for what is not a tensor, RuntimeError for a vector that is too short; nothing changes then.

    >>> import autograd_core as ac
    >>> w = ac.zeros(1, 2)
    >>> ac.nn.utils.vector_to_parameters(ac.tensor([3.0, 4.0]), [w]); w
    tensor([[3., 4.]])
    """
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected a Tensor, but got: {type(vec).__name__}")
    parameters = list(parameters)
    needed = sum(parameter.numel() for parameter in parameters)
    if vec.numel() < needed:
        raise RuntimeError(f"vector_to_parameters: the parameters have {needed} entries, the vector {vec.numel()}")
    start = 0
    for parameter in parameters:
        end = start + parameter.numel()
        parameter.data = vec[start:end].view(parameter.shape).data
        start = end
