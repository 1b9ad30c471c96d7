"""Functions of one example for a batch of them, in both libraries."""

import re

import numpy as np
import pytest
import torch

import autograd_core as ac


def numbers(T, *shape, seed=0):
    return T.tensor(np.random.default_rng(seed).normal(size=shape))


def flat(tree):
    if isinstance(tree, dict):
        return [leaf for part in tree.values() for leaf in flat(part)]
    return [leaf for part in tree for leaf in flat(part)] if isinstance(tree, (list, tuple)) else [tree]


CASES = {
    "of one argument": lambda T: T.vmap(T.sin)(numbers(T, 3, 2)),
    "of two": lambda T: T.func.vmap(T.dot)(numbers(T, 3, 2), numbers(T, 3, 2, seed=1)),
    "along other axes": lambda T: T.vmap(T.mv, in_dims=(-1, 1), out_dims=1)(numbers(T, 4, 5, 3), numbers(T, 5, 3)),
    "with one for all": lambda T: T.vmap(T.mv, in_dims=(None, 0))(numbers(T, 4, 5), numbers(T, 3, 5)),
    "of trees": lambda T: T.vmap(lambda t: t["w"] @ t["b"][0], in_dims=({"w": 0, "b": [1]},))(
        {"w": numbers(T, 3, 2, 2), "b": [numbers(T, 2, 3)]}
    ),
    "with a number": lambda T: T.vmap(lambda x, n: x * n, in_dims=(0, None))(numbers(T, 3), 2.5),
    "with keywords": lambda T: T.vmap(lambda x, y=None: x * y)(numbers(T, 2), y=numbers(T, 2)),
    "with several results": lambda T: T.vmap(lambda x: (x.sum(), {"x": [x]}), out_dims=(0, {"x": [1]}))(
        numbers(T, 3, 2)
    ),
    "with a result for all": lambda T: T.vmap(lambda x: (x, T.ones(2)), out_dims=(-1, None))(numbers(T, 3, 2)),
    "inside another": lambda T: T.vmap(T.vmap(T.mul, in_dims=(None, 0)), in_dims=(0, None))(
        numbers(T, 3), numbers(T, 2)
    ),
    "of no element": lambda T: T.vmap(lambda x: (x.sum(), x.outer(x)))(numbers(T, 0, 3)),
    "in pieces": lambda T: T.vmap(T.exp, chunk_size=2)(numbers(T, 5)),
    "gradients of examples": lambda T: T.vmap(T.func.grad(lambda w, x: (w @ x).tanh().sum()), in_dims=(None, 0))(
        numbers(T, 2, 3), numbers(T, 4, 3)
    ),
    "a gradient through it": lambda T: T.func.grad(
        lambda w: T.vmap(lambda x: (w * x).sum() ** 2)(numbers(T, 4, 3)).sum()
    )(numbers(T, 3)),
    "rows of a Jacobian": lambda T: T.vmap(T.func.vjp(lambda x: x**3, numbers(T, 3))[1])(T.eye(3, dtype=T.float64)),
    "columns of a Jacobian": lambda T: T.vmap(lambda v: T.func.jvp(T.sin, (numbers(T, 3),), (v,))[1], out_dims=1)(
        T.eye(3, dtype=T.float64)
    ),
    "Hessians of examples": lambda T: T.vmap(T.func.hessian(lambda x: (x**3).prod()))(numbers(T, 4, 2)),
}


@pytest.mark.parametrize("name", CASES)
def test_results_are_those_of_torch(name):
    ours, theirs = flat(CASES[name](ac)), flat(CASES[name](torch))
    assert len(ours) == len(theirs)
    for here, there in zip(ours, theirs):
        np.testing.assert_allclose(here.numpy(), there.numpy(), rtol=1e-10, atol=1e-14)


def test_tracked_tensors_keep_their_history(T):
    w = T.tensor([1.0, 2.0], requires_grad=True)
    T.vmap(lambda x: (w * x).sum())(T.tensor([[3.0, 4.0], [5.0, 6.0]])).sum().backward()
    assert w.grad.tolist() == [8.0, 10.0]


def test_random_numbers_are_allowed_by_word(T):
    x = T.zeros(3)
    with pytest.raises(RuntimeError, match="called random operation while in randomness error mode"):
        T.vmap(lambda x: x + T.rand(()))(x)
    assert len(set(T.vmap(lambda x: x + T.rand(()), randomness="same")(x).tolist())) == 1
    assert len(set(T.vmap(lambda x: x + T.rand(()), randomness="different")(x).tolist())) == 3


