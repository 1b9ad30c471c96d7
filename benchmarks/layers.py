"""The heavy ops that `make bench` times beside single-threaded PyTorch: forward and backward of one layer, in float32.

A table row is (shapes of the inputs that get gradients, the layer). Gradients are of a sum weighted by fixed random
numbers, so that no layer's gradient is trivial.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch

import autograd_core as ac


def layer(shapes: list, call: Callable) -> Callable:
    """The program of one layer: `call(F, *inputs, labels)`, with F either library's nn.functional."""

    def make() -> dict:
        rng = np.random.default_rng(0)
        arrays = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
        labels = rng.integers(0, 1000, 4096)
        with torch.no_grad():
            out = call(torch.nn.functional, *map(torch.tensor, arrays), torch.tensor(labels))
        seed = rng.standard_normal(tuple(out.shape)).astype(np.float32)

        def in_library(library):
            inputs = [library.tensor(a, requires_grad=True) for a in arrays]
            wanted, weights = library.tensor(labels), library.tensor(seed)

            def run():
                for x in inputs:
                    x.grad = None
                call(library.nn.functional, *inputs, wanted).backward(weights)
                return inputs[0].grad.numpy()

            return run

        return {"autograd_core": in_library(ac), "torch": in_library(torch)}

    return make


LAYERS = {
    "conv2d 32×3×32×32, 16 of 3×3": layer(
        [(32, 3, 32, 32), (16, 3, 3, 3), (16,)], lambda F, x, w, b, _: F.conv2d(x, w, b, padding=1)
    ),
    "max_pool2d 32×16×32×32, 2×2": layer([(32, 16, 32, 32)], lambda F, x, _: F.max_pool2d(x, 2)),
    "batch_norm 32×16×32×32": layer(
        [(32, 16, 32, 32), (16,), (16,)], lambda F, x, w, b, _: F.batch_norm(x, None, None, w, b, training=True)
    ),
    "layer_norm 1024×256": layer([(1024, 256), (256,), (256,)], lambda F, x, w, b, _: F.layer_norm(x, (256,), w, b)),
    "cross_entropy 4096×1000": layer([(4096, 1000)], lambda F, x, labels: F.cross_entropy(x, labels)),
    "embedding 4096 of 1000×64": layer([(1000, 64)], lambda F, w, labels: F.embedding(labels, w)),
    "attention 8×4×128×32": layer([(8, 4, 128, 32)] * 3, lambda F, q, k, v, _: F.scaled_dot_product_attention(q, k, v)),
}
