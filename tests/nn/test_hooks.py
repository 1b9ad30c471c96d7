"""Hooks of modules, forward and backward, in both libraries."""

import pytest
import torch

import autograd_core as ac

LIBRARIES = pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])


def doubling(T):
    class Double(T.nn.Module):
        def forward(self, x, scale=1.0):
            return 2 * x * scale

    return Double()


@LIBRARIES
def test_forward_hooks_see_and_replace_arguments_and_result(T):
    double, seen = doubling(T), []
    double.register_forward_pre_hook(lambda module, args: seen.append(("before", module is double, args[0].item())))
    adding = double.register_forward_pre_hook(lambda module, args: args[0] + 1)
    double.register_forward_hook(lambda module, args, out: seen.append(("after", args[0].item(), out.item())))
    negating = double.register_forward_hook(lambda module, args, out: -out)
    assert double(T.tensor(3.0)).item() == -8.0
    assert seen == [("before", True, 3.0), ("after", 4.0, 8.0)]
    adding.remove()
    with negating:
        assert double(T.tensor(3.0)).item() == -6.0
    assert double(T.tensor(3.0)).item() == 6.0


@LIBRARIES
def test_hooks_with_keyword_arguments(T):
    double = doubling(T)
    double.register_forward_pre_hook(
        lambda module, args, kwargs: (args, {"scale": kwargs["scale"] * 10}), with_kwargs=True
    )
    double.register_forward_hook(lambda module, args, kwargs, out: out + kwargs["scale"], with_kwargs=True)
    assert double(T.tensor(1.0), scale=3.0).item() == 90.0
    double.register_forward_pre_hook(lambda module, args, kwargs: args, with_kwargs=True)
    with pytest.raises(RuntimeError, match="must return None or a tuple of"):
        double(T.tensor(1.0), scale=3.0)


@LIBRARIES
def test_hooks_run_in_order_and_prepended_ones_first(T):
    double, order = doubling(T), []
    register = double.register_forward_hook
    register(lambda *_: order.append("a"))
    register(lambda *_: order.append("b"))
    first = register(lambda *_: order.append("c"), prepend=True)
    double(T.tensor(1.0))
    first.remove()
    double(T.tensor(1.0))
    assert order == ["c", "a", "b", "a", "b"]


@LIBRARIES
def test_backward_hooks_see_the_gradients_of_inputs_and_outputs(T):
    class Two(T.nn.Module):
        def forward(self, x, number, y):
            return 2 * x + number * y, number, x * y

    two, seen = Two(), []

    def note(name):
        def hook(module, *gradients):
            assert module is two
            seen.append((name, [[None if g is None else g.tolist() for g in group] for group in gradients]))

        return hook

    two.register_full_backward_hook(note("hook"))
    two.register_full_backward_pre_hook(note("pre"))
    x, y = T.tensor([1.0, 2.0], requires_grad=True), T.tensor([3.0, 4.0])
    a, _, b = two(x, 5, y)
    (a.sum() + 10 * b.sum()).backward()
    ones, tens, x_grad = [1.0, 1.0], [10.0, 10.0], [32.0, 42.0]
    assert seen == [("pre", [[ones, None, tens]]), ("hook", [[x_grad, None, [0.0, 0.0]], [ones, None, tens]])]
    assert x.grad.tolist() == x_grad


@LIBRARIES
def test_backward_hooks_replace_gradients(T):
    double = doubling(T)
    double.register_full_backward_pre_hook(lambda module, grad_output: (grad_output[0] * 10,))
    double.register_full_backward_hook(lambda module, grad_input, grad_output: (grad_input[0] + 1,))
    first = double.register_full_backward_hook(lambda module, grad_input, grad_output: (grad_input[0] * 5,), True)
    x = T.tensor(1.0, requires_grad=True)
    double(x).backward()
    assert x.grad.item() == 101.0
    first.remove()
    double(x).backward()
    assert x.grad.item() == 122.0


@LIBRARIES
def test_a_backward_hook_of_a_layer_whose_input_needs_no_gradient(T):
    layer, seen = T.nn.Linear(2, 1), []
    layer.register_full_backward_hook(lambda module, *gradients: seen.append(gradients))
    with pytest.warns(UserWarning, match="no inputs require gradients"):
        layer(T.ones(1, 2)).sum().backward()
    ((grad_input, grad_output),) = seen
    assert grad_input == (None,) and grad_output[0].tolist() == [[1.0]]
    layer.register_full_backward_hook(lambda module, grad_input, grad_output: (T.ones(1, 2),))
    with pytest.warns(UserWarning), pytest.raises(RuntimeError, match="no input requires gradient"):
        layer(T.ones(1, 2)).sum().backward()


