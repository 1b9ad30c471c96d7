"""A program of the years before 0.4, which PyTorch still runs: Variable, FloatTensor, volatile habits, float32."""

import json

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.autograd import Variable

use_cuda = torch.cuda.is_available()
FloatTensor = torch.cuda.FloatTensor if use_cuda else torch.FloatTensor
LongTensor = torch.cuda.LongTensor if use_cuda else torch.LongTensor


class Net(nn.Module):
    def __init__(self, n_feature, n_hidden, n_output):
        super().__init__()
        self.hidden = torch.nn.Linear(n_feature, n_hidden)
        self.predict = torch.nn.Linear(n_hidden, n_output)

    def forward(self, x):
        return self.predict(F.relu(self.hidden(x)))


def main():
    rng = np.random.RandomState(7)
    net = Net(3, 10, 2)
    for p in net.parameters():
        p.data = torch.from_numpy(rng.normal(0, 0.3, tuple(p.size())).astype(np.float32))
    if use_cuda:
        net.cuda()
    x = Variable(FloatTensor(rng.normal(size=(20, 3)).tolist()))
    y = Variable(LongTensor((rng.rand(20) > 0.5).astype(np.int64)), requires_grad=False)
    weight = torch.Tensor(2).fill_(0.5)
    weight[1] = 1.5
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.8)
    loss_func = torch.nn.CrossEntropyLoss(weight=weight, size_average=None)
    losses = []
    for t in range(10):
        out = net(x)
        loss = loss_func(out, y)
        optimizer.zero_grad()
        loss.backward()
        for p in net.parameters():
            p.grad.data.clamp_(-0.05, 0.05)
        optimizer.step()
        losses.append(loss.data.cpu().numpy().item())
        if t == 5:
            for param_group in optimizer.param_groups:
                param_group["lr"] *= 0.5
    prediction = torch.max(F.softmax(out, dim=1), 1)[1]
    accuracy = float((prediction.data.numpy() == y.data.numpy()).astype(int).sum()) / float(y.size(0))
    grid = torch.unsqueeze(torch.linspace(-1, 1, 5), dim=1)
    record = {"loss": losses, "accuracy": accuracy, "cube": grid.pow(3).squeeze().numpy().tolist()}
    record["weight"] = net.hidden.weight.data.view(-1).tolist()
    print(json.dumps({"dtype": str(loss.data.dtype), **record}))


if __name__ == "__main__":
    main()
