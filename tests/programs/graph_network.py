"""Two graph networks on one graph: sums by a dense adjacency matrix, and attention by gather and scatter over edges."""

import json
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parameter import Parameter


class GraphConvolution(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter(torch.empty(in_features, out_features))
        if bias:
            self.bias = Parameter(torch.empty(out_features))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        stdv = 1.0 / math.sqrt(self.weight.size(1))
        self.weight.data.uniform_(-stdv, stdv)
        if self.bias is not None:
            self.bias.data.uniform_(-stdv, stdv)

    def forward(self, input, adj):
        output = torch.mm(adj, torch.mm(input, self.weight))
        return output if self.bias is None else output + self.bias

    def __repr__(self):
        return self.__class__.__name__ + " (" + str(self.in_features) + " -> " + str(self.out_features) + ")"


class GraphAttention(nn.Module):
    def __init__(self, in_features, out_features, heads):
        super().__init__()
        self.heads, self.out_features = heads, out_features
        self.W = nn.Linear(in_features, heads * out_features, bias=False)
        self.a = nn.Parameter(torch.zeros(heads, 2 * out_features))

    def forward(self, x, edge_index):
        src, dst = edge_index
        h = self.W(x).view(-1, self.heads, self.out_features)
        e = F.leaky_relu((torch.cat([h[src], h[dst]], dim=-1) * self.a).sum(-1), 0.2)
        top = torch.full((x.size(0), self.heads), -1e9, dtype=x.dtype)
        top = top.scatter_reduce(0, dst[:, None].expand_as(e), e, "amax", include_self=False)
        e = (e - top[dst].detach()).exp()
        total = torch.zeros(x.size(0), self.heads, dtype=x.dtype).index_add_(0, dst, e)
        alpha = (e / total[dst]).unsqueeze(-1)
        return (
            torch.zeros_like(h).scatter_add(0, dst[:, None, None].expand(-1, *h.shape[1:]), alpha * h[src]).flatten(1)
        )


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.gc1, self.gc2 = GraphConvolution(5, 6), GraphConvolution(6, 3, bias=False)
        self.gat = GraphAttention(5, 3, heads=2)
        self.out = nn.Linear(6, 3)

    def forward(self, x, adj, edge_index):
        dense = self.gc2(F.relu(self.gc1(x, adj)), adj)
        return F.log_softmax(dense + self.out(F.elu(self.gat(x, edge_index))), dim=1)


def main():
    torch.set_default_dtype(torch.float64)
    rng = np.random.default_rng(21)
    n = 12
    adj = (rng.random((n, n)) < 0.25) | np.eye(n, dtype=bool)
    adj = adj | adj.T
    edges = torch.tensor(np.stack(np.nonzero(adj)), dtype=torch.int64)
    adj = torch.from_numpy(adj.astype(float))
    degree = adj.sum(1).pow(-0.5)
    adj = torch.diag(degree) @ adj @ torch.diag(degree)
    x, y = torch.from_numpy(rng.normal(size=(n, 5))), torch.from_numpy(rng.integers(0, 3, n))
    mask = torch.arange(n) < 8
    model = Both()
    for p in model.parameters():
        p.data.copy_(torch.from_numpy(rng.normal(0, 0.4, tuple(p.shape))))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02, weight_decay=5e-4)
    losses = []
    for _ in range(10):
        model.train()
        optimizer.zero_grad()
        output = model(x, adj, edges)
        loss = F.nll_loss(output[mask], y[mask])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    model.eval()
    preds = model(x, adj, edges).max(1)[1].type_as(y)
    right = preds[~mask].eq(y[~mask]).double().sum() + 1
    record = {"loss": losses, "right": right.item(), "out": output.tolist(), "grad": model.gat.a.grad.tolist()}
    print(json.dumps({"dtype": str(loss.dtype), **record}))


if __name__ == "__main__":
    main()
