"""Training that stops and goes on from a checkpoint: net, optimizer, scheduler, random state; by name and by file."""

import io
import json
import os

import numpy as np
import torch
from torch import nn, optim


def build():
    model = nn.Sequential(nn.Linear(3, 6), nn.BatchNorm1d(6), nn.Tanh(), nn.Linear(6, 1)).double()
    optimizer = optim.Adam(model.parameters(), lr=0.05)
    return model, optimizer, optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)


def train(model, optimizer, scheduler, data, steps, losses):
    for _ in range(steps):
        for x, y in data:
            loss = nn.functional.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        scheduler.step()


def save_checkpoint(state, is_best, filename="checkpoint.pth.tar"):
    torch.save(state, filename)
    if is_best:
        torch.save(state["state_dict"], "model_best.pt")


def main():
    rng = np.random.default_rng(70)
    data = [(torch.from_numpy(rng.normal(size=(8, 3))), torch.from_numpy(rng.normal(size=(8, 1)))) for _ in range(2)]
    model, optimizer, scheduler = build()
    for p in model.parameters():
        p.data = torch.from_numpy(rng.normal(0, 0.5, tuple(p.shape)))
    losses = []
    train(model, optimizer, scheduler, data, 3, losses)
    checkpoint = {
        "epoch": 3,
        "state_dict": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "scheduler": scheduler.state_dict(),
        "rng": torch.get_rng_state(),
        "best": (min(losses), None, "best"),
    }
    save_checkpoint(checkpoint, True)
    drawn = torch.rand(3)

    model, optimizer, scheduler = build()
    assert os.path.isfile("checkpoint.pth.tar")
    checkpoint = torch.load("checkpoint.pth.tar", map_location="cpu", weights_only=True)
    model.load_state_dict(checkpoint["state_dict"], strict=True)
    optimizer.load_state_dict(checkpoint["optimizer"])
    scheduler.load_state_dict(checkpoint["scheduler"])
    torch.set_rng_state(checkpoint["rng"])
    assert torch.equal(torch.rand(3), drawn) and checkpoint["best"][1:] == (None, "best")
    train(model, optimizer, scheduler, data, checkpoint["epoch"], losses)

    best = build()[0]
    print(best.load_state_dict(torch.load("model_best.pt", weights_only=True)))
    best.eval()
    buffer = io.BytesIO()
    torch.save(best.state_dict(), buffer)
    buffer.seek(0)
    again = build()[0].eval()
    again.load_state_dict(torch.load(buffer))
    with open("tensors.pt", "wb") as f:
        torch.save([torch.arange(4), {"a": torch.ones(2, 2)}], f)
    with open("tensors.pt", "rb") as f:
        tensors = torch.load(f)
    x = data[0][0]
    assert torch.equal(again(x), best(x))
    record = {"loss": losses, "best": best(x).tolist(), "last": model.eval()(x).tolist(), "lr": scheduler.get_last_lr()}
    record["tensors"] = [tensors[0].tolist(), tensors[1]["a"].flatten().tolist()]
    print(json.dumps({"dtype": str(x.dtype), **record}))


if __name__ == "__main__":
    main()
