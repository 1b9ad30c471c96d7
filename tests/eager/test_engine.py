"""The engine: who may use it when, and that threads change the time and not the bits."""

import threading
from contextvars import ContextVar

import numpy as np
import pytest

import autograd_core as ac
from autograd_core import eager
from autograd_core.eager import splitting
from tests.eager.harness import equal, refused

LENT = "the engine is already lent to a session or another call"


# -- one user at a time


def test_an_engine_has_no_state_of_differentiation(world):
    x = world.var(3.0)
    y, _ = world.square(x)
    other = eager.CpuEngine.serial()
    y.backward(other)
    assert world.rt.grad(eager.CpuEngine(threads=2), y, x).value() == x.grad() == 6.0


def test_an_engine_that_is_lent_is_refused_again(world):
    x, v = world.var(3.0), world.const(1.0)
    y, _ = world.square(x)
    with world.rt.session(world.engine):
        for call in (
            lambda: world.rt.session(world.engine),
            lambda: world.rt.with_eager_session(world.engine, lambda s: s),
            lambda: y.backward(world.engine),
            lambda: y.backward_with(world.engine, v),
            lambda: world.rt.grad(world.engine, y, x),
            lambda: world.rt.vjp(world.engine, y, x, v),
            lambda: world.rt.jvp(world.engine, y, x, v),
            lambda: x.detach(world.engine),
        ):
            with refused("RuntimeState", LENT):
                call()
        y.backward(eager.CpuEngine.serial())  # another engine is free
    assert x.grad() == 6.0
    y.backward(world.engine)
    assert x.grad() == 12.0


def test_an_engine_that_is_lent_is_refused_to_other_threads(world):
    kinds = []

    def use():
        with refused("RuntimeState", LENT) as info:
            world.rt.session(world.engine)
        kinds.append(info.value.kind)

    with world.rt.session(world.engine):
        thread = threading.Thread(target=use)
        thread.start()
        thread.join()
    assert kinds == ["RuntimeState"]


def test_an_operation_that_fails_half_way_breaks_its_engine(world):
    x = world.var([-1.0])
    with world.rt.session(world.engine) as s:
        with np.errstate(invalid="raise"), pytest.raises(FloatingPointError):
            s.log(x)
        with refused(
            "RuntimeState", "use after a failed operation: log raised FloatingPointError. Make a new CpuEngine."
        ):
            s.neg(x)
    y = world.rt.with_eager_session(eager.CpuEngine.serial(), lambda s: s.reduce_sum(s.neg(x), None))
    with refused("RuntimeState", "use after a failed operation"):
        y.backward(world.engine)
    with refused("RuntimeState", "use after a failed operation"):
        world.rt.session(world.engine)
    assert x.grad() is None


def test_a_part_that_fails_in_another_thread_breaks_the_engine(world):
    n = splitting.LARGE * 2
    engine = eager.CpuEngine(threads=2)
    x = world.const(np.full(n, -1.0))
    with world.rt.session(engine) as s:
        with np.errstate(invalid="raise"), pytest.raises(FloatingPointError):
            s.log(x)
        with refused("RuntimeState", "log raised FloatingPointError"):
            s.neg(x)


@pytest.mark.parametrize("threads", [0, -1, 1.5, True, None])
def test_the_number_of_threads_is_a_positive_int(threads):
    with refused("InvalidArgument", "CpuEngine: invalid argument threads"):
        eager.CpuEngine(threads=threads)


def test_what_is_no_engine_is_refused(world):
    x = world.var(1.0)
    for call in (lambda: world.rt.session(None), lambda: x.backward(world.rt), lambda: x.detach(2)):
        with refused("InvalidArgument", "is no engine; pass CpuEngine.serial()"):
            call()


# -- blocks


@pytest.mark.parametrize(
    "name, n",
    [
        *(("sin", n) for n in (splitting.LARGE - 1, splitting.LARGE, 300_001)),
        *((name, 300_001) for name in ("exp", "tanh", "sigmoid")),
        *((name, splitting.LARGE_IN_MEMORY + 5) for name in ("mul", "reduce_sum", "reduce_max", "reduce_mean")),
    ],
)
def test_the_bits_do_not_depend_on_the_number_of_threads(world, rng, name, n):
    x = world.var(rng.standard_normal(n))
    seen = []
    for threads in (1, 2, 3):
        with world.rt.session(eager.CpuEngine(threads=threads)) as s:
            more = (None,) if name.startswith("reduce") else (x,) if name == "mul" else ()
            y = getattr(s, name)(x, *more)
            seen.append((y, s.reduce_sum(y, None)))
    for y, loss in seen[1:]:
        equal(y.value(), seen[0][0].value())
        equal(loss.value(), seen[0][1].value())
    gradients = [world.grad(loss, x) for _, loss in seen]
    equal(gradients[1], gradients[0])


