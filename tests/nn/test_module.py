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
    assert repr(make(ac)) == repr(make(torch))


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
    with pytest.raises(TypeError, match=r"cannot assign 'int' as buffer 'kept'"):
        model.kept = 3
    model.w = None
    with pytest.raises(TypeError, match=r"cannot assign .* as parameter 'w'"):
        model.w = T.ones(2)
    del model.child
    assert list(model.state_dict()) == ["kept"]
    model.kept = T.nn.Parameter(T.ones(1))
    del model.passing
    model.passing = T.ones(1)
    assert [[n for n, _ in named] for named in (model.named_parameters(), model.named_buffers())] == [["kept"], []]
    del model.w
    model.w = T.ones(2)
    model.register_parameter("scale", None)
    with pytest.raises(TypeError, match=r"cannot assign .* as parameter 'scale'"):
        model.scale = T.ones(2)
    with pytest.raises(KeyError, match="already exists"):
        model.register_buffer("plain", T.zeros(1))
    with pytest.raises(TypeError, match="buffer"):
        model.register_buffer("number", 3.0)


WITHOUT = {
    "Linear": (lambda nn: nn.Linear(2, 3, bias=False), ["bias"]),
    "Bilinear": (lambda nn: nn.Bilinear(2, 3, 4, bias=False), ["bias"]),
    "Conv1d": (lambda nn: nn.Conv1d(2, 3, 1, bias=False), ["bias"]),
    "ConvTranspose2d": (lambda nn: nn.ConvTranspose2d(2, 3, 1, bias=False), ["bias"]),
    "GRUCell": (lambda nn: nn.GRUCell(2, 3, bias=False), ["bias_ih", "bias_hh"]),
    "LayerNorm": (lambda nn: nn.LayerNorm(2, bias=False), ["bias"]),
    "LayerNorm, plain": (lambda nn: nn.LayerNorm(2, elementwise_affine=False), ["weight", "bias"]),
    "RMSNorm": (lambda nn: nn.RMSNorm(2, elementwise_affine=False), ["weight"]),
    "GroupNorm": (lambda nn: nn.GroupNorm(1, 2, affine=False), ["weight", "bias"]),
    "BatchNorm1d": (lambda nn: nn.BatchNorm1d(2, affine=False), ["weight", "bias"]),
    "InstanceNorm1d": (lambda nn: nn.InstanceNorm1d(2), ["weight", "bias"]),
    "attention": (
        lambda nn: nn.MultiheadAttention(2, 1, bias=False),
        ["in_proj_bias", "q_proj_weight", "k_proj_weight", "v_proj_weight"],
    ),
    "attention, separate": (lambda nn: nn.MultiheadAttention(2, 1, kdim=3), ["in_proj_weight"]),
}


@pytest.mark.parametrize("name", WITHOUT)
def test_a_parameter_that_is_left_out_keeps_its_place(name):
    make, absent = WITHOUT[name]
    layers = {T: make(T.nn) for T in (ac, torch)}
    assert repr(layers[ac]) == repr(layers[torch]).replace("NonDynamicallyQuantizable", "")
    for T, layer in layers.items():
        before = list(layer.state_dict())
        for left_out in absent:
            assert getattr(layer, left_out) is None and left_out not in before
            with pytest.raises(TypeError, match=f"cannot assign .* as parameter '{left_out}'"):
                setattr(layer, left_out, T.ones(2))
            assert getattr(layer, left_out) is None
        assert list(layer.state_dict()) == before
        for left_out in absent:
            setattr(layer, left_out, T.nn.Parameter(T.ones(2)))
        assert set(absent) <= set(layer.state_dict())
    for names in (lambda layer: layer.state_dict(), lambda layer: dict(layer.named_parameters())):
        assert set(names(layers[ac])) == set(names(layers[torch]))


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


# -- finding what a module holds, and adding to it by name


def nested(T):
    return T.nn.Sequential(T.nn.Sequential(T.nn.Linear(2, 2), T.nn.BatchNorm1d(2)))


