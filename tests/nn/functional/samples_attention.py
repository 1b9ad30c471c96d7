"""Samples of `nn.functional.attention`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(43)
Q, K, V = rng.normal(size=(3, 2, 4, 3))
HEADS = rng.normal(size=(1, 4, 3, 2)), rng.normal(size=(1, 2, 5, 2)), rng.normal(size=(1, 2, 5, 2))
BLIND = np.array([[True, False, True, True], [False] * 4, [True] * 4, [False, False, False, True]])
QUERY = rng.normal(size=(3, 2, 4))
MEMORY = rng.normal(size=(5, 2, 4))
PACKED = rng.normal(size=(12, 4))
PACKED_BIAS = rng.normal(size=12)
OUT = rng.normal(size=(4, 4))
OUT_BIAS = rng.normal(size=4)
EXTRA = rng.normal(size=(1, 1, 4))
SINGLE = rng.normal(size=(3, 4, 4))
SEEN = np.array([[False, False, True, False, False], [False, True, False, False, True]])
ALL = (QUERY, MEMORY, PACKED, PACKED_BIAS, OUT, OUT_BIAS)


def attention(**options):
    return lambda T, *inputs: T.nn.functional.scaled_dot_product_attention(*inputs, **options)


def masked(mask):
    def f(T, q, k, v):
        given = T.from_numpy(mask.copy())
        return T.nn.functional.scaled_dot_product_attention(q, k, v, given if mask.dtype == bool else given.to(q.dtype))

    return f


def several_heads(key_padding_mask=None, add_zero_attn=False, **options):
    """Queries, a memory that is both keys and values, and the packed projections; more by `options`."""

    def f(T, query, memory, packed, packed_bias, out, out_bias, *rest):
        padding = None if key_padding_mask is None else T.from_numpy(key_padding_mask.copy())
        extra = (rest[0], rest[1]) if rest else (None, None)
        result, weights = T.nn.functional.multi_head_attention_forward(
            *(query, memory, memory, 4, 2, packed, packed_bias, *extra),
            *(add_zero_attn, 0.0, out, out_bias),
            key_padding_mask=padding,
            **options,
        )
        return result if weights is None else (result, weights)

    return f


def separate(T, query, memory, q, k, v, out):
    return T.nn.functional.multi_head_attention_forward(
        *(query, memory, memory, 4, 2, None, None, None, None, False, 0.0, out, None),
        use_separate_proj_weight=True,
        q_proj_weight=q,
        k_proj_weight=k,
        v_proj_weight=v,
        average_attn_weights=False,
    )


SAMPLES = [
    Sample("attention", attention(scale=0.3), (Q, K, V)),
    Sample("attention mask added", attention(), (Q, K, V, rng.normal(size=(4, 4)))),
    Sample("attention blind query", masked(BLIND), (Q, K, V)),
    Sample("attention blind query, added", masked(np.where(BLIND, 0.0, -np.inf)), (Q, K, V)),
    Sample("attention causal, more keys", attention(is_causal=True), (Q[:, :2], K, V)),
    Sample("attention shared heads", attention(enable_gqa=True), HEADS, second=False),  # torch's kernel has none
    Sample("attention float32", attention(), tuple(a.astype(np.float32) for a in (Q, K, V)), smooth=False),
    Sample("multi-head", several_heads(), ALL),
    Sample("multi-head padding", several_heads(SEEN), ALL),
    Sample("multi-head more keys", several_heads(SEEN, add_zero_attn=True), (*ALL, EXTRA, EXTRA + 1)),
    Sample("multi-head output alone", several_heads(need_weights=False), ALL, second=False),  # torch's kernel has none
    Sample("multi-head separate", separate, (QUERY, MEMORY, *SINGLE, OUT)),
    Sample("multi-head no batch", several_heads(), (QUERY[:, 0], MEMORY[:, 0], *ALL[2:])),
]