@LIBRARIES
def test_a_backward_hook_must_return_as_many_gradients(T):
    for register, words in (
        ("register_full_backward_hook", "invalid number of grad_input, got 2, but expected 1"),
        ("register_full_backward_pre_hook", "invalid number of grad_output, got 2, but expected 1"),
    ):
        double = doubling(T)
        getattr(double, register)(lambda module, *gradients: (gradients[0][0], None))
        with pytest.raises(RuntimeError, match=words):
            double(T.tensor(1.0, requires_grad=True)).backward()


@LIBRARIES
def test_backward_hooks_without_recording_do_nothing(T):
    double, seen = doubling(T), []
    double.register_full_backward_hook(lambda *_: seen.append(1))
    with T.no_grad():
        assert not double(T.tensor(1.0, requires_grad=True)).requires_grad
    assert double(T.tensor(1.0)).item() == 2.0 and not seen


@LIBRARIES
def test_gradients_of_several_calls_do_not_mix(T):
    double, seen = doubling(T), []
    double.register_full_backward_hook(lambda module, into, out: seen.append((into[0].item(), out[0].item())))
    x = T.tensor(1.0, requires_grad=True)
    double(double(x) * 3).backward()
    assert seen == [(2.0, 1.0), (12.0, 6.0)] and x.grad.item() == 12.0


@LIBRARIES
def test_a_gradient_that_does_not_come_through_the_outputs_calls_no_hook(T):
    class Leaking(T.nn.Module):
        def forward(self, x):
            self.inner = 2 * x
            return 3 * self.inner

    module, seen = Leaking(), []
    module.register_full_backward_hook(lambda module, into, out: seen.append((into[0].item(), out[0].item())))
    x = T.tensor(1.0, requires_grad=True)
    module(x).backward(retain_graph=True)
    module.inner.backward()
    assert seen == [(6.0, 1.0)] and x.grad.item() == 8.0


def test_the_graph_of_a_watched_module_goes_with_its_result():
    import gc
    import weakref

    layer = ac.nn.Linear(2, 2)
    layer.register_full_backward_hook(lambda *_: None)
    layer.register_full_backward_pre_hook(lambda *_: None)
    gc.collect()
    gc.disable()
    try:
        for backward in (False, True):
            out = layer(ac.ones(1, 2, requires_grad=True))
            nodes = [weakref.ref(out.grad_fn)]
            while nodes[-1]().next_functions:
                nodes.append(weakref.ref(nodes[-1]().next_functions[0][0]))
            assert len(nodes) == 4
            if backward:
                out.sum().backward()
            del out
            assert [node() for node in nodes] == [None] * 4
    finally:
        gc.enable()


@LIBRARIES
def test_hooks_are_copied_with_the_module(T):
    import copy

    double = doubling(T)
    double.register_forward_hook(lambda module, args, out: out + 1)
    other = copy.deepcopy(double)
    other.register_forward_hook(lambda module, args, out: out * 10)
    assert (double(T.tensor(1.0)).item(), other(T.tensor(1.0)).item()) == (3.0, 30.0)


# -- hooks that always run, of all modules, of the last node


@LIBRARIES
def test_a_hook_that_always_runs_sees_a_call_that_failed(T):
    class Failing(T.nn.Module):
        def forward(self, x):
            raise ValueError("in forward")

    module, seen = Failing(), []
    handle = module.register_forward_hook(lambda m, args, out: seen.append(out), always_call=True)
    module.register_forward_hook(lambda m, args, out: seen.append("never"))
    with pytest.raises(ValueError, match="in forward"):
        module(T.ones(1))
    assert seen == [None] and len(module._forward_hooks_always_called) == 1
    handle.remove()
    assert len(module._forward_hooks_always_called) == 0

    def fail(*_):
        raise RuntimeError("in the hook")

    module.register_forward_hook(fail, always_call=True)
    with pytest.warns(UserWarning, match="silenced as another error"), pytest.raises(ValueError, match="in forward"):
        module(T.ones(1))
    well = doubling(T)
    well.register_forward_hook(lambda m, args, out: seen.append(out.item()), always_call=True)
    well(T.tensor(1.0))
    assert seen == [None, 2.0]


@LIBRARIES
def test_hooks_of_all_modules_come_first(T):
    of_all, order = T.nn.modules.module, []
    net = T.nn.Sequential(doubling(T))
    net[0].register_forward_hook(lambda *_: order.append("its own"))
    handles = [
        of_all.register_module_forward_pre_hook(lambda m, args: order.append(("pre", type(m).__name__))),
        of_all.register_module_forward_hook(lambda m, args, out: order.append(("after", type(m).__name__))),
        of_all.register_module_forward_hook(
            lambda m, args, kwargs, out: out + kwargs.get("more", 0), with_kwargs=True, always_call=True
        ),
    ]
    try:
        assert net(T.tensor(1.0)).item() == 2.0
    finally:
        for handle in handles:
            handle.remove()
    names = ["Sequential", "Double", "Double", "Sequential"]
    assert [x for x in order if x != "its own"] == list(zip(["pre", "pre", "after", "after"], names))
    assert order.index(("after", "Double")) < order.index("its own")
    order.clear()
    net(T.tensor(1.0))
    assert order == ["its own"] and not of_all._global_forward_hooks_always_called


