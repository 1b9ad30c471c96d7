"""What keeps what alive: slots are weak, traces keep values, a runtime lives as long as its tensors."""

import gc
import weakref

import numpy as np
import pytest

from autograd_core import eager
from tests.eager.harness import equal


@pytest.fixture(autouse=True)
def without_collector():
    """Reference counts alone free everything."""
    gc.disable()
    yield
    gc.enable()


def test_the_runtime_holds_its_variables_weakly(world):
    x = world.var([1.0])
    dropped = weakref.ref(x)
    del x
    assert dropped() is None and len(world.rt._variables) == 0


def test_a_dropped_leaf_is_not_listed_and_its_value_lives_on_in_the_trace(world):
    x, y = world.var([2.0, 3.0]), world.var([5.0, 7.0])
    loss = world.total(world.run(lambda s, a, b: s.mul(a, b), x, y))
    del x
    assert len(loss.backward(world.engine)) == 1
    equal(y.grad(), [2.0, 3.0])


def test_a_tensor_keeps_its_runtime_alive():
    x = eager.EagerRuntime().variable_from(3.0)
    engine = eager.CpuEngine.serial()
    with x.runtime().session(engine) as s:
        y = s.mul(x, x)
    y.backward(engine)
    assert x.grad() == 6.0


def test_a_runtime_dies_with_its_last_tensor(world):
    rt = eager.EagerRuntime()
    x, gone = rt.variable_from(1.0), weakref.ref(rt)
    with rt.session(world.engine) as s:
        y = s.mul(x, x)
    y.backward(world.engine)
    del rt, s, x
    assert gone() is not None
    del y
    assert gone() is None


def test_dropping_the_loss_frees_what_the_trace_saved(world):
    x = world.var([1.0, 2.0])
    y = world.run(lambda s: s.exp(x))
    saved = weakref.ref(y._tensor._array)
    loss = world.total(y)
    del y
    loss.backward(world.engine)
    assert saved() is not None
    del loss
    assert saved() is None


def test_gradients_do_not_keep_leaves_alive_and_keep_their_count(world):
    x = world.var([1.0])
    found = world.square(x)[1].backward(world.engine)
    gone = weakref.ref(x)
    del x
    assert gone() is None and len(found) == 1


def test_what_goes_in_is_copied_and_what_comes_out_cannot_be_written(world):
    data = np.array([1.0, 2.0])
    x = world.var(data)
    data[:] = 9.0
    equal(x.value(), [1.0, 2.0])
    found = world.square(x)[1].backward(world.engine)
    for array in (x.value(), x.grad(), found[x]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0


def test_a_gradient_that_was_read_does_not_change_with_the_next_pass(world):
    x = world.var([1.0, 2.0])
    loss = world.square(x)[1]
    loss.backward(world.engine)
    first = x.grad()
    loss.backward(world.engine)
    equal(first, [2.0, 4.0])
    equal(x.grad(), [4.0, 8.0])


def test_detach_copies(world):
    x = world.var([1.0, 2.0])
    assert not np.shares_memory(x.detach(world.engine).value(), x.value())


def test_a_dropped_session_gives_its_engine_back(world):
    s = world.rt.session(world.engine)
    del s
    with world.rt.session(world.engine):
        pass
