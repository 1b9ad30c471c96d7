"""What a net looks at: Grad-CAM by hooks on a layer, saliency, guided backpropagation, integrated gradients."""

import json

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class GradCAM:
    def __init__(self, model, layer):
        self.model, self.activations, self.gradients = model, None, None
        self.handles = [
            layer.register_forward_hook(self.save_activation),
            layer.register_full_backward_hook(self.save_gradient),
        ]

    def save_activation(self, module, input, output):
        self.activations = output.detach()

    def save_gradient(self, module, grad_input, grad_output):
        self.gradients = grad_output[0].detach()

    def __call__(self, x, index=None):
        self.model.zero_grad()
        logits = self.model(x)
        index = logits.argmax(1) if index is None else index
        one_hot = torch.zeros_like(logits).scatter_(1, index.unsqueeze(1), 1.0)
        logits.backward(gradient=one_hot, retain_graph=True)
        weights = self.gradients.mean(dim=(2, 3), keepdim=True)
        cam = F.relu((weights * self.activations).sum(dim=1, keepdim=True))
        cam = F.interpolate(cam, size=x.shape[-2:], mode="bilinear", align_corners=False)
        low, high = cam.amin((2, 3), keepdim=True), cam.amax((2, 3), keepdim=True)
        return (cam - low) / (high - low + 1e-8)

    def remove(self):
        for handle in self.handles:
            handle.remove()


def guided(model, x):
    handles = [
        m.register_full_backward_hook(lambda m, gin, gout: (F.relu(gin[0]),))
        for m in model.modules()
        if isinstance(m, nn.ReLU)
    ]
    x = x.clone().requires_grad_()
    model(x)[:, 1].sum().backward()
    for handle in handles:
        handle.remove()
    return x.grad


def integrated_gradients(model, x, steps=8):
    total = torch.zeros_like(x)
    for k in range(1, steps + 1):
        point = (x * k / steps).requires_grad_(True)
        total += torch.autograd.grad(model(point)[:, 0].sum(), point)[0]
    return x * total / steps


def main():
    rng = np.random.default_rng(30)
    model = nn.Sequential(
        nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(4, 6, 3, padding=1), nn.ReLU(),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(6, 3),
    ).double()  # fmt: skip
    for p in model.parameters():
        p.data = torch.from_numpy(rng.normal(0, 0.5, tuple(p.shape)))
    x = torch.from_numpy(rng.normal(size=(2, 1, 8, 8)))
    cam = GradCAM(model, model[3])
    first, second = cam(x), cam(x, torch.tensor([0, 2]))
    cam.remove()
    saliency = x.clone().requires_grad_(True)
    model(saliency).max(dim=1).values.sum().backward()
    record = {"cam": first.tolist(), "other class": second.flatten().tolist()}
    record["saliency"] = saliency.grad.abs().flatten().tolist()
    record["guided"] = guided(model, x).flatten().tolist()
    record["integrated"] = integrated_gradients(model, x).sum((1, 2, 3)).tolist()
    print(json.dumps({"dtype": str(x.dtype), **record}))


if __name__ == "__main__":
    main()
