"""Lazy layers, and parameters whose shape is not known yet."""

import copy
import pickle

import pytest
import torch

import autograd_core as ac

LIBRARIES = pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])

LAYERS = {
    "LazyLinear": (lambda nn: nn.LazyLinear(4), (5, 3)),
    "LazyLinear, no bias": (lambda nn: nn.LazyLinear(4, bias=False), (5, 3)),
    **{f"LazyConv{n}d": (lambda nn, n=n: getattr(nn, f"LazyConv{n}d")(4, 3), (2, 3, *[6] * n)) for n in (1, 2, 3)},
    "LazyConv2d, groups": (lambda nn: nn.LazyConv2d(4, 3, 2, 1, 1, 2, False), (2, 2, 6, 6)),
    "LazyConv2d, no batch": (lambda nn: nn.LazyConv2d(4, 3), (3, 6, 6)),
    **{
        f"LazyConvTranspose{n}d": (lambda nn, n=n: getattr(nn, f"LazyConvTranspose{n}d")(4, 3), (2, 3, *[6] * n))
        for n in (1, 2, 3)
    },
    **{
        f"LazyBatchNorm{n}d": (lambda nn, n=n: getattr(nn, f"LazyBatchNorm{n}d")(), (2, 3, *[4] * n)) for n in (1, 2, 3)
    },
    "LazyBatchNorm1d, plain": (lambda nn: nn.LazyBatchNorm1d(affine=False), (4, 3)),
    "LazyBatchNorm1d, no memory": (lambda nn: nn.LazyBatchNorm1d(track_running_stats=False), (4, 3)),
    **{
        f"LazyInstanceNorm{n}d": (lambda nn, n=n: getattr(nn, f"LazyInstanceNorm{n}d")(), (2, 3, *[4] * n))
        for n in (1, 2, 3)
    },
}


@pytest.mark.parametrize("name", LAYERS)
def test_a_lazy_layer_becomes_the_layer_of_torch(name):
    make, shape = LAYERS[name]
    ours, theirs = make(ac.nn), make(torch.nn)
    assert list(ours.state_dict()) == list(theirs.state_dict())
    assert all(ac.nn.parameter.is_lazy(p) for p in ours.parameters())
    theirs(torch.ones(shape))
    ours(ac.ones(*shape))
    assert repr(ours) == repr(theirs) and type(ours).__name__ == type(theirs).__name__
    assert {k: tuple(v.shape) for k, v in ours.state_dict().items()} == {
        k: tuple(v.shape) for k, v in theirs.state_dict().items()
    }
    ours.load_state_dict(theirs.state_dict())
    x = torch.randn(shape, generator=torch.Generator().manual_seed(3))
    expected = theirs.eval()(x).detach().numpy()
    assert ac.allclose(ours.eval()(ac.tensor(x.numpy())), ac.tensor(expected), atol=1e-5)
    assert not ours._forward_pre_hooks and not ours._load_state_dict_pre_hooks


def test_a_lazy_norm_knows_an_input_without_a_batch():
    norm = ac.nn.LazyInstanceNorm1d()  # PyTorch takes the length for the channels
    assert norm(ac.ones(3, 4)).shape == (3, 4) and norm.num_features == 3


