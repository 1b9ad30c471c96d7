"""The table of `make bench`: pieces of work as users write them, each on either library, one short entry a row.

Forward and backward unless the title says otherwise; a layer in float32 and on random numbers, with the gradient of a
sum weighted by other random numbers, so that none is trivial. Learning rates are zero: every run computes the same.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

MANY = 100_000  # from so many elements on, a process of its own


@dataclass(frozen=True)
class Row:
    """`make(library)` gives the program: a function that does the work once and returns an array to compare."""

    make: Callable[[Any], Callable[[], np.ndarray]]
    elements: int = 1


def library(module: str):
    """The library of that name, on one thread; NumPy, on which ours stands, has no more."""
    found = importlib.import_module(module)
    if module == "torch":
        found.set_num_threads(1)
    return found


def random(*shape: int, seed: int = 0, dtype=np.float32) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def labels(count: int, classes: int) -> np.ndarray:
    return np.random.default_rng(1).integers(0, classes, count)


def gradient(loss: Callable, x: np.ndarray) -> Row:
    """`loss(library, x).backward()` at an array."""

    def make(lib):
        leaf = lib.tensor(x, requires_grad=True)

        def run():
            leaf.grad = None
            loss(lib, leaf).backward()
            return leaf.grad.numpy()

        return run

    return Row(make, x.size)


def derivative(call: Callable, x: np.ndarray, **settings) -> Row:
    """An array that `call(library, x)` returns."""

    def make(lib):
        leaf = lib.tensor(x, **settings)
        return lambda: call(lib, leaf).detach().numpy()

    return Row(make, x.size)


def layer(call: Callable, *shapes: tuple, dtype=np.float32, prepare: Callable = lambda *arrays: arrays) -> Row:
    """`call(library, *inputs)` and its gradient with respect to all of them."""
    arrays = prepare(*[random(*shape, seed=i, dtype=dtype) for i, shape in enumerate(shapes)])

    def make(lib):
        inputs = [lib.tensor(a, requires_grad=True) for a in arrays]
        weights = lib.tensor(random(*call(lib, *inputs).shape, seed=len(arrays), dtype=dtype))

        def run():
            for x in inputs:
                x.grad = None
            call(lib, *inputs).backward(weights)
            return inputs[0].grad.numpy()

        return run

    return Row(make, max(prod(shape) for shape in shapes))


def module(build: Callable, loss: Callable, x: np.ndarray, optimizer: str = "", **settings) -> Row:
    """`loss(library, model(x))` for the model that `build(nn)` gives, and a step of the optimizer if one is named."""

    def make(lib):
        model, data = build(lib.nn), lib.tensor(x)
        with lib.no_grad():
            for parameter in model.parameters():
                parameter.copy_(lib.tensor(random(*parameter.shape) / 8))
        steps = getattr(lib.optim, optimizer or "SGD")(model.parameters(), lr=0.0, **settings)
        first = next(model.parameters())

        def run():
            steps.zero_grad()
            loss(lib, model(data)).backward()
            if optimizer:
                steps.step()
            return first.grad.numpy()

        return run

    return Row(make)


def classify(count: int, classes: int) -> Callable:
    """Cross entropy of scores with fixed labels."""
    wanted = labels(count, classes)
    return lambda lib, scores: lib.nn.functional.cross_entropy(scores.reshape(-1, classes), lib.tensor(wanted))


def optimizer_step(name: str, **settings) -> Row:
    """A step for 20 parameters of 64x64."""

    def make(lib):
        parameters = [lib.tensor(random(64, 64), requires_grad=True) for _ in range(20)]
        for i, parameter in enumerate(parameters):
            parameter.grad = lib.tensor(random(64, 64, seed=i))
        steps = getattr(lib.optim, name)(parameters, lr=0.0, **settings)

        def run():
            steps.step()
            return parameters[0].detach().numpy()

        return run

    return Row(make)


def f(lib, x):
    return (lib.sin(x) * x**2).sum()


def points(n: int, dtype=np.float64) -> np.ndarray:
    return np.linspace(-2.0, 2.0, n).astype(dtype)


def chain(length: int) -> Callable:
    def program(lib, x):
        for _ in range(length // 2):
            x = lib.sin(x) * 1.25
        return x

    return program


def logistic_map(lib, r):
    x = lib.tensor(0.3, dtype=lib.float64)
    for _ in range(1000):
        x = r * x * (1 - x)
    return x


def rosenbrock(lib, x):
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


def hundred_products(lib, a):
    with lib.no_grad():
        for _ in range(100):
            product = a * a
    return product


def second_derivative(lib, x):
    (g,) = lib.autograd.grad(f(lib, x), x, create_graph=True)
    return lib.autograd.grad(g.sum(), x)[0]


def hessian_vector(lib, x):
    (g,) = lib.autograd.grad((lib.exp(x[1:]) * x[:-1] ** 2).sum(), x, create_graph=True)
    return lib.autograd.grad(g, x, lib.ones_like(g))[0]


def jacobian(lib, x):
    return lib.autograd.functional.jacobian(lambda x: lib.tanh(lib.tensor(_square) @ x), x)


def perceptron(*widths: int) -> Callable:
    def build(nn):
        layers = [part for a, b in pairwise(widths) for part in (nn.Linear(a, b), nn.ReLU())]
        return nn.Sequential(*layers[:-1])

    return build


def transformer(nn):
    block = nn.TransformerEncoderLayer(64, 4, 256, dropout=0.0, batch_first=True)
    return nn.Sequential(nn.Embedding(100, 64), nn.TransformerEncoder(block, num_layers=2), nn.Linear(64, 100))


def convolutional(nn):
    return nn.Sequential(
        *(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(784, 10)),
    )


def recurrent(kind: str) -> Row:
    return module(
        lambda nn: getattr(nn, kind)(32, 64, batch_first=True), lambda lib, out: out[0].sum(), random(16, 32, 32)
    )


def positive_definite(a, *others):
    return a @ a.T / len(a) + np.eye(len(a)), *others


_square = random(20, 20, dtype=np.float64)
_ten = np.linspace(-1.0, 1.0, 10)
_rows = labels(4096, 1000)
_wanted = np.linspace(0.0, 1.0, 10)
_tokens = labels(16 * 64, 100).reshape(16, 64)
_f64 = {"dtype": np.float64}
_solvable = {"dtype": np.float64, "prepare": positive_definite}

TABLE = {
    "f, n = 1": gradient(f, points(1)),
    "f, n = 1 000": gradient(f, points(1_000)),
    "f, n = 100 000": gradient(f, points(100_000)),
    "f, n = 1 000 000": gradient(f, points(1_000_000)),
    "f, n = 100 000, float32": gradient(f, points(100_000, np.float32)),
    "f, n = 1, by autograd.grad": derivative(
        lambda lib, x: lib.autograd.grad(f(lib, x), x)[0], points(1), requires_grad=True
    ),
    "chain of 1 000": gradient(chain(1_000), np.array(0.5)),
    "chain of 10 000": gradient(chain(10_000), np.array(0.5)),
    "chain of 100 000": gradient(chain(100_000), np.array(0.5)),
    "logistic map, 1 000 steps": gradient(logistic_map, np.array(2.5)),
    "4x4 product, recorded": derivative(lambda lib, a: a * a, np.ones((4, 4)), requires_grad=True),
    "4x4 product, 100 under no_grad": derivative(hundred_products, np.ones((4, 4)), requires_grad=True),
    "Rosenbrock, 10 numbers": gradient(rosenbrock, _ten),
    "mean of squares, 10 numbers": gradient(lambda lib, x: (x * x).mean(), _ten),
    "root of a loss, 10 numbers": gradient(
        lambda lib, x: lib.nn.functional.mse_loss(lib.exp(x), lib.tensor(_wanted)).sqrt() * 0.5, _ten
    ),
    "second derivative, 10 numbers": derivative(second_derivative, _ten, requires_grad=True),
    "Hessian-vector product, 10 numbers": derivative(hessian_vector, _ten, requires_grad=True),
    "Jacobian, 20 to 20": derivative(jacobian, np.linspace(-1.0, 1.0, 20)),
    "MLP 64-64-10, batch 32, SGD": module(perceptron(64, 64, 10), classify(32, 10), random(32, 64), "SGD"),
    "MLP 784-256-10, batch 128, SGD": module(perceptron(784, 256, 10), classify(128, 10), random(128, 784), "SGD"),
    "MLP 784-256-10, batch 128, Adam": module(perceptron(784, 256, 10), classify(128, 10), random(128, 784), "Adam"),
    "transformer, 2 layers of 64, Adam": module(transformer, classify(1024, 100), _tokens, "Adam"),
    "LeNet, 32 images of 28x28, SGD": module(convolutional, classify(32, 10), random(32, 1, 28, 28), "SGD"),
    "LSTM, batch 16, 32 steps, 64": recurrent("LSTM"),
    "GRU, batch 16, 32 steps, 64": recurrent("GRU"),
    "RNN, batch 16, 32 steps, 64": recurrent("RNN"),
    "step of SGD, 20 of 64x64": optimizer_step("SGD"),
    "step of SGD with momentum": optimizer_step("SGD", momentum=0.9),
    "step of Adam": optimizer_step("Adam"),
    "conv2d 32x3x32x32, 16 of 3x3": layer(
        lambda lib, x, w, b: lib.nn.functional.conv2d(x, w, b, padding=1), (32, 3, 32, 32), (16, 3, 3, 3), (16,)
    ),
    "conv2d 16x64x16x16, 64 of 3x3": layer(
        lambda lib, x, w, b: lib.nn.functional.conv2d(x, w, b, padding=1), (16, 64, 16, 16), (64, 64, 3, 3), (64,)
    ),
    "conv2d 8x32x32x32, each channel 3x3": layer(
        lambda lib, x, w: lib.nn.functional.conv2d(x, w, padding=1, groups=32), (8, 32, 32, 32), (32, 1, 3, 3)
    ),
    "conv1d 16x32x256, 64 of 5": layer(
        lambda lib, x, w, b: lib.nn.functional.conv1d(x, w, b, padding=2), (16, 32, 256), (64, 32, 5), (64,)
    ),
    "conv_transpose2d 8x16x16x16": layer(
        lambda lib, x, w: lib.nn.functional.conv_transpose2d(x, w, stride=2), (8, 16, 16, 16), (16, 16, 3, 3)
    ),
    "max_pool2d 32x16x32x32": layer(lambda lib, x: lib.nn.functional.max_pool2d(x, 2), (32, 16, 32, 32)),
    "avg_pool2d 32x16x32x32": layer(lambda lib, x: lib.nn.functional.avg_pool2d(x, 2), (32, 16, 32, 32)),
    "batch_norm 32x16x32x32": layer(
        lambda lib, x, w, b: lib.nn.functional.batch_norm(x, None, None, w, b, training=True),
        *((32, 16, 32, 32), (16,), (16,)),
    ),
    "layer_norm 1024x256": layer(
        lambda lib, x, w, b: lib.nn.functional.layer_norm(x, (256,), w, b), (1024, 256), (256,), (256,)
    ),
    "group_norm 32x16x32x32, 4 groups": layer(
        lambda lib, x, w, b: lib.nn.functional.group_norm(x, 4, w, b), (32, 16, 32, 32), (16,), (16,)
    ),
    "softmax 1024x256": layer(lambda lib, x: lib.softmax(x, -1), (1024, 256)),
    "log_softmax 1024x256": layer(lambda lib, x: lib.log_softmax(x, -1), (1024, 256)),
    "logsumexp 1024x256": layer(lambda lib, x: lib.logsumexp(x, -1), (1024, 256)),
    "cross_entropy 4096x1000": layer(classify(4096, 1000), (4096, 1000)),
    "cross_entropy 64x10": layer(classify(64, 10), (64, 10)),
    "mse_loss, 10^6": layer(lambda lib, x, y: lib.nn.functional.mse_loss(x, y), (1000, 1000), (1000, 1000)),
    "embedding, 4096 of 1000x64": layer(lambda lib, w: lib.nn.functional.embedding(lib.tensor(_rows), w), (1000, 64)),
    "attention 8x4x128x32": layer(
        lambda lib, q, k, v: lib.nn.functional.scaled_dot_product_attention(q, k, v), *[(8, 4, 128, 32)] * 3
    ),
    "dropout of nothing, 10^6": layer(lambda lib, x: lib.nn.functional.dropout(x, 0.0), (1000, 1000)),
    "gelu, 10^6": layer(lambda lib, x: lib.nn.functional.gelu(x), (1000, 1000)),
    "relu, 10^6": layer(lambda lib, x: lib.relu(x), (1000, 1000)),
    "tanh, 10^6": layer(lambda lib, x: lib.tanh(x), (1000, 1000)),
    "sigmoid, 10^6": layer(lambda lib, x: lib.sigmoid(x), (1000, 1000)),
    "silu and softplus, 10^6": layer(
        lambda lib, x: lib.nn.functional.silu(x) + lib.nn.functional.softplus(x), (1000, 1000)
    ),
    "x * y + x, 10^6": layer(lambda lib, x, y: x * y + x, (1000, 1000), (1000, 1000)),
    "exp, 10^6, float64": layer(lambda lib, x: lib.exp(x), (1000, 1000), **_f64),
    "log, 10^6, float64": layer(lambda lib, x: lib.log(lib.abs(x) + 1), (1000, 1000), **_f64),
    "where and clamp, 10^6": layer(
        lambda lib, x, y: lib.where(x > 0, lib.clamp(x, -1, 1), y), (1000, 1000), (1000, 1000)
    ),
    "matmul 256": layer(lambda lib, x, y: x @ y, (256, 256), (256, 256)),
    "matmul, 1000 of 4x4": layer(lambda lib, x, y: x @ y, (1000, 4, 4), (1000, 4, 4)),
    "einsum bij,bjk 16x64x64": layer(lambda lib, x, y: lib.einsum("bij,bjk->bik", x, y), *[(16, 64, 64)] * 2),
    "einsum bqhd,bkhd 8x64x4x32": layer(lambda lib, x, y: lib.einsum("bqhd,bkhd->bhqk", x, y), *[(8, 64, 4, 32)] * 2),
    "x[index], 4096 rows of 1000x64": layer(lambda lib, x: x[lib.tensor(_rows)], (1000, 64)),
    "gather 1024x1000": layer(lambda lib, x: lib.gather(x, 1, lib.tensor(_rows.reshape(1024, 4))), (1024, 1000)),
    "scatter_add, 4096 to 1000": layer(lambda lib, x: lib.zeros(1000).scatter_add(0, lib.tensor(_rows), x), (4096,)),
    "index_add, 4096x64 to 1000": layer(
        lambda lib, x: lib.zeros(1000, 64).index_add(0, lib.tensor(_rows), x), (4096, 64)
    ),
    "cumsum 1024x256": layer(lambda lib, x: lib.cumsum(x, 1), (1024, 256)),
    "sort 1024x256": layer(lambda lib, x: lib.sort(x, 1)[0], (1024, 256)),
    "var 1024x256": layer(lambda lib, x: lib.var(x, 1), (1024, 256)),
    "sum 1024x256": layer(lambda lib, x: x.sum(0), (1024, 256)),
    "norm 1024x256": layer(lambda lib, x: lib.linalg.norm(x, dim=1), (1024, 256)),
    "cat, 8 of 64x256": layer(lambda lib, *parts: lib.cat(parts, 0), *[(64, 256)] * 8),
    "stack, 32 of 64": layer(lambda lib, *parts: lib.stack(parts, 0), *[(64,)] * 32),
    "transpose and reshape 8x128x4x32": layer(lambda lib, x: x.transpose(1, 2).reshape(32, 128, 32), (8, 128, 4, 32)),
    "pdist 256x32": layer(lambda lib, x: lib.nn.functional.pdist(x), (256, 32)),
    "cdist 256x32": layer(lambda lib, x, y: lib.cdist(x, y), (256, 32), (256, 32)),
    "grid_sample 4x8x64x64": layer(
        lambda lib, x, grid: lib.nn.functional.grid_sample(x, grid, align_corners=False),
        *((4, 8, 64, 64), (4, 64, 64, 2)),
        prepare=lambda x, grid: (x, np.tanh(grid)),
    ),
    "interpolate, bilinear, twice 4x8x64x64": layer(
        lambda lib, x: lib.nn.functional.interpolate(x, scale_factor=2, mode="bilinear"), (4, 8, 64, 64)
    ),
    "solve 256": layer(lambda lib, a, b: lib.linalg.solve(a, b), (256, 256), (256,), **_solvable),
    "inv 256": layer(lambda lib, a: lib.linalg.inv(a), (256, 256), **_solvable),
    "cholesky 256": layer(lambda lib, a: lib.linalg.cholesky(a), (256, 256), **_solvable),
    "solve_triangular 256, 8 sides": layer(
        lambda lib, a, b: lib.linalg.solve_triangular(lib.tril(a), b, upper=False), (256, 256), (256, 8), **_solvable
    ),
    "cholesky_solve 256, 8 sides": layer(
        lambda lib, a, b: lib.cholesky_solve(b, lib.tril(a)), (256, 256), (256, 8), **_solvable
    ),
    "lu 256": layer(lambda lib, a: lib.linalg.lu(a)[2], (256, 256), **_solvable),
    "slogdet 256": layer(lambda lib, a: lib.linalg.slogdet(a)[1], (256, 256), **_solvable),
    "qr 128": layer(lambda lib, a: lib.linalg.qr(a)[1], (128, 128), **_solvable),
    "eigh 64": layer(lambda lib, a: lib.linalg.eigh(a)[0], (64, 64), **_solvable),
    "svd 64": layer(lambda lib, a: lib.linalg.svd(a)[1], (64, 64), **_solvable),
    "det, 16 of 8x8": layer(lambda lib, a: lib.linalg.det(a), (16, 8, 8), **_f64),
}
