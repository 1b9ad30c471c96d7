"""The training steps that `make bench` times beside single-threaded PyTorch: clear, forward, loss, backward, step.

Both libraries start from the same weights, and the rate is zero, so that every run computes the same gradient.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch

import autograd_core as ac


def training_step(model: Callable, optimizer: str, inputs: np.ndarray, classes: int, **settings) -> Callable:
    """The program of one step: `model(nn)` with either library's nn, cross entropy of its scores, the optimizer."""

    def make() -> dict:
        torch.manual_seed(0)
        weights = model(torch.nn).state_dict()

        def in_library(library):
            net = model(library.nn)
            net.load_state_dict(weights)
            steps = getattr(library.optim, optimizer)(net.parameters(), lr=0.0, **settings)
            x = library.tensor(inputs)
            first = next(iter(net.parameters()))
            shape = tuple(net(x).shape)[:-1]
            labels = library.tensor(np.random.default_rng(1).integers(0, classes, int(np.prod(shape))))

            def run():
                steps.zero_grad()
                scores = net(x).reshape(-1, classes)
                library.nn.functional.cross_entropy(scores, labels).backward()
                steps.step()
                return first.grad.numpy()

            return run

        return {"autograd_core": in_library(ac), "torch": in_library(torch)}

    return make


def perceptron(nn):
    return nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10))


def transformer(nn, vocabulary: int = 100, width: int = 64):
    layer = nn.TransformerEncoderLayer(width, 4, 4 * width, dropout=0.0, batch_first=True)
    return nn.Sequential(
        nn.Embedding(vocabulary, width), nn.TransformerEncoder(layer, num_layers=2), nn.Linear(width, vocabulary)
    )


_rng = np.random.default_rng(0)
_images = _rng.standard_normal((128, 784)).astype(np.float32)
_tokens = _rng.integers(0, 100, (16, 64))

TRAINING = {
    "MLP 784-256-10, batch 128, SGD": training_step(perceptron, "SGD", _images, 10),
    "MLP 784-256-10, batch 128, SGD with momentum": training_step(perceptron, "SGD", _images, 10, momentum=0.9),
    "MLP 784-256-10, batch 128, Adam": training_step(perceptron, "Adam", _images, 10),
    "transformer, 2 layers of 64, 64 tokens, batch 16, Adam": training_step(transformer, "Adam", _tokens, 100),
}