@LIBRARIES
def test_a_model_of_lazy_layers_trains_after_its_first_call(T):
    class Model(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = T.nn.Sequential(T.nn.LazyConv2d(2, 3), T.nn.ReLU(), T.nn.Flatten(), T.nn.LazyLinear(1))

        def forward(self, x):
            return self.net(x)

    model = Model().double()
    assert model.net[0].weight.dtype == T.float64
    model(T.ones(2, 1, 5, 5, dtype=T.float64)).sum().backward()
    assert model.net[3].in_features == 18 and model.net[3].weight.grad.dtype == T.float64
    assert [tuple(p.shape) for p in model.parameters()] == [(2, 1, 3, 3), (2,), (1, 18), (1,)]


@LIBRARIES
def test_a_state_decides_the_shapes_too(T):
    layer = T.nn.LazyLinear(2)
    layer.load_state_dict(T.nn.Linear(3, 2).state_dict())
    assert layer.weight.shape == (2, 3) and not layer.has_uninitialized_params()
    weight = layer.weight
    layer(T.ones(1, 3))
    assert type(layer) is T.nn.Linear and layer.weight is weight
    again = T.nn.LazyLinear(2)
    again.load_state_dict(T.nn.LazyLinear(2).state_dict())
    assert again.has_uninitialized_params()
    if T is ac:
        assert layer.in_features == 3


@LIBRARIES
@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
def test_a_copy_of_a_lazy_layer_is_lazy_by_itself(T, duplicate):
    layer = T.nn.LazyLinear(2)
    twin = duplicate(layer)
    twin(T.ones(1, 3))
    assert type(twin) is T.nn.Linear and type(layer) is T.nn.LazyLinear
    layer(T.ones(1, 4))
    assert (layer.weight.shape, twin.weight.shape) == ((2, 4), (2, 3))


@LIBRARIES
def test_what_has_no_shape_yet_is_refused_by_name(T):
    weight = T.nn.UninitializedParameter()
    assert repr(weight) == "<UninitializedParameter>" and weight.requires_grad and weight.is_leaf
    with pytest.raises(RuntimeError, match="Can't access the shape of an uninitialized parameter"):
        weight.shape  # noqa: B018
    for use in (lambda: weight + 1, lambda: T.sin(weight), lambda: weight.sum(), lambda: weight[0]):
        with pytest.raises(ValueError, match="Attempted to use an uninitialized parameter"):
            use()
    with pytest.raises(RuntimeError, match="uninitialized"):
        T.nn.Linear(1, 1).load_state_dict(T.nn.LazyLinear(1).state_dict())
    same = weight
    weight.materialize((2, 3), dtype=T.float64)
    assert weight is same and type(weight) is T.nn.Parameter and weight.dtype == T.float64
    T.nn.init.ones_(weight)
    (2 * weight).sum().backward()
    assert weight.grad.tolist() == [[2.0] * 3] * 2
    buffer = T.nn.UninitializedBuffer()
    buffer.materialize((2,))
    assert type(buffer) is T.Tensor and not buffer.requires_grad


@LIBRARIES
def test_lazy_modules_of_ones_own(T):
    class Scale(T.nn.modules.lazy.LazyModuleMixin, T.nn.Module):
        def __init__(self):
            super().__init__()
            self.factor = T.nn.UninitializedParameter()

        def initialize_parameters(self, x, ready=True):
            if ready and self.has_uninitialized_params():
                self.factor.materialize(x.shape[-1:])
                T.nn.init.ones_(self.factor)

        def forward(self, x, ready=True):
            return self.factor * x

    scale = Scale()
    with pytest.raises(RuntimeError, match="module Scale has not been fully initialized"):
        scale(T.ones(2), ready=False)
    assert scale(T.ones(2)).tolist() == [1.0, 1.0] and type(scale) is Scale
    assert not scale._forward_pre_hooks
    with pytest.raises(NotImplementedError, match="initialize_parameters is not implemented"):
        type("Bare", (T.nn.modules.lazy.LazyModuleMixin, T.nn.Module), {})()(T.ones(1))


@LIBRARIES
def test_a_first_input_of_the_wrong_rank_leaves_the_layer_lazy(T):
    conv, norm = T.nn.LazyConv2d(2, 3, groups=2), T.nn.LazyBatchNorm2d()
    for call, error in (
        (lambda: conv(T.ones(2, 3)), RuntimeError),
        (lambda: conv(T.ones(1, 3, 5, 5)), ValueError),
    ):
        with pytest.raises(error):
            call()
    if T is ac:
        with pytest.raises(ValueError, match="expected 4D input"):
            norm(T.ones(2, 3))
        assert norm.has_uninitialized_params()
    assert conv.has_uninitialized_params()


def test_values_that_are_not_there_yet_can_be_initialized_without_effect(T):
    layer = T.nn.LazyLinear(1)
    layer.weight.data.normal_(0, 0.01)
    layer.bias.data.fill_(7)
    data = layer.weight.data
    assert type(data) is T.Tensor and data.shape == (0,) and not data.requires_grad
    assert layer.weight.ndim == 1 and layer.weight.is_leaf and layer.weight.grad is None
    layer(T.ones(2, 3))
    assert layer.weight.data.shape == layer.weight.shape == (1, 3) and layer.bias.item() != 7
    layer.weight.data = T.zeros(1, 3)
    assert layer.weight.tolist() == [[0.0, 0.0, 0.0]]
