"""A deep net in less memory: segments computed again in the backward, and gradients added up over small batches."""

import json

import numpy as np
import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.GroupNorm(2, width)
        self.lin1, self.lin2 = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x + self.lin2(torch.nn.functional.silu(self.lin1(self.norm(x))))


class Deep(nn.Module):
    def __init__(self, width=6, depth=4):
        super().__init__()
        self.blocks = nn.Sequential(*[Residual(width) for _ in range(depth)])
        self.head = nn.Linear(width, 1)

    def forward(self, x, how):
        if how == "segments":
            x = checkpoint_sequential(self.blocks, 2, x, use_reentrant=False)
        elif how == "blocks":
            for block in self.blocks:
                x = checkpoint(block, x, use_reentrant=False)
        else:
            x = self.blocks(x)
        return self.head(x)


def main():
    torch.set_default_dtype(torch.float64)
    rng = np.random.default_rng(50)
    model = Deep()
    for p in model.parameters():
        p.data.copy_(torch.from_numpy(rng.normal(0, 0.4, tuple(p.shape))))
    optimizer = torch.optim.NAdam(model.parameters(), lr=5e-3)
    data = [(torch.from_numpy(rng.normal(size=(4, 6))), torch.from_numpy(rng.normal(size=(4, 1)))) for _ in range(4)]
    record = {"loss": [], "norm": []}
    for step in range(10):
        how = ("plain", "blocks", "segments")[step % 3]
        optimizer.zero_grad()
        running_loss = 0.0
        for inputs, targets in data:
            inputs.requires_grad_(True)
            loss = nn.MSELoss()(model(inputs, how), targets) / len(data)
            loss.backward()
            running_loss += loss.item()
        total_norm = sum(p.grad.detach().norm(2) ** 2 for p in model.parameters()) ** 0.5
        optimizer.step()
        record["loss"].append(running_loss)
        record["norm"].append(total_norm.item())
    record["inputs"] = data[0][0].grad.tolist()
    record["calls"] = [block.calls for block in model.blocks]
    print(json.dumps({"dtype": str(loss.dtype), **record}))


if __name__ == "__main__":
    main()
