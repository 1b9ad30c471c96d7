"""A decoder-only transformer: causal attention, tied weights, decay for matrices alone, warmup, and generation."""

import json
import math
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
from torch.nn import functional as F


@dataclass
class GPTConfig:
    block_size: int = 8
    vocab_size: int = 11
    n_layer: int = 2
    n_head: int = 2
    n_embd: int = 8
    bias: bool = True


class CausalSelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        assert config.n_embd % config.n_head == 0
        self.c_attn = nn.Linear(config.n_embd, 3 * config.n_embd, bias=config.bias)
        self.c_proj = nn.Linear(config.n_embd, config.n_embd, bias=config.bias)
        self.n_head, self.n_embd = config.n_head, config.n_embd
        mask = torch.tril(torch.ones(config.block_size, config.block_size))
        self.register_buffer("bias", mask.view(1, 1, config.block_size, config.block_size))

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        k, q, v = (t.view(B, T, self.n_head, C // self.n_head).transpose(1, 2) for t in (k, q, v))
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(self.bias[:, :, :T, :T] == 0, float("-inf"))
        y = F.softmax(att, dim=-1) @ v
        fused = F.scaled_dot_product_attention(q, k, v, attn_mask=None, dropout_p=0, is_causal=True)
        y = 0.5 * (y + fused)
        return self.c_proj(y.transpose(1, 2).contiguous().view(B, T, C))


class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.ln_1 = nn.LayerNorm(config.n_embd)
        self.attn = CausalSelfAttention(config)
        self.ln_2 = nn.LayerNorm(config.n_embd)
        wide = nn.Linear(config.n_embd, 4 * config.n_embd)
        self.mlp = nn.ModuleDict(
            {"c_fc": wide, "act": nn.GELU(), "c_proj": nn.Linear(4 * config.n_embd, config.n_embd)}
        )

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        m = self.mlp
        return x + m.c_proj(m.act(m.c_fc(self.ln_2(x))))


class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.transformer = nn.ModuleDict(
            {
                "wte": nn.Embedding(config.vocab_size, config.n_embd),
                "wpe": nn.Embedding(config.block_size, config.n_embd),
                "h": nn.ModuleList([Block(config) for _ in range(config.n_layer)]),
                "ln_f": nn.LayerNorm(config.n_embd),
            }
        )
        self.lm_head = nn.Linear(config.n_embd, config.vocab_size, bias=False)
        self.transformer.wte.weight = self.lm_head.weight

    def configure_optimizers(self, weight_decay, learning_rate, betas):
        params = {pn: p for pn, p in self.named_parameters() if p.requires_grad}
        groups = [
            {"params": [p for p in params.values() if p.dim() >= 2], "weight_decay": weight_decay},
            {"params": [p for p in params.values() if p.dim() < 2], "weight_decay": 0.0},
        ]
        return torch.optim.AdamW(groups, lr=learning_rate, betas=betas)

    def forward(self, idx, targets=None):
        pos = torch.arange(0, idx.size(1), dtype=torch.long).unsqueeze(0)
        x = self.transformer.wte(idx) + self.transformer.wpe(pos)
        for block in self.transformer.h:
            x = block(x)
        x = self.transformer.ln_f(x)
        if targets is None:
            return self.lm_head(x[:, [-1], :]), None
        logits = self.lm_head(x)
        return logits, F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)

    @torch.no_grad()
    def generate(self, idx, max_new_tokens, top_k=None):
        for _ in range(max_new_tokens):
            logits = self(idx[:, -self.config.block_size :])[0][:, -1, :]
            if top_k is not None:
                v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
                logits[logits < v[:, [-1]]] = -float("Inf")
            _, idx_next = torch.topk(F.softmax(logits, dim=-1), k=1, dim=-1)
            idx = torch.cat((idx, idx_next), dim=1)
        return idx


def main():
    torch.set_default_dtype(torch.float64)
    rng = np.random.default_rng(1337)
    model = GPT(GPTConfig())
    for p in model.parameters():
        p.data.copy_(torch.from_numpy(rng.normal(0.0, 0.2, tuple(p.shape))))
    optimizer = model.configure_optimizers(0.1, 1e-2, (0.9, 0.95))
    data = torch.from_numpy(rng.integers(0, 11, 200).astype(np.int64))
    losses, norms = [], []
    for it in range(10):
        lr = 1e-2 * min(1.0, (it + 1) / 4) * 0.5 * (1 + math.cos(math.pi * it / 20))
        for group in optimizer.param_groups:
            group["lr"] = lr
        ix = rng.integers(0, 190, 4).tolist()
        x = torch.stack([data[i : i + 8] for i in ix])
        y = torch.stack([data[i + 1 : i + 9] for i in ix])
        y[0, :2] = -1
        _, loss = model(x, y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        norms.append(torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0).item())
        optimizer.step()
        losses.append(loss.item())
    text = model.generate(data[None, :3], 8, top_k=5)
    count = sum(p.numel() for p in model.parameters())
    record = {"loss": losses, "norm": norms, "text": text.tolist(), "count": [count]}
    record["tied"] = model.lm_head.weight.flatten().tolist()
    print(json.dumps({"dtype": str(loss.dtype), **record}))


if __name__ == "__main__":
    main()
