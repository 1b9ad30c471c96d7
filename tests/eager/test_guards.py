"""Guards: depth, thread, order of closing, and what outweighs what."""

import threading

import pytest

import autograd_core as ac
from autograd_core import eager
from tests.eager.harness import World, refused


def records(world) -> bool:
    x = world.var(2.0)
    return world.run(lambda s: s.mul(x, x)).tracks_grad()


def test_a_guard_is_open_from_its_creation_until_it_is_closed(world):
    guard = world.rt.no_grad()
    assert not records(world)
    guard.close()
    assert records(world)
    guard.close()  # nothing more
    assert records(world)


def test_a_guard_ends_with_its_block_even_when_that_fails(world):
    with pytest.raises(ZeroDivisionError), world.rt.no_grad():
        raise ZeroDivisionError
    assert records(world)


def test_a_guard_ends_when_nothing_refers_to_it(world):
    guard = world.rt.no_grad()
    assert not records(world)
    del guard
    assert records(world)
    world.rt.no_grad()  # kept by nobody, as `let _ = rt.no_grad();`
    assert records(world)


def test_guards_count_and_close_in_any_order(world):
    first, second, third = (world.rt.no_grad() for _ in range(3))
    second.close()
    assert not records(world)
    first.close()
    assert not records(world)
    third.close()
    assert records(world)


def test_a_guard_closed_by_hand_inside_its_block_is_closed_once(world):
    outer = world.rt.no_grad()
    with world.rt.no_grad() as inner:
        inner.close()
    assert not records(world)
    outer.close()
    assert records(world)


def test_a_guard_counts_for_all_runtimes_of_its_thread(world):
    with world.rt.no_grad():
        assert not records(World())


def test_a_guard_counts_in_its_own_thread_only(world):
    seen = []
    with world.rt.no_grad():
        thread = threading.Thread(target=lambda: seen.append(records(World())))
        thread.start()
        thread.join()
        assert not records(world)
    assert seen == [True]


def test_a_guard_is_closed_in_the_thread_that_opened_it(world):
    guard, errors = world.rt.no_grad(), []

    def close():
        with refused("RuntimeState", "a guard counts in the thread that opened it") as info:
            guard.close()
        errors.append(info.value)

    thread = threading.Thread(target=close)
    thread.start()
    thread.join()
    assert errors and not records(world)
    guard.close()
    assert records(world)


def test_no_grad_outweighs_capture(world):
    c = world.const(3.0)
    with world.rt.capture_trace(), world.rt.no_grad():
        y, _ = world.square(c)
    assert world.rt.grad_optional(world.engine, y, c) is None
    with world.rt.capture_trace():
        y, _ = world.square(c)
    assert world.grad(y, c) == 6.0


def test_captured_constants_get_a_leaf_without_a_slot(world):
    c, x = world.const([3.0]), world.var([2.0])
    with world.rt.capture_trace():
        y = world.run(lambda s: s.mul(c, c))
    assert not y.tracks_grad()
    assert len(world.total(y).backward(world.engine)) == 0 and c.grad() is None
    loss = world.total(world.run(lambda s: s.mul(c, x)))
    assert loss.backward(world.engine)[x] == [3.0] and c.grad() is None
    assert world.grad(loss, c) == [2.0]  # it fed a recorded operation


def test_gradients_are_computed_and_differentiable_under_no_grad(world):
    x = world.var(3.0)
    y = world.run(lambda s: s.mul(s.mul(x, x), x))
    with world.rt.no_grad():
        first = world.rt.grad(world.engine, y, x)
        assert first.tracks_grad()
        assert world.grad(first, x) == 18.0
        y.backward(world.engine)
    assert x.grad() == 27.0


def test_a_variable_is_tracked_wherever_it_is_made(world):
    with world.rt.no_grad():
        x = world.var(1.0)
    assert x.tracks_grad()


@pytest.mark.parametrize("mode", [ac.no_grad, ac.inference_mode], ids=["no_grad", "inference_mode"])
def test_the_modes_of_the_package_are_not_those_of_the_runtime(world, mode):
    with mode():
        x = world.var(3.0)
        y, _ = world.square(x)
        assert y.tracks_grad()
        y.backward(world.engine)
        assert world.grad(y, x) == 6.0
        assert not ac.is_grad_enabled() and ac.is_inference_mode_enabled() == (mode is ac.inference_mode)
    assert x.grad() == 6.0


def test_depths_are_back_to_zero_after_all(world):
    depths = eager.guards.depths()
    assert (depths.no_grad, depths.capture) == (0, 0)