def _in_session(world, engine, program, *tensors):
    with world.rt.session(engine) as s:
        return program(s, *tensors)


def test_operations_in_blocks_are_the_operations_of_the_package(world, rng, monkeypatch):
    """With blocks of 64 elements everything is cut, broadcast operands too; values and gradients are as ever."""
    monkeypatch.setattr(splitting, "BLOCK", 64)
    monkeypatch.setattr(splitting, "LARGE", 128)
    monkeypatch.setattr(splitting, "LARGE_IN_MEMORY", 128)
    a, b = rng.standard_normal((30, 40)), rng.standard_normal(40)
    programs = {
        "mul": (lambda s, x, y: s.mul(x, y), lambda x, y: x * y),
        "sin": (lambda s, x, y: s.sin(x), lambda x, y: ac.sin(x)),
        "sigmoid": (lambda s, x, y: s.sigmoid(x), lambda x, y: ac.sigmoid(x)),
        "maximum": (lambda s, x, y: s.maximum(y, x), lambda x, y: ac.maximum(y, x)),
        "where": (
            lambda s, x, y: s.where_select(s.compare(x, y, eager.CompareDir.Gt), x, y),
            lambda x, y: ac.where(x > y, x, y),
        ),
        "a column": (
            lambda s, x, y: s.mul(x, s.reshape(s.reduce_sum(x, (1,)), (30, 1))),
            lambda x, y: x * x.sum(1, True),
        ),
        "sum over rows": (lambda s, x, y: s.reduce_sum(x, (0,)), lambda x, y: x.sum(0)),
        "sum over columns": (lambda s, x, y: s.reduce_sum(x, (1,)), lambda x, y: x.sum(1)),
        "max over rows": (lambda s, x, y: s.reduce_max(x, (0,)), lambda x, y: x.amax(0)),
        "mean": (lambda s, x, y: s.reduce_mean(x, None), lambda x, y: x.mean()),
        "transposed sum": (lambda s, x, y: s.reduce_sum(s.transpose(x, (1, 0)), (0,)), lambda x, y: x.t().sum(0)),
    }
    for name, (ours, reference) in programs.items():
        for engine in (eager.CpuEngine.serial(), eager.CpuEngine(threads=3)):
            x, y = world.var(a), world.var(b)
            u, w = ac.tensor(a, requires_grad=True), ac.tensor(b, requires_grad=True)
            out, expected = _in_session(world, engine, ours, x, y), reference(u, w)
            np.testing.assert_allclose(out.value(), expected.detach().numpy(), rtol=1e-13, atol=1e-14, err_msg=name)
            world.total(out).backward(engine)
            expected.sum().backward()
            for leaf, tensor in ((x, u), (y, w)):
                if tensor.grad is None:
                    assert leaf.grad() is None
                else:
                    np.testing.assert_allclose(leaf.grad(), tensor.grad.numpy(), rtol=1e-13, atol=1e-14, err_msg=name)


def test_the_cuts_depend_on_the_size_alone():
    n = 1_500_003
    cuts = splitting.blocks(0, n)
    assert [start for start, _ in cuts[1:]] == [stop for _, stop in cuts[:-1]]
    assert cuts[0][0] == 0 and cuts[-1][1] == n
    assert all(0 < stop - start <= splitting.BLOCK and start % 8 == 0 for start, stop in cuts)


def test_all_threads_work_on_a_large_array(world):
    """Each of two threads waits for the other inside its first part: one thread alone would wait in vain."""
    meeting = threading.Barrier(2, timeout=60)
    threads = set()

    def work(part):
        if threading.get_ident() not in threads:
            threads.add(threading.get_ident())
            meeting.wait()

    eager.CpuEngine(threads=2)._each(work, range(8))
    assert len(threads) == 2


def test_helpers_see_the_context_of_the_call():
    """What a context variable holds, NumPy's errstate among them, holds in all threads."""
    variable: ContextVar = ContextVar("variable", default="outside")
    meeting, seen = threading.Barrier(2, timeout=60), {}

    def work(part):
        if threading.get_ident() not in seen:
            seen[threading.get_ident()] = variable.get(), np.geterr()["invalid"]
            meeting.wait()

    variable.set("inside")
    with np.errstate(invalid="raise"):
        eager.CpuEngine(threads=2)._each(work, range(8))
    assert list(seen.values()) == [("inside", "raise")] * 2


def test_the_threads_of_a_dropped_engine_end():
    before = set(threading.enumerate())
    engine = eager.CpuEngine(threads=2)
    engine._each(lambda part: None, range(8))
    started = set(threading.enumerate()) - before
    del engine
    for thread in started:
        thread.join(timeout=60)
        assert not thread.is_alive()


def test_one_thread_takes_the_parts_in_order():
    seen = []
    eager.CpuEngine.serial()._each(seen.append, range(5))
    assert seen == [0, 1, 2, 3, 4]
