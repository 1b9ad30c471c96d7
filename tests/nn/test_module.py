"""Modules: what they hold, how it is switched, converted, saved and loaded."""

import re

import numpy as np
import pytest
import torch

import autograd_core as ac

LIBRARIES = pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])


def small_net(T):
    nn = T.nn
    return nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Dropout(0.5), nn.Linear(4, 2, bias=False))


def copied(T, source, target):
    """Give `target`, a module of one library, the values of `source`, a module of the other."""
    state = {name: T.from_numpy(t.detach().numpy().copy()) for name, t in source.state_dict().items()}
    target.load_state_dict(state)
    return target


def test_names_of_what_a_module_holds_are_those_of_torch():
    ours, theirs = small_net(ac), small_net(torch)
    for what in ("named_parameters", "named_buffers", "named_children", "named_modules"):
        assert [n for n, _ in getattr(ours, what)()] == [n for n, _ in getattr(theirs, what)()], what
    assert list(ours.state_dict()) == list(theirs.state_dict())
    assert [tuple(p.shape) for p in ours.parameters()] == [tuple(p.shape) for p in theirs.parameters()]


@pytest.mark.parametrize(
    "make",
    [
        small_net,
        lambda T: T.nn.Linear(2, 3, bias=False),
        lambda T: T.nn.LayerNorm((2, 3), eps=0.1),
        lambda T: T.nn.Embedding(5, 2, padding_idx=-1),
        lambda T: T.nn.Sequential(T.nn.Sequential(T.nn.Tanh(), T.nn.Sigmoid()), T.nn.ReLU(inplace=True)),
        lambda T: T.nn.Sequential(),
    ],
)
def test_printed_form_is_that_of_torch(make):
    assert repr(make(ac)) == repr(make(torch)).replace("Dropout(p=0.5, inplace=False)", "Dropout(p=0.5)")


@LIBRARIES
def test_a_shared_parameter_is_listed_once_and_saved_under_each_name(T):
    layer = T.nn.Linear(2, 2)
    net = T.nn.Sequential(layer, layer)
    assert len(list(net.parameters())) == 2
    assert list(net.state_dict()) == ["0.weight", "0.bias", "1.weight", "1.bias"]
    assert len(list(net.children())) == 1 and len(net) == 2


