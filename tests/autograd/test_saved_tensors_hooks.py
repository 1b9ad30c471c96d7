"""Hooks on what ops save for backward: what they see, when they run, and what lives how long."""

import gc
import weakref

import pytest

import autograd_core as ac


@pytest.fixture
def x(T):
    return T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)


def identity(t):
    return t


def hooks(T, pack=identity, unpack=identity):
    return T.autograd.graph.saved_tensors_hooks(pack, unpack)


def test_pack_sees_each_saved_tensor_and_backward_uses_what_unpack_returns(T, x):
    kept = {}

    def pack(t):
        kept[len(kept)] = t.tolist()
        return len(kept) - 1

    with hooks(T, pack, lambda key: T.tensor(kept[key], dtype=T.float64) * 10):
        y = x * x
    assert kept == {0: [1.0, 2.0], 1: [1.0, 2.0]}
    y.sum().backward()
    assert x.grad.tolist() == [20.0, 40.0]


def test_numbers_shapes_and_what_is_not_saved_are_not_packed(T, x):
    seen = []
    with hooks(T, lambda t: seen.append(t.tolist()) or t):
        x * 2.0
        x + x
        x.sum()
        x.view(2, 1)
        x.relu()
        x[T.tensor([0])]
    assert seen == [[1.0, 2.0], [0]]


def test_pack_sees_leaves_themselves(T, x):
    seen = []
    constant = T.ones(2, dtype=T.float64)
    with hooks(T, lambda t: seen.append(t) or t):
        x * constant
        x.exp() * (x * 1)
    assert seen[0] is constant
    assert [t.requires_grad for t in seen[2:]] == [True, True]
    seen.clear()
    with hooks(T, lambda t: seen.append(t) or t):
        x * x
    assert seen[0] is x and seen[1] is x


def test_hooks_run_unrecorded_in_the_forward_and_in_the_mode_of_the_pass_in_the_backward(T, x):
    seen = []
    note = lambda t: seen.append(T.is_grad_enabled()) or t  # noqa: E731
    with hooks(T, note, note):
        y = x.exp().sum()
    T.autograd.grad(y, x, retain_graph=True)
    T.autograd.grad(y, x, create_graph=True)
    assert seen == [False, False, True]


def test_the_hooks_at_the_time_of_saving_count(T, x):
    seen = []
    with hooks(T, lambda t: seen.append("outer") or t):
        with hooks(T, lambda t: seen.append("inner") or t, lambda t: seen.append("unpack inner") or t):
            y = x.exp()
        z = y.exp()
    x.exp()
    z.sum().backward()
    assert seen == ["inner", "outer", "unpack inner"]


def test_a_packed_value_is_not_checked_for_writes(T, x):
    h = x * 1
    with hooks(T, lambda t: t.clone()):
        y = (h * h).sum()
    h.mul_(10.0)
    y.backward()
    assert x.grad.tolist() == [2.0, 4.0]


@pytest.mark.parametrize("detach", [False, True])
def test_any_order_through_packed_values(T, x, detach):
    with hooks(T, lambda t: (t.detach() if detach else t) + 0):
        y = (x**4).sum()
    derivatives = []
    for _ in range(3):
        (g,) = T.autograd.grad(y, x, create_graph=True)
        derivatives.append(g.tolist())
        y = g.sum()
    assert derivatives == [[4.0, 32.0], [12.0, 48.0], [24.0, 48.0]]


@pytest.mark.parametrize("name", ["exp", "sigmoid", "sqrt"])
def test_an_op_in_place_packs_the_value_it_writes(T, x, name):
    with hooks(T, lambda t: t.detach().clone()):
        h = x * 1
        getattr(h, name + "_")()
        getattr(h[:1], name + "_")()
    h.sum().backward()
    packed, x.grad = x.grad.tolist(), None
    out = getattr(x, name)()
    (getattr(out[:1], name)().sum() + out[1:].sum()).backward()
    assert packed == pytest.approx(x.grad.tolist(), rel=1e-12)


def test_an_op_in_place_packs_the_value_it_overwrites(T, x):
    seen = []
    with hooks(T, lambda t: seen.append(t.tolist()) or t):
        h = x * T.ones(2, dtype=T.float64)
        seen.clear()
        h.mul_(x)
    assert sorted(seen) == [[1.0, 2.0], [1.0, 2.0]]
    h.sum().backward()
    assert x.grad.tolist() == [2.0, 4.0]


def test_released_after_backward(T, x):
    with hooks(T):
        y = x.exp().sum()
    y.backward()
    with pytest.raises(RuntimeError, match="second time"):
        y.backward()


