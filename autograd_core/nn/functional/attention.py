"""Attention: averages of values, weighted by how well each key fits a query."""

from __future__ import annotations

import math

import numpy as np

from ...core.tensor import Tensor, wrap
from ...ops.indexing.scattering import masked_fill
from ...ops.linear_algebra.matmul import linear, matmul
from ...ops.nn.softmax import softmax
from ...ops.precision import carried_wide
from ...ops.reductions.reduction import mean
from ...ops.shapes.chunking import split
from ...ops.shapes.joining import cat
from ...ops.shapes.shape import expand, reshape, squeeze, transpose, unsqueeze
from ...ops.windows.borders import constant_pad
from .dropout import dropout

# -- one attention


@carried_wide
def scaled_dot_product_attention(
    query,
    key,
    value,
    attn_mask=None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """softmax(scale query keyᵀ + mask) value.

    Shapes: query (..., L, E), key (..., S, E) and value (..., S, V) give (..., L, V). `scale` is 1 / sqrt(E) unless
    given. `attn_mask` broadcasts to (..., L, S): a bool mask is True where a query may look, a floating one is added.
    `is_causal` lets query i look at keys up to i. A query that may look nowhere gets zeros. `dropout_p` drops weights
    at random, always. With `enable_gqa` query heads (axis -3) share key and value heads in groups of neighbors.

    Gradients by the chain rule through the two products and softmax; the mask gets one if it is floating.

    Raises RuntimeError for a mask together with `is_causal`, and for dtypes and shapes that do not fit.
    Source: Vaswani et al., Attention Is All You Need, 2017.

    >>> import autograd_core as ac
    >>> q = ac.tensor([[1.0, 0.0]])
    >>> k, v = ac.tensor([[1.0, 0.0], [0.0, 1.0]]), ac.tensor([[1.0], [0.0]])
    >>> ac.nn.functional.scaled_dot_product_attention(q, k, v)
    tensor([[0.6698]])
    """
    if not isinstance(is_causal, bool):
        kind = type(is_causal).__name__
        raise TypeError(f"scaled_dot_product_attention(): argument 'is_causal' must be bool, not {kind}")
    _check(query, key, value, attn_mask, is_causal)
    if enable_gqa:
        key, value = _shared_heads(query, key), _shared_heads(query, value)
    if is_causal:
        attn_mask = wrap(np.tri(query.shape[-2], key.shape[-2], dtype=bool))
    factor = 1 / math.sqrt(query.shape[-1] or 1) if scale is None else scale
    weights = _weights(matmul(query * factor, transpose(key, -2, -1)), attn_mask)
    if dropout_p > 0:
        weights = dropout(weights, dropout_p)
    return matmul(weights, value)


def _weights(scores, mask):
    """Softmax of masked scores; zeros for a query whose keys are all masked."""
    if mask is None:
        return softmax(scores, -1)
    if mask._array.dtype == bool:
        scores = masked_fill(scores, wrap(~mask._array), -math.inf)
    else:
        scores = scores + mask
    blind = np.isneginf(scores._array).all(-1, keepdims=True)
    if not blind.any():
        return softmax(scores, -1)
    return masked_fill(softmax(masked_fill(scores, wrap(blind), 0.0), -1), wrap(blind), 0.0)


def _shared_heads(query, x):
    """Each head of `x` repeated for its group of query heads."""
    heads, groups = query.shape[-3], x.shape[-3]
    if groups == 0 or heads % groups:
        raise RuntimeError(
            f"scaled_dot_product_attention: with enable_gqa the number of heads of key and value must divide that of "
            f"query, got {groups} and {heads}"
        )
    *batch, _, length, width = x.shape
    repeated = expand(unsqueeze(x, -3), (*batch, groups, heads // groups, length, width))
    return reshape(repeated, (*batch, heads, length, width))


def _check(query, key, value, mask, is_causal: bool) -> None:
    name = "scaled_dot_product_attention"
    if is_causal and mask is not None:
        raise RuntimeError(f"{name}: Explicit attn_mask should not be set when is_causal=True")
    if len({query.dtype, key.dtype, value.dtype}) > 1:
        raise RuntimeError(
            f"{name}: Expected query, key, and value to have the same dtype, but got {query.dtype}, {key.dtype} and "
            f"{value.dtype}"
        )
    if min(query.ndim, key.ndim, value.ndim) < 2:
        raise RuntimeError(
            f"{name}: Expected query, key, and value to all be at least 2 dimensional, but got {query.ndim}, "
            f"{key.ndim} and {value.ndim} dimensions"
        )
    if mask is not None and mask._array.dtype != bool and mask.dtype != query.dtype:
        raise RuntimeError(
            f"{name}: Expected attn_mask dtype to be bool or that of query, but got {mask.dtype} and {query.dtype}"
        )


# -- several heads, with their projections


def multi_head_attention_forward(
    query,
    key,
    value,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight,
    in_proj_bias,
    bias_k,
    bias_v,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight,
    out_proj_bias,
    training: bool = True,
    key_padding_mask=None,
    need_weights: bool = True,
    attn_mask=None,
    use_separate_proj_weight: bool = False,
    q_proj_weight=None,
    k_proj_weight=None,
    v_proj_weight=None,
    static_k=None,
    static_v=None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple:
    """Attention in `num_heads` heads: project, attend in each head, join the heads, project back.

    Shapes: query (L, N, E), key and value (S, N, E), or all without the batch axis N. `in_proj_weight` (3 E, E) holds
    the projections of query, key and value one under the other, or with `use_separate_proj_weight` the three are given
    singly; `in_proj_bias` has 3 E entries. `bias_k` and `bias_v` are one more key and value, `add_zero_attn` adds a
    key and value of zeros; `static_k` and `static_v` (N num_heads, S, E / num_heads) take the place of the projected
    ones. `attn_mask` is (L, S) or (N num_heads, L, S), `key_padding_mask` (N, S): True where a query may *not* look, or
    floating and added. `is_causal` only says that `attn_mask` is causal.

    Returns the output (L, N, E), and the attention weights (N, L, S), averaged over the heads unless
    `average_attn_weights` is False, or None without `need_weights`.

    Raises AssertionError or RuntimeError for shapes and arguments that do not fit.
    Source: Vaswani et al., Attention Is All You Need, 2017.

    >>> import autograd_core as ac
    >>> x, eye = ac.ones(3, 1, 2), ac.eye(2)
    >>> out, weights = ac.nn.functional.multi_head_attention_forward(
    ...     x, x, x, 2, 1, ac.cat([eye, eye, eye]), None, None, None, False, 0.0, eye, None
    ... )
    >>> out.shape, weights[0, 0]
    (Size([3, 1, 2]), tensor([0.3333, 0.3333, 0.3333]))
    """
    batched = _check_ranks(query, key, value, key_padding_mask, attn_mask, num_heads)
    if is_causal and attn_mask is None:
        raise RuntimeError("Need attn_mask if specifying the is_causal hint; a causal one is True above the diagonal.")
    if not batched:
        query, key, value = unsqueeze(query, 1), unsqueeze(key, 1), unsqueeze(value, 1)
        key_padding_mask = None if key_padding_mask is None else unsqueeze(key_padding_mask, 0)
    _check_sizes(query, key, value, embed_dim_to_check, num_heads, use_separate_proj_weight)
    length, batch, width = query.shape
    shape = (batch * num_heads, -1, width // num_heads)
    weights = _projections(in_proj_weight, use_separate_proj_weight, q_proj_weight, k_proj_weight, v_proj_weight)
    biases = (None, None, None) if in_proj_bias is None else split(in_proj_bias, width)
    q, k, v = (linear(x, w, b) for x, w, b in zip((query, key, value), weights, biases))
    mask = _attention_mask(_additive("attn_mask", attn_mask, query), length, key.shape[0], shape[0])
    padding = _additive("key_padding_mask", key_padding_mask, query)

    k, v, extra = _with_biases(k, v, bias_k, bias_v, static_k, static_v)
    q, k, v = (transpose(reshape(x, (x.shape[0], shape[0], shape[2])), 0, 1) for x in (q, k, v))
    k, v = (x if given is None else _static(given, shape) for x, given in ((k, static_k), (v, static_v)))
    if add_zero_attn:
        nothing = wrap(np.zeros((shape[0], 1, shape[2]), k._array.dtype))
        k, v, extra = cat([k, nothing], 1), cat([v, nothing], 1), extra + 1
    mask = _merged(_widened(mask, extra), _widened(padding, extra), batch, num_heads, k.shape[1])

    attention = _weights(matmul(q * math.sqrt(1 / shape[2]), transpose(k, 1, 2)), mask)
    if training and dropout_p > 0:
        attention = dropout(attention, dropout_p)
    out = reshape(transpose(matmul(attention, v), 0, 1), (length, batch, width))
    out = linear(out, out_proj_weight, out_proj_bias)
    if not need_weights:
        return out if batched else squeeze(out, 1), None
    attention = reshape(attention, (batch, num_heads, length, k.shape[1]))
    if average_attn_weights:
        attention = mean(attention, 1)
    return (out, attention) if batched else (squeeze(out, 1), squeeze(attention, 0))


def _projections(packed, separate: bool, *single):
    given = single if separate else (packed,)
    if any(weight is None for weight in given):
        names = "q_proj_weight, k_proj_weight or v_proj_weight" if separate else "in_proj_weight"
        raise AssertionError(f"use_separate_proj_weight is {separate} but {names} is None")
    return single if separate else split(packed, packed.shape[0] // 3)


def _with_biases(k, v, bias_k, bias_v, static_k, static_v):
    """Keys and values with one more of each, the biases, and how many were added."""
    if bias_k is None and bias_v is None:
        return k, v, 0
    if bias_k is None or bias_v is None:
        raise AssertionError("bias_k and bias_v must be given together")
    if static_k is not None or static_v is not None:
        raise AssertionError("bias cannot be added to static key or value.")
    size = (1, *k.shape[1:])
    return cat([k, expand(bias_k, size)]), cat([v, expand(bias_v, size)]), 1


def _static(given, shape):
    if given.ndim != 3 or (given.shape[0], given.shape[2]) != (shape[0], shape[2]):
        raise AssertionError(f"expecting a static key or value of shape ({shape[0]}, S, {shape[2]}), got {given.shape}")
    return given


def _additive(name: str, mask, query):
    """A mask as numbers that are added to the scores."""
    if mask is None or mask.is_floating_point():
        return mask
    if mask._array.dtype != bool:
        raise AssertionError(f"only bool and floating types of {name} are supported, got {mask.dtype}")
    return wrap(np.where(mask._array, -np.inf, 0.0).astype(query._array.dtype))


def _attention_mask(mask, length: int, keys: int, heads: int):
    if mask is None:
        return None
    wanted = (length, keys) if mask.ndim == 2 else (heads, length, keys)
    if tuple(mask.shape) != wanted:
        raise RuntimeError(f"The shape of the {mask.ndim}D attn_mask is {tuple(mask.shape)}, but should be {wanted}.")
    return unsqueeze(mask, 0) if mask.ndim == 2 else mask


def _widened(mask, extra: int):
    """A mask that lets every query look at the keys that were added."""
    return mask if mask is None or not extra else constant_pad(mask, (0, extra), 0.0)


def _merged(mask, padding, batch: int, heads: int, keys: int):
    if padding is None:
        return mask
    if tuple(padding.shape) != (batch, keys):
        raise AssertionError(f"Expected key_padding_mask to be of shape {(batch, keys)}, got {tuple(padding.shape)}")
    padding = reshape(expand(reshape(padding, (batch, 1, 1, keys)), (batch, heads, 1, keys)), (batch * heads, 1, keys))
    return padding if mask is None else mask + padding


def _check_ranks(query, key, value, key_padding_mask, attn_mask, heads: int) -> bool:
    """Whether there is a batch axis."""
    if query.ndim not in (2, 3):
        raise AssertionError(
            f"query should be unbatched 2D or batched 3D tensor but received {query.ndim}-D query tensor"
        )
    rank = query.ndim
    if key.ndim != rank or value.ndim != rank:
        raise AssertionError(
            f"For {rank}-D `query`, expected `key` and `value` to be {rank}-D but found {key.ndim}-D and {value.ndim}-D"
        )
    if key_padding_mask is not None and key_padding_mask.ndim != rank - 1:
        raise AssertionError(
            f"For {rank}-D `query`, expected `key_padding_mask` to be None or {rank - 1}-D but found "
            f"{key_padding_mask.ndim}-D"
        )
    if attn_mask is not None and attn_mask.ndim not in (2, 3):
        raise AssertionError(f"expected `attn_mask` to be None, 2-D or 3-D but found {attn_mask.ndim}-D")
    if rank == 2 and attn_mask is not None and attn_mask.ndim == 3:
        wanted = (heads, query.shape[0], key.shape[0])
        if tuple(attn_mask.shape) != wanted:
            raise AssertionError(f"Expected `attn_mask` shape to be {wanted} but got {tuple(attn_mask.shape)}")
    return rank == 3


def _check_sizes(query, key, value, width: int, heads: int, separate: bool) -> None:
    if query.shape[2] != width:
        raise AssertionError(f"was expecting embedding dimension of {width}, but got {query.shape[2]}")
    if width % heads:
        raise AssertionError(f"embed_dim {width} not divisible by num_heads {heads}")
    if separate and key.shape[:2] != value.shape[:2]:
        raise AssertionError(
            f"key's sequence and batch dims {tuple(key.shape[:2])} do not match value's {tuple(value.shape[:2])}"
        )
    if not separate and key.shape != value.shape:
        raise AssertionError(f"key shape {tuple(key.shape)} does not match value shape {tuple(value.shape)}")
