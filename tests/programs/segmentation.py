"""A small U-Net: down, up by transposed convolutions, skips, a Dice loss of one's own, and a plateau of the loss."""

import json

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def double_conv(a, b):
    return nn.Sequential(
        nn.Conv2d(a, b, 3, padding=1, bias=False),
        nn.BatchNorm2d(b),
        nn.ReLU(inplace=True),
        nn.Conv2d(b, b, kernel_size=3, padding="same", padding_mode="reflect"),
        nn.InstanceNorm2d(b, affine=True),
        nn.PReLU(b),
    )


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down1, self.down2 = double_conv(1, 3), double_conv(3, 4)
        self.pool = nn.MaxPool2d(2, ceil_mode=True)
        self.up = nn.ConvTranspose2d(4, 3, kernel_size=2, stride=2)
        self.conv = double_conv(6, 3)
        self.outc = nn.Conv2d(3, 1, 1)

    def forward(self, x):
        x1 = self.down1(x)
        x2 = self.up(self.down2(self.pool(x1)))
        dy, dx = x1.size(2) - x2.size(2), x1.size(3) - x2.size(3)
        x2 = F.pad(x2, [dx // 2, dx - dx // 2, dy // 2, dy - dy // 2])
        return self.outc(self.conv(torch.cat([x1, x2], dim=1)))


class DiceLoss(nn.Module):
    def __init__(self, smooth=1.0):
        super().__init__()
        self.smooth = smooth

    def forward(self, logits, targets):
        probs = torch.sigmoid(logits).flatten(1)
        targets = targets.flatten(1)
        top = 2.0 * (probs * targets).sum(-1) + self.smooth
        return (1 - top / (probs.sum(-1) + targets.sum(-1) + self.smooth)).mean()


def main():
    torch.set_default_dtype(torch.float64)
    rng = np.random.default_rng(100)
    model = UNet()
    for name, p in model.named_parameters():
        if p.dim() > 1:
            p.data.copy_(torch.from_numpy(rng.normal(0, 0.4, tuple(p.shape))))
        elif name.endswith("bias"):
            nn.init.zeros_(p)
    images = torch.from_numpy(rng.normal(size=(3, 1, 7, 9)))
    masks = (F.avg_pool2d(images, 3, stride=1, padding=1) > 0).type(torch.get_default_dtype())
    dice, bce = DiceLoss(), nn.BCEWithLogitsLoss(pos_weight=torch.tensor([2.0]))
    optimizer = torch.optim.RMSprop(model.parameters(), lr=5e-3, momentum=0.9, alpha=0.95)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, "min", factor=0.5, patience=1)
    losses, rates = [], []
    for _ in range(10):
        pred = model(images)
        loss = bce(pred, masks) + dice(pred, masks)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step(loss.item())
        losses.append(loss.item())
        rates.append(optimizer.param_groups[0]["lr"])
    model.eval()
    with torch.no_grad():
        pred = torch.sigmoid(model(images))
    hard = (pred > 0.5).double()
    intersection = torch.logical_and(hard.bool(), masks.bool()).sum((1, 2, 3))
    record = {"loss": losses, "lr": rates, "mask": pred[0].flatten().tolist(), "same": (intersection + 1).tolist()}
    record["skip"] = model.down1[0].weight.grad.flatten().tolist()
    print(json.dumps({"dtype": str(loss.dtype), **record}))


if __name__ == "__main__":
    main()
