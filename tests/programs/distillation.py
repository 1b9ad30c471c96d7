"""A small net learns from a large one: soft targets at a temperature, features by a hook, and frozen batch norm."""

import copy
import json

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(6, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Linear(width, width))
        self.classifier = nn.Linear(width, 4)

    def forward(self, x):
        return self.classifier(F.relu(self.features(x)))


def fill(model, rng):
    for p in model.parameters():
        p.data = torch.from_numpy(rng.normal(0, 0.6, tuple(p.shape)))


def distillation_loss(student, teacher, labels, T=3.0, weight=0.7):
    soft = F.kl_div(F.log_softmax(student / T, dim=1), F.softmax(teacher / T, dim=1), reduction="batchmean")
    return weight * soft * T**2 + (1.0 - weight) * F.cross_entropy(student, labels)


def main():
    torch.set_default_dtype(torch.float64)
    rng = np.random.default_rng(40)
    teacher, student = Net(12), Net(5)
    fill(teacher, rng)
    fill(student, rng)
    teacher.eval()
    for param in teacher.parameters():
        param.requires_grad_(False)
    project = nn.Linear(5, 12, bias=False)
    fill(project, rng)
    seen = {}
    handles = [
        net.features.register_forward_hook(lambda module, args, output, name=name: seen.__setitem__(name, output))
        for name, net in (("teacher", teacher), ("student", student))
    ]
    x, labels = torch.from_numpy(rng.normal(size=(24, 6))), torch.from_numpy(rng.integers(0, 4, 24))
    params = [{"params": student.parameters()}, {"params": project.parameters(), "lr": 0.01}]
    optimizer = torch.optim.SGD(params, lr=0.05, momentum=0.9)
    losses, best, best_state = [], float("inf"), None
    for _ in range(10):
        student.train()
        with torch.no_grad():
            targets = teacher(x)
        optimizer.zero_grad()
        loss = distillation_loss(student(x), targets, labels)
        hint = 1 - F.cosine_similarity(project(seen["student"]), seen["teacher"], dim=1).mean()
        (loss + 0.1 * hint).backward()
        optimizer.step()
        losses.append([loss.item(), hint.item()])
        if loss.item() < best:
            best, best_state = loss.item(), copy.deepcopy(student.state_dict())
    for handle in handles:
        handle.remove()
    student.load_state_dict(best_state)
    student.eval()
    agree = (student(x).argmax(1) == targets.argmax(1)).float().mean().item()
    record = {"loss": losses, "best": best, "agree": agree + 1, "mean": teacher.features[1].running_var.tolist()}
    record["statistics"] = student.features[1].running_mean.tolist()
    print(json.dumps({"dtype": str(loss.dtype), **record}))


if __name__ == "__main__":
    main()
