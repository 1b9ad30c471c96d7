"""Hooks on tensors: when they run, what they see and may change."""

import gc

import pytest

import autograd_core as ac


@pytest.fixture
def x(T):
    return T.tensor([1.0, 2.0], requires_grad=True)


def test_a_hook_sees_the_whole_gradient_once_a_pass(T, x):
    seen = []
    y = x * 2
    y.register_hook(lambda g: seen.append(g.tolist()))
    x.register_hook(lambda g: seen.append(g.tolist()))
    (y * y + 3 * y + x).sum().backward()
    assert seen == [[7.0, 11.0], [15.0, 23.0]]


def test_a_leaf_hook_sees_what_this_pass_brings(T, x):
    seen = []
    x.register_hook(lambda g: seen.append(g.tolist()))
    for _ in range(2):
        (x * 2).sum().backward()
    assert seen == [[2.0, 2.0], [2.0, 2.0]] and x.grad.tolist() == [4.0, 4.0]


def test_hooks_run_in_order_each_on_the_result_of_the_one_before(T, x):
    y = x * 1
    y.register_hook(lambda g: g + 1)
    y.register_hook(lambda g: None)
    y.register_hook(lambda g: g * 10)
    y.sum().backward()
    assert x.grad.tolist() == [20.0, 20.0]


def test_a_replaced_leaf_gradient_is_what_is_stored(T, x):
    x.register_hook(lambda g: -g)
    x.sum().backward()
    assert x.grad.tolist() == [-1.0, -1.0]
    assert T.autograd.grad((x * 2).sum(), x)[0].tolist() == [-2.0, -2.0]


def test_retained_and_wanted_gradients_are_those_after_the_hooks(T, x):
    y = x * 1
    y.register_hook(lambda g: g * 5)
    y.retain_grad()
    y.sum().backward()
    assert y.grad.tolist() == x.grad.tolist() == [5.0, 5.0]
    z = x * 1
    z.register_hook(lambda g: g * 5)
    assert T.autograd.grad(z.sum(), z)[0].tolist() == [5.0, 5.0]


def test_removing(T, x):
    seen = []
    first = x.register_hook(lambda g: seen.append("first"))
    x.register_hook(lambda g: seen.append("second"))
    first.remove()
    first.remove()
    x.sum().backward()
    assert seen == ["second"]


def test_a_handle_removes_at_the_end_of_a_block(T, x):
    with x.register_hook(lambda g: g * 10):
        x.sum().backward()
    x.sum().backward()
    assert x.grad.tolist() == [11.0, 11.0]


def test_a_hook_may_remove_itself(T, x):
    seen = []

    def once(g):
        seen.append("once")
        handle.remove()

    handle = x.register_hook(once)
    x.register_hook(lambda g: seen.append("always"))
    for _ in range(2):
        x.sum().backward()
    assert seen == ["once", "always", "always"]


def test_a_hook_outlives_its_tensor(T, x):
    seen = []
    y = x * 2
    y.register_hook(lambda g: seen.append(g.tolist()))
    z = y.sum()
    del y
    gc.collect()
    z.backward()
    assert seen == [[1.0, 1.0]]


def test_hooks_stay_with_the_value_before_a_write(T, x):
    y = x * 2
    y.register_hook(lambda g: g * 10)
    y.mul_(3.0)
    y.sum().backward()
    assert x.grad.tolist() == [60.0, 60.0]


def test_a_hook_of_an_output_runs_for_that_output(T):
    seen = []
    x = T.tensor([3.0, 1.0], requires_grad=True)
    a, b = x.unbind(0)
    b.register_hook(lambda g: seen.append(g.item()))
    (a * 2 + b * 5).backward()
    assert seen == [5.0] and x.grad.tolist() == [2.0, 5.0]


def test_a_hook_does_not_run_where_no_gradient_arrives(T, x):
    seen = []
    y, z = x * 2, x * 3
    y.register_hook(lambda g: seen.append("y"))
    z.sum().backward()
    assert seen == []


