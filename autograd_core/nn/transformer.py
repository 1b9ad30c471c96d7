"""Transformers: encoders and decoders of attention and feed-forward layers."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable

from ..core.tensor import Tensor
from ..ops.making.creation import full
from . import functional as F
from . import init
from .containers import ModuleList
from .dropout import Dropout
from .linear import Linear
from .module import Module
from .multihead_attention import MultiheadAttention
from .normalization import LayerNorm


def _activation(activation: str | Callable) -> Callable:
    if not isinstance(activation, str):
        return activation
    if activation not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {activation}")
    return F.relu if activation == "relu" else F.gelu


def _get_clones(layer: Module, n: int) -> ModuleList:
    return ModuleList(copy.deepcopy(layer) for _ in range(n))


class TransformerEncoderLayer(Module):
    """Self-attention, then two linear layers with an activation between; each part is added to what it got.

    The sum is normalized, or with `norm_first` the part's input. Shapes are (L, N, d_model), or with `batch_first`
    (N, L, d_model), or without a batch (L, d_model). `activation` is "relu", "gelu" or a function.
    Source: Vaswani et al., Attention Is All You Need, 2017.

    >>> import autograd_core as ac
    >>> ac.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)(ac.ones(5, 3, 8)).shape
    Size([5, 3, 8])
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        made: dict = {"device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, **made)
        self.linear1 = Linear(d_model, dim_feedforward, bias, **made)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, **made)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, layer_norm_eps, bias=bias, **made)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, bias=bias, **made)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.activation = _activation(activation)

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        """The encoded sequence, of the same shape. Masks are those of `MultiheadAttention`."""
        x = src
        if self.norm_first:
            x = x + self._attend(self.norm1(x), src_mask, src_key_padding_mask, is_causal)
            return x + self._feed_forward(self.norm2(x))
        x = self.norm1(x + self._attend(x, src_mask, src_key_padding_mask, is_causal))
        return self.norm2(x + self._feed_forward(x))

    def _attend(self, x: Tensor, mask, padding, is_causal: bool) -> Tensor:
        return self.dropout1(self.self_attn(x, x, x, padding, False, mask, is_causal=is_causal)[0])

    def _feed_forward(self, x: Tensor) -> Tensor:
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))