@LIBRARIES
def test_modules_parameters_and_buffers_are_found_by_dotted_names(T):
    net = nested(T)
    assert net.get_submodule("0.1") is net[0][1] and net.get_submodule("") is net
    assert net.get_parameter("0.0.weight") is net[0][0].weight
    assert net.get_buffer("0.1.running_var") is net[0][1].running_var
    for call, words in (
        (lambda: net.get_submodule("0.2"), "Sequential has no attribute `2`"),
        (lambda: net.get_submodule("0.0.weight"), "`weight` is not an nn.Module"),
        (lambda: net.get_parameter("0.1.running_var"), "`running_var` is not an nn.Parameter"),
        (lambda: net.get_parameter("0.1.nothing"), "BatchNorm1d has no attribute `nothing`"),
        (lambda: net.get_buffer("0.0.weight"), "is not a buffer"),
    ):
        with pytest.raises(AttributeError, match=re.escape(words)):
            call()


@LIBRARIES
def test_parameters_and_modules_are_added_by_name(T):
    module = T.nn.Module()
    module.register_parameter("w", T.nn.Parameter(T.ones(1)))
    module.register_parameter("b", None)
    module.add_module("child", T.nn.Linear(1, 1))
    module.register_module("none", None)
    assert module.b is None and [name for name, _ in module.named_parameters()] == ["w", "child.weight", "child.bias"]
    module.add_module("child", T.nn.Tanh())
    assert isinstance(module.child, T.nn.Tanh)
    for call, error, words in (
        (lambda: module.register_parameter("forward", None), KeyError, "already exists"),
        (lambda: module.register_parameter("a.b", None), KeyError, "contain"),
        (lambda: module.add_module("", None), KeyError, "empty"),
        (lambda: module.register_parameter(1, None), TypeError, "should be a string"),
        (lambda: module.add_module("x", T.ones(1)), TypeError, "is not a Module"),
        (lambda: module.register_parameter("x", T.ones(1)), TypeError, "'x'"),
    ):
        with pytest.raises(error, match=words):
            call()


@LIBRARIES
def test_conversion_by_a_tensor_a_device_or_both(T):
    net = T.nn.Linear(1, 1)
    assert net.to("cpu", T.float64).weight.dtype == T.float64
    assert net.to(T.ones(1)).weight.dtype == T.float32
    assert net.to(device="cpu", dtype=T.float64).weight.dtype == T.float64
    assert net.half().weight.dtype == T.float16 and net.cpu() is net


# -- states of other libraries


def test_states_of_torch_and_of_numpy_load():
    theirs, ours = small_net(torch), small_net(ac)
    assert repr(ours.load_state_dict(theirs.state_dict())) == "<All keys matched successfully>"
    arrays = {name: value.numpy() + 1 for name, value in theirs.state_dict().items()}
    assert ours.load_state_dict(arrays).missing_keys == []
    for name, value in ours.state_dict().items():
        np.testing.assert_array_equal(value.numpy(), arrays[name])
        assert not np.shares_memory(value.numpy(), arrays[name])


@LIBRARIES
def test_a_state_is_converted_to_the_dtype_of_the_module(T):
    net = T.nn.Linear(1, 1)
    net.load_state_dict(T.nn.Linear(1, 1).double().state_dict())
    assert net.weight.dtype == T.float32


def test_values_that_are_no_tensors_are_named():
    net = ac.nn.Linear(1, 1)
    with pytest.raises(RuntimeError) as error:
        net.load_state_dict({"weight": [[1.0]], "bias": torch.ones(1, dtype=torch.bfloat16)})
    assert 'parameter named "weight", expected a Tensor' in str(error.value)
    assert 'parameter named "bias"' in str(error.value) and "torch.bfloat16" in str(error.value)
    with pytest.raises(RuntimeError, match='parameter named "weight", expected a Tensor'):
        net.load_state_dict({"bias": ac.full((1,), 7.0), "weight": np.array([["a"]])})
    assert net.bias.item() != 7.0
    with pytest.raises(TypeError, match="dict-like, got list"):
        net.load_state_dict([])