def test_hooks_run_in_the_mode_of_the_pass(T, x):
    seen = []
    y = x * x
    y.register_hook(lambda g: seen.append((T.is_grad_enabled(), g.requires_grad)))
    T.autograd.grad(y.sum(), x, retain_graph=True)
    v = T.tensor(1.0, requires_grad=True)
    T.autograd.grad(y.sum(), x, v, create_graph=True)
    assert seen == [(False, False), (True, True)]


def test_a_hook_is_differentiated_with_create_graph(T):
    x = T.tensor(2.0, requires_grad=True)
    y = x * x
    y.register_hook(lambda g: g * x)
    (g,) = T.autograd.grad(y, x, create_graph=True)
    assert g.item() == 8.0 and T.autograd.grad(g, x)[0].item() == 8.0  # g is 2x², so it rises by 4x


def test_a_hook_may_run_a_pass_of_its_own(T, x):
    w = T.tensor([5.0, 6.0], requires_grad=True)

    def inner(g):
        with T.enable_grad():
            (w * w).sum().backward()

    y = x * 2
    y.register_hook(inner)
    y.sum().backward()
    assert w.grad.tolist() == [10.0, 12.0] and x.grad.tolist() == [2.0, 2.0]


def test_a_hook_that_writes_is_noticed_by_nodes_that_come_after(T, x):
    h = x * 1.0
    y = h * h
    z = y * 1.0

    def write(g):
        h.detach().add_(1.0)

    z.register_hook(write)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()
    assert x.grad is None


@pytest.mark.parametrize("where", ["leaf", "non-leaf"])
@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda T: 3, TypeError),
        (lambda T: T.ones(3), RuntimeError),
        (lambda T: T.ones(2, dtype=T.float64), RuntimeError),
        (lambda T: T.ones(2, dtype=T.int64), RuntimeError),
    ],
    ids=["number", "shape", "dtype", "integers"],
)
def test_what_a_hook_returns_must_fit(T, x, make, error, where):
    y = x * 1
    (x if where == "leaf" else y).register_hook(lambda g: make(T))
    with pytest.raises(error):
        y.sum().backward()
    assert x.grad is None


def test_a_constant_takes_no_hook(T):
    with pytest.raises(RuntimeError, match="cannot register a hook on a tensor that doesn't require gradient"):
        T.ones(2).register_hook(print)


def test_a_hook_that_writes_into_its_gradient_changes_neither_seed_nor_operands():
    x = ac.tensor([1.0, 2.0], requires_grad=True)
    w = ac.tensor([3.0, 4.0], requires_grad=True)
    seed = ac.ones(2)

    def write(g):
        g.mul_(0.0)

    x.register_hook(write)
    y = x * w
    y.register_hook(write)
    y.backward(seed)
    assert seed.tolist() == [1.0, 1.0] and w.tolist() == [3.0, 4.0]


@pytest.mark.parametrize("returns", [False, True])
def test_what_a_leaf_hook_keeps_is_not_written_by_the_next_pass(T, x, returns):
    kept = []

    def hook(g):
        kept.append(g.clone() if returns else g)
        return kept[-1] if returns else None

    x.register_hook(hook)
    for _ in range(2):
        (x * 3).sum().backward()
    assert [g.tolist() for g in kept] == [[3.0, 3.0], [3.0, 3.0]]
    assert x.grad.tolist() == [6.0, 6.0]


# -- where nothing arrives


def function(T, backward):
    """A Function that passes its argument on, with this backward."""
    return type("Passed", (T.autograd.Function,), {"forward": lambda ctx, a: a * 1, "backward": backward}).apply


def test_a_hook_of_an_output_that_nothing_reached_is_given_none(T, x):
    seen = []
    first, second = x.unbind()
    first.register_hook(lambda g: seen.append(g))
    first.grad_fn.register_prehook(lambda gs: seen.append([g is None for g in gs]))
    second.backward()
    assert seen == [None, [True, False]]
    assert x.grad.tolist() == [0.0, 1.0]


