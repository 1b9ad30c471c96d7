"""Statistics made of sums: counts, sums and means without NaNs, spreads with their mean, covariances."""

from __future__ import annotations

import warnings

import numpy as np

from ...core.call import takes_numpy_names
from ...core.table import general, nondiff
from ..elementwise.arithmetic import sqrt
from ..elementwise.comparison import isnan
from ..elementwise.piecewise import clip, keep_where
from ..linear_algebra.matmul import matmul
from ..precision import carried_wide
from ..shapes.diagonals import diagonal
from ..shapes.shape import reshape, squeeze, unsqueeze
from .reduction import _sum, correction_of, mean, numpy_axis, plain_std, plain_var, spread, sum

__all__ = ["corrcoef", "count_nonzero", "cov", "nanmean", "nansum", "std_mean", "trace", "var_mean"]
METHODS = [name for name in __all__ if name not in ("std_mean", "var_mean")]
TAKE_OUT = ["nanmean"]
ONE_OR_MORE = ["count_nonzero"]

# -- counts, and sums without NaNs


def _count_nonzero(x, dim=None):
    return np.asarray(np.count_nonzero(x, axis=numpy_axis(dim, x.ndim)), np.int64)


count_nonzero = nondiff(
    "count_nonzero",
    _count_nonzero,
    "x",
    doc="How many elements are not 0, over everything or over the axes `dim`; int64. NaN is not 0.",
    example="ac.count_nonzero(ac.tensor([[0.0, 1.0], [2.0, 3.0]]), dim=0) -> tensor([1, 2])",
)


def _nansum(x, dim=None, keepdim=False, *, dtype=None):
    return _sum(np.where(x == x, x, x.dtype.type(0)) if x.dtype.kind == "f" else x, dim, keepdim, dtype=dtype)


nansum = general(
    "nansum",
    _nansum,
    "x",
    lambda g, x, dim: keep_where(spread(g, x.shape, dim), ~isnan(x)),
    doc="Sum over all elements, or over the axes `dim`, in which NaN counts as 0. Integers are summed in int64. "
    "Gradient: g for every element, and 0 for NaN.",
    example="ac.nansum(ac.tensor([1.0, ac.nan, 3.0])) -> tensor(4.)",
)


@takes_numpy_names
@carried_wide
def nanmean(input, dim=None, keepdim=False, *, dtype=None):
    """Mean of the elements that are not NaN, over everything or over the axes `dim`; NaN where all are.

    RuntimeError for integers. Gradient: g over how many they are, and 0 for NaN. Saves for backward: input and that
    number.

    >>> import autograd_core as ac
    >>> ac.nanmean(ac.tensor([[1.0, ac.nan], [2.0, 4.0]]), dim=1)
    tensor([1., 3.])
    """
    if not input.is_floating_point():
        raise RuntimeError(f"nanmean(): expected input to have floating point dtype but got {input.dtype}")
    return nansum(input, dim, keepdim, dtype=dtype) / sum(~isnan(input), dim, keepdim)


# -- a spread together with its mean


@takes_numpy_names
def var_mean(input, dim=None, unbiased=True, keepdim=False, *, correction=None):
    """Variance and mean over all elements, or over the axes `dim`, as a pair: `var` and `mean`.

    >>> import autograd_core as ac
    >>> ac.var_mean(ac.tensor([1.0, 2.0, 3.0]))
    (tensor(1.), tensor(2.))
    """
    dim, correction = correction_of(dim, unbiased, correction)
    return plain_var(input, dim, correction, keepdim), mean(input, dim, keepdim)


@takes_numpy_names
def std_mean(input, dim=None, unbiased=True, keepdim=False, *, correction=None):
    """Standard deviation and mean over all elements, or over the axes `dim`, as a pair: `std` and `mean`.

    >>> import autograd_core as ac
    >>> ac.std_mean(ac.tensor([1.0, 2.0, 3.0]))
    (tensor(1.), tensor(2.))
    """
    dim, correction = correction_of(dim, unbiased, correction)
    return plain_std(input, dim, correction, keepdim), mean(input, dim, keepdim)