@LIBRARIES
def test_backward_hooks_of_all_modules(T):
    of_all, seen = T.nn.modules.module, []
    x = T.tensor(1.0, requires_grad=True)
    with (
        of_all.register_module_full_backward_pre_hook(lambda m, out: (out[0] * 10,)),
        of_all.register_module_full_backward_hook(lambda m, into, out: seen.append((into[0].item(), out[0].item()))),
    ):
        doubling(T)(x).backward()
        with pytest.raises(RuntimeError, match="as a global Module hook"):
            of_all.register_module_backward_hook(lambda *_: None)
    assert seen == [(20.0, 10.0)] and x.grad.item() == 20.0
    doubling(T)(x).backward()
    assert len(seen) == 1


@LIBRARIES
def test_the_older_backward_hook_sees_the_last_node(T):
    layer, seen = T.nn.Sigmoid(), []
    layer.register_backward_hook(lambda m, into, out: seen.append(out[0].item()) or (into[0] * 2,))
    with pytest.raises(RuntimeError, match="both regular backward hooks and full backward hooks on a single Module"):
        layer.register_full_backward_hook(lambda *_: None)
    x = T.tensor(0.0, requires_grad=True)
    layer(x * 1).backward()
    assert x.grad.item() == 0.5 and seen == [1.0] and not layer._is_full_backward_hook


@LIBRARIES
def test_the_older_backward_hook_tells_what_it_misses(T):
    class Many(T.nn.Module):
        def __init__(self, result):
            super().__init__()
            self.result = result
            self.register_backward_hook(lambda *_: None)

        def forward(self, x):
            return self.result(x)

    x = T.ones(2, requires_grad=True)
    for result, words in (
        (lambda x: (x * 2, x * 3), "generated by different autograd Nodes"),
        (lambda x: (x * 2) * 3, "forward contains multiple autograd Nodes"),
        (lambda x: [x * 2], "does not return a single Tensor"),
    ):
        with pytest.warns(FutureWarning, match=words):
            Many(result)(x)
    with pytest.warns(FutureWarning, match="does not take as input"):
        Many(lambda x: x[0] * 2)([x])


@LIBRARIES
def test_named_tuples_stay_what_they_are_and_other_results_warn(T):
    from collections import namedtuple

    class Pair(namedtuple("Pair", "a b")):
        pass

    class Two(T.nn.Module):
        def forward(self, x):
            return Pair(x * 2, x * 3)

    class Dict(T.nn.Module):
        def forward(self, x):
            return {"out": x * 2}

    two, other, seen = Two(), Dict(), []
    for module in (two, other):
        module.register_full_backward_hook(lambda *_: seen.append(1))
    x = T.ones(1, requires_grad=True)
    out = two(x)
    assert type(out) is Pair
    (out.a + out.b).sum().backward()
    assert seen == [1]
    with pytest.warns(UserWarning, match="should be a Tensor or a tuple of Tensors"):
        other(x)["out"].sum().backward()
    assert seen == [1]


def test_a_hook_from_another_process_keeps_its_place():
    layer, order = ac.nn.ReLU(), []
    before = layer.register_forward_hook(lambda *_: order.append("old"))
    layer._forward_hooks[before.id + 1] = lambda *_: order.append("unpickled")
    layer.register_forward_hook(lambda *_: order.append("new"))
    layer(ac.ones(1))
    assert order == ["old", "unpickled", "new"]


def test_a_pre_hook_may_fill_in_for_an_output_that_is_not_used(T):
    class Two(T.nn.Module):
        def forward(self, x):
            return x * 2, x * 3

    two, seen = Two(), []

    def fill(module, grads):
        seen.append([g is None for g in grads])
        return tuple(T.ones(2) if g is None else g for g in grads)

    two.register_full_backward_pre_hook(fill)
    x = T.ones(2, requires_grad=True)
    two(x)[0].sum().backward()
    assert seen == [[False, True]] and x.grad.tolist() == [5.0, 5.0]


def test_a_hook_is_not_in_the_way_of_a_second_gradient(T):
    loss, calls = T.nn.MSELoss(), []
    loss.register_full_backward_hook(lambda module, grad_in, grad_out: calls.append(grad_in[1].tolist()))
    x = T.tensor([2.0], requires_grad=True)
    (g,) = T.autograd.grad(loss(x, T.tensor([1.0])), x, create_graph=True)
    assert T.autograd.grad(g, x)[0].tolist() == [2.0] and calls == [[0.0]]
