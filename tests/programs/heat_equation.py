"""A net is taught the heat equation: its loss holds second derivatives by the inputs. First Adam, then L-BFGS."""

import json
from collections import OrderedDict

import numpy as np
import torch


class DNN(torch.nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.depth = len(layers) - 1
        layer_list = []
        for i in range(self.depth - 1):
            layer_list.append((f"layer_{i}", torch.nn.Linear(layers[i], layers[i + 1])))
            layer_list.append((f"activation_{i}", torch.nn.Tanh()))
        layer_list.append((f"layer_{self.depth - 1}", torch.nn.Linear(layers[-2], layers[-1])))
        self.layers = torch.nn.Sequential(OrderedDict(layer_list))

    def forward(self, x):
        return self.layers(x)


class PhysicsInformedNN:
    def __init__(self, rng):
        self.x = torch.tensor(rng.uniform(0, 1, (20, 1)), requires_grad=True)
        self.t = torch.tensor(rng.uniform(0, 0.2, (20, 1)), requires_grad=True)
        self.x0 = torch.linspace(0, 1, 11)[:, None]
        self.kappa = torch.nn.Parameter(torch.tensor([0.5]))
        self.dnn = DNN([2, 8, 8, 1])
        self.dnn.register_parameter("kappa", self.kappa)
        for p in self.dnn.layers.parameters():
            p.data = torch.from_numpy(rng.normal(0, 0.6, tuple(p.shape)))
        self.losses = []

    def net_u(self, x, t):
        return self.dnn(torch.cat([x, t], dim=1))

    def net_f(self, x, t):
        u = self.net_u(x, t)
        u_t = torch.autograd.grad(u, t, grad_outputs=torch.ones_like(u), retain_graph=True, create_graph=True)[0]
        u_x = torch.autograd.grad(u, x, grad_outputs=torch.ones_like(u), retain_graph=True, create_graph=True)[0]
        u_xx = torch.autograd.grad(u_x, x, grad_outputs=torch.ones_like(u_x), retain_graph=True, create_graph=True)[0]
        return u_t - self.kappa * u_xx

    def loss(self):
        start = self.net_u(self.x0, torch.zeros_like(self.x0)) - torch.sin(np.pi * self.x0)
        edges = self.net_u(torch.cat([torch.zeros(5, 1), torch.ones(5, 1)]), torch.linspace(0, 0.2, 10).unsqueeze(1))
        return torch.mean(start**2) + torch.mean(edges**2) + torch.mean(self.net_f(self.x, self.t) ** 2)

    def train(self):
        optimizer = torch.optim.Adam(self.dnn.parameters(), lr=1e-2)
        for _ in range(6):
            loss = self.loss()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            self.losses.append(loss.item())
        lbfgs = torch.optim.LBFGS(
            self.dnn.parameters(), lr=0.5, max_iter=4, history_size=10, line_search_fn="strong_wolfe"
        )

        def closure():
            lbfgs.zero_grad()
            loss = self.loss()
            loss.backward()
            return loss

        for _ in range(2):
            self.losses.append(lbfgs.step(closure).item())


def main():
    torch.set_default_dtype(torch.float64)
    model = PhysicsInformedNN(np.random.default_rng(1234))
    model.train()
    u = model.net_u(model.x0, torch.full_like(model.x0, 0.1)).detach().cpu().numpy()
    record = {"loss": model.losses, "u": u.ravel().tolist(), "kappa": model.kappa.item()}
    record["grad"] = [p.grad.norm().item() for p in model.dnn.parameters()]
    print(json.dumps({"dtype": str(model.kappa.dtype), **record}))


if __name__ == "__main__":
    main()