def test_the_text_of_a_refused_load_is_that_of_torch():
    texts = []
    for T in (ac, torch):
        with pytest.raises(RuntimeError) as error:
            T.nn.Linear(2, 1).load_state_dict({"weight": T.ones(3, 1), "extra": T.ones(1)})
        texts.append(str(error.value))
    assert texts[0] == texts[1].replace("torch.Size", "Size")


@LIBRARIES
def test_a_state_with_a_prefix_and_with_the_tensors_themselves(T):
    net = T.nn.Linear(1, 1)
    state = net.state_dict(prefix="net.", keep_vars=True)
    assert list(state) == ["net.weight", "net.bias"] and state["net.weight"] is net.weight


# -- initial values


@pytest.mark.parametrize(
    "name, options, shape",
    [
        ("xavier_normal_", {"gain": 2.0}, (200, 30, 4)),
        ("kaiming_normal_", {"mode": "fan_out", "nonlinearity": "relu"}, (200, 30, 4)),
        ("kaiming_uniform_", {"a": 0.3}, (200, 30, 4)),
        ("trunc_normal_", {"mean": 1.0, "std": 2.0, "a": -1.0, "b": 4.0}, (20000,)),
        ("normal_", {"mean": 1.0, "std": 2.0}, (20000,)),
        ("sparse_", {"sparsity": 0.3, "std": 2.0}, (200, 100)),
    ],
)
def test_random_initial_values_have_the_moments_of_torch(name, options, shape):
    print("seed 4")
    found = []
    for T in (ac, torch):
        T.manual_seed(4)
        weight = T.nn.Parameter(T.empty(*shape))
        assert getattr(T.nn.init, name)(weight, **options) is weight
        values = weight.detach().numpy()
        found.append([values.mean(), values.std(), (values == 0).mean(), np.abs(values).max()])
    scale = found[1][1]
    assert np.abs(np.subtract(*found))[:3].max() < 0.03 * scale
    if "normal_" not in name or name == "trunc_normal_":
        assert found[0][3] == pytest.approx(found[1][3], rel=0.1)


@LIBRARIES
@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (4, 2, 3), (4, 4)])
def test_an_orthogonal_matrix(T, shape):
    weight = T.nn.init.orthogonal_(T.empty(*shape), gain=2.0)
    flat = weight.reshape(shape[0], -1)
    gram = flat @ flat.T if shape[0] <= flat.shape[1] else flat.T @ flat
    assert T.allclose(gram, 4 * T.eye(gram.shape[0]), atol=1e-5)


def test_orthogonal_matrices_have_either_sign():
    print("seed 5")
    ac.manual_seed(5)
    assert {round(ac.nn.init.orthogonal_(ac.empty(1, 1)).item()) for _ in range(30)} == {1, -1}


@pytest.mark.parametrize(
    "name, args, shape",
    [
        ("eye_", (), (2, 3)),
        ("dirac_", (), (3, 2, 3)),
        ("dirac_", (2,), (4, 2, 3, 4)),
        ("dirac_", (), (2, 2, 1, 2, 3)),
        ("constant_", (0.5,), (2,)),
        ("ones_", (), (2,)),
    ],
)
def test_fixed_initial_values_are_those_of_torch(name, args, shape):
    ours, theirs = (getattr(T.nn.init, name)(T.full(shape, 7.0), *args) for T in (ac, torch))
    assert ours.tolist() == theirs.tolist()


@LIBRARIES
def test_refused_initializations(T):
    init = T.nn.init
    for call, words in (
        (lambda: init.eye_(T.ones(2)), "2 dimensions"),
        (lambda: init.sparse_(T.ones(2), 0.5), "2 dimensions"),
        (lambda: init.orthogonal_(T.ones(2)), "2 or more dimensions"),
        (lambda: init.dirac_(T.ones(2, 2)), "3, 4, or 5 dimensions"),
        (lambda: init.dirac_(T.ones(3, 2, 2), 2), "divisible by groups"),
        (lambda: init.calculate_gain("cube"), "cube"),
    ):
        with pytest.raises(ValueError, match=words):
            call()
    assert init.calculate_gain("selu") == 0.75 and init.calculate_gain("conv2d") == 1


