"""Parametrized weights: weight norm, spectral norm, orthogonal matrices and functions of one's own."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

import autograd_core as ac

LIBRARIES = pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])


def symmetric(T):
    class Symmetric(T.nn.Module):
        def forward(self, x):
            return x.triu() + x.triu(1).T

        def right_inverse(self, x):
            return x.triu()

    return Symmetric()


def shifting(T):
    class Shift(T.nn.Module):
        def forward(self, x):
            return x + 1

    return Shift()


@LIBRARIES
def test_a_parameter_becomes_a_function_of_another(T):
    layer, parametrize = T.nn.Linear(3, 3), T.nn.utils.parametrize
    weight = layer.weight
    assert parametrize.register_parametrization(layer, "weight", symmetric(T)) is layer
    assert (
        type(layer).__name__ == "ParametrizedLinear" and parametrize.type_before_parametrizations(layer) is T.nn.Linear
    )
    assert [name for name, _ in layer.named_parameters()] == ["bias", "parametrizations.weight.original"]
    assert layer.parametrizations.weight.original is weight and isinstance(layer, T.nn.Linear)
    assert layer.weight.tolist() == layer.weight.T.tolist()
    layer(T.ones(1, 3)).sum().backward()
    assert weight.grad is not None and weight.grad[2, 0].item() == 0.0
    layer.weight = T.ones(3, 3)
    assert layer.weight.tolist() == [[1.0] * 3] * 3 and weight.tolist() == T.ones(3, 3).triu().tolist()
    parametrize.register_parametrization(layer, "weight", shifting(T))
    assert layer.weight.tolist() == [[2.0] * 3] * 3
    with pytest.raises(RuntimeError, match="does not implement right_inverse"):
        layer.weight = T.ones(3, 3)
    assert parametrize.is_parametrized(layer, "weight") and not parametrize.is_parametrized(layer, "bias")


@LIBRARIES
@pytest.mark.parametrize("leave", [True, False])
def test_a_parametrization_is_taken_away(T, leave):
    layer, parametrize = T.nn.Linear(2, 2), T.nn.utils.parametrize
    weight, before = layer.weight, layer.weight.tolist()
    parametrize.register_parametrization(layer, "weight", shifting(T))
    parametrize.register_parametrization(layer, "bias", shifting(T))
    after = layer.weight.tolist()
    parametrize.remove_parametrizations(layer, "weight", leave_parametrized=leave)
    assert parametrize.is_parametrized(layer) and layer.weight is weight
    assert weight.tolist() == (after if leave else before)
    parametrize.remove_parametrizations(layer, "bias")
    assert type(layer) is T.nn.Linear and not hasattr(layer, "parametrizations")
    assert sorted(layer.state_dict()) == ["bias", "weight"]
    with pytest.raises(ValueError, match="does not have a parametrization"):
        parametrize.remove_parametrizations(layer, "bias")


@LIBRARIES
def test_values_are_kept_within_a_block(T):
    layer, parametrize = T.nn.Linear(2, 2), T.nn.utils.parametrize
    parametrize.register_parametrization(layer, "weight", shifting(T))
    assert layer.weight is not layer.weight
    with parametrize.cached():
        first = layer.weight
        with parametrize.cached():
            assert layer.weight is first
        assert layer.weight is first
    assert layer.weight is not first


def test_values_are_kept_for_the_thread_that_asks():  # for all threads in PyTorch
    layer = ac.nn.utils.parametrizations.weight_norm(ac.nn.Linear(2, 2))
    with ac.nn.utils.parametrize.cached(), ThreadPoolExecutor(1) as pool:
        kept = layer.weight
        assert pool.submit(lambda: layer.weight).result() is not kept
        assert layer.weight is kept


@LIBRARIES
def test_parametrized_modules_are_copied_and_saved_by_state(T):
    layer = T.nn.utils.parametrize.register_parametrization(T.nn.Linear(2, 2), "weight", symmetric(T))
    twin = copy.deepcopy(layer)
    twin.weight = T.zeros(2, 2)
    assert layer.weight.abs().sum().item() > 0 and twin.weight.tolist() == [[0.0, 0.0], [0.0, 0.0]]
    twin.load_state_dict(layer.state_dict())
    assert twin.weight.tolist() == layer.weight.tolist()
    with pytest.raises(RuntimeError, match=r"only supported through state_dict\(\)"):
        pickle.dumps(layer)


def refused(T):
    """Parametrizations that cannot be registered, and the words of the refusal."""

    def of(forward, right_inverse=None):
        module = T.nn.Module()
        module.forward = forward
        if right_inverse is not None:
            module.right_inverse = right_inverse
        return module

    return [
        (of(lambda x: x[:-1]), ValueError, "may not change the shape"),
        (of(lambda x: x.double()), ValueError, "may not change the dtype"),
        (of(lambda x: 3), ValueError, "must return a tensor"),
        (of(lambda x: x, lambda x: None), ValueError, "Tensor or a Sequence"),
        (of(lambda x: x, lambda x: (x, 3)), ValueError, "of the sequence with type int"),
        (of(lambda x: x.float(), lambda x: x.double()), ValueError, "it may not change the dtype"),
        (of(lambda x, y, z: x, lambda x: (x, x)), TypeError, "argument"),
        (of(lambda x, y: x, lambda x: x * 2), TypeError, "argument"),
    ]


@LIBRARIES
@pytest.mark.parametrize("number", range(8))
def test_a_parametrization_that_is_refused_changes_nothing(T, number):
    layer = T.nn.Linear(2, 2)
    weight, values = layer.weight, layer.weight.tolist()
    made, error, words = refused(T)[number]
    with pytest.raises(error, match=words):
        T.nn.utils.parametrize.register_parametrization(layer, "weight", made)
    assert type(layer) is T.nn.Linear and layer.weight is weight
    if T is ac:
        assert weight.tolist() == values
    with pytest.raises(ValueError, match="does not have a parameter, a buffer"):
        T.nn.utils.parametrize.register_parametrization(layer, "none", made)


@LIBRARIES
def test_parametrizations_are_transferred(T):
    parametrize = T.nn.utils.parametrize
    a, b = T.nn.Linear(2, 2), T.nn.Linear(2, 2)
    parametrize.register_parametrization(a, "weight", symmetric(T))
    assert parametrize.transfer_parametrizations_and_params(a, b) is b
    assert (
        b.weight.tolist() == a.weight.tolist()
        and b.parametrizations.weight.original is a.parametrizations.weight.original
    )


@pytest.mark.parametrize("dim", [0, 1, None])
def test_weight_norm_is_that_of_torch(dim):
    print("seed 1")
    theirs = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(3, 2).double(), dim=dim)
    ours = ac.nn.utils.parametrizations.weight_norm(ac.nn.Linear(3, 2).double(), dim=dim)
    ours.load_state_dict(theirs.state_dict())
    x = np.random.default_rng(1).normal(size=(4, 3))
    for T, layer in ((ac, ours), (torch, theirs)):
        layer(T.from_numpy(x.copy())).square().sum().backward()
    for (name, p), q in zip(ours.named_parameters(), theirs.parameters()):
        np.testing.assert_allclose(p.grad.numpy(), q.grad.numpy(), rtol=1e-10, atol=1e-12, err_msg=name)
    np.testing.assert_allclose(ours.weight.detach().numpy(), theirs.weight.detach().numpy(), rtol=1e-12)


@LIBRARIES
def test_weight_norm_loads_states_with_the_older_names(T):
    layer = T.nn.utils.parametrizations.weight_norm(T.nn.Linear(2, 1, bias=False))
    layer.load_state_dict({"weight_g": T.tensor([[5.0]]), "weight_v": T.tensor([[3.0, 4.0]])})
    assert layer.weight.tolist() == [[3.0, 4.0]]


@LIBRARIES
def test_weight_norm_by_hooks(T):
    utils = T.nn.utils
    with pytest.warns(FutureWarning, match="deprecated in favor of"):
        layer = utils.weight_norm(T.nn.Linear(2, 2, bias=False))
    assert list(layer.state_dict()) == ["weight_g", "weight_v"] and layer.weight_g.shape == (2, 1)
    with T.no_grad():
        layer.weight_g.copy_(T.tensor([[5.0], [10.0]]))
        layer.weight_v.copy_(T.tensor([[3.0, 4.0], [3.0, 4.0]]))
    assert layer(T.eye(2)).tolist() == [[3.0, 6.0], [4.0, 8.0]]
    with pytest.warns(FutureWarning), pytest.raises(RuntimeError, match="two weight_norm hooks"):
        utils.weight_norm(layer)
    assert utils.remove_weight_norm(layer) is layer and list(layer.state_dict()) == ["weight"]
    assert T.allclose(layer.weight, T.tensor([[3.0, 4.0], [6.0, 8.0]])) and not layer._forward_pre_hooks
    with pytest.raises(ValueError, match="weight_norm of 'weight' not found"):
        utils.remove_weight_norm(layer)
    with pytest.warns(FutureWarning), pytest.raises(ValueError, match="uninitialized"):
        utils.weight_norm(T.nn.LazyLinear(2))


@LIBRARIES
@pytest.mark.parametrize("by", ["utils", "parametrizations"])
def test_spectral_norm_divides_by_the_largest_singular_value(T, by):
    T.manual_seed(2)
    space = T.nn.utils if by == "utils" else T.nn.utils.parametrizations
    for layer, x in ((T.nn.Linear(3, 4), T.ones(1, 3)), (T.nn.ConvTranspose2d(2, 3, 2), T.ones(1, 2, 4, 4))):
        shape = layer.weight.shape
        space.spectral_norm(layer, n_power_iterations=3)
        for _ in range(30):
            layer(x)
        axis = 1 if len(shape) == 4 else 0
        matrix = layer.weight.detach().transpose(0, axis).flatten(1)
        assert T.linalg.matrix_norm(matrix, 2).item() == pytest.approx(1, abs=1e-3)
        layer(x).sum().backward()
        original = layer.weight_orig if by == "utils" else layer.parametrizations.weight.original
        assert original.grad.shape == shape
        state = {k: v.tolist() for k, v in layer.state_dict().items() if k.endswith(("_u", "_v"))}
        layer.eval()(x)
        assert state == {k: v.tolist() for k, v in layer.state_dict().items() if k.endswith(("_u", "_v"))}
    if by == "utils":
        with pytest.raises(RuntimeError, match="two spectral_norm hooks"):
            space.spectral_norm(layer)
        kept = layer.weight.tolist()
        assert space.remove_spectral_norm(layer).weight.tolist() == pytest.approx(np.array(kept), abs=1e-6)
        assert sorted(layer.state_dict()) == ["bias", "weight"] and isinstance(layer.weight, T.nn.Parameter)
    for call, error in (
        (lambda: space.spectral_norm(T.nn.Linear(2, 2), n_power_iterations=0), ValueError),
        (lambda: space.spectral_norm(T.nn.Linear(2, 2), "nothing"), (ValueError, KeyError)),
    ):
        with pytest.raises(error):
            call()


def test_spectral_norms_of_torch_load_and_agree():
    theirs = torch.nn.utils.parametrizations.spectral_norm(torch.nn.Linear(3, 4).double())
    ours = ac.nn.utils.parametrizations.spectral_norm(ac.nn.Linear(3, 4).double())
    for layer in (ours, theirs):
        layer.train()
    ours.load_state_dict(theirs.state_dict())
    for T, layer in ((ac, ours), (torch, theirs)):
        layer(T.ones(2, 3, dtype=T.float64)).square().sum().backward()
    np.testing.assert_allclose(
        ours.parametrizations.weight.original.grad.numpy(),
        theirs.parametrizations.weight.original.grad.numpy(),
        rtol=1e-9,
    )


@LIBRARIES
@pytest.mark.parametrize("mapping", ["matrix_exp", "cayley", "householder", None])
@pytest.mark.parametrize("shape", [(4, 4), (5, 3), (3, 5)])
def test_orthogonal_weights(T, mapping, shape):
    T.manual_seed(3)
    layer = T.nn.Linear(shape[1], shape[0]).double()
    T.nn.utils.parametrizations.orthogonal(layer, orthogonal_map=mapping)
    one = T.eye(min(shape), dtype=T.float64)

    def gram():
        w = layer.weight
        return w @ w.T if shape[0] < shape[1] else w.T @ w

    assert T.allclose(gram(), one, atol=1e-6)
    wanted = T.linalg.qr(T.randn(max(shape), min(shape), dtype=T.float64))[0]
    wanted = wanted.T if shape[0] < shape[1] else wanted
    layer.weight = wanted
    assert T.allclose(layer.weight, wanted, atol=1e-6)
    layer(T.ones(1, shape[1], dtype=T.float64)).square().sum().backward()
    original = layer.parametrizations.weight.original
    with T.no_grad():
        original -= 0.1 * original.grad
    assert T.allclose(gram(), one, atol=1e-6)


@LIBRARIES
def test_refused_orthogonal_weights(T):
    orthogonal = T.nn.utils.parametrizations.orthogonal
    for call, words in (
        (lambda: orthogonal(T.nn.Linear(2, 2), "none"), "has no parameter or buffer"),
        (lambda: orthogonal(T.nn.Linear(2, 2), "bias"), "Expected a matrix or batch"),
        (lambda: orthogonal(T.nn.Linear(2, 2), orthogonal_map="spin"), "has to be one of"),
    ):
        with pytest.raises(ValueError, match=words):
            call()
    layer = orthogonal(T.nn.Linear(2, 2), orthogonal_map="cayley", use_trivialization=False)
    with pytest.raises(NotImplementedError, match="It is not possible to assign"):
        layer.weight = T.eye(2)


@LIBRARIES
def test_a_batch_norm_goes_into_the_layer_before_it(T):
    T.manual_seed(4)
    fusion = T.nn.utils.fusion
    conv, norm, x = T.nn.Conv2d(2, 3, 3, bias=False), T.nn.BatchNorm2d(3), T.randn(2, 2, 6, 6)
    norm(conv(x))
    with pytest.raises(AssertionError, match="only for eval"):
        fusion.fuse_conv_bn_eval(conv, norm)
    fused = fusion.fuse_conv_bn_eval(conv.eval(), norm.eval())
    assert T.allclose(fused(x), norm(conv(x)), atol=1e-5) and fused.bias is not None and conv.bias is None
    linear, norm, x = T.nn.Linear(2, 3), T.nn.BatchNorm1d(3), T.randn(4, 2)
    norm(linear(x))
    fused = T.nn.utils.fuse_linear_bn_eval(linear.eval(), norm.eval())
    assert T.allclose(fused(x), norm(linear(x)), atol=1e-5)


@LIBRARIES
def test_a_layer_without_initial_values_draws_nothing(T):
    T.manual_seed(5)
    expected = T.rand(3).tolist()
    T.manual_seed(5)
    layer = T.nn.utils.skip_init(T.nn.Linear, 4, 2, bias=False, dtype=T.float64)
    assert T.rand(3).tolist() == expected and layer.weight.shape == (2, 4) and layer.weight.dtype == T.float64
    with pytest.raises(RuntimeError, match="'device' arg"):
        T.nn.utils.skip_init(T.nn.ReLU)
