"""The reverse pass as a structure: order, lifetime, sharing, depth, repeatability."""

import gc
import threading
import weakref

import numpy as np
import pytest

import autograd_core as ac


def leaf(*values):
    return ac.tensor(list(values), dtype=ac.float64, requires_grad=True)


def test_a_chain_of_a_million_ops_is_built_differentiated_and_freed():
    x = ac.tensor(1.0, dtype=ac.float64, requires_grad=True)
    y = x
    for _ in range(1_000_000):
        y = -y
    last = weakref.ref(y.grad_fn)
    y.backward()
    assert x.grad.item() == 1.0
    del y
    assert last() is None


def test_a_diamond_of_depth_sixty_visits_each_node_once():
    x = ac.tensor(1.0, dtype=ac.float64, requires_grad=True)
    calls = []
    y = x
    for _ in range(60):
        y = y + y
        y.register_hook(lambda g: calls.append(g.item()))
    y.backward()
    assert x.grad.item() == 2.0**60
    assert calls == [2.0**k for k in range(60)]


@pytest.fixture
def without_collector():
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_graphs_die_by_reference_counts_alone(without_collector):
    def program():
        x = leaf(1.0, 2.0, 3.0)
        y = (x * x).sin()
        y += 1.0
        view = y[:2]
        view *= 2.0
        values, _ = y.sort()
        loss = (values * y).sum() + view.sum()
        (g,) = ac.autograd.grad(loss, x, create_graph=True)
        g.sum().backward()
        return [weakref.ref(t) for t in (x, y, view, loss, g, loss.grad_fn, y.grad_fn, g.grad_fn)]

    assert [r() for r in program()] == [None] * 8


def test_an_abandoned_forward_is_freed(without_collector):
    x = leaf(1.0)
    node = weakref.ref((x.sin() * x).grad_fn)
    assert node() is None


def test_the_same_program_gives_the_same_bits():
    values = np.random.default_rng(7).standard_normal(500)

    def gradient():
        x = ac.tensor(values, requires_grad=True)
        (x.sin() * x.exp() + (x * x).sum() / (1 + x.square())).sum().backward()
        return x.grad.numpy()

    first = gradient()
    assert all((gradient() == first).all() for _ in range(5))


def test_gradients_share_memory_with_nothing():
    x, w = leaf(1.0, 2.0), leaf(3.0, 4.0)
    seed = ac.ones(2, dtype=ac.float64)
    (x + w).backward(seed)
    pieces = [x.grad, w.grad, seed, x.detach(), w.detach()]
    for i, a in enumerate(pieces):
        for b in pieces[i + 1 :]:
            assert not np.shares_memory(a.numpy(), b.numpy())


def test_a_gradient_is_not_the_saved_factor():
    x, w = leaf(1.0, 2.0), leaf(3.0, 4.0)
    (x * w).sum().backward()
    x.grad.zero_()
    assert w.tolist() == [3.0, 4.0] and w.grad.tolist() == [1.0, 2.0]


def test_a_stale_value_is_found_before_anything_is_stored():
    x, w = leaf(1.0), leaf(2.0)
    h = x * 1.0
    loss = h.square().sum() + (w * 3.0).sum()
    h += 1.0
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()
    assert x.grad is None and w.grad is None


def test_after_a_refused_pass_the_graph_is_as_before():
    x = leaf(2.0)
    loss = x.square().sum()
    for bad in (lambda y: y.backward(ac.ones(3, dtype=ac.float64)), lambda y: ac.autograd.grad(y, leaf(1.0))):
        with pytest.raises(RuntimeError):
            bad(loss)
        x.grad = None
        loss = x.square().sum()
    loss.backward()
    assert x.grad.tolist() == [4.0]


@pytest.mark.parametrize("name", ["add", "neg", "sum", "clone"])
def test_an_op_that_saves_nothing_may_go_backward_twice(name):
    x = leaf(2.0, 3.0)
    y = {"add": lambda: x + 1, "neg": lambda: -x, "sum": lambda: x.sum(), "clone": lambda: x.clone()}[name]().sum()
    y.backward()
    y.backward()
    assert x.grad.tolist() == {"neg": [-2.0, -2.0]}.get(name, [2.0, 2.0])


@pytest.mark.parametrize("name", ["mul", "square", "exp", "sin"])
def test_an_op_that_saved_a_value_refuses_the_second_backward(name):
    x = leaf(2.0, 3.0)
    y = {"mul": lambda: x * 2, "square": x.square, "exp": x.exp, "sin": x.sin}[name]().sum()
    y.backward()
    before = x.grad.tolist()
    with pytest.raises(RuntimeError, match=rf"second time.*{name.capitalize()}Backward0.*retain_graph=True"):
        y.backward()
    assert x.grad.tolist() == before


def test_retain_graph_keeps_the_saved_values():
    x = leaf(2.0)
    y = x.square().sum()
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.tolist() == [8.0]


