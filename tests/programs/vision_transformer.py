"""A vision transformer by PyTorch's own encoder layers: patches by a convolution, a class token, positions."""

import json

import numpy as np
import torch
from torch import nn


class ViT(nn.Module):
    def __init__(self, image=8, patch=4, dim=12, depth=2, heads=3, classes=3):
        super().__init__()
        self.patch = nn.Conv2d(3, dim, kernel_size=patch, stride=patch)
        n = (image // patch) ** 2
        self.cls_token = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos_embedding = nn.Parameter(torch.zeros(1, n + 1, dim))
        layer = nn.TransformerEncoderLayer(
            dim, heads, dim_feedforward=24, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
        )
        self.encoder = nn.TransformerEncoder(layer, depth, enable_nested_tensor=False)
        self.head = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, classes))

    def forward(self, img):
        x = self.patch(img).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls_token.expand(x.shape[0], -1, -1), x], dim=1) + self.pos_embedding
        return self.head(self.encoder(x)[:, 0])


def main():
    rng = np.random.default_rng(8)
    model = ViT().double()
    for p in model.parameters():
        p.data = torch.as_tensor(rng.normal(0, 0.25, p.shape))
    images = torch.from_numpy(rng.normal(size=(12, 3, 8, 8)))
    labels = torch.from_numpy(rng.integers(0, 3, 12))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.05)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=10)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    losses, rates = [], []
    for _ in range(10):
        optimizer.zero_grad()
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
        rates.append(optimizer.param_groups[0]["lr"])
    model.eval()
    with torch.inference_mode():
        probabilities = model(images).softmax(-1)
    record = {
        "loss": losses,
        "lr": rates,
        "p": probabilities.tolist(),
        "token": model.cls_token.grad.flatten().tolist(),
    }
    record["keys"] = [len(model.state_dict())]
    print(json.dumps({"dtype": str(loss.dtype), **record}))


if __name__ == "__main__":
    main()
