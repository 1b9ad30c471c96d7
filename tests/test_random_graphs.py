"""Random programs, run on PyTorch and here: the same values, the same gradients of both orders, the same refusals.

A failing example prints the program, the seed of its numbers, and Hypothesis' blob to run it again.
"""

from dataclasses import dataclass

import hypothesis.extra.numpy as npst
import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import autograd_core as ac

SHAPES = [(), (3,), (1, 3), (2, 1), (2, 3)]  # all broadcast to (2, 3)
FULL = (2, 3)

# Smooth, and of bounded growth: forty in a row stay far from infinity. T is the library.
UNARY = {
    "sin": lambda T, x: x.sin(),
    "cos": lambda T, x: x.cos(),
    "tanh": lambda T, x: x.tanh(),
    "sigmoid": lambda T, x: x.sigmoid(),
    "exp": lambda T, x: x.sin().exp(),
    "log": lambda T, x: (1 + x * x).log(),
    "sqrt": lambda T, x: (1 + x.square()).sqrt(),
    "neg": lambda T, x: -x,
    "scale": lambda T, x: 0.5 * x,
    "reciprocal": lambda T, x: 1 / (2 + x.cos()),
    "power": lambda T, x: x.tanh() ** 3,
    "clone": lambda T, x: x.clone(),
    "sum": lambda T, x: x.sum(),
    "mean": lambda T, x: x.mean(-1, keepdim=True) if x.ndim else x,
    "expand": lambda T, x: x.expand(FULL),
    "first": lambda T, x: x[..., :1] if x.ndim else x,
    "transposed twice": lambda T, x: (x.expand(FULL).transpose(0, 1) * 1.5).transpose(0, 1),
    "cumsum": lambda T, x: x.expand(FULL).cumsum(1),
    "row": lambda T, x: x.expand(FULL)[1],
    "unbind": lambda T, x: x.expand(FULL).unbind(0)[0],
    "detach": lambda T, x: x * x.detach().sin(),
    "softmax": lambda T, x: x.expand(FULL).softmax(1),
}
BINARY = {
    "add": lambda T, x, y: x + y,
    "sub": lambda T, x, y: x - y,
    "mul": lambda T, x, y: x * y.tanh(),
    "div": lambda T, x, y: x / (1 + y.square()),
    "matmul": lambda T, x, y: (x.expand(FULL).transpose(0, 1) @ y.expand(FULL).tanh()).mean(0),
    "cat": lambda T, x, y: T.cat([x.expand(FULL), y.expand(FULL)], 1)[:, 1:4],
    "stack": lambda T, x, y: T.stack([x.expand(3) if x.ndim < 2 else x.sum(0).expand(3), y.expand(FULL)[0]]),
    "where": lambda T, x, y: T.where(T.tensor([True, False, True]), x, y),
}
OPS = {**UNARY, **BINARY}


@dataclass
class Program:
    """Leaves by shape, steps (op, first operand, second operand) on the pool of values so far, and what is
    asked of the graph.
    """

    seed: int
    leaves: list
    steps: list
    outputs: list
    inner: list

    def run(self, T):
        """The leaves, and the pool of values: the leaves first, then a value a step."""
        rng = np.random.default_rng(self.seed)
        leaves = [T.tensor(rng.normal(size=shape), dtype=T.float64, requires_grad=True) for shape in self.leaves]
        pool = list(leaves)
        for name, i, j in self.steps:
            operands = (pool[i % len(pool)], pool[j % len(pool)])[: 1 if name in UNARY else 2]
            pool.append(OPS[name](T, *operands))
        computed = pool[len(leaves) :]
        outputs = [computed[-1 - k % len(computed)] for k in self.outputs]
        seeds = [T.tensor(rng.normal(size=tuple(y.shape)), dtype=T.float64) for y in outputs]
        inner = [computed[k % len(computed)] for k in self.inner]
        return leaves, pool, outputs, seeds, inner


index = st.integers(0, 60)
programs = st.builds(
    Program,
    seed=st.integers(0, 2**32 - 1),
    leaves=st.lists(st.sampled_from(SHAPES), min_size=1, max_size=4),
    steps=st.lists(st.tuples(st.sampled_from(list(OPS)), index, index), min_size=10, max_size=40),
    outputs=st.lists(st.integers(0, 8), min_size=1, max_size=3),
    inner=st.lists(index, max_size=2),
)


def attempt(f):
    """The result of `f`, or the type of its error."""
    try:
        return f()
    except RuntimeError as error:
        return type(error)


def same(ours, theirs, what):
    """Two results agree: two tensors to 1e-10 of their size, None with None, an error with an error."""
    if isinstance(theirs, (tuple, list)):
        assert isinstance(ours, (tuple, list)) and len(ours) == len(theirs), f"{what}: {ours} here, {theirs} in torch"
        for k, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            same(a, b, f"{what} {k}")
    elif isinstance(theirs, torch.Tensor):
        assert isinstance(ours, ac.Tensor), f"{what}: {ours} here, {theirs} in torch"
        assert ours.shape == tuple(theirs.shape), what
        a, b = ours.detach().numpy(), theirs.detach().numpy()
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-10 * max(1.0, np.abs(b).max(initial=0)), err_msg=what)
    else:
        assert ours == theirs, f"{what}: {ours} here, {theirs} in torch"


def on_both(experiment):
    """Run an experiment on both libraries and compare its results, which it returns by name."""
    theirs, ours = experiment(torch), experiment(ac)
    for name in theirs:
        same(ours[name], theirs[name], name)