def test_accumulation_is_in_place_so_that_references_see_the_sum():
    x = leaf(2.0)
    x.square().sum().backward()
    kept = x.grad
    x.square().sum().backward()
    assert kept is x.grad and kept.tolist() == [8.0]


def test_modes_are_isolated_between_threads():
    seen = []
    with ac.no_grad():
        thread = threading.Thread(target=lambda: seen.append(ac.is_grad_enabled()))
        thread.start()
        thread.join()
    assert seen == [True]


def test_threads_lose_no_gradient():
    x = leaf(0.0)

    def work():
        for _ in range(300):
            (x * 1.0).sum().backward()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert x.grad.tolist() == [2400.0]


def test_a_leaf_switched_off_receives_nothing():
    x, w = leaf(1.0), leaf(2.0)
    y = (x * w).sum()
    x.requires_grad_(False)
    y.backward()
    assert x.grad is None and w.grad.tolist() == [1.0]


def test_backward_may_be_limited_to_some_inputs_even_non_leaves():
    x, w = leaf(1.0, 2.0), leaf(3.0, 4.0)
    h = x * w
    h.square().sum().backward(inputs=[x, h])
    assert w.grad is None
    assert x.grad.tolist() == [18.0, 64.0] and h.grad.tolist() == [6.0, 16.0]


def test_any_order():
    x = ac.tensor(0.7, dtype=ac.float64, requires_grad=True)
    y = x.sin()
    for _ in range(4):
        (y,) = ac.autograd.grad(y, x, create_graph=True)
    assert y.item() == pytest.approx(np.sin(0.7), rel=1e-15)


def test_a_node_tells_its_source_line():
    x = leaf(1.0)
    y = x.exp()
    assert "test_engine.py" in y.grad_fn.position and "y = x.exp()" in y.grad_fn.position


def test_a_released_value_is_reported_when_the_pass_comes_to_it(T):
    r, w = (T.tensor([0.5, 0.25], dtype=T.float64, requires_grad=True) for _ in range(2))
    shared = 3 * r
    (w * shared).sum().backward()
    with pytest.raises(RuntimeError, match="second time"):
        (w * shared).sum().backward()
    assert w.grad.tolist() == [3.0, 1.5]  # the newest node had run: as in PyTorch
    assert r.grad.tolist() == [1.5, 0.75]


def test_a_released_value_that_no_gradient_reaches_is_not_reported(T):
    x, w = (T.tensor(2.0, requires_grad=True) for _ in range(2))
    h = x * x
    h.backward()
    assert T.autograd.grad(h * w, w)[0].item() == 4.0


def test_who_released_a_value_is_named_even_when_it_is_gone():
    x = leaf(1.0)
    h = x.exp()
    first = h.sum() * 2.0
    first.backward()
    del first
    gc.collect()
    with pytest.raises(
        RuntimeError, match=r"pass of MulBackward0, recorded at .*first = h.sum\(\) \* 2.0: the two losses"
    ):
        (h * 3.0).backward()


def test_a_pass_does_not_keep_the_loss_alive(without_collector):
    x = leaf(1.0)
    h = x.exp()
    loss = h.sum()
    loss.backward()
    node = weakref.ref(loss.grad_fn)
    del loss
    assert node() is None and h.grad_fn.saved is None


def test_hooks_of_a_leaf_that_is_the_loss_itself(T):
    x = T.tensor(2.0, requires_grad=True)
    seen = []
    x.register_hook(lambda g: seen.append(T.is_grad_enabled()))
    x.backward()
    assert seen == [False] and x.grad.item() == 1.0


def test_the_gradient_that_a_result_retains_is_a_new_tensor_each_time(T):
    x = T.ones(2, dtype=T.float64, requires_grad=True)
    h = x * 1.0
    h.retain_grad()
    loss = (h * h).sum()
    loss.backward(retain_graph=True)
    first = h.grad
    loss.backward()
    assert first.tolist() == [2.0, 2.0] and h.grad.tolist() == [4.0, 4.0]


def test_a_saved_tensor_that_was_detached_in_place(T):
    x, w = (T.tensor([1.0, 2.0], requires_grad=True) for _ in range(2))
    y = x.clone()
    saves_it, does_not = (y * y).sum(), (y + w).sum()
    y.detach_()
    does_not.backward()
    assert x.grad.tolist() == [1.0, 1.0]
    with pytest.raises(RuntimeError, match="detached in-place"):
        saves_it.backward()


def test_data_of_another_shape_after_the_forward_is_named():
    w = leaf(2.0)
    loss = (w * 3).sum()
    w.data = ac.ones(3, dtype=ac.float64)
    with pytest.raises(RuntimeError, match=r"shape \[1\] does not fit its value, of shape \[3\].*replaced"):
        loss.backward()
