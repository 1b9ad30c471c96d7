"""Passes inside passes: in signal handlers, in children of a process that trains, a thousand deep, in many threads."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings

import pytest

import autograd_core as ac
from autograd_core.core import engine
from autograd_core.core.table import define

COUNT = 200


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no interval timers here")
@pytest.mark.parametrize("kind", ["leaf", "retained", "recorded"])
def test_a_signal_handler_that_runs_a_backward_during_a_backward(kind):
    """The handler comes between any two lines of the pass, and adds to the same gradient: none is lost, none waits."""
    w = ac.tensor([1.0, 2.0], dtype=ac.float64, requires_grad=True)
    h = w * 1
    h.retain_grad()
    target, handled = (h if kind == "retained" else w), 0
    loss = h.sum()

    def run():
        if kind == "recorded":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                loss.backward(retain_graph=True, create_graph=True)
        else:
            loss.backward(retain_graph=True)

    def handle(*_):
        nonlocal handled
        run()
        handled += 1

    before = signal.signal(signal.SIGALRM, handle)
    passes, end = 0, time.process_time() + 10
    try:
        while handled < COUNT and time.process_time() < end:
            signal.setitimer(signal.ITIMER_REAL, 5e-6 * (passes % 20 + 1))
            run()
            passes += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert handled >= COUNT
    assert target.grad.tolist() == [passes + handled] * 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning")  # of JAX, where another test has imported it
def test_a_fork_beside_training_threads_leaves_the_child_whole():
    w = ac.zeros(20_000, dtype=ac.float64, requires_grad=True)
    stop = threading.Event()

    def train():
        while not stop.is_set():
            w.sum().backward()

    threads = [threading.Thread(target=train) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(25):
            child = os.fork()
            if child == 0:  # a gradient that is there is whole: the same everywhere
                signal.alarm(20)  # ends a child that hangs
                same = w.grad is None or len(set(w.grad.tolist())) == 1
                w.grad = None
                w.sum().backward()
                os._exit(0 if same and w.grad.tolist() == [1.0] * 20_000 else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()


class Nested(ac.autograd.Function):
    """The identity, whose backward runs a backward pass of its own, and so on `depth` times."""

    @staticmethod
    def forward(ctx, x, depth, at_the_end):
        ctx.depth, ctx.at_the_end = depth, at_the_end
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        if ctx.depth == 0:
            ctx.at_the_end()
        else:
            with ac.enable_grad():
                loss = Nested.apply(ac.ones(1, requires_grad=True), ctx.depth - 1, ctx.at_the_end).sum()
            loss.backward()
        return g, None, None


def test_a_thousand_passes_one_inside_the_other():
    x, modes = ac.ones(1, requires_grad=True), []
    threads = threading.active_count()
    Nested.apply(x, 1000, lambda: modes.append(ac.is_grad_enabled())).backward()
    assert x.grad.tolist() == [1.0]
    assert modes == [False]
    assert threading.active_count() == threads
    assert engine.running_pass() is None


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt, SystemExit])
def test_an_exception_comes_out_of_a_thousand_passes(kind):
    def fail():
        raise kind("at the end")

    with pytest.raises(kind, match="at the end"):
        Nested.apply(ac.ones(1, requires_grad=True), 1000, fail).backward()
    assert ac.is_grad_enabled()
    assert engine.running_pass() is None


def test_a_hook_of_a_multi_grad_hook_may_run_a_pass():
    a, b = (ac.ones(1, requires_grad=True) for _ in range(2))
    seen = []

    def inner(grads):
        seen.append(len(grads))
        if len(seen) == 1:
            with ac.enable_grad():
                (a * b).sum().backward()

    ac.autograd.graph.register_multi_grad_hook((a, b), inner)
    (a * b).sum().backward()
    assert seen == [2, 2]


def run_together(work, count):
    """Run `work(k)` in threads that start together; what they raised."""
    barrier, errors = threading.Barrier(count), []

    def body(k):
        barrier.wait()
        try:
            work(k)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=body, args=(k,)) for k in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


@pytest.fixture
def frequent_switches():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_threads_that_build_write_and_differentiate_at_once(frequent_switches):
    w = ac.tensor([1.0, 2.0, 3.0], dtype=ac.float64, requires_grad=True)
    rounds, threads = 300, 6
    own = [ac.tensor([float(k), 1.0, 2.0], dtype=ac.float64, requires_grad=True) for k in range(threads)]

    def work(k):
        for _ in range(rounds):
            h = w * own[k]
            v = h[1:]
            v.mul_(2)
            h[0] = h[0] * 3 + own[k][0]
            with ac.no_grad():
                assert not (h * 1).requires_grad
            (g,) = ac.autograd.grad(h.sum(), own[k], retain_graph=True)
            assert g.tolist() == [4.0, 4.0, 6.0]
            h.sum().backward()

    assert run_together(work, threads) == []
    assert [t.grad.tolist() for t in own] == [[4.0 * rounds, 4.0 * rounds, 6.0 * rounds]] * threads
    first = sum(3.0 * k for k in range(threads)) * rounds
    assert w.grad.tolist() == [first, 2.0 * threads * rounds, 4.0 * threads * rounds]


def test_the_first_calls_of_an_op_in_many_threads(frequent_switches):
    for trial in range(10):
        op = define(f"fresh_{trial}", lambda x, y: x * y, "x y", "general", lambda g, y: g * y, lambda g, x: g * x)
        x = ac.tensor([2.0], dtype=ac.float64, requires_grad=True)
        assert run_together(lambda k, x=x, op=op: op(x, x).sum().backward(), 8) == []
        assert x.grad.tolist() == [32.0]


PROGRAM = """
    import autograd_core as ac
    import autograd_core.func, autograd_core.nn, autograd_core.optim, autograd_core.utils.checkpoint

    def refused(run):
        try:
            run()
        except Warning:
            return True
        return False

    w = ac.tensor([1.0, 2.0], requires_grad=True)
    loss = (w * w).sum()
    assert refused(lambda: loss.backward(create_graph=True))
    assert w.grad is None and ac.is_grad_enabled()
    loss.backward()
    assert w.grad.tolist() == [2.0, 4.0]
    h = w * 2
    assert refused(lambda: h.grad) and refused(lambda: float(loss)) and refused(lambda: ac.tensor(w))
    assert refused(lambda: ac.autograd.detect_anomaly())
    assert not ac.is_anomaly_enabled()

    class Dirty(ac.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.clone()
            ctx.mark_dirty(y)
            return y

        @staticmethod
        def backward(ctx, g):
            return g

    assert refused(lambda: Dirty.apply(h))
    assert h._version == 0 and h.tolist() == [2.0, 4.0]

    layer = ac.nn.Linear(2, 2)
    steps = ac.optim.SGD(layer.parameters(), lr=0.1)
    for _ in range(3):
        steps.zero_grad()
        layer(w.detach()).square().sum().backward()
        steps.step()
    (w / 0).sum().backward()
    print("done")
"""


def test_a_program_in_which_every_warning_is_an_error():
    """The package itself warns of nothing; where it warns, what was asked for is not half done."""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(PROGRAM)], capture_output=True, text=True, timeout=120
    )
    assert (run.stdout, run.stderr) == ("done\n", "")