# -- covariance


def _check_weights(name: str, weights, n: int, floating: bool) -> None:
    if weights is None:
        return
    if weights.ndim > 1 or weights.numel() != n:
        raise RuntimeError(
            f"cov(): expected {name} to be of shape [{n}], a weight for each observation, but got shape "
            f"{list(weights.shape)}"
        )
    if weights.is_floating_point() != floating:
        raise RuntimeError(
            f"cov(): expected {name} to have {'floating point' if floating else 'integral'} dtype but got "
            f"{weights.dtype}"
        )
    if (weights._array < 0).any():
        raise RuntimeError(f"cov(): {name} cannot be negative, got {weights._array.min()}")


def cov(input, *, correction=1, fweights=None, aweights=None):
    """Covariance of the variables in the rows of `input`, over the observations in its columns: a square matrix.

    `fweights` (integers) says how often each observation counts, `aweights` (floating) how much; n is the sum of their
    products. Σ w (x - mean) (y - mean) / (n - correction), where with `aweights` the correction is multiplied by
    Σ w aweights / n. One variable, in one or no axis, gives a 0-d variance. Integers become floating. RuntimeError
    for more than two axes, bools, and weights of another shape or dtype or below 0; a UserWarning where the
    denominator is not positive, and then it counts as 0.

    >>> import autograd_core as ac
    >>> ac.cov(ac.tensor([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
    if input.ndim > 2:
        raise RuntimeError(f"cov(): expected input to have two or fewer dimensions, got shape {list(input.shape)}")
    if input._array.dtype.kind == "b":
        raise RuntimeError("cov(): bool dtype is not supported for input; convert it with .float()")
    x = input if input.ndim == 2 else reshape(input, (1, -1))
    n = x.shape[1]
    _check_weights("fweights", fweights, n, floating=False)
    _check_weights("aweights", aweights, n, floating=True)
    weights = fweights if aweights is None else aweights if fweights is None else fweights * aweights
    total = n if weights is None else sum(weights)
    if weights is not None and total.item() == 0:
        raise RuntimeError("cov(): weights sum to zero, can't be normalized")
    freedom = total - correction
    if correction and aweights is not None:
        freedom = total - correction * sum(weights * aweights) / total
    if (freedom if isinstance(freedom, int) else freedom.item()) <= 0:
        warnings.warn("cov(): degrees of freedom is <= 0; the denominator counts as 0", UserWarning, stacklevel=2)
        freedom = 0.0 * freedom
    centered = x - unsqueeze(sum(x if weights is None else x * weights, 1) / total, 1)
    weighted = centered if weights is None else centered * weights
    if not centered.is_floating_point():
        centered, weighted = centered.float(), weighted.float()
    return squeeze(matmul(centered, weighted.t()) / freedom)


def corrcoef(input):
    """Pearson's correlation coefficients of the variables in the rows of `input`: a square matrix, within [-1, 1].

    `cov` divided by the deviations of both variables; 1 for a single variable. NaN for a constant one. RuntimeError
    for more than two axes.

    >>> import autograd_core as ac
    >>> ac.corrcoef(ac.tensor([[0.0, 1.0, 2.0], [4.0, 2.0, 0.0]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
    if input.ndim > 2:
        raise RuntimeError(f"corrcoef(): expected input to have two or fewer dimensions, got shape {list(input.shape)}")
    c = cov(input)
    if not c.ndim:
        return c / c
    deviations = sqrt(diagonal(c))
    return clip(c / unsqueeze(deviations, 1) / deviations, -1, 1)


def trace(input):
    """Sum of the diagonal of a matrix; integers are summed in int64. RuntimeError for other numbers of axes.

    >>> import autograd_core as ac
    >>> ac.trace(ac.tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor(5.)
    """
    if input.ndim != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {input.ndim}")
    return sum(diagonal(input))
