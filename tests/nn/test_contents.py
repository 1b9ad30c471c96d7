"""What a module holds: dicts that are walked and changed, attributes that are registered, and those that are not."""

import copy
import pickle

import pytest
import torch

import autograd_core as ac

LIBRARIES = pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])


def names(module):
    return [name for name, _ in module.named_parameters()]


@LIBRARIES
def test_a_walk_may_add_to_the_module(T):
    net = T.nn.Sequential(T.nn.Linear(2, 2), T.nn.ReLU())
    for name, parameter in net.named_parameters():
        net.register_buffer(name.replace(".", "_"), T.zeros_like(parameter))
    for number, module in enumerate(net.modules()):
        module.number = number
        module.register_forward_hook(lambda *_: None)
    for child in net.children():
        child.seen = True
    for child in net.children():
        child.register_parameter("extra", T.nn.Parameter(T.ones(1)))
    assert sorted(dict(net.named_buffers())) == ["0_bias", "0_weight"]
    assert [m.number for m in net.modules()] == [0, 1, 2]


def test_a_walk_may_add_what_it_walks_over():
    net = ac.nn.Sequential(ac.nn.Linear(2, 2))
    for name, _ in net.named_parameters():
        net[0].register_parameter(name.replace(".", "_"), ac.nn.Parameter(ac.zeros(1)))
    for _ in net.children():
        net.add_module("more", ac.nn.ReLU())
    assert len(names(net)) == 4 and len(net) == 2