class TransformerEncoder(Module):
    """`num_layers` copies of an encoder layer, one after the other, and at the end `norm`, if given.

    The copies start with equal values, but do not share them. `enable_nested_tensor` and `mask_check` say how PyTorch
    may compute in evaluation, and change nothing here: places that are masked as padding are computed like others.

    >>> import autograd_core as ac
    >>> encoder = ac.nn.TransformerEncoder(ac.nn.TransformerEncoderLayer(8, 2, 16), num_layers=2)
    >>> encoder(ac.ones(3, 5, 8)).shape
    Size([3, 5, 8])
    """

    def __init__(
        self,
        encoder_layer: Module,
        num_layers: int,
        norm: Module | None = None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ):
        super().__init__()
        self.enable_nested_tensor, self.mask_check = enable_nested_tensor, mask_check
        self.layers, self.num_layers, self.norm = _get_clones(encoder_layer, num_layers), num_layers, norm

    def forward(
        self,
        src: Tensor,
        mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:
        """The encoded sequence, of the same shape. `is_causal` only says that `mask` is causal."""
        for layer in self.layers:
            src = layer(src, src_mask=mask, is_causal=bool(is_causal), src_key_padding_mask=src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


class TransformerDecoderLayer(Module):
    """Self-attention, attention to the encoder's result, and two linear layers; otherwise as the encoder layer.

    >>> import autograd_core as ac
    >>> ac.nn.TransformerDecoderLayer(8, 2, 16)(ac.ones(3, 5, 8), ac.ones(4, 5, 8)).shape
    Size([3, 5, 8])
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        made: dict = {"device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, **made)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, **made)
        self.linear1 = Linear(d_model, dim_feedforward, bias, **made)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, **made)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, layer_norm_eps, bias=bias, **made)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, bias=bias, **made)
        self.norm3 = LayerNorm(d_model, layer_norm_eps, bias=bias, **made)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        self.activation = _activation(activation)

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """The decoded sequence, of the shape of `tgt`. Masks are those of `MultiheadAttention`."""
        to_itself = (tgt_key_padding_mask, False, tgt_mask, True, tgt_is_causal)
        to_memory = (memory_key_padding_mask, False, memory_mask, True, memory_is_causal)
        x = tgt
        if self.norm_first:
            x = x + self._attend(self.norm1(x), to_itself)
            x = x + self._look_up(self.norm2(x), memory, to_memory)
            return x + self._feed_forward(self.norm3(x))
        x = self.norm1(x + self._attend(x, to_itself))
        x = self.norm2(x + self._look_up(x, memory, to_memory))
        return self.norm3(x + self._feed_forward(x))

    def _attend(self, x: Tensor, options: tuple) -> Tensor:
        return self.dropout1(self.self_attn(x, x, x, *options)[0])

    def _look_up(self, x: Tensor, memory: Tensor, options: tuple) -> Tensor:
        return self.dropout2(self.multihead_attn(x, memory, memory, *options)[0])

    def _feed_forward(self, x: Tensor) -> Tensor:
        return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))


class TransformerDecoder(Module):
    """`num_layers` copies of a decoder layer, one after the other, and at the end `norm`, if given.

    >>> import autograd_core as ac
    >>> decoder = ac.nn.TransformerDecoder(ac.nn.TransformerDecoderLayer(8, 2, 16), num_layers=2)
    >>> decoder(ac.ones(3, 5, 8), ac.ones(4, 5, 8)).shape
    Size([3, 5, 8])
    """

    def __init__(self, decoder_layer: Module, num_layers: int, norm: Module | None = None):
        super().__init__()
        self.layers, self.num_layers, self.norm = _get_clones(decoder_layer, num_layers), num_layers, norm

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """The decoded sequence, of the shape of `tgt`. `tgt_is_causal` only says that `tgt_mask` is causal."""
        for layer in self.layers:
            tgt = layer(
                tgt,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
                tgt_is_causal=bool(tgt_is_causal),
                memory_is_causal=memory_is_causal,
            )
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Module):
    """An encoder and a decoder. Parameters with two axes start uniform after Xavier.

    >>> import autograd_core as ac
    >>> model = ac.nn.Transformer(8, 2, num_encoder_layers=1, num_decoder_layers=1, dim_feedforward=16)
    >>> model(ac.ones(4, 5, 8), ac.ones(3, 5, 8), tgt_mask=model.generate_square_subsequent_mask(3)).shape
    Size([3, 5, 8])
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable = "relu",
        custom_encoder: Module | None = None,
        custom_decoder: Module | None = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        made: dict = {"device": device, "dtype": dtype}
        layer = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias)

        def norm() -> LayerNorm:
            return LayerNorm(d_model, layer_norm_eps, bias=bias, **made)

        if custom_encoder is None:
            custom_encoder = TransformerEncoder(TransformerEncoderLayer(*layer, **made), num_encoder_layers, norm())
        if custom_decoder is None:
            custom_decoder = TransformerDecoder(TransformerDecoderLayer(*layer, **made), num_decoder_layers, norm())
        self.encoder, self.decoder = custom_encoder, custom_decoder
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first
        for parameter in self.parameters():
            if parameter.ndim > 1:
                init.xavier_uniform_(parameter)

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        src_is_causal: bool | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """The decoded sequence, of the shape of `tgt`. RuntimeError where the batches or widths do not fit."""
        batch = 0 if self.batch_first else 1
        if src.ndim == 3 and src.shape[batch] != tgt.shape[batch]:
            raise RuntimeError(
                f"the batch number of src and tgt must be equal, got {src.shape[batch]} and {tgt.shape[batch]}"
            )
        if src.shape[-1] != self.d_model or tgt.shape[-1] != self.d_model:
            raise RuntimeError(
                f"the feature number of src and tgt must be equal to d_model, got {src.shape[-1]}, {tgt.shape[-1]} "
                f"and {self.d_model}"
            )
        memory = self.encoder(src, src_mask, src_key_padding_mask, src_is_causal)
        return self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
            tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device=None, dtype=None) -> Tensor:
        """A causal mask to be added: minus infinity above the diagonal, else 0.

        >>> import autograd_core as ac
        >>> ac.nn.Transformer.generate_square_subsequent_mask(2)
        tensor([[0., -inf],
                [0., 0.]])
        """
        return full((sz, sz), -math.inf, device=device, dtype=dtype).triu(1)
