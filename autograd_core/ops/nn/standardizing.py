"""The op behind normalization: (x - mean) / sqrt(var + eps), scaled and shifted.

The mean and the variance are *outputs* of the op, as in PyTorch. A first derivative only reads them; a second one finds
them in the graph and goes on through them to x. Entries that do not share statistics are computed in blocks that fit
the processor's cache.
"""

from __future__ import annotations

import math

import numpy as np

from ...core.silence import complete, nameless
from ...core.table import general
from ..elementwise.arithmetic import rsqrt
from ..large_arrays import blocks_of, in_pieces, kept_ones, line_sums, trailing
from ..precision import MANY, add_up, carrier
from ..reductions.reduction import sum
from ..shapes.shape import expand, reshape, sum_to

# -- arrays: x in blocks, and means over the axes `dim` that keep these with length 1


def _wide(*arrays):
    """The arrays, those that are given, in the dtype that their sums are carried in."""
    return [None if a is None else a.astype(carrier(a.dtype), copy=False) for a in arrays]


def _in_rows(dim, affine_shape, *arrays):
    """`dim` and the arrays with all that lies before the averaged axes as one axis, where the weight allows."""
    ndim = arrays[0].ndim
    lead = ndim - len(dim)
    if lead < 2 or not trailing(dim, ndim) or len(affine_shape) > len(dim):
        return tuple(dim), arrays
    return tuple(range(1, len(dim) + 1)), [a.reshape(math.prod(a.shape[:lead]), *a.shape[lead:]) for a in arrays]


@nameless
def _dot(x, y, axes):
    """Σ x y over all axes but `axes`: in one pass without an array in between, but for very many at a time."""
    every, many = list(range(x.ndim)), MANY * math.prod([x.shape[axis] for axis in axes])
    if x.size <= many:
        return np.einsum(x, every, y, every, axes)
    if 0 not in axes and x.size <= many * len(x):
        return add_up(np.einsum(x, every, y, every, [0, *axes]), 0)
    return add_up(x * y, tuple(axis for axis in every if axis not in axes))


@nameless
def _mean(x, dim, n):
    out = line_sums(x, dim)
    out /= n
    return out


@nameless
def _mean_product(x, y, dim, n):
    if n and trailing(dim, x.ndim):
        out = in_pieces(np.vecdot, x.reshape(-1, n), y.reshape(-1, n))
    else:
        out = _dot(x, y, [axis for axis in range(x.ndim) if axis not in dim])
    out = out.reshape(kept_ones(x.shape, dim))
    out /= n
    return out


def _per_group(weight, dim, ndim) -> bool:
    """Whether one weight serves all that is averaged, so that it can join the factor 1 / sqrt(var + eps)."""
    lead = ndim - weight.ndim
    return all(axis < lead or weight.shape[axis - lead] == 1 for axis in dim)


@nameless
def _scale(out, factor, weight) -> None:
    """`out *= factor * weight`, in the order that costs least."""
    if weight is None:
        out *= factor
    elif 4 * np.broadcast(factor, weight).size <= out.size:
        out *= factor * weight
    else:
        out *= factor
        out *= weight


# -- with the statistics of x itself


@nameless
def _standardize(x, weight=None, bias=None, dim=(), affine_shape=(), eps=1e-5):
    shape, dtype = x.shape, x.dtype
    kept = kept_ones(shape, dim)
    x, weight, bias = _wide(x, weight, bias)
    weight, bias = (None if a is None else a.reshape(affine_shape) for a in (weight, bias))
    mean, var, out = np.empty(kept, x.dtype), np.empty(kept, x.dtype), np.empty(shape, x.dtype)
    dim, (x, means, variances, outs) = _in_rows(dim, affine_shape, x, mean, var, out)
    n = math.prod([x.shape[axis] for axis in dim])
    for rows in blocks_of(x, dim):
        means[rows] = _mean(x[rows], dim, n)
        part = np.subtract(x[rows], means[rows], out=outs[rows])
        variances[rows] = _mean_product(part, part, dim, n)
        _scale(part, 1.0 / np.sqrt(variances[rows] + eps), weight)
        if bias is not None:
            part += bias
    return out.astype(dtype, copy=False), mean, var


def d_standardize_dx(g_out, g_mean, g_var, x, weight, mean, var, x_shape, dim, affine_shape, eps):
    """The gradient with fixed statistics and through them, plus what comes through `mean` and `var` themselves."""
    total = None
    n = math.prod([x_shape[axis] for axis in dim])
    if g_out is not None:
        total = standardize_backward(g_out, x, weight, mean, var, dim, affine_shape, eps)
    if g_mean is not None:
        through_mean = expand(g_mean * (1 / n), x_shape)
        total = through_mean if total is None else total + through_mean
    if g_var is not None:
        through_var = (x - mean) * (g_var * (2 / n))
        total = through_var if total is None else total + through_var
    return total