@settings(max_examples=200)
@given(programs, st.booleans())
def test_values_and_gradients(program, retain):
    def experiment(T):
        _, pool, outputs, seeds, _ = program.run(T)
        for y in pool:
            if y.requires_grad:
                y.retain_grad()

        def stored():
            return [t.grad.clone() if t.requires_grad and t.grad is not None else None for t in pool]

        def pass_():
            T.autograd.backward(outputs, seeds, retain_graph=retain)
            return stored()

        flags = [(t.requires_grad, t.is_leaf) for t in pool]
        first, second = attempt(pass_), attempt(pass_)
        # A pass that meets a released value has stored what it passed before: the same part in both.
        return {"flags": flags, "values": pool, "first": first, "second": second, "stored": stored()}

    on_both(experiment)


@settings(max_examples=200)
@given(programs, st.booleans())
def test_gradients_of_chosen_inputs(program, retain):
    def experiment(T):
        leaves, _, outputs, seeds, inner = program.run(T)
        inputs = [t for t in leaves + inner if t.requires_grad]

        def pass_():
            return T.autograd.grad(outputs, inputs, seeds, retain_graph=retain, allow_unused=True)

        return {"first": attempt(pass_), "second": attempt(pass_), "stored": [t.grad for t in leaves]}

    on_both(experiment)


@settings(max_examples=150)
@given(programs)
def test_second_order(program):
    def experiment(T):
        leaves, _, outputs, seeds, inner = program.run(T)
        inputs = leaves + [t for t in inner if t.requires_grad]
        seeds = [s.requires_grad_() for s in seeds]
        first = attempt(
            lambda: T.autograd.grad(
                outputs, inputs, seeds, create_graph=True, allow_unused=True, materialize_grads=True
            )
        )
        if first is RuntimeError:
            return {"first": first}
        total = sum((g * g).sum() for g in first) + sum(y.sum() for y in outputs)
        second = attempt(lambda: T.autograd.grad(total, leaves + seeds, allow_unused=True))
        return {"first": first, "second": second}

    on_both(experiment)


# -- broadcasting


@settings(max_examples=300)
@given(npst.mutually_broadcastable_shapes(num_shapes=3, min_side=0, max_side=3, max_dims=4), st.integers(0, 2**32 - 1))
def test_gradients_come_back_in_the_shape_of_their_operand(shapes, seed):
    def experiment(T):
        rng = np.random.default_rng(seed)
        x, y, z = (T.tensor(rng.normal(size=s), dtype=T.float64, requires_grad=True) for s in shapes.input_shapes)
        out = x * y + z / (2 + x.sin())
        weights = T.tensor(rng.normal(size=shapes.result_shape), dtype=T.float64)
        return {"value": out, "gradients": T.autograd.grad(out, [x, y, z], weights)}

    on_both(experiment)


# -- views and writes

VIEWS = {
    "row": lambda T, x: x[0],
    "slice": lambda T, x: x[1:],
    "steps": lambda T, x: x[..., ::2],
    "transpose": lambda T, x: x.transpose(0, -1),
    "view": lambda T, x: x.view(-1),
    "unsqueeze": lambda T, x: x.unsqueeze(0),
    "detach": lambda T, x: x.detach(),
    "itself": lambda T, x: x,
}
WRITES = {
    "add_": lambda T, x: x.add_(1.5),
    "mul_": lambda T, x: x.mul_(0.5),
    "mul_ by itself": lambda T, x: x.mul_(x).sin_(),
    "mul_ by another": lambda T, x: x.mul_(x.sin()),
    "sin_": lambda T, x: x.sin_(),
    "tanh_": lambda T, x: x.tanh_(),
    "sigmoid_": lambda T, x: x.sigmoid_(),
    "zero_": lambda T, x: x.zero_(),
    "setitem": lambda T, x: x.__setitem__(0, 2.0),
    "copy_": lambda T, x: x.copy_(x.flip(0).cos()),
    "iadd": lambda T, x: x.__iadd__(x.sum() * 0.1),
    "silently": lambda T, x: _silently(T, x),
}
READS = {
    "square": lambda T, x: (x * x).tanh(),
    "exp": lambda T, x: x.tanh().exp(),
    "sum": lambda T, x: x.sum().expand(2, 4) * 0.5,
    "negative": lambda T, x: -x,
}


def _silently(T, x):
    with T.no_grad():
        x.mul_(1.5)


@settings(max_examples=400)
@given(
    st.integers(0, 2**32 - 1),
    st.lists(st.tuples(st.sampled_from([*VIEWS, *WRITES, *READS]), st.integers(0, 12)), min_size=2, max_size=10),
)
def test_views_and_writes(seed, steps):
    def experiment(T):
        leaf = T.tensor(np.random.default_rng(seed).normal(size=(2, 4)), dtype=T.float64, requires_grad=True)
        pool, error = [leaf * 1.0], None
        for name, i in steps:
            x = pool[i % len(pool)]
            try:
                if name in WRITES:
                    WRITES[name](T, x)
                else:
                    pool.append({**VIEWS, **READS}[name](T, x))
            except (RuntimeError, IndexError) as raised:
                error = type(raised)
                break  # PyTorch may have written something by then
        if error:
            return {"error": error}

        def pass_():
            total = sum(x.sum() for x in pool)
            return T.autograd.grad(total, leaf)

        return {
            "values": pool,
            "flags": [(x.requires_grad, x.is_leaf) for x in pool],
            "versions": [x._version for x in pool],
            "gradient": attempt(pass_),
        }

    on_both(experiment)