REFUSALS = {
    "no inputs": (lambda T, x: T.vmap(T.sin)(), ValueError, "vmap(sin)(<inputs>): got no inputs. Maybe you forgot"),
    "a list of axes": (
        lambda T, x: T.vmap(T.sin, [0])(x),
        ValueError,
        "expected `in_dims` to be int or a",
    ),
    "too few axes": (
        lambda T, x: T.vmap(T.add, (0,))(x, x),
        ValueError,
        "in_dims is not compatible",
    ),
    "no such axis": (lambda T, x: T.vmap(T.sin, 2)(x), ValueError, "expected in_dim to satisfy -2 <= in_dim < 2."),
    "no axis": (lambda T, x: T.vmap(T.sin, (None,))(x), ValueError, ""),
    "half an axis": (lambda T, x: T.vmap(T.sin, (0.5,))(x), ValueError, "Got in_dim=0.5 for an input but in_dim must"),
    "an axis of a number": (lambda T, x: T.vmap(T.add)(x, 2.0), ValueError, "the input is of type <class 'float'>"),
    "other lengths": (lambda T, x: T.vmap(T.add, (0, 1))(x, x), ValueError, "same size in the mapped dimension, got"),
    "no tensor": (
        lambda T, x: T.vmap(lambda x: [x, 3])(x),
        ValueError,
        "must only return Tensors, got type",
    ),
    "nothing": (
        lambda T, x: T.vmap(lambda x: None)(x),
        ValueError,
        "must only return Tensors, got type",
    ),
    "not for all": (lambda T, x: T.vmap(T.sin, out_dims=None)(x), ValueError, "when out_dim is None"),
    "other results": (
        lambda T, x: T.vmap(lambda x: (x, x), out_dims=(0,))(x),
        ValueError,
        "out_dims is not compatible",
    ),
    "a far axis": (lambda T, x: T.vmap(T.sin, out_dims=5)(x), IndexError, "Dimension out of range"),
    "a word": (lambda T, x: T.vmap(T.sin, randomness="some"), RuntimeError, "Only allowed values for randomness are"),
    "no pieces": (lambda T, x: T.vmap(T.sin, chunk_size=0), ValueError, "chunk_size should be None or greater than 0."),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_what_does_not_fit_is_refused(T, name):
    call, kind, words = REFUSALS[name]
    with pytest.raises(kind, match=re.escape(words) or None):
        call(T, T.arange(6.0).view(2, 3))


def test_a_function_may_decide_by_values_where_torch_refuses():
    def magnitude(x):
        return x if x > 0 else -x

    with pytest.raises(RuntimeError, match="data-dependent control flow"):
        torch.vmap(magnitude)(torch.tensor([1.0, -2.0]))
    assert ac.vmap(magnitude)(ac.tensor([1.0, -2.0])).tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="for one element and"):
        ac.vmap(lambda x: x if x > 0 else (x, x))(ac.tensor([1.0, -2.0]))


def test_an_ensemble_is_one_call(T):
    models = [T.nn.Linear(3, 2, dtype=T.float64) for _ in range(4)]
    params, buffers = T.func.stack_module_state(models)
    assert {name: p.shape[1:] for name, p in params.items()} == {"weight": (2, 3), "bias": (2,)} and buffers == {}
    assert all(p.is_leaf and p.requires_grad for p in params.values())
    x = numbers(T, 5, 3)
    out = T.vmap(lambda params, x: T.func.functional_call(models[0], params, x), in_dims=(0, None))(params, x)
    expected = T.stack([model(x) for model in models])
    np.testing.assert_allclose(out.detach().numpy(), expected.detach().numpy())
    out.sum().backward()
    expected.sum().backward()
    np.testing.assert_allclose(params["bias"].grad[2], models[2].bias.grad)


ENSEMBLES = {
    "none": (lambda nn: [], "Expected at least one model, got 0."),
    "other classes": (lambda nn: [nn.Linear(1, 1), nn.ReLU()], "Expected all models to be of the same class."),
    "other modes": (lambda nn: [nn.ReLU(), nn.ReLU().eval()], "to have the same training/eval mode."),
    "frozen": (
        lambda nn: [nn.PReLU(), nn.PReLU().requires_grad_(False)],
        "Expected weight from each model to have the",
    ),
}


@pytest.mark.parametrize("name", ENSEMBLES)
def test_what_is_no_ensemble_is_refused(T, name):
    make, words = ENSEMBLES[name]
    with pytest.raises(RuntimeError, match=re.escape(words)):
        T.func.stack_module_state(make(T.nn))