def d_standardize_dweight(g_out, x, mean, var, weight_shape, dim, affine_shape, eps):
    """g xhat, summed over what shares a weight."""
    if g_out is None:
        return None
    return reshape(standardize_weight_backward(g_out, x, mean, var, dim, affine_shape, eps), weight_shape)


def d_standardize_dbias(g_out, bias_shape, affine_shape):
    """g, summed over what shares a bias."""
    return None if g_out is None else sum_to(g_out, affine_shape).reshape(bias_shape)


def _standardizing(name: str):
    return general(
        name,
        _standardize,
        "x weight bias",
        d_standardize_dx,
        d_standardize_dweight,
        d_standardize_dbias,
        outputs="out mean var",
        doc="`input` standardized over the axes `dim`, with its mean and variance there.",
    )


layer_norm_op, batch_norm_op = _standardizing("native_layer_norm"), _standardizing("native_batch_norm")


# -- its derivatives, with x, the mean and the variance as if they were independent


def _standardize_backward(grad, x, weight=None, mean=None, var=None, dim=(), affine_shape=(), eps=1e-5):
    dtype = x.dtype
    grad, x, weight = _wide(grad, x, weight)
    weight = None if weight is None else weight.reshape(affine_shape)
    out = np.empty(x.shape, x.dtype)
    dim, (x, grad, mean, var, outs) = _in_rows(dim, affine_shape, x, grad, mean, var, out)
    n = math.prod([x.shape[axis] for axis in dim])
    folds = weight is not None and _per_group(weight, dim, x.ndim)
    for rows in blocks_of(x, dim):
        rstd = 1.0 / np.sqrt(var[rows] + eps)
        h = grad[rows] if weight is None or folds else grad[rows] * weight
        part = np.subtract(x[rows], mean[rows], out=outs[rows])
        part *= -(rstd * rstd) * _mean_product(h, part, dim, n)
        part += h
        part -= _mean(h, dim, n)
        _scale(part, rstd, weight if folds else None)
    return out.astype(dtype, copy=False)


def d_backward_dgrad(g, x, weight, mean, var, dim, affine_shape, eps):
    """The map from h = grad weight to the gradient is symmetric, so it is applied to g; then times the weight."""
    back = standardize_backward(g, x, None, mean, var, dim, affine_shape, eps)
    return back if weight is None else back * reshape(weight, affine_shape)


def d_backward_dx(g, grad, x, weight, mean, var, dim, affine_shape, eps):
    """-(g mean(h xhat) + h mean(g xhat)) / (var + eps): the statistics are fixed here."""
    n = math.prod([x.shape[axis] for axis in dim])
    h = grad if weight is None else grad * reshape(weight, affine_shape)
    centered = x - mean
    rvar = 1 / (var + eps)
    return (g * sum(h * centered, dim, True) + h * sum(g * centered, dim, True)) * (rvar * rsqrt(var + eps) * (-1 / n))


def d_backward_dweight(g, grad, x, mean, var, weight_shape, dim, affine_shape, eps):
    """grad times the symmetric map of g, summed over what shares a weight."""
    return reshape(
        sum_to(grad * standardize_backward(g, x, None, mean, var, dim, affine_shape, eps), affine_shape), weight_shape
    )


def d_backward_dmean(g, grad, x, weight, mean, var, dim, affine_shape, eps):
    """x and the mean come in as a difference."""
    return -d_backward_dx(g, grad, x, weight, mean, var, dim, affine_shape, eps)


def d_backward_dvar(g, grad, x, weight, mean, var, out, dim, affine_shape, eps):
    """-(g out + (x - mean) dx) / 2 (var + eps), summed over what shares a variance."""
    through_x = d_backward_dx(g, grad, x, weight, mean, var, dim, affine_shape, eps)
    return (g * out + (x - mean) * through_x) * (-0.5 / (var + eps))


standardize_backward = general(
    "standardize_backward",
    _standardize_backward,
    "grad x weight mean var",
    d_backward_dgrad,
    d_backward_dx,
    d_backward_dweight,
    d_backward_dmean,
    d_backward_dvar,
    doc="(h - mean(h) - xhat mean(h xhat)) / sqrt(var + eps) with h = grad weight: the gradient of standardizing x.",
)


def _standardize_weight_backward(grad, x, mean, var, dim=(), affine_shape=(), eps=1e-5):
    dtype = x.dtype
    grad, x = _wide(grad, x)
    dim, (x, grad, mean, var) = _in_rows(dim, affine_shape, x, grad, mean, var)
    lead = x.ndim - len(affine_shape)
    axes = [axis for axis in range(lead, x.ndim) if affine_shape[axis - lead] != 1]
    rstd = 1.0 / np.sqrt(var + eps)
    if 0 not in dim and mean.shape[0] == mean.size and affine_shape == x.shape[1:]:  # each row has its rstd
        out = np.zeros(math.prod(affine_shape), x.dtype)
        for rows in blocks_of(x, dim):
            part = x[rows] - mean[rows]
            part *= grad[rows]
            out += rstd[rows].reshape(-1) @ part.reshape(len(part), out.size)
        return out.reshape(affine_shape).astype(dtype, copy=False)
    centered = x - mean
    outside = all(size == 1 or axis in axes for axis, size in enumerate(mean.shape))  # rstd is constant in each sum
    if not outside:
        centered *= rstd
    out = _dot(grad, centered, axes).reshape(affine_shape)
    if outside:
        out *= rstd.reshape(rstd.shape[lead:])
    return out.astype(dtype, copy=False)


