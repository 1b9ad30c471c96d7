"""Grad modes, in the same words on PyTorch and here."""

import asyncio
import itertools
import threading

import pytest
import torch

import autograd_core as ac


def state(T):
    return T.is_grad_enabled(), T.is_inference_mode_enabled()


def recorded(T):
    return (T.ones(2, requires_grad=True) * 2).requires_grad


SWITCHES = {
    "no_grad": (lambda T: T.no_grad(), (False, False)),
    "enable_grad": (lambda T: T.enable_grad(), (True, False)),
    "set_grad_enabled(False)": (lambda T: T.set_grad_enabled(False), (False, False)),
    "set_grad_enabled(True)": (lambda T: T.set_grad_enabled(True), (True, False)),
    "inference_mode": (lambda T: T.inference_mode(), (False, True)),
    "inference_mode(False)": (lambda T: T.inference_mode(False), (True, False)),
}


@pytest.fixture(params=SWITCHES)
def switch(request):
    """A function that makes a switch for a library, and the (grad, inference) state inside it."""
    return SWITCHES[request.param]


@pytest.fixture(autouse=True)
def modes_are_left_as_they_were():
    assert state(torch) == state(ac) == (True, False)
    yield
    assert state(torch) == state(ac) == (True, False)


def test_a_block_switches_and_puts_back(T, switch):
    make, inside = switch
    with make(T):
        assert state(T) == inside and recorded(T) is inside[0]
    assert recorded(T)


def test_an_exception_puts_back(T, switch):
    make, _ = switch
    with pytest.raises(ZeroDivisionError), make(T):
        1 / 0  # noqa: B018


def test_blocks_nest(T):
    with T.no_grad():
        with T.enable_grad():
            assert recorded(T)
            with T.set_grad_enabled(False):
                assert not recorded(T)
            assert recorded(T)
        assert not recorded(T)
        with T.inference_mode(False):
            assert T.is_grad_enabled()
        assert not recorded(T)


def test_one_switch_may_be_entered_again_inside_itself(T):
    off = T.no_grad()
    with off:
        with T.enable_grad():
            with off:
                assert not T.is_grad_enabled()
            assert T.is_grad_enabled()
        assert not T.is_grad_enabled()


def test_a_decorator_switches_around_each_call(T, switch):
    make, inside = switch
    decorate = make(T)
    T.set_grad_enabled(True)

    @decorate
    def f(x, *, scale=1):
        """Documented."""
        return state(T), x * scale

    assert f(3, scale=2) == (inside, 6) and state(T) == (True, False)
    assert f.__name__ == "f" and f.__doc__ == "Documented."


@pytest.mark.parametrize("name", ["no_grad", "enable_grad", "inference_mode"])
def test_a_decorator_needs_no_parentheses(T, name):
    @getattr(T, name)
    def f():
        return state(T)

    assert f() == {"no_grad": (False, False), "enable_grad": (True, False), "inference_mode": (False, True)}[name]


def test_a_decorated_function_may_recurse_and_raise(T):
    @T.no_grad()
    def f(n):
        assert not T.is_grad_enabled()
        if n == 0:
            raise ZeroDivisionError
        with T.enable_grad():
            f(n - 1)

    with pytest.raises(ZeroDivisionError):
        f(3)


def test_set_grad_enabled_acts_when_it_is_called(T):
    T.set_grad_enabled(False)
    try:
        assert not recorded(T)
    finally:
        T.set_grad_enabled(True)


def test_set_grad_enabled_as_a_block_restores_what_was_before_the_call(T):
    with T.no_grad():
        with T.set_grad_enabled(True):
            assert recorded(T)
        assert not recorded(T)


def test_set_grad_enabled_as_a_decorator_changes_nothing_outside(T):
    @T.set_grad_enabled(False)
    def f():
        return recorded(T)

    assert recorded(T) and not f() and recorded(T)


def test_a_decorated_generator_switches_around_every_step(T):
    seen = []

    @T.no_grad()
    def steps():
        try:
            while True:
                seen.append(T.is_grad_enabled())
                received = yield T.is_grad_enabled()
                seen.append(received)
        except KeyError:
            seen.append(("caught", T.is_grad_enabled()))
            yield "thrown"
            return "result"
        finally:
            seen.append(("closed", T.is_grad_enabled()))

    generator = steps()
    assert next(generator) is False and T.is_grad_enabled()
    assert generator.send("sent") is False and T.is_grad_enabled()
    assert generator.throw(KeyError()) == "thrown" and T.is_grad_enabled()
    with pytest.raises(StopIteration) as stop:
        next(generator)
    assert stop.value.value == "result" and T.is_grad_enabled()
    assert seen == [False, "sent", False, ("caught", False), ("closed", False)]