def test_unpack_must_return_a_tensor(T, x):
    with hooks(T, lambda t: 1, lambda kept: kept):
        y = x.exp().sum()
    with pytest.raises(TypeError, match="unpack_hook expected to be a Tensor but got"):
        y.backward()


def test_pack_must_leave_the_tensor_as_it_is(T, x):
    with pytest.raises(RuntimeError, match="pack hook is modifying its input in place"), hooks(T, lambda t: t.mul_(2)):
        x * T.ones(2, dtype=T.float64)


def test_a_pack_hook_that_raises_leaves_a_write_undone():
    x = ac.tensor([1.0, 2.0], requires_grad=True)
    h = x * 1
    node = h.grad_fn
    with pytest.raises(ZeroDivisionError), hooks(ac, lambda t: 1 / 0):
        h.exp_()
    assert h.tolist() == [1.0, 2.0] and h._version == 0 and h.grad_fn is node


def test_as_a_decorator():
    seen, x = [], ac.ones(2, requires_grad=True)

    @hooks(ac, lambda t: seen.append(t.tolist()) or t)
    def f():
        return x.exp()

    f()
    x.exp()
    assert len(seen) == 1


# -- the managers made of them


def test_save_on_cpu_saves_copies():
    x = ac.tensor([1.0, 2.0], requires_grad=True)  # PyTorch shares the memory here, and would answer 0
    h = x * 1
    with ac.autograd.graph.save_on_cpu():
        y = (h**3).sum()
    h.zero_()
    y.backward()
    assert x.grad.tolist() == [3.0, 12.0]


def test_disabling_forbids_hooks_but_not_saving(T, x):
    disable = T.autograd.graph.disable_saved_tensors_hooks
    with disable("not here"):
        y = x * x
        with pytest.raises(RuntimeError, match=r"^not here$"), hooks(T):
            pass
        assert (x * x).requires_grad
    with pytest.raises(RuntimeError, match=r"^not here$"), hooks(T), disable("not here"):
        pass
    with hooks(T):
        z = x * x
    (y + z).sum().backward()
    assert x.grad.tolist() == [4.0, 8.0]


def test_mutation_can_be_allowed(T, x):
    with T.autograd.graph.allow_mutation_on_saved_tensors():
        h = x * 1
        y = h * h
        h[0] = 100.0
        z = y.exp()
        z.mul_(0.0)
        y.zero_()
        (z.sum() + (h * h).sum()).backward()
    assert x.grad.tolist() == [0.0, 4.0]


def test_mutation_is_allowed_for_what_is_saved_inside_alone(T, x):
    h = x * 1
    y = (h * h).sum()
    with T.autograd.graph.allow_mutation_on_saved_tensors():
        h[0] = 100.0
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_the_copies_end_with_the_block(T, x):
    with T.autograd.graph.allow_mutation_on_saved_tensors():
        y = (x * x).sum()
    with pytest.raises(AssertionError, match="outside of the 'allow_mutation_on_saved_tensors' context"):
        y.backward()


def test_blocks_that_allow_mutation_do_not_nest(T):
    allow = T.autograd.graph.allow_mutation_on_saved_tensors
    with allow(), pytest.raises(RuntimeError, match="cannot be nested"), allow():
        pass


def test_copies_die_with_the_graph_that_saved_them():
    gc.collect()
    gc.disable()
    try:
        kept = []
        x = ac.tensor([1.0, 2.0], requires_grad=True)
        with ac.autograd.graph.allow_mutation_on_saved_tensors() as _:
            y = x.exp()
            (token,) = (kept for _, kept in y.grad_fn.rare.packed.values())
            kept.append(weakref.ref(token))
            del y, token
            assert kept[0]() is None
    finally:
        gc.enable()


# -- entered and left out of step


def test_hooks_that_are_entered_in_a_backward_end_with_it(T, x):
    ctx = hooks(T, unpack=lambda t: (ctx.__enter__(), t)[1])
    with ctx:
        x.sin().sum().backward()
    packed = []
    with hooks(T, pack=lambda t: (packed.append(1), t)[1]):
        x.sin()
    assert len(packed) == 1
    x.sin().grad_fn._raw_saved_self.register_hooks(identity, identity)  # refused where hooks are left


def test_hooks_that_are_left_in_a_backward_are_there_after_it(T, x):
    inner = hooks(T, unpack=lambda t: (inner.__exit__(None, None, None), t)[1])
    for _ in range(3):
        with hooks(T):
            inner.__enter__()
            x.sin().sum().backward()
    for _ in range(3):
        inner.__exit__(None, None, None)
    x.sin().grad_fn._raw_saved_self.register_hooks(identity, identity)


def test_hooks_left_more_often_than_entered_raise(T):
    with pytest.raises(RuntimeError):
        hooks(T).__exit__(None, None, None)