def _xhat(x, mean, var, eps):
    return (x - mean) * rsqrt(var + eps)


standardize_weight_backward = general(
    "standardize_weight_backward",
    _standardize_weight_backward,
    "grad x mean var",
    lambda g, x, mean, var, eps: g * _xhat(x, mean, var, eps),
    lambda g, grad, var, eps: g * grad * rsqrt(var + eps),
    lambda g, grad, var, eps: g * grad * -rsqrt(var + eps),
    lambda g, grad, x, mean, var, eps: g * grad * _xhat(x, mean, var, eps) * (-0.5 / (var + eps)),
    doc="grad xhat, summed over what shares a weight.",
)

# -- groups of channels: the same, of x with its channels in groups


def _groups(shape, num_groups: int):
    """The shape of x in groups, the axes to average over, and the shape that a weight broadcasts from."""
    size = shape[1] // num_groups
    grouped = (shape[0], num_groups, size, *shape[2:])
    return grouped, tuple(range(2, len(grouped))), (num_groups, size, *[1] * (len(shape) - 2))


def _group_norm(x, weight=None, bias=None, num_groups=1, eps=1e-5):
    grouped, dim, affine_shape = _groups(x.shape, num_groups)
    out, mean, var = _standardize(x.reshape(grouped), weight, bias, dim, affine_shape, eps)
    return out.reshape(x.shape), mean, var


def d_group_norm_dx(g_out, g_mean, g_var, x, weight, mean, var, x_shape, num_groups, eps):
    """That of standardizing the groups."""
    grouped, dim, affine_shape = _groups(x_shape, num_groups)
    g_out = None if g_out is None else reshape(g_out, grouped)
    x = reshape(x, grouped)
    return reshape(
        d_standardize_dx(g_out, g_mean, g_var, x, weight, mean, var, grouped, dim, affine_shape, eps), x_shape
    )


def d_group_norm_dweight(g_out, x, mean, var, weight_shape, num_groups, eps):
    """That of standardizing the groups."""
    if g_out is None:
        return None
    grouped, dim, affine_shape = _groups(x.shape, num_groups)
    return d_standardize_dweight(
        reshape(g_out, grouped), reshape(x, grouped), mean, var, weight_shape, dim, affine_shape, eps
    )


def d_group_norm_dbias(g_out):
    """g, summed over the batch and the positions."""
    return None if g_out is None else sum(g_out, (0, *range(2, g_out.ndim)))


group_norm_op = general(
    "native_group_norm",
    _group_norm,
    "x weight bias",
    d_group_norm_dx,
    d_group_norm_dweight,
    d_group_norm_dbias,
    outputs="out mean var",
    doc="`input` standardized in `num_groups` groups of channels, with the mean and the variance of each.",
)

# -- with given statistics


def _standardize_with(x, weight=None, bias=None, mean=None, var=None, affine_shape=(), eps=1e-5):
    kind = x.dtype
    x, weight, bias, mean, var = _wide(x, weight, bias, mean, var)
    scale = 1.0 / np.sqrt(var + eps)
    if weight is not None:
        scale = scale * weight
    out = x - mean.reshape(affine_shape)
    out *= scale.reshape(affine_shape)
    if bias is not None:
        out += bias.reshape(affine_shape)
    return out.astype(kind, copy=False)


def d_standardize_with_dx(g, weight, var, affine_shape, eps):
    """g weight / sqrt(var + eps): the statistics are constants here."""
    scale = rsqrt(var + eps)
    return g * (scale if weight is None else scale * weight).reshape(affine_shape)


def d_standardize_with_dweight(g, x, mean, var, weight_shape, affine_shape, eps):
    """g (x - mean) / sqrt(var + eps), summed over what shares a weight."""
    xhat = (x - mean.reshape(affine_shape)) * rsqrt(var + eps).reshape(affine_shape)
    return sum_to(g * xhat, affine_shape).reshape(weight_shape)


def d_standardize_with_dbias(g, bias_shape, affine_shape):
    """g, summed over what shares a bias."""
    return sum_to(g, affine_shape).reshape(bias_shape)


eval_batch_norm = general(
    "eval_batch_norm",
    _standardize_with,
    "x weight bias mean var",
    d_standardize_with_dx,
    d_standardize_with_dweight,
    d_standardize_with_dbias,
    None,
    None,
    doc="`input` standardized with a given mean and variance per channel, which are constants.",
)

complete()  # this module is read after `ops`