@LIBRARIES
def test_attributes_are_registered_by_type(T):
    class Model(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.w = T.nn.Parameter(T.ones(2))
            self.plain = T.ones(2)
            self.register_buffer("kept", T.zeros(1))
            self.register_buffer("passing", T.zeros(1), persistent=False)
            self.child = T.nn.Linear(1, 1)

    model = Model()
    assert [n for n, _ in model.named_parameters()] == ["w", "child.weight", "child.bias"]
    assert [n for n, _ in model.named_parameters(recurse=False)] == ["w"]
    assert [n for n, _ in model.named_buffers()] == ["kept", "passing"]
    assert list(model.state_dict()) == ["w", "kept", "child.weight", "child.bias"]
    model.kept = T.ones(1)
    assert model.state_dict()["kept"].item() == 1.0
    with pytest.raises(TypeError, match=r"cannot assign .* as parameter 'w'"):
        model.w = T.ones(2)
    with pytest.raises(TypeError, match=r"cannot assign .* as child module 'child'"):
        model.child = T.ones(2)
    assert list(model.state_dict()) == ["w", "kept", "child.weight", "child.bias"]
    model.w = None
    del model.child
    assert list(model.state_dict()) == ["kept"]
    with pytest.raises(KeyError, match="already exists"):
        model.register_buffer("plain", T.zeros(1))
    with pytest.raises(TypeError, match="buffer"):
        model.register_buffer("number", 3.0)


@LIBRARIES
def test_init_of_the_base_class_may_not_be_forgotten(T):
    class Model(T.nn.Module):
        def __init__(self):
            self.w = T.nn.Parameter(T.ones(2))

    with pytest.raises(AttributeError, match=re.escape("before Module.__init__() call")):
        Model()


@LIBRARIES
def test_a_module_without_forward_says_so(T):
    class Model(T.nn.Module):
        pass

    with pytest.raises(NotImplementedError, match="forward"):
        Model()(T.ones(1))


@LIBRARIES
def test_train_and_eval_reach_every_module_and_return_the_module(T):
    net = T.nn.Sequential(T.nn.Sequential(T.nn.Dropout(0.5)), T.nn.ReLU())
    assert net.eval() is net
    assert [m.training for m in net.modules()] == [False] * 4
    net[0].train()
    assert [m.training for m in net.modules()] == [False, True, True, False]
    with pytest.raises(ValueError, match="boolean"):
        net.train("yes")


@LIBRARIES
def test_zero_grad_freezing_and_apply(T):
    net = T.nn.Sequential(T.nn.Linear(2, 2), T.nn.Linear(2, 1))
    net(T.ones(1, 2)).sum().backward()
    kept = net[0].weight.grad
    net.zero_grad(set_to_none=False)
    assert net[0].weight.grad is kept and not kept.any()
    net.zero_grad()
    assert [p.grad for p in net.parameters()] == [None] * 4
    assert net.requires_grad_(False) is net
    assert not net(T.ones(1, 2)).requires_grad
    seen = []
    assert net.apply(lambda m: seen.append(type(m).__name__)) is net
    assert seen == ["Linear", "Linear", "Sequential"]


@LIBRARIES
def test_conversion_keeps_the_parameters_and_converts_gradients_and_floating_buffers(T):
    net = T.nn.Sequential(T.nn.Linear(2, 2), T.nn.BatchNorm1d(2))
    weight = net[0].weight
    net(T.ones(3, 2)).sum().backward()
    assert net.double() is net
    assert net[0].weight is weight and weight.dtype == T.float64 and weight.grad.dtype == T.float64
    assert net[1].running_mean.dtype == T.float64 and net[1].num_batches_tracked.dtype == T.int64
    assert net(T.ones(3, 2, dtype=T.float64)).dtype == T.float64
    assert net.float()[0].weight.dtype == T.float32 and net.to(T.float64)[0].bias.dtype == T.float64
    assert net.to("cpu") is net
    with pytest.raises(TypeError, match="floating point"):
        net.to(T.int64)


@LIBRARIES
def test_state_dict_shares_memory_and_loading_copies(T):
    a, b = T.nn.Linear(2, 1), T.nn.Linear(2, 1)
    state = a.state_dict()
    assert not state["weight"].requires_grad and state["weight"].data_ptr() == a.weight.data_ptr()
    version = b.weight._version
    result = b.load_state_dict(state)
    assert result.missing_keys == [] and result.unexpected_keys == []
    assert b.weight.tolist() == a.weight.tolist() and b.weight.data_ptr() != a.weight.data_ptr()
    assert b.weight._version > version and b.weight.requires_grad


@LIBRARIES
def test_loading_names_every_problem(T):
    net = T.nn.Linear(2, 1)
    state = {"weight": T.ones(3, 1), "extra": T.ones(1)}
    with pytest.raises(RuntimeError) as error:
        net.load_state_dict(state)
    for words in (
        "Error(s) in loading state_dict for Linear",
        'Missing key(s) in state_dict: "bias"',
        '"extra"',
        "size mismatch for weight",
    ):
        assert words in str(error.value)
    with pytest.raises(RuntimeError, match="size mismatch"):
        net.load_state_dict(state, strict=False)
    result = net.load_state_dict({"bias": T.ones(1), "extra": T.ones(1)}, strict=False)
    assert (result.missing_keys, result.unexpected_keys) == (["weight"], ["extra"])
    assert net.bias.tolist() == [1.0]


def test_a_refused_load_changes_nothing():
    net = ac.nn.Linear(2, 1)
    before = [p.tolist() for p in net.parameters()]
    with pytest.raises(RuntimeError):
        net.load_state_dict({"bias": ac.ones(1), "weight": ac.ones(5)})
    assert [p.tolist() for p in net.parameters()] == before


@LIBRARIES
def test_sequential_is_a_list_of_modules(T):
    a, b, c = T.nn.ReLU(), T.nn.Tanh(), T.nn.Sigmoid()
    net = T.nn.Sequential(a, b, c)
    assert list(net) == [a, b, c] and net[-1] is c and list(net[1:]) == [b, c]
    with pytest.raises(IndexError):
        net[3]
    with pytest.raises(TypeError, match="is not a Module subclass"):
        T.nn.Sequential(lambda x: x)


@pytest.mark.parametrize("training", [True, False])
def test_outputs_gradients_and_buffers_of_a_net_are_those_of_torch(training):
    theirs = torch.nn.Sequential(
        torch.nn.Linear(3, 5),
        torch.nn.BatchNorm1d(5),
        torch.nn.ReLU(),
        torch.nn.Linear(5, 4),
        torch.nn.LayerNorm(4),
        torch.nn.Tanh(),
    ).double()
    nn = ac.nn
    ours = nn.Sequential(
        nn.Linear(3, 5), nn.BatchNorm1d(5), nn.ReLU(), nn.Linear(5, 4), nn.LayerNorm(4), nn.Tanh()
    ).double()
    copied(ac, theirs, ours)
    data = np.random.default_rng(3).normal(size=(6, 3))
    for T, net in ((torch, theirs), (ac, ours)):
        net.train(training)
        for _ in range(2):
            net(T.from_numpy(data.copy())).square().sum().backward()
    for (name, p), q in zip(ours.named_parameters(), theirs.parameters()):
        np.testing.assert_allclose(p.grad.numpy(), q.grad.numpy(), rtol=1e-9, atol=1e-12, err_msg=name)
    for name, value in ours.state_dict().items():
        np.testing.assert_allclose(value.numpy(), theirs.state_dict()[name].numpy(), rtol=1e-12, err_msg=name)


def test_parameters_start_in_the_intervals_of_torch():
    print("seed 0")
    ac.manual_seed(0)
    layer = ac.nn.Linear(400, 300)
    for p in layer.parameters():
        values = p.detach().numpy()
        assert np.abs(values).max() <= 1 / 20 and np.abs(values).max() > 0.99 / 20 and abs(values.mean()) < 0.01
    table = ac.nn.Embedding(300, 100, padding_idx=2).weight.detach().numpy()
    assert not table[2].any() and abs(np.delete(table, 2, 0).std() - 1) < 0.05


@pytest.mark.parametrize("name, bound", [("xavier_uniform_", (6 / 500) ** 0.5), ("kaiming_uniform_", (6 / 200) ** 0.5)])
def test_bounds_of_uniform_initialization(name, bound):
    print("seed 1")
    ac.manual_seed(1)
    weight = ac.nn.Parameter(ac.empty(300, 200))
    assert getattr(ac.nn.init, name)(weight) is weight
    largest = np.abs(weight.detach().numpy()).max()
    assert 0.99 * bound < largest <= bound
    assert weight.is_leaf and weight.requires_grad


@LIBRARIES
def test_initialization_needs_two_axes_for_a_fan(T):
    with pytest.raises(ValueError, match="fewer than 2 dimensions"):
        T.nn.init.xavier_uniform_(T.empty(3))
    with pytest.raises(ValueError, match="not supported"):
        T.nn.init.kaiming_uniform_(T.empty(3, 3), mode="fan")
    assert T.nn.init.calculate_gain("leaky_relu", 0.2) == pytest.approx((2 / 1.04) ** 0.5)


@LIBRARIES
def test_tied_weights_are_one_parameter(T):
    net = T.nn.Sequential(T.nn.Linear(2, 2, bias=False), T.nn.Tanh(), T.nn.Linear(2, 2, bias=False))
    net[2].weight = net[0].weight
    assert [name for name, _ in net.named_parameters()] == ["0.weight"]
    assert list(net.state_dict()) == ["0.weight", "2.weight"]
