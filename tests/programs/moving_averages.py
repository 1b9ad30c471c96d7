"""Averages of a net's weights as it trains: an exponential one by hand, in a teacher that the student follows."""

import copy
import json

import numpy as np
import torch
from torch import nn, optim
from torch.nn import functional as F


class EMA:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = {name: p.data.clone() for name, p in model.named_parameters() if p.requires_grad}
        self.backup = {}

    def update(self, model):
        for name, param in model.named_parameters():
            if param.requires_grad:
                self.shadow[name] = (1.0 - self.decay) * param.data + self.decay * self.shadow[name].clone()

    def apply_shadow(self, model):
        for name, param in model.named_parameters():
            self.backup[name] = param.data
            param.data = self.shadow[name]

    def restore(self, model):
        for name, param in model.named_parameters():
            param.data = self.backup[name]
        self.backup = {}


@torch.no_grad()
def momentum_update(student, teacher, m=0.95):
    for ps, pt in zip(student.parameters(), teacher.parameters()):
        pt.data.mul_(m).add_((1 - m) * ps.detach().data)
    for (_, bs), (_, bt) in zip(student.named_buffers(), teacher.named_buffers()):
        bt.copy_(bs)


def main():
    rng = np.random.default_rng(60)
    student = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ELU(), nn.Linear(8, 2)).double()
    for p in student.parameters():
        p.data = torch.from_numpy(rng.normal(0, 0.5, tuple(p.shape)))
    teacher = copy.deepcopy(student)
    teacher.requires_grad_(False)
    ema = EMA(student, 0.9)
    optimizer = optim.SGD(student.parameters(), lr=0.1, momentum=0.9, dampening=0.1)
    scheduler = optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 1.0 / (1 + 0.2 * epoch))
    average, count, losses = None, 0, []
    for step in range(12):
        x = torch.from_numpy(rng.normal(size=(10, 4)))
        view = x + torch.from_numpy(rng.normal(0, 0.1, size=(10, 4)))
        student.train()
        consistency = F.mse_loss(student(view), teacher(x).detach())
        loss = consistency + F.cross_entropy(student(x), (x[:, 0] > 0).long())
        optimizer.zero_grad(set_to_none=False)
        loss.backward()
        optimizer.step()
        scheduler.step()
        ema.update(student)
        momentum_update(student, teacher)
        losses.append([loss.item(), consistency.item()])
        if step >= 8:
            count += 1
            flat = nn.utils.parameters_to_vector(student.parameters()).detach()
            average = flat.clone() if average is None else average + (flat - average) / count
    student.eval()
    ema.apply_shadow(student)
    averaged = student(x)
    ema.restore(student)
    record = {"loss": losses, "ema": averaged.tolist(), "own": student(x).tolist(), "swa": average.tolist()}
    record["teacher"] = [v.double().norm().item() for v in teacher.state_dict().values()]
    print(json.dumps({"dtype": str(loss.dtype), **record}))


if __name__ == "__main__":
    main()
