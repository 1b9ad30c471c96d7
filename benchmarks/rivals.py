"""The programs that `make bench` times beside all rivals: each is a dict from a rival's name to a function without
arguments that runs it once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial

import autograd
import autograd.numpy as anp
import jax
import jax.numpy as jnp
import mygrad as mg
import numpy as np
import torch

import autograd_core as ac
from autograd_core.core.graph import is_ours, user_position

torch.set_num_threads(1)


def seed_function(n: int) -> dict:
    """The gradient of f(x) = Σ sin(x)·x² at n points of [-2, 2], in float64."""
    points = np.linspace(-2.0, 2.0, n)
    ours, theirs = ac.tensor(points, requires_grad=True), torch.tensor(points, requires_grad=True)
    in_mygrad, in_jax = mg.tensor(points), jnp.asarray(points)

    def with_backward(library, x):
        def run():
            x.grad = None
            (library.sin(x) * x**2).sum().backward()
            return x.grad.numpy()

        return run

    def with_mygrad():
        in_mygrad.null_grad()
        (mg.sin(in_mygrad) * in_mygrad**2).sum().backward()
        return in_mygrad.grad

    hips = autograd.grad(lambda x: anp.sum(anp.sin(x) * x**2))
    jax_grad = jax.grad(lambda x: jnp.sum(jnp.sin(x) * x**2))

    def by_hand():
        sine, squared = np.sin(points), points**2
        np.add.reduce(sine * squared)
        return np.cos(points) * squared + sine * (2.0 * points)

    return {
        "autograd_core": with_backward(ac, ours),
        "torch": with_backward(torch, theirs),
        "jax, no jit": lambda: jax_grad(in_jax).block_until_ready(),
        "HIPS autograd": lambda: hips(points),
        "MyGrad": with_mygrad,
        "NumPy by hand": by_hand,
    }


def explicit_runtime(n: int) -> dict:
    """The same gradient through the explicit runtime, with one thread and with two, beside programs that need none."""
    runtime = ac.eager.EagerRuntime()
    x = runtime.variable_from(np.linspace(-2.0, 2.0, n))

    def with_engine(engine):
        def run():
            x.clear_grad()
            with runtime.session(engine) as s:
                loss = s.reduce_sum(s.mul(s.sin(x), s.mul(x, x)), None)
            loss.backward(engine)
            return x.grad()

        return run

    others = seed_function(n)
    return {
        "explicit runtime": with_engine(ac.eager.CpuEngine.serial()),
        "explicit runtime, two threads": with_engine(ac.eager.CpuEngine(threads=2)),
        **{name: others[name] for name in ("autograd_core", "torch", "jax, no jit", "NumPy by hand")},
    }


def scalar_chain(length: int = 10_000) -> dict:
    """The derivative of a chain of `length` ops on one number: sine and a product in turn."""

    def chain(x, sin):
        for _ in range(length // 2):
            x = sin(x) * 1.25
        return x

    ours, theirs = (
        ac.tensor(0.5, dtype=ac.float64, requires_grad=True),
        torch.tensor(0.5, dtype=torch.float64, requires_grad=True),
    )
    in_mygrad, in_jax = mg.tensor(0.5), jnp.asarray(0.5)

    def with_backward(library, x):
        def run():
            x.grad = None
            chain(x, library.sin).backward()
            return x.grad.numpy()

        return run

    def with_mygrad():
        in_mygrad.null_grad()
        chain(in_mygrad, mg.sin).backward()
        return in_mygrad.grad

    hips = autograd.grad(lambda x: chain(x, anp.sin))
    jax_grad = jax.grad(lambda x: chain(x, jnp.sin))

    def by_hand():
        x, slope = np.float64(0.5), 1.0
        for _ in range(length // 2):
            slope *= np.cos(x) * 1.25
            x = np.sin(x) * 1.25
        return slope

    return {
        "autograd_core": with_backward(ac, ours),
        "torch": with_backward(torch, theirs),
        "jax, no jit": lambda: jax_grad(in_jax).block_until_ready(),
        "HIPS autograd": lambda: hips(0.5),
        "MyGrad": with_mygrad,
        "NumPy by hand": by_hand,
    }


def mlp_step(width: int = 64, classes: int = 10, batch: int = 32) -> dict:
    """One training step of a two-layer perceptron in float32: forward, cross entropy, backward, SGD without momentum.

    The step has a rate of zero, so that every run starts from the same weights and rivals can be compared.
    """
    rng = np.random.default_rng(0)
    x = rng.standard_normal((batch, width)).astype(np.float32)
    labels = rng.integers(0, classes, batch)
    weights = [
        (rng.standard_normal(shape) / 8).astype(np.float32)
        for shape in ((width, width), (width,), (classes, width), (classes,))
    ]
    rows = np.arange(batch)

    def with_modules(library):
        nn = library.nn
        model = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, classes))
        with library.no_grad():
            for parameter, value in zip(model.parameters(), weights):
                parameter.copy_(library.tensor(value))
        optimizer = library.optim.SGD(model.parameters(), lr=0.0)
        data, target = library.tensor(x), library.tensor(labels)
        first = next(iter(model.parameters()))

        def run():
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(data), target).backward()
            optimizer.step()
            return first.grad.numpy()

        return run

    def loss(parameters, library):
        w1, b1, w2, b2 = parameters
        hidden = library.maximum(library.dot(x, w1.T) + b1, 0.0)
        logits = library.dot(hidden, w2.T) + b2
        shifted = logits - library.max(logits, axis=1, keepdims=True)
        picked = shifted[rows, labels]
        return library.mean(library.log(library.sum(library.exp(shifted), axis=1)) - picked)

    hips = autograd.grad(lambda parameters: loss(parameters, anp))
    jax_grad = jax.grad(lambda parameters: loss(parameters, jnp))
    in_jax = [jnp.asarray(w) for w in weights]

    def with_hips():
        gradients = hips(weights)
        [w - 0.0 * g for w, g in zip(weights, gradients)]
        return gradients[0]

    def with_jax():
        gradients = jax_grad(in_jax)
        [w - 0.0 * g for w, g in zip(in_jax, gradients)]
        return gradients[0].block_until_ready()

    in_mygrad = [mg.tensor(w) for w in weights]

    def with_mygrad():
        for w in in_mygrad:
            w.null_grad()
        w1, b1, w2, b2 = in_mygrad
        logits = mg.matmul(mg.maximum(mg.matmul(x, w1.T) + b1, 0.0), w2.T) + b2
        mg.nnet.losses.softmax_crossentropy(logits, labels).backward()
        for w in in_mygrad:
            w.data -= 0.0 * w.grad
        return in_mygrad[0].grad

    def by_hand():
        w1, b1, w2, b2 = weights
        z = x @ w1.T + b1
        hidden = np.maximum(z, 0.0)
        logits = hidden @ w2.T + b2
        shifted = logits - logits.max(axis=1, keepdims=True)
        exponentials = np.exp(shifted)
        total = exponentials.sum(axis=1, keepdims=True)
        (np.log(total)[:, 0] - shifted[rows, labels]).mean()
        g = exponentials / total
        g[rows, labels] -= 1
        g /= batch
        gradients = [None, None, g.T @ hidden, g.sum(axis=0)]
        g = (g @ w2) * (z > 0)
        gradients[:2] = g.T @ x, g.sum(axis=0)
        for w, gradient in zip(weights, gradients):
            w -= 0.0 * gradient
        return gradients[0]

    return {
        "autograd_core": with_modules(ac),
        "torch": with_modules(torch),
        "jax, no jit": with_jax,
        "HIPS autograd": with_hips,
        "MyGrad": with_mygrad,
        "NumPy by hand": by_hand,
    }


def recorded_product() -> dict:
    """One recorded product of 4x4 matrices, elementwise, in float64, NumPy's own work included."""
    a = np.ones((4, 4))
    ours, theirs = ac.tensor(a, requires_grad=True), torch.tensor(a, requires_grad=True)
    return {"autograd_core": lambda: ours * ours, "torch": lambda: theirs * theirs, "NumPy by hand": lambda: a * a}