def test_closing_a_decorated_generator_runs_its_end_inside_the_mode(T):
    seen = []

    @T.no_grad()
    def steps():
        try:
            yield
        finally:
            seen.append(T.is_grad_enabled())

    generator = steps()
    next(generator)
    generator.close()
    assert seen == [False] and T.is_grad_enabled()


def test_an_error_in_a_decorated_generator_passes_through(T):
    @T.no_grad()
    def steps():
        yield 1
        raise ZeroDivisionError

    generator = steps()
    next(generator)
    with pytest.raises(ZeroDivisionError):
        next(generator)


def test_a_bare_block_around_yield_leaks_until_the_generator_goes_on(T):
    def steps():
        with T.no_grad():
            yield

    generator = steps()
    next(generator)
    assert not T.is_grad_enabled()
    generator.close()
    assert T.is_grad_enabled()


def test_threads_start_with_recording_on_and_keep_their_own_mode(T):
    seen = {}
    entered, left = threading.Event(), threading.Event()

    def work():
        seen["start"] = state(T)
        with T.no_grad():
            entered.set()
            left.wait(10)
            seen["inside"] = T.is_grad_enabled()

    with T.no_grad():
        thread = threading.Thread(target=work)
        thread.start()
        entered.wait(10)
    assert T.is_grad_enabled()
    left.set()
    thread.join()
    assert seen == {"start": (True, False), "inside": False}


# PyTorch keeps one mode a thread, so its tasks share it; here every task has its own.


async def _pause(seen, name):
    for _ in range(3):
        seen.append((name, ac.is_grad_enabled()))
        await asyncio.sleep(0)


def test_tasks_keep_their_own_mode():
    seen = []

    async def silent():
        with ac.no_grad():
            await _pause(seen, "silent")

    async def both():
        await asyncio.gather(silent(), _pause(seen, "recording"), silent())
        assert ac.is_grad_enabled()

    asyncio.run(both())
    assert set(seen) == {("silent", False), ("recording", True)} and len(seen) == 9


def test_a_decorated_coroutine_runs_inside_the_mode():
    seen = []

    @ac.no_grad()
    async def silent():
        await _pause(seen, "silent")
        return "done"

    async def both():
        result, _ = await asyncio.gather(silent(), _pause(seen, "recording"))
        return result

    assert asyncio.run(both()) == "done"
    assert set(seen) == {("silent", False), ("recording", True)} and ac.is_grad_enabled()


# -- inference tensors


def test_inference_tensors_are_marked(T):
    with T.inference_mode():
        made = T.ones(2)
        assert made.is_inference() and (made * 2).is_inference() and made.view(1, 2).is_inference()
    assert made.is_inference() and not T.ones(2).is_inference() and not made.clone().is_inference()


def test_a_normal_tensor_stays_normal_in_inference_mode(T):
    x = T.ones(2, requires_grad=True)
    with T.inference_mode():
        assert not x.is_inference() and x.requires_grad and not (x * 2).requires_grad


def test_inference_tensors_cannot_be_saved(T):
    with T.inference_mode():
        constant = T.ones(2)
    x = T.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
        x * constant
    (x + constant).sum().backward()  # addition saves nothing
    assert x.grad.tolist() == [1.0, 1.0]
    assert (x * constant.clone()).requires_grad
    assert (constant * 2).tolist() == [2.0, 2.0]


def test_inference_tensors_are_written_only_inside(T):
    with T.inference_mode():
        made = T.ones(2)
        made.add_(1.0)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"):
        made.add_(1.0)
    if T is ac:  # PyTorch has written by then
        assert made.tolist() == [2.0, 2.0]


def test_inference_tensors_cannot_require_gradients_outside(T):
    with T.inference_mode():
        made = T.ones(2)
    with pytest.raises(RuntimeError, match="Setting requires_grad=True on inference tensor outside InferenceMode"):
        made.requires_grad_()


def test_inference_tensors_have_no_version(T):
    with T.inference_mode():
        made = T.ones(2)
    with pytest.raises(RuntimeError, match="Inference tensors do not track version counter"):
        made._version  # noqa: B018


def test_factories_honor_requires_grad_under_no_grad(T):
    with T.no_grad():
        x = T.ones(2, requires_grad=True)
        y = x * 2
    assert x.requires_grad and x.is_leaf and not y.requires_grad and y.is_leaf and y.grad_fn is None


