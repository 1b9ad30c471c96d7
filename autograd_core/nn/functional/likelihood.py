"""Negative log-likelihoods of normal and Poisson variables, and the divergence of two distributions."""

from __future__ import annotations

import math
import warnings

from ...core.tensor import Tensor
from ...ops.elementwise.arithmetic import exp, log
from ...ops.indexing.scattering import masked_fill
from ...ops.linear_algebra.distances import raised
from ...ops.precision import carried_wide
from ...ops.reductions.reduction import sum
from ...ops.shapes.shape import unsqueeze
from ...ops.special.entropies import xlogy
from .old_reduction import with_old_reduction
from .regression import REDUCTIONS, check_reduction, in_common_shape, reduced


@with_old_reduction
@carried_wide
def kl_div(input, target, *, reduction: str = "mean", log_target: bool = False) -> Tensor:
    """Kullback-Leibler divergence, element by element, of `target` from `input`, which holds log-probabilities.

    target (log target - input), or with `log_target`, where `target` holds logarithms too, exp(target) (target -
    input). The divergence of distributions is their sum: `reduction="batchmean"` divides it by the length of the first
    axis, "mean" by the number of all elements, with a warning that this is not the divergence.

    Gradients: -target g for `input`, (log target + 1 - input) g for `target`, NaN where that is 0. Shapes broadcast.
    RuntimeError for integers.

    >>> import autograd_core as ac
    >>> logp, target = ac.tensor([[0.5, 0.5]]).log(), ac.tensor([[0.25, 0.75]])
    >>> ac.nn.functional.kl_div(logp, target, reduction="batchmean")
    tensor(0.1308)
    """
    if reduction not in (*REDUCTIONS, "batchmean"):
        raise ValueError(
            f"{reduction} is not a valid value for reduction; choose from {', '.join(REDUCTIONS)}, batchmean"
        )
    if reduction == "mean":
        warnings.warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support size. 'batchmean' divides "
            "only by the batch size, and aligns with the KL div math definition.",
            UserWarning,
            stacklevel=3,
        )
    if not (input.is_floating_point() and target.is_floating_point()):
        raise RuntimeError(f"kl_div: Integral inputs not supported, got {input.dtype} and {target.dtype}.")
    x, t = in_common_shape("kl_div", input, target)
    losses = exp(t) * (t - x) if log_target else xlogy(t, t) - t * x
    if reduction != "batchmean":
        return reduced(losses, reduction)
    return sum(losses) / input.shape[0] if input.ndim else sum(losses)


@with_old_reduction
@carried_wide
def poisson_nll_loss(
    input, target, log_input: bool = True, full: bool = False, *, eps: float = 1e-8, reduction: str = "mean"
) -> Tensor:
    """Negative log-likelihood of counts `target` under a Poisson distribution with rate exp(input).

    exp(input) - target input; without `log_input` the rate is `input` itself: input - target log(input + eps). `full`
    adds Stirling's approximation of log(target!), target log target - target + log(2 π target) / 2, where target > 1.

    Gradient for `input`: exp(input) - target, or 1 - target / (input + eps). With `full` the gradient for `target` is
    NaN where that is 0. Shapes broadcast.

    >>> import autograd_core as ac
    >>> ac.nn.functional.poisson_nll_loss(ac.tensor([0.0, 1.0]), ac.tensor([2.0, 3.0]), reduction="none")
    tensor([ 1.0000, -0.2817])
    """
    check_reduction(reduction)
    x, t = in_common_shape("poisson_nll_loss", input, target)
    losses = exp(x) - t * x if log_input else x - t * log(x + eps)
    if full:
        stirling = t * log(t) - t + 0.5 * log(2 * math.pi * t)
        losses = losses + masked_fill(stirling, t <= 1, 0.0)
    return reduced(losses, reduction)


@carried_wide
def gaussian_nll_loss(input, target, var, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> Tensor:
    """Negative log-likelihood of `target` under normal distributions with mean `input` and variance `var`.

    (log var + (input - target)² / var) / 2, with `var` raised to `eps`; `full` adds log(2 π) / 2. `var` is a
    float, or a tensor in the shape of the input, perhaps without its last axis, or with one axis of length 1.

    The gradient for `var` is that of the formula, also where it was raised to `eps`. ValueError for a negative variance
    and for another shape; RuntimeError where input and target do not broadcast. Source: Nix and Weigend, 1994.

    >>> import autograd_core as ac
    >>> ac.nn.functional.gaussian_nll_loss(ac.tensor([0.0, 2.0]), ac.zeros(2), 1.0, reduction="none")
    tensor([0., 2.])
    """
    if isinstance(var, float):
        var = input.new_full(input.shape, var)
    if (var._array < 0).any():
        raise ValueError("var has negative entry/entries; a variance is not below 0")
    if var.shape != input.shape:
        differing = [n for m, n in zip(input.shape, var.shape) if m != n]
        if var.shape == input.shape[:-1]:
            var = unsqueeze(var, -1)
        elif input.ndim != var.ndim or differing != [1]:
            raise ValueError(
                f"var is of incorrect size: {list(var.shape)} for an input {list(input.shape)}; it may lack the last "
                "axis, or have length 1 in one"
            )
    check_reduction(reduction)
    var = raised(var, eps)
    losses = 0.5 * (log(var) + (input - target) ** 2 / var)
    if full:
        losses = losses + 0.5 * math.log(2 * math.pi)
    return reduced(losses, reduction)
