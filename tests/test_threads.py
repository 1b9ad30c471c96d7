"""Several threads in one graph or on shared leaves: no gradient is lost, and who comes too late is told so."""

import sys
import threading
import time

import numpy as np
import pytest

import autograd_core as ac
from autograd_core.core import engine
from autograd_core.core.table import elementwise
from autograd_core.core.tensor import wrap

THREADS, PASSES = 8, 10_000


@pytest.fixture
def frequent_switches():
    """Threads take turns as often as the interpreter allows."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def run_together(*functions) -> list:
    """Run functions in threads that start at the same moment; what each raised, or None."""
    barrier, outcomes = threading.Barrier(len(functions)), [None] * len(functions)

    def work(k, function):
        barrier.wait()
        try:
            function()
        except Exception as error:
            outcomes[k] = error

    threads = [threading.Thread(target=work, args=item) for item in enumerate(functions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def test_passes_from_several_threads_into_shared_leaves_lose_nothing(frequent_switches):
    w = ac.tensor([1.0, -2.0], dtype=ac.float64, requires_grad=True)
    b = ac.tensor(0.0, dtype=ac.float64, requires_grad=True)

    def passes(k):
        x = ac.tensor([1.0, float(k)], dtype=ac.float64)
        for _ in range(PASSES):
            (w * x + b).sum().backward()

    assert run_together(*[lambda k=k: passes(k) for k in range(THREADS)]) == [None] * THREADS
    assert w.grad.tolist() == [THREADS * PASSES, sum(range(THREADS)) * PASSES]  # whole numbers: exact in any order
    assert b.grad.item() == 2 * THREADS * PASSES
    assert b.grad._version == THREADS * PASSES - 1


def test_first_gradients_that_arrive_at_the_same_moment_are_added(monkeypatch):
    """Another thread gets its turn between the look at `.grad` and the store: what the lock is there for."""

    def wrap_slowly(*arguments):
        time.sleep(0.001)
        return wrap(*arguments)

    monkeypatch.setattr(engine, "wrap", wrap_slowly)
    w = ac.tensor(1.0, dtype=ac.float64, requires_grad=True)
    losses = [w * 2.0 for _ in range(4)]
    assert run_together(*[loss.backward for loss in losses]) == [None] * 4
    assert w.grad.item() == 8.0


def test_hooks_on_shared_leaves_run_once_a_pass(frequent_switches):
    w = ac.tensor(3.0, dtype=ac.float64, requires_grad=True)
    counts = {"hook": [], "accumulated": []}
    w.register_hook(lambda g: counts["hook"].append(g.item()))
    w.register_post_accumulate_grad_hook(lambda w: counts["accumulated"].append(1))

    def passes():
        for _ in range(500):
            (w * 2.0).backward()

    assert run_together(*[passes] * 4) == [None] * 4
    assert counts == {"hook": [2.0] * 2000, "accumulated": [1] * 2000}
    assert w.grad.item() == 4000.0


def test_two_threads_may_share_a_graph_that_is_retained(frequent_switches):
    x = ac.tensor(0.5, dtype=ac.float64, requires_grad=True)
    y = x
    for _ in range(200):
        y = y.sin() * 1.25
    (once,) = ac.autograd.grad(y, x, retain_graph=True)
    assert run_together(*[lambda: y.backward(retain_graph=True)] * 8) == [None] * 8
    np.testing.assert_allclose(x.grad.item(), 8 * once.item(), rtol=1e-12)


def test_of_two_threads_that_release_a_graph_the_loser_is_told_that_it_is_the_second(frequent_switches):
    losers = 0
    for _ in range(300):
        x = ac.tensor(0.5, dtype=ac.float64, requires_grad=True)
        y = x
        for _ in range(30):
            y = y.sin() * 1.25
        errors = [error for error in run_together(y.backward, y.backward) if error is not None]
        assert len(errors) < 2, errors
        for error in errors:
            assert type(error) is RuntimeError and "second time" in str(error)
        losers += len(errors)
    assert losers > 0


@pytest.mark.parametrize("create_graph", [False, True])
def test_a_pass_that_another_one_overtakes_is_told_so(create_graph):
    """What may happen between two threads at any moment, made to happen."""
    overtaken = []

    def rule(g):
        if not overtaken:
            overtaken.append(True)
            assert run_together(y.backward) == [None]
        return g

    wait = elementwise("wait", lambda x: x * 1.0, "x", rule)
    x = ac.tensor(2.0, dtype=ac.float64, requires_grad=True)
    y = wait(x * x)
    with pytest.raises(RuntimeError, match="second time: MulBackward0"):
        ac.autograd.grad(y, x, create_graph=create_graph) if create_graph else y.backward()
    assert x.grad.item() == 4.0  # from the pass that won