def source_position() -> dict:
    """What a recorded product pays to know its line: the position alone, and an empty call to take off from it."""
    ours = ac.tensor(np.ones((4, 4)), requires_grad=True)

    def position():
        frame = sys._getframe(1)
        code = frame.f_code
        return user_position(frame) if is_ours[code.co_filename] else (code, frame.f_lasti)

    return {"autograd_core": lambda: ours * ours, "position alone": position, "empty call": lambda: None}


PROGRAMS = {
    "f, n = 1": lambda: seed_function(1),
    "f, n = 1 000": lambda: seed_function(1_000),
    "f, n = 100 000": lambda: seed_function(100_000),
    "f through the explicit runtime, n = 1 000": lambda: explicit_runtime(1_000),
    "f through the explicit runtime, n = 1 000 000": lambda: explicit_runtime(1_000_000),
    "chain of 10 000 scalar ops": scalar_chain,
    "MLP step 64-64-10, batch 32": mlp_step,
    "recorded 4x4 product": recorded_product,
    "source position in a recorded 4x4 product": source_position,
}

# The cost against the size: elements of one computation, and ops in a chain on one number.
CURVES: dict[str, dict[int, Callable]] = {
    "elements": {10**k: partial(seed_function, 10**k) for k in range(8)},
    "ops": {10**k: partial(scalar_chain, 10**k) for k in range(2, 7)},
}