def test_all_nodes_that_a_pass_reaches_run_though_no_gradient_comes(T, x):
    seen = []
    inner = function(T, lambda ctx, g: (seen.append(g.tolist()), g)[1])(x)
    h = inner.exp()
    h.register_hook(lambda g: seen.append(g))
    h.grad_fn.register_prehook(lambda gs: seen.append(gs))
    h.grad_fn.register_hook(lambda sent, gs: seen.append((sent, gs)))
    inner.register_hook(lambda g: seen.append(g))
    function(T, lambda ctx, g: None)(h).sum().backward()
    assert seen == [None, (None,), ((None,), (None,)), None, [0.0, 0.0]]
    assert x.grad.tolist() == [0.0, 0.0]  # what the backward by hand made of zeros


def test_hooks_of_a_leaf_run_though_no_gradient_comes(T, x):
    seen = []
    x.register_hook(lambda g: seen.append(g))
    x.register_post_accumulate_grad_hook(lambda leaf: seen.append(leaf is x))
    function(T, lambda ctx, g: None)(x).sum().backward()
    assert seen == [None, True] and x.grad is None


def test_no_gradient_is_not_replaced_by_one(T, x):
    first, second = x.unbind()
    first.register_hook(lambda g: T.ones(()))
    with pytest.raises(RuntimeError, match="can't replace a None gradient with a non-None value"):
        second.backward()
    y = x * T.ones(2)
    y.grad_fn.register_hook(lambda sent, gs: (sent[0], T.ones(2)))
    with pytest.raises(RuntimeError, match="can't replace a None gradient"):
        y.sum().backward()


def test_a_node_that_no_gradient_reaches_releases_what_it_saved(T, x):
    blocked = function(T, lambda ctx, g: None)
    y = x * x
    blocked(y).sum().backward()
    for loss in (y.sum(), blocked(y).sum()):
        with pytest.raises(RuntimeError, match="second time"):
            loss.backward()


def test_a_hook_sees_what_arrives_beside_the_result_that_is_asked_for(T, x):
    seen = []
    first, second = (x * 1).unbind()
    second.register_hook(lambda g: seen.append(g.tolist()))
    assert T.autograd.grad(second.view(()) * 3, first, allow_unused=True) == (None,)
    assert seen == [3.0]


# -- a leaf that is frozen and thawed


def frozen_and_thawed(x):
    x.requires_grad_(False)
    x.requires_grad_(True)


def detached_and_thawed(x):
    x.detach_()
    x.requires_grad_(True)


@pytest.mark.parametrize("change", [frozen_and_thawed, detached_and_thawed])
def test_a_graph_leads_to_a_leaf_that_was_frozen_meanwhile(T, x, change):
    seen = []
    x.register_hook(lambda g: seen.append(g.tolist()))
    y = (x * 2).sum()
    change(x)
    y.backward(retain_graph=True)
    assert T.autograd.grad(y, x)[0].tolist() == [2.0, 2.0]
    (x * 3).sum().backward()
    assert x.grad.tolist() == [5.0, 5.0]
    assert seen == [[2.0, 2.0], [2.0, 2.0], [3.0, 3.0]]


def test_a_leaf_that_is_frozen_gets_no_gradient(T, x):
    y = (x * 2).sum()
    x.requires_grad_(False)
    y.backward()
    assert x.grad is None and not x.requires_grad


def test_a_leaf_that_became_a_result_is_named(T, x):
    y = (x * 2).sum()
    x.detach_()
    x.mul_(T.ones(2, requires_grad=True))
    with pytest.raises(RuntimeError, match="leaf variable has been moved into the graph interior"):
        y.backward()


def test_a_frozen_tensor_leaves_nothing_behind():
    resting = ac.core.tensor._resting
    gc.collect()
    before = len(resting)
    x = ac.ones(2, requires_grad=True)
    x.requires_grad_(False)
    assert len(resting) == before + 1
    del x
    assert len(resting) == before
