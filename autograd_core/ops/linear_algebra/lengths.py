"""Uses of the vector norm: the distance between two tensors, and slices whose length is limited."""

from __future__ import annotations

from ..elementwise.piecewise import where
from ..reductions.reduction import vector_norm
from ..shapes.shape import axis_of

__all__ = ["dist", "renorm"]
METHODS = __all__


def dist(input, other, p=2):
    """The p-norm of `input` - `other`, which broadcast, as one vector: a 0-d tensor.

    Gradient: that of `linalg.vector_norm`, so 0 where the two are equal.

    >>> import autograd_core as ac
    >>> ac.dist(ac.tensor([3.0, 0.0]), ac.tensor([0.0, 4.0]))
    tensor(5.)
    """
    return vector_norm(input - other, p)


def renorm(input, p, dim, maxnorm):
    """`input` with each slice along `dim` whose p-norm exceeds `maxnorm` scaled down to it.

    The factor is maxnorm / (norm + 1e-7), as in PyTorch. RuntimeError for p <= 0, a negative `maxnorm`, and fewer than
    two axes.

    >>> import autograd_core as ac
    >>> ac.renorm(ac.tensor([[3.0, 4.0], [0.3, 0.4]]), 2, 0, 1.0)
    tensor([[0.6000, 0.8000],
            [0.3000, 0.4000]])
    """
    if p <= 0:
        raise RuntimeError(f"renorm: non-positive-norm not supported, got p={p}")
    if maxnorm < 0:
        raise RuntimeError(f"renorm: expected maxnorm to be >= 0 but got {maxnorm}")
    if input.ndim < 2:
        raise RuntimeError(f"renorm: input needs at least 2 dimensions, got {input.ndim} dimensions")
    axis = axis_of(dim, input.ndim)
    norms = vector_norm(input, p, [a for a in range(input.ndim) if a != axis], True)
    return input * where(norms > maxnorm, maxnorm / (norms + 1e-7), 1.0)
