"""Attention with projections."""

from __future__ import annotations

from ..core.tensor import Parameter, Tensor
from ..ops.making.creation import empty
from . import functional as F
from . import init
from .linear import Linear
from .module import Module


class MultiheadAttention(Module):
    """Attention in `num_heads` heads: `functional.multi_head_attention_forward` with its parameters.

    `in_proj_weight` (3 E, E) projects queries, keys and values; where `kdim` or `vdim` differ from E, `embed_dim`, it
    is three weights. It starts uniform after Xavier, biases at 0, and `out_proj` is a `Linear`. `add_bias_kv` learns
    one more key and value, `add_zero_attn` adds zeros. `dropout` drops attention weights while training.

    Inputs are (L, N, E), or with `batch_first` (N, L, E), or without a batch (L, E).

    Raises ValueError for sizes that are not positive, AssertionError where `num_heads` does not divide `embed_dim`.
    Source: Vaswani et al., Attention Is All You Need, 2017.

    >>> import autograd_core as ac
    >>> attention = ac.nn.MultiheadAttention(8, 2, batch_first=True)
    >>> x = ac.ones(5, 3, 8)
    >>> out, weights = attention(x, x, x)
    >>> out.shape, weights.shape
    (Size([5, 3, 8]), Size([5, 3, 3]))
    """

    in_proj_weight: Parameter | None
    q_proj_weight: Parameter | None
    k_proj_weight: Parameter | None
    v_proj_weight: Parameter | None
    in_proj_bias: Parameter | None
    bias_k: Parameter | None
    bias_v: Parameter | None

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device=None,
        dtype=None,
    ):
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and "
                f"num_heads={num_heads} instead"
            )
        if embed_dim % num_heads:
            raise AssertionError(f"embed_dim must be divisible by num_heads, got {embed_dim} and {num_heads}")
        super().__init__()
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self.dropout, self.batch_first, self.add_zero_attn = dropout, batch_first, add_zero_attn

        def add(name: str, *shape: int, wanted: bool) -> None:
            self.register_parameter(name, Parameter(empty(*shape, device=device, dtype=dtype)) if wanted else None)

        separate = not self.kdim == self.vdim == embed_dim
        add("q_proj_weight", embed_dim, embed_dim, wanted=separate)
        add("k_proj_weight", embed_dim, self.kdim, wanted=separate)
        add("v_proj_weight", embed_dim, self.vdim, wanted=separate)
        add("in_proj_weight", 3 * embed_dim, embed_dim, wanted=not separate)
        add("in_proj_bias", 3 * embed_dim, wanted=bias)
        self.out_proj = Linear(embed_dim, embed_dim, bias=bias, device=device, dtype=dtype)
        add("bias_k", 1, 1, embed_dim, wanted=add_bias_kv)
        add("bias_v", 1, 1, embed_dim, wanted=add_bias_kv)
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        for weight in (self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
            if weight is not None:
                init.xavier_uniform_(weight)
        for zero in (self.in_proj_bias, self.out_proj.bias):
            if zero is not None:
                init.zeros_(zero)
        for bias in (self.bias_k, self.bias_v):
            if bias is not None:
                init.xavier_normal_(bias)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """The output, and the attention weights, of all heads together or each by itself, or None.

        Masks are True where a query may *not* look, or numbers that are added: see `functional`.
        """
        swap = self.batch_first and query.ndim == 3
        if swap:
            query, key, value = _swapped(query, key, value)
        out, weights = F.multi_head_attention_forward(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            training=self.training,
            key_padding_mask=key_padding_mask,
            need_weights=need_weights,
            attn_mask=attn_mask,
            use_separate_proj_weight=self.in_proj_weight is None,
            q_proj_weight=self.q_proj_weight,
            k_proj_weight=self.k_proj_weight,
            v_proj_weight=self.v_proj_weight,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
        )
        return (out.transpose(0, 1) if swap else out), weights


def _swapped(query: Tensor, key: Tensor, value: Tensor) -> list[Tensor]:
    """Batch and sequence exchanged; what was one tensor stays one, so that it can be projected at once."""
    exchanged = {id(x): x.transpose(0, 1) for x in (query, key, value)}
    return [exchanged[id(x)] for x in (query, key, value)]