@LIBRARIES
@pytest.mark.parametrize("shape", [(2, 6), (6, 2, 3, 4)])
def test_fans_of_a_weight(T, shape):
    init, weight = T.nn.init, T.empty(*shape)
    per_weight = int(np.prod(shape[2:]))
    assert init._calculate_fan_in_and_fan_out(weight) == (shape[1] * per_weight, shape[0] * per_weight)
    assert init._calculate_correct_fan(weight, "FAN_OUT") == shape[0] * per_weight
    with pytest.raises(ValueError, match="not supported"):
        init._calculate_correct_fan(weight, "fan")


@LIBRARIES
@pytest.mark.parametrize("slope", [True, "0.1", [1], (0.1,)])
def test_the_slope_of_a_gain_is_a_number(T, slope):
    with pytest.raises(ValueError, match="not a valid number"):
        T.nn.init.calculate_gain("leaky_relu", slope)


@LIBRARIES
@pytest.mark.parametrize(
    "old, args",
    [("uniform", (3.0, 3.0)), ("normal", (3.0, 0.0)), ("constant", (3.0,)), ("xavier_uniform", (0.0,)), ("eye", ())],
)
def test_the_older_names_of_initializations_warn(T, old, args):
    with pytest.warns(FutureWarning, match=f"`nn.init.{old}` is now deprecated in favor of `nn.init.{old}_`"):
        weight = getattr(T.nn.init, old)(T.ones(2, 2), *args)
    assert weight.tolist() == getattr(T.nn.init, f"{old}_")(T.ones(2, 2), *args).tolist()


@LIBRARIES
@pytest.mark.parametrize("name", ["kaiming_uniform_", "kaiming_normal_"])
def test_a_weight_without_elements_has_no_fan(T, name):
    with pytest.warns(UserWarning, match="zero-element tensors is a no-op"):
        assert getattr(T.nn.init, name)(T.empty(3, 0)).shape == (3, 0)


CONVERSIONS = {
    "a place": lambda T: ("cpu",),
    "a place and a dtype": lambda T: (T.device("cpu"), T.float64, True),
    "no place, a dtype": lambda T: (None, T.float64),
    "a dtype": lambda T: (T.float64, True),
    "a tensor": lambda T: (T.ones(1, dtype=T.float64), True),
    "nothing": lambda T: (),
}
NO_CONVERSIONS = {
    "a place and a bool": lambda T: (T.device("cpu"), True),
    "two places": lambda T: (T.device("cpu"), T.device("cpu")),
    "a dtype and a place": lambda T: (T.float64, T.device("cpu")),
    "a bool": lambda T: (True,),
    "too many": lambda T: (T.device("cpu"), T.float64, False, 5),
    "an integer dtype": lambda T: (T.int64,),
}


@pytest.mark.parametrize("T", [ac, torch])
def test_what_a_module_is_converted_to_comes_in_one_of_three_orders(T):
    for given in CONVERSIONS.values():
        layer = T.nn.Linear(1, 1)
        assert layer.to(*given(T)) is layer
        assert layer.weight.dtype is (T.float64 if any(v is T.float64 for v in given(T)) else layer.weight.dtype)
    for given in NO_CONVERSIONS.values():
        with pytest.raises(TypeError):
            T.nn.Linear(1, 1).to(*given(T))
    with pytest.raises(TypeError, match="invalid combination of arguments"):
        T.nn.Linear(1, 1).to(T.device("cpu"), device=T.device("cpu"))
    with pytest.raises(RuntimeError, match="does not accept copy"):
        T.nn.Linear(1, 1).to(T.float64, False, True)
