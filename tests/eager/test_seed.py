"""One gradient in two programs: f(x) = Σ sin(x)·x² at 1000 points, through the explicit runtime and through PyTorch."""

import warnings

import numpy as np
import pytest
import torch

from autograd_core import eager
from tests.eager.harness import equal, refused

N = 1000
X = -2 + 4 * np.arange(N) / (N - 1)
V = np.cos(np.arange(N))
EXACT = np.cos(X) * X**2 + 2 * X * np.sin(X)
EXACT_HVP = V * (4 * X * np.cos(X) + (2 - X**2) * np.sin(X))


class Seed:
    """The program, run."""

    def __init__(self, threads: int):
        self.rt, self.engine = eager.EagerRuntime(), eager.CpuEngine(threads=threads)
        self.x = self.rt.variable_from(eager.from_vec_col_major([N], X))
        self.v = self.rt.constant_from(V)
        self.p, self.loss = self.forward()

    def forward(self):
        def program(s):
            p = s.mul(s.sin(self.x), s.mul(self.x, self.x))
            return p, s.reduce_sum(p, None)

        return self.rt.with_eager_session(self.engine, program)


@pytest.fixture(params=[1, 2], ids=["serial", "two threads"])
def seed(request):
    return Seed(request.param)


def test_the_table_of_the_seed(seed):
    rt, engine, x, v, p, loss = seed.rt, seed.engine, seed.x, seed.v, seed.p, seed.loss
    t = torch.tensor(X, requires_grad=True)
    torch_loss = (torch.sin(t) * t**2).sum()
    (torch_first,) = torch.autograd.grad(torch_loss, t, create_graph=True)
    (torch_hvp,) = torch.autograd.grad(torch_first @ torch.tensor(V), t)

    found = loss.backward(engine)
    first = x.grad()
    assert len(found) == 1
    equal(found[x], first)
    assert np.abs(first - EXACT).max() <= 4.5e-16
    assert np.abs(first - torch_first.detach().numpy()).max() <= 4.5e-16

    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a non-leaf has None without a warning
        assert p.grad() is None and loss.grad() is None
    assert p.tracks_grad() and loss.tracks_grad()

    loss.backward(engine)  # nothing was consumed
    equal(x.grad(), 2 * first)

    x.clear_grad()
    assert x.grad() is None
    seed.forward()[1].backward(engine)
    equal(x.grad(), first)
    x.clear_grad()

    with refused("NonScalarGrad", "grad requires a scalar output, got shape [1000]"):
        p.backward(engine)
    p.backward_with(engine, v)
    assert np.abs(x.grad() - V * EXACT).max() <= 8.9e-16
    x.clear_grad()
    p.backward_with(engine, rt.constant_from(np.ones(N)))
    equal(x.grad(), first)
    x.clear_grad()

    gradient = rt.grad(engine, loss, x)
    equal(gradient.value(), first)
    assert x.grad() is None and gradient.tracks_grad()
    weighted = rt.with_eager_session(engine, lambda s: s.reduce_sum(s.mul(gradient, v), None))
    hvp = rt.grad(engine, weighted, x).value()
    assert np.abs(hvp - EXACT_HVP).max() <= 4e-15
    assert np.abs(hvp - torch_hvp.numpy()).max() <= 4e-15
    assert np.abs(rt.jvp(engine, gradient, x, v).value() - EXACT_HVP).max() <= 4e-15

    with rt.no_grad():
        silent = rt.with_eager_session(engine, lambda s: s.reduce_sum(s.mul(x, x), None))
    assert not silent.tracks_grad()
    assert len(silent.backward(engine)) == 0 and x.grad() is None

    z = x.detach(engine)
    rt.with_eager_session(engine, lambda s: s.reduce_sum(s.mul(z, x), None)).backward(engine)
    equal(x.grad(), X)


def test_the_same_program_gives_the_same_bits_every_time():
    runs = [Seed(1), Seed(2), Seed(1)]
    for run in runs:
        run.loss.backward(run.engine)
    for run in runs[1:]:
        equal(run.loss.value(), runs[0].loss.value())
        equal(run.x.grad(), runs[0].x.grad())


def test_a_gradient_of_an_intermediate_is_that_of_a_leaf_of_a_new_segment(seed):
    rt, engine = seed.rt, seed.engine
    middle = rt.variable_from(seed.p.value())
    rt.with_eager_session(engine, lambda s: s.reduce_sum(s.mul(middle, middle), None)).backward(engine)
    equal(middle.grad(), 2 * seed.p.value())
    seed.p.backward_with(engine, rt.constant_from(middle.grad()))
    np.testing.assert_allclose(seed.x.grad(), 2 * seed.p.value() * EXACT, rtol=1e-13, atol=1e-15)


def test_the_gradient_of_a_linear_function_tracks_and_is_constant(seed):
    rt, engine, x = seed.rt, seed.engine, seed.x
    gradient = rt.grad(engine, rt.with_eager_session(engine, lambda s: s.reduce_sum(x, None)), x)
    assert gradient.tracks_grad()
    total = rt.with_eager_session(engine, lambda s: s.reduce_sum(gradient, None))
    assert total.tracks_grad() and rt.grad_optional(engine, total, x) is None


def test_an_output_that_is_a_leaf_gets_one():
    rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
    x = rt.variable_from(3.0)
    assert len(x.backward(engine)) == 1
    assert x.grad() == 1.0
    assert rt.grad(engine, x, x).value() == 1.0
    assert rt.jvp(engine, x, x, rt.constant_from(2.0)).value() == 2.0