def test_backward_works_under_no_grad(T):
    x = T.ones(2, requires_grad=True)
    y = (x * 3).sum()
    with T.no_grad():
        y.backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_create_graph_records_even_under_no_grad(T):
    x = T.tensor(2.0, requires_grad=True)
    y = x * x * x
    with T.no_grad():
        (g,) = T.autograd.grad(y, x, create_graph=True)
        assert g.requires_grad and not T.is_grad_enabled()
    assert T.autograd.grad(g, x)[0].item() == 12.0


# -- views made in one mode and written in another

VIEWS = {
    "select": lambda x: x[0],
    "view": lambda x: x.view(4),
    "unbind": lambda x: x.unbind()[0],
    "select of unbind": lambda x: x.unbind()[0][:1],
    "unbind of select": lambda x: x[:1].unbind()[0],
}
MODES = ["enable_grad", "no_grad", "inference_mode"]


def view_and_write(T, tracked, cut, made, written, through_view, by_tracked):
    """Make a view in one mode, write in another, then look at it, compute with it, and differentiate."""
    x = T.ones(2, 2, requires_grad=True)
    base = x * 1 if tracked else T.ones(2, 2)
    with getattr(T, made)():
        view = VIEWS[cut](base)
    factor = T.ones(()) * 3 if not by_tracked else T.ones((), requires_grad=True) * 2
    seen = []
    try:
        with getattr(T, written)():
            (view if through_view else base).mul_(factor)
    except RuntimeError:
        return ["write refused", base.tolist()]
    seen.append(view.requires_grad)
    with T.no_grad():
        seen.append((view * 2).tolist())
    try:
        seen.append((view.is_leaf, view.grad_fn is None))
    except RuntimeError:
        seen.append("look refused")
    try:
        total = view.sum() + base.sum()
        if total.requires_grad:
            (g,) = T.autograd.grad(total, x, allow_unused=True)
            seen.append(g if g is None else g.tolist())
    except RuntimeError:
        seen.append("use refused")
    return [*seen, base.tolist()]


@pytest.mark.parametrize("cut", VIEWS)
@pytest.mark.parametrize("made", MODES)
@pytest.mark.parametrize("written", MODES)
def test_a_view_made_in_one_mode_and_written_in_another(cut, made, written):
    for tracked, through_view, by_tracked in itertools.product([True, False], repeat=3):
        program = (tracked, cut, made, written, through_view, by_tracked)
        assert view_and_write(ac, *program) == view_and_write(torch, *program), program


def test_a_view_made_under_no_grad_can_be_used_under_no_grad_after_a_write(T):
    p = T.ones(2, 2, requires_grad=True)
    with T.no_grad():
        flat = p.view(-1)
        p.add_(1.0)
        assert flat.sum().item() == 8.0
        flat.mul_(2.0)
    assert p.tolist() == [[4.0, 4.0], [4.0, 4.0]]


# -- left in another order than entered


@pytest.mark.parametrize("first", SWITCHES)
@pytest.mark.parametrize("second", ["anomaly", "hooks", "level"])
def test_a_switch_puts_back_its_own_part_alone(T, first, second):
    others = {
        "anomaly": lambda: T.autograd.set_detect_anomaly(True),
        "hooks": lambda: T.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t),
        "level": lambda: T.autograd.forward_ad.dual_level(),
    }
    before = state(T)
    a = SWITCHES[first][0](T)
    a.__enter__()
    b = others[second]()
    b.__enter__()
    inside = state(T)
    a.__exit__(None, None, None)
    assert state(T) == before and T.is_anomaly_enabled() == (second == "anomaly")
    b.__exit__(None, None, None)
    assert state(T) == before and not T.is_anomaly_enabled() and inside == SWITCHES[first][1]


def test_leaving_no_grad_undoes_what_was_switched_in_it(T):
    with T.no_grad():
        with T.no_grad():
            T.set_grad_enabled(True)
        assert not T.is_grad_enabled()
    assert T.is_grad_enabled()


def test_a_switch_that_was_not_entered_is_not_left():
    with pytest.raises(RuntimeError, match="no_grad is left more often than it was entered"):
        ac.no_grad().__exit__(None, None, None)


def test_multithreading_is_a_switch(T):
    switch, state = T.autograd.set_multithreading_enabled, T.autograd.is_multithreading_enabled
    with switch(False):
        assert not state()
        with switch(True):
            assert state()
        assert not state()
    assert state()
    switch(False)
    assert not state()
    switch(True)
    assert state() and T.autograd.grad_mode.no_grad is T.no_grad
    with pytest.raises(TypeError, match="must be bool"):
        switch(1)


def test_multithreading_is_switched_around_each_call():
    @ac.autograd.set_multithreading_enabled(False)
    def inside():
        return ac.autograd.is_multithreading_enabled()

    ac.autograd.set_multithreading_enabled(True)
    assert not inside() and ac.autograd.is_multithreading_enabled()