@LIBRARIES
def test_the_order_is_that_in_which_names_first_hold_a_parameter_or_a_module(T):
    class Model(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.head = None
            self.scale = None
            self.body = T.nn.Linear(1, 1, bias=False)
            self.shift = T.nn.Parameter(T.ones(1))
            self.head = T.nn.Linear(1, 1, bias=False)
            self.scale = T.nn.Parameter(T.ones(1))

    model = Model()
    assert names(model) == ["shift", "scale", "body.weight", "head.weight"]
    assert list(model.state_dict()) == names(model)
    model.body = T.nn.Linear(1, 1, bias=False)
    assert names(model) == ["shift", "scale", "body.weight", "head.weight"]
    del model.shift
    model.shift = T.nn.Parameter(T.ones(1))
    assert names(model) == ["scale", "shift", "body.weight", "head.weight"]


@LIBRARIES
def test_the_dicts_are_what_the_module_holds(T):
    net = T.nn.BatchNorm1d(2)
    assert list(net._parameters) == ["weight", "bias"] and list(net._modules) == []
    assert list(net._buffers) == ["running_mean", "running_var", "num_batches_tracked"]
    assert net._buffers["running_mean"] is net.running_mean and "weight" not in vars(net)
    twice = 2 * net.weight
    net._parameters["weight"] = twice  # what libraries for meta-learning do
    assert net.weight is twice and dict(net.named_parameters())["weight"] is twice
    del net._parameters["bias"]
    assert not hasattr(net, "bias")
    net._buffers["mine"] = T.ones(1)
    net._modules["child"] = T.nn.Tanh()
    assert net.mine is net._buffers["mine"] and net.child is net._modules["child"]
    net.register_buffer("passing", T.ones(1), persistent=False)
    assert net._non_persistent_buffers_set == {"passing"} and "passing" not in net.state_dict()
    del net.passing
    assert net._non_persistent_buffers_set == set() and {"child", "mine"} <= set(dir(net))


@LIBRARIES
def test_the_hooks_are_in_dicts_too(T):
    layer, seen = T.nn.ReLU(), []
    layer.register_forward_hook(lambda *_: seen.append("a"))
    kept = dict(layer._forward_hooks)
    layer._forward_hooks.clear()
    layer(T.ones(1))
    layer._forward_hooks.update(kept)
    layer(T.ones(1))
    assert seen == ["a"] and not layer._backward_hooks and not layer._forward_pre_hooks


@LIBRARIES
def test_what_goes_past_the_attributes_is_not_registered(T):
    class Model(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.__dict__["teacher"] = T.nn.Linear(1, 1)
            object.__setattr__(self, "other", T.nn.Linear(1, 1))
            self.hidden = [T.nn.Linear(1, 1)]

    model = Model()
    assert names(model) == [] and list(model.children()) == [] and model.teacher.bias is not None
    assert model.other is vars(model)["other"]


@LIBRARIES
def test_a_name_moves_from_kind_to_kind(T):
    module = T.nn.Module()
    module.x = 3
    module.x = T.nn.Parameter(T.ones(1))
    assert "x" not in vars(module) and names(module) == ["x"]
    module.y = T.nn.ReLU()
    module.y = T.nn.Parameter(T.ones(1))
    assert names(module) == ["x", "y"] and not list(module.children())
    module.register_buffer("z", T.ones(1), persistent=False)
    module.z = T.nn.Parameter(T.ones(1))
    assert list(module.state_dict()) == ["x", "y", "z"]


@LIBRARIES
def test_buffers_are_registered_by_their_type(T):
    module, memory = T.nn.Module(), T.ones(2)
    module.kept = T.nn.Buffer(memory)
    module.passing = T.nn.Buffer(T.ones(2), persistent=False)
    assert [name for name, _ in module.named_buffers()] == ["kept", "passing"]
    assert list(module.state_dict()) == ["kept"] and isinstance(module.passing, T.nn.Buffer)
    memory.add_(1)
    assert module.kept.tolist() == [2.0, 2.0] and not module.kept.requires_grad
    module.kept = T.zeros(2)
    assert list(module.state_dict()) == ["kept"] and T.nn.Buffer().shape == (0,)


@LIBRARIES
def test_a_module_that_forgot_to_begin_says_so(T):
    class Model(T.nn.Module):
        def __init__(self):
            self.width = 3

    model = Model()
    assert model.width == 3
    for use in (
        lambda: list(model.parameters()),
        lambda: model(T.ones(1)),
        lambda: model.train(),
        lambda: model.state_dict(),
        lambda: repr(model),
        lambda: model.register_buffer("b", T.ones(1)),
        lambda: setattr(model, "child", T.nn.ReLU()),
        lambda: setattr(model, "w", T.nn.Parameter(T.ones(1))),
    ):
        with pytest.raises(AttributeError) as error:
            use()
        if T is ac:
            assert "super().__init__()" in str(error.value)


@LIBRARIES
def test_module_takes_no_arguments_unless_another_class_is_to_get_them(T):
    class Model(T.nn.Module):
        def __init__(self, **options):
            super().__init__(**options)

    with pytest.raises(TypeError, match="unexpected keyword argument 'width'"):
        Model(width=3)
    with pytest.raises(TypeError, match="takes 1 positional argument but 2 were given"):
        T.nn.Module(3)

    class Beside:
        def __init__(self, width):
            self.width = width

    class Both(T.nn.Module, Beside):
        call_super_init = True

    assert Both(width=3).width == 3


@LIBRARIES
def test_a_property_that_fails_and_a_name_that_is_missing(T):
    class Model(T.nn.Module):
        @property
        def broken(self):
            return self.nothing

    with pytest.raises(AttributeError, match="'Model' object has no attribute"):
        Model().broken  # noqa: B018
    with pytest.raises(AttributeError, match="'Linear' object has no attribute 'wieght'"):
        T.nn.Linear(1, 1).wieght  # noqa: B018
    if T is ac:
        with pytest.raises(AttributeError, match="nothing"):
            Model().broken  # noqa: B018


@LIBRARIES
def test_a_shared_module_comes_under_each_name_if_asked_to(T):
    layer = T.nn.Linear(1, 1)
    net = T.nn.Sequential(layer, layer)
    assert [n for n, _ in net.named_modules(remove_duplicate=False)] == ["", "0", "1"]
    assert len(list(net.modules(remove_duplicate=False))) == 3
    assert [n for n, _ in net.named_parameters(remove_duplicate=False)] == ["0.weight", "0.bias", "1.weight", "1.bias"]
    net[0].register_buffer("b", T.ones(1))
    assert [n for n, _ in net.named_buffers(prefix="net", remove_duplicate=False)] == ["net.0.b", "net.1.b"]


@LIBRARIES
def test_a_module_is_put_in_place_by_its_dotted_name(T):
    net = T.nn.Sequential(T.nn.Sequential(T.nn.Tanh()))
    net.set_submodule("0.0", T.nn.ReLU())
    net.set_submodule("0.more", T.nn.Sigmoid())
    assert [type(m).__name__ for m in net[0]] == ["ReLU", "Sigmoid"]
    net[0].plain = 3
    for call, error in (
        (lambda: net.set_submodule("", T.nn.ReLU()), ValueError),
        (lambda: net.set_submodule("0.0", 3), ValueError),
        (lambda: net.set_submodule("0.none", T.nn.ReLU(), strict=True), AttributeError),
        (lambda: net.set_submodule("0.plain", T.nn.ReLU()), AttributeError),
        (lambda: net.set_submodule("1.0", T.nn.ReLU()), AttributeError),
    ):
        with pytest.raises(error):
            call()


@LIBRARIES
def test_a_shallow_copy_holds_the_same_things(T):
    net = T.nn.BatchNorm1d(2)
    twin = copy.copy(net)
    assert twin.weight is net.weight and twin._buffers is net._buffers
    del twin.running_mean
    assert not hasattr(net, "running_mean") and "running_mean" not in net.state_dict()


@LIBRARIES
def test_deep_copies_and_pickles_hold_their_own(T):
    net = T.nn.Sequential(T.nn.Linear(2, 2), T.nn.BatchNorm1d(2))
    net[1].weight = T.nn.Parameter(T.full((2,), 3.0))
    for twin in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        assert names(twin) == names(net) and list(twin.state_dict()) == list(net.state_dict())
        assert twin[1].weight.tolist() == [3.0, 3.0] and twin[1].weight is not net[1].weight
        assert isinstance(twin[0].weight, T.nn.Parameter)
        twin[0].register_forward_hook(lambda *_: None)
        assert not net[0]._forward_hooks


@LIBRARIES
@pytest.mark.parametrize("data", [[1.0, 2.0], 3.0, 3, (1.0,), "1", True])
def test_a_parameter_is_made_of_a_tensor(T, data):
    with pytest.raises((TypeError, AttributeError)) as error:
        T.nn.Parameter(data)
    if T is ac:
        assert error.type is TypeError and "ac.tensor(...)" in str(error.value)


@LIBRARIES
def test_a_parameter_without_data_is_empty(T):
    assert T.nn.Parameter().shape == (0,) and T.nn.Parameter(None, False).requires_grad is False


@LIBRARIES
def test_the_result_of_an_operation_is_no_parameter_by_registration(T):
    module, computed = T.nn.Module(), T.nn.Parameter(T.ones(1), requires_grad=False)
    computed.mul_(T.ones(1, requires_grad=True))
    with pytest.raises(ValueError, match="Cannot assign non-leaf Tensor to parameter 'w'"):
        module.register_parameter("w", computed)
    with pytest.raises(TypeError, match=r"cannot assign .* object to parameter 'v'"):
        module.register_parameter("v", T.ones(1))
    with pytest.raises(TypeError, match="buffer name should be a string"):
        module.register_buffer(1, T.ones(1))


# -- switching and converting, by the methods of the children


@LIBRARIES
def test_a_child_that_refuses_to_train_stays_in_evaluation(T):
    class Frozen(T.nn.BatchNorm1d):
        def train(self, mode=True):
            return super().train(False)

    class Merging(T.nn.Linear):
        merged = 0

        def train(self, mode=True):
            self.merged += 1
            return super().train(mode)

    net = T.nn.Sequential(T.nn.Sequential(Frozen(2), Merging(2, 2)), T.nn.Dropout())
    net.train()
    assert [m.training for m in net.modules()] == [True, True, False, True, True] and net[0][1].merged == 1
    net(T.tensor([[1.0, 2.0], [3.0, 5.0]]))
    assert net[0][0].running_mean.tolist() == [0.0, 0.0]
    net.eval()
    assert net[0][1].merged == 2 and not any(m.training for m in net.modules())


@LIBRARIES
def test_a_child_converts_its_own_part(T):
    class Kept(T.nn.Linear):
        def _apply(self, fn, recurse=True):
            return self

    net = T.nn.Sequential(T.nn.Linear(1, 1), Kept(1, 1)).double()
    assert net[0].weight.dtype == T.float64 and net[1].weight.dtype == T.float32
    seen = []
    assert net._apply(lambda t: seen.append(t.shape) or t) is net and len(seen) == 2


@LIBRARIES
def test_conversions(T):
    net = T.nn.BatchNorm1d(2)
    net(T.ones(3, 2)).sum().backward()
    weight, gradient = net.weight, net.weight.grad
    net.type(T.float64)
    assert net.weight is weight and weight.grad.dtype == T.float64 and net.num_batches_tracked.dtype == T.float64
    net.to("cpu", T.float32, True).to(T.zeros(1, dtype=T.float64), non_blocking=True)
    assert weight.dtype == T.float64 and gradient is not None
    assert net.to_empty(device="cpu") is net and net.weight is weight and weight.shape == (2,)
    for call, error in (
        (lambda: net.to("cpu", copy=True), RuntimeError),
        (lambda: net.to(T.int64), TypeError),
        (lambda: net.cuda(), (AssertionError, RuntimeError)),
    ):
        with pytest.raises(error):
            call()
    assert weight.dtype == T.float64
    if T is ac:
        with pytest.raises(NotImplementedError, match="bfloat16"):
            net.bfloat16()


# -- places and arguments that programs use


@LIBRARIES
def test_layers_take_a_device_and_a_dtype_by_position(T):
    nn, at = T.nn, ("cpu", T.float64)
    for layer in (
        nn.Linear(2, 3, False, *at),
        nn.Bilinear(2, 2, 3, True, *at),
        nn.Conv2d(1, 2, 3, 1, 0, 1, 1, True, "zeros", *at),
        nn.ConvTranspose1d(1, 2, 3, 1, 0, 0, 1, True, 1, "zeros", *at),
        nn.LayerNorm(2, 1e-5, True, True, *at),
        nn.GroupNorm(1, 2, 1e-5, True, *at),
        nn.BatchNorm1d(2, 1e-5, 0.1, True, True, *at),
        nn.Embedding(3, 2, None, None, 2.0, False, False, None, False, *at),
        nn.MultiheadAttention(2, 1, 0.0, True, False, False, None, None, False, *at),
        nn.GRUCell(2, 3, True, *at),
        nn.LSTM(2, 3, device="cpu", dtype=T.float64),
        nn.PReLU(1, 0.25, *at),
    ):
        assert {p.dtype for p in layer.parameters()} == {T.float64}, layer
    with pytest.raises((RuntimeError, AssertionError)):
        nn.Linear(2, 3, device="cuda")


@LIBRARIES
def test_pretrained_tables_take_their_settings(T):
    table = T.nn.Embedding.from_pretrained(T.eye(3), True, 1, 2.0)
    assert (table.padding_idx, table.max_norm, table.weight.requires_grad) == (1, 2.0, False)
    bag = T.nn.EmbeddingBag.from_pretrained(T.eye(3), False, mode="sum")
    assert (bag.mode, bag.max_norm, bag.weight.requires_grad) == ("sum", None, True)
    weight = T.ones(3, 2)
    assert T.nn.Embedding(3, 2, _weight=weight).weight.data_ptr() == weight.data_ptr()
    with pytest.raises(AssertionError, match="Shape of weight does not match"):
        T.nn.Embedding(3, 2, _weight=T.ones(2, 3))


def test_the_paths_of_modules_are_those_of_torch():
    import importlib

    for path, kinds in {
        "batchnorm": ["_BatchNorm", "_NormBase", "BatchNorm2d"],
        "conv": ["_ConvNd", "_ConvTransposeNd", "Conv2d"],
        "activation": ["MultiheadAttention", "ReLU"],
        "container": ["ModuleList", "Sequential"],
        "dropout": ["_DropoutNd"],
        "instancenorm": ["_InstanceNorm"],
        "lazy": ["LazyModuleMixin"],
        "linear": ["Linear", "LazyLinear"],
        "loss": ["_Loss", "_WeightedLoss"],
        "module": ["Module", "_IncompatibleKeys", "register_module_forward_hook", "_global_forward_hooks"],
        "pooling": ["_MaxPoolNd"],
        "rnn": ["RNNBase", "LSTM"],
        "sparse": ["Embedding"],
        "transformer": ["_get_clones"],
        "utils": ["_pair", "_triple", "consume_prefix_in_state_dict_if_present"],
    }.items():
        ours = importlib.import_module(f"autograd_core.nn.modules.{path}")
        assert ours is getattr(ac.nn.modules, path)
        for kind in kinds:
            assert hasattr(ours, kind) and hasattr(importlib.import_module(f"torch.nn.modules.{path}"), kind), kind
    assert ac.nn.modules.Linear is ac.nn.Linear and isinstance(ac.nn.BatchNorm2d(1), ac.nn.modules.batchnorm._BatchNorm)
    assert ac.nn.modules.utils._pair(3) == (3, 3) and ac.nn.modules.utils._triple([1, 2, 3]) == (1, 2, 3)


@LIBRARIES
def test_a_convolution_with_another_weight(T):
    conv = T.nn.Conv2d(1, 1, 3, padding=1, padding_mode="circular")
    x = T.ones(1, 1, 4, 4)
    out = conv._conv_forward(x, T.ones(1, 1, 3, 3), None)
    assert out.shape == x.shape and out.unique().tolist() == [9.0]


@LIBRARIES
def test_recurrent_layers_tell_their_weights(T):
    lstm = T.nn.LSTM(2, 3, num_layers=2, bidirectional=True, proj_size=1)
    lstm.flatten_parameters()
    assert [len(weights) for weights in lstm.all_weights] == [5] * 4
    assert all(a is b for a, b in zip(lstm._flat_weights, lstm.parameters())) and len(lstm._flat_weights) == 20
    for layer in (T.nn.RNN, T.nn.GRU):
        with pytest.raises(ValueError, match="only supported for LSTM"):
            layer(2, 3, proj_size=1)


@LIBRARIES
def test_data_parallel_without_gpus_calls_the_module(T):
    net = T.nn.DataParallel(T.nn.Linear(2, 1))
    assert list(net.state_dict()) == ["module.weight", "module.bias"] and net.device_ids == []
    assert net(T.ones(3, 2)).tolist() == net.module(T.ones(3, 2)).tolist()
    state = net.state_dict()
    T.nn.modules.utils.consume_prefix_in_state_dict_if_present(state, "module.")
    assert repr(T.nn.Linear(2, 1).load_state_dict(state)) == "<All keys matched successfully>"


# -- hooks of all modules, for what they are given

GIVEN = {
    "parameter": lambda T, m: setattr(m, "w", T.nn.Parameter(T.ones(1))),
    "parameter by name": lambda T, m: m.register_parameter("w", T.nn.Parameter(T.ones(1))),
    "no parameter": lambda T, m: m.register_parameter("w", None),
    "buffer": lambda T, m: setattr(m, "b", T.nn.Buffer(T.ones(1))),
    "buffer by name": lambda T, m: m.register_buffer("b", T.ones(1)),
    "no buffer": lambda T, m: m.register_buffer("b", None),
    "waiting buffer": lambda T, m: setattr(m, "b", T.nn.UninitializedBuffer(persistent=False)),
    "child": lambda T, m: setattr(m, "c", T.nn.Tanh()),
    "child by name": lambda T, m: m.add_module("c", T.nn.Tanh()),
    "child taken away": lambda T, m: (setattr(m, "c", T.nn.Tanh()), setattr(m, "c", None)),
    "no child": lambda T, m: m.add_module("c", None),
    "whole": lambda T, m: T.nn.Sequential(T.nn.Linear(2, 1), T.nn.BatchNorm1d(1)),
}


@pytest.mark.parametrize("given", GIVEN)
def test_hooks_of_all_modules_see_what_they_are_given(given):
    def seen(T):
        calls, hooks = [], T.nn.modules.module
        handles = [
            getattr(hooks, f"register_module_{kind}_registration_hook")(
                lambda module, name, value, kind=kind: calls.append((kind, type(module).__name__, name, value is None))
            )
            for kind in ("parameter", "buffer", "module")
        ]
        module = T.nn.Module()
        try:
            GIVEN[given](T, module)
        finally:
            for handle in handles:
                handle.remove()
        GIVEN["child"](T, module)
        return calls, list(module.state_dict())

    assert seen(ac) == seen(torch)


def test_what_a_registration_hook_returns_is_registered(T):
    hooks = T.nn.modules.module
    with hooks.register_module_parameter_registration_hook(lambda module, name, param: T.nn.Parameter(param * 2)):
        assert T.nn.Linear(2, 1, bias=False).weight.abs().max() > 0
        module = T.nn.Module()
        module.w = T.nn.Parameter(T.ones(2))
    with hooks.register_module_module_registration_hook(lambda module, name, child: T.nn.ReLU()):
        module.child = T.nn.Tanh()
    with hooks.register_module_buffer_registration_hook(lambda module, name, buffer: buffer + 1):
        module.register_buffer("b", T.zeros(1))
    assert module.w.tolist() == [2.0, 2.0] and module.b.tolist() == [1.0] and isinstance(module.child, T.nn.ReLU)


def test_a_parameter_in_the_place_of_an_empty_buffer_is_saved(T):
    module = T.nn.Module()
    module.register_buffer("a", None)
    module._parameters["a"] = T.nn.Parameter(T.ones(1))
    assert list(module.state_dict()) == ["a"]
