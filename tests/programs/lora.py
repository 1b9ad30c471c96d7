"""Low-rank adaptation: a trained net is frozen, its linear layers are replaced, and the change is merged at the end."""

import json
import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, linear: nn.Linear, r: int = 2, alpha: float = 4.0):
        super().__init__()
        self.linear = linear
        self.lora_A = nn.Parameter(linear.weight.new_empty((r, linear.in_features)))
        self.lora_B = nn.Parameter(linear.weight.new_zeros((linear.out_features, r)))
        self.scaling = alpha / r
        nn.init.kaiming_uniform_(self.lora_A, a=math.sqrt(5))
        self.merged = False

    def forward(self, x):
        out = self.linear(x)
        if not self.merged:
            out = out + (x @ self.lora_A.T @ self.lora_B.transpose(0, 1)) * self.scaling
        return out

    @torch.no_grad()
    def merge(self):
        self.linear.weight += self.lora_B @ self.lora_A * self.scaling
        self.merged = True

    def extra_repr(self):
        return f"r={self.lora_A.shape[0]}"


def replace(module):
    for name, child in module.named_children():
        if isinstance(child, nn.Linear):
            setattr(module, name, LoRALinear(child))
        else:
            replace(child)


def lora_state_dict(model):
    return {k: v for k, v in model.state_dict().items() if "lora_" in k}


def main():
    rng = np.random.default_rng(12)
    block = nn.ModuleDict({"up": nn.Linear(5, 8), "down": nn.Linear(8, 5)})
    model = nn.Sequential(nn.Linear(4, 5), nn.Sequential(nn.GELU(), nn.Linear(5, 5)), nn.LayerNorm(5)).double()
    model.add_module("block", block.double())
    model.forward = lambda x: model[2](model.block["down"](F.silu(model.block["up"](model[1](model[0](x))))))
    for p in model.parameters():
        p.data = torch.from_numpy(rng.normal(0, 0.5, tuple(p.shape)))
        p.requires_grad = False
    replace(model)
    for n, p in model.named_parameters():
        if "lora_" in n:
            p.data.copy_(torch.from_numpy(rng.normal(0, 0.2, tuple(p.shape))))
    trainable = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, model.parameters()), lr=0.02, amsgrad=True)
    x, y = torch.from_numpy(rng.normal(size=(16, 4))), torch.from_numpy(rng.normal(size=(16, 5)))
    losses = []
    for _ in range(10):
        optimizer.zero_grad()
        loss = F.mse_loss(model.forward(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    before = model.forward(x).detach()
    for module in model.modules():
        if isinstance(module, LoRALinear):
            module.merge()
    difference = (model.forward(x) - before).abs().max().item()
    assert difference < 1e-12, difference
    assert all(p.grad is None for p in model.parameters() if not p.requires_grad)
    state = lora_state_dict(model)
    total = [sum(p.numel() for p in trainable), len(state), len(list(model.modules()))]
    record = {"loss": losses, "after": before.tolist(), "counts": total, "keys": [len(k) for k in sorted(state)]}
    print(json.dumps({"dtype": str(loss.dtype), **record}))


if __name__ == "__main__":
    main()
