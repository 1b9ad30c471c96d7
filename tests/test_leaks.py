"""Memory: training holds it flat, and every kind of graph dies by reference counts, without the cycle collector."""

import gc
import tracemalloc
import weakref
from collections import Counter

import pytest

import autograd_core as ac
from autograd_core.utils.checkpoint import checkpoint


@pytest.fixture
def without_collector():
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def leaf(*values):
    return ac.tensor(values, dtype=ac.float64, requires_grad=True)


def live_objects() -> Counter:
    """How many objects of each class of this package are alive."""
    kinds = (type(o) for o in gc.get_objects())
    return Counter(kind.__name__ for kind in kinds if str(kind.__module__).startswith("autograd_core"))


def make_training(optimizer):
    """One step of a small perceptron, with a running loss, as a function without arguments."""
    ac.manual_seed(0)
    model = ac.nn.Sequential(ac.nn.Linear(4, 8), ac.nn.ReLU(), ac.nn.Linear(8, 3))
    updates = optimizer(model.parameters())
    data, target = ac.randn(5, 4), ac.tensor([0, 1, 2, 1, 0])
    losses = [0.0]

    def step():
        updates.zero_grad()
        loss = ac.nn.functional.cross_entropy(model(data), target)
        loss.backward()
        updates.step()
        losses[0] += loss.item()

    return step


@pytest.mark.parametrize(
    "optimizer", [lambda p: ac.optim.SGD(p, lr=0.01, momentum=0.9), lambda p: ac.optim.Adam(p)], ids=["SGD", "Adam"]
)
def test_ten_thousand_training_steps_hold_memory_flat(optimizer, without_collector):
    step = make_training(optimizer)
    tracemalloc.start()
    try:
        for _ in range(2500):  # until Python's own lists of free tuples are full
            step()
        objects, memory = live_objects(), tracemalloc.get_traced_memory()[0]
        for _ in range(10_000):
            step()
        grown = tracemalloc.get_traced_memory()[0] - memory
    finally:
        tracemalloc.stop()
    assert live_objects() == objects
    assert grown < 10_000, f"{grown} bytes more after 10 000 steps: one a step is too much"


# -- programs: each makes graphs from a leaf and returns what must be dead once it has returned


def with_hooks(x):
    seen = []
    h = x * x
    h.retain_grad()
    h.register_hook(lambda g: seen.append(g))
    h.register_hook(lambda g: g * 2)
    x.register_hook(lambda g: seen.append(g))
    y = h.sin().sum()
    y.grad_fn.register_hook(lambda grad_inputs, grad_outputs: None)
    y.grad_fn.register_prehook(lambda grad_outputs: seen.extend(grad_outputs))
    y.backward()
    return h, y, h.grad, *seen


def step_and_forget(w):
    with ac.no_grad():
        w.sub_(w.grad)
    w.grad = None


def with_a_hook_that_steps(x):
    w = leaf(1.0, 2.0)
    w.register_post_accumulate_grad_hook(step_and_forget)
    y = (x * w).sum()
    y.backward()
    return w, y


def with_retained_graph(x):
    y = (x * x).exp().sum()
    y.backward(retain_graph=True)
    y.backward(retain_graph=True)
    return (y,)


def with_double_backward(x):
    y = (x.sin() * x.exp()).sum()
    (g,) = ac.autograd.grad(y, x, create_graph=True)
    (gg,) = ac.autograd.grad(g.sum(), x, create_graph=True)
    gg.sum().backward()
    return y, g, gg


def with_views_and_writes(x):
    h = x * 1.0
    view = h[:1]
    view.mul_(2.0)
    h.exp_()
    first, second = h.unbind()
    y = (h * view).sum() + first
    y.backward(retain_graph=True)
    return h, view, first, second, y


class Scaled(ac.autograd.Function):
    """Saves an input, an output and an intermediate value."""

    @staticmethod
    def forward(ctx, x, factor):
        y = x.exp()
        out = y * factor
        ctx.save_for_backward(x, y, out)
        return out

    @staticmethod
    def backward(ctx, g):
        _, _, out = ctx.saved_tensors
        return g * out, None


def with_a_custom_function(x):
    y = Scaled.apply(x, 2.0)
    abandoned = Scaled.apply(y, 3.0)
    y.sum().backward()
    return y, abandoned


def with_a_custom_function_twice_differentiated(x):
    y = Scaled.apply(x, 2.0)
    (g,) = ac.autograd.grad(y.sum(), x, create_graph=True)
    g.sum().backward()
    return y, g


def with_checkpoints(x):
    inner = []

    def block(t):
        inner.append(t.sin())
        return inner[-1] * t

    y = checkpoint(block, x, use_reentrant=False)
    z = checkpoint(block, y, use_reentrant=True)
    z.sum().backward()
    return y, z, *inner


def with_saved_tensors_hooks(x):
    with ac.autograd.graph.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t):
        y = (x * x).exp().sum()
    y.backward(retain_graph=True)
    return (y,)


def with_an_error(x):
    h = x.exp()
    h.add_(1.0)
    try:
        h.sum().backward()
    except RuntimeError:
        return (h,)
    raise AssertionError("the overwritten value was not noticed")


def with_functional_transforms(x):
    y = ac.func.hessian(lambda t: (t.sin() * t).sum())(x)
    return (y,)


PROGRAMS = [program for name, program in list(globals().items()) if name.startswith("with_")]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_graph_dies_by_reference_counts_alone(program, without_collector):
    def run():
        x = leaf(0.5, 1.0)
        made = program(x)
        nodes = [t.grad_fn for t in made if t.grad_fn is not None]
        return [weakref.ref(o) for o in (x, *made, *nodes)]

    run()  # once more than is looked at, so that caches are filled
    before = live_objects()
    assert [r() for r in run() if r() is not None] == []
    assert live_objects() - before == Counter()


def test_an_output_that_a_context_holds_as_an_attribute_is_found_by_the_collector():
    """The cycle is the user's: `save_for_backward` is there to avoid it."""

    class Careless(ac.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.out = x.exp()
            return ctx.out

        @staticmethod
        def backward(ctx, g):
            return g * ctx.out

    def run():
        y = Careless.apply(leaf(1.0))
        y.sum().backward()
        return weakref.ref(y)

    died = run()
    gc.collect()
    assert died() is None
