"""Copies made by `copy`, `deepcopy` and `pickle`: new leaves, as PyTorch makes them."""

import copy
import pickle

import pytest


def by_pickle(value):
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, by_pickle])
def test_a_copy_of_a_leaf_is_a_leaf_of_its_own(T, duplicate):
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = duplicate(x)
    (y * 3).sum().backward()
    assert x.grad is None and y.grad.tolist() == [3.0, 3.0]
    assert not duplicate(T.ones(2)).requires_grad


def test_a_shallow_copy_shares_memory_and_a_deep_one_does_not(T):
    x = T.ones(2)
    assert copy.copy(x).data_ptr() == x.data_ptr() != copy.deepcopy(x).data_ptr()


def test_a_deep_copy_has_the_gradient_and_what_was_one_stays_one(T):
    x = T.ones(2, requires_grad=True)
    (x * x).sum().backward()
    a, b = copy.deepcopy([x, x])
    assert a is b and a.grad.tolist() == [2.0, 2.0] and a.grad is not x.grad


def test_a_result_refuses_a_deep_copy(T):
    with pytest.raises(RuntimeError, match="deepcopy protocol"):
        copy.deepcopy(T.ones(2, requires_grad=True) * 2)


def test_the_copy_of_a_module_trains(T):
    layer = T.nn.Linear(2, 1)
    twin = copy.deepcopy(layer)
    twin(T.ones(1, 2)).sum().backward()
    assert layer.weight.grad is None and twin.weight.grad.tolist() == [[1.0, 1.0]]
    assert type(twin.weight) is T.nn.Parameter


def test_a_state_dict_can_be_pickled(T):
    layer = T.nn.Linear(2, 1)
    state = by_pickle(layer.state_dict())
    assert list(state) == ["weight", "bias"] and state["weight"].tolist() == layer.weight.tolist()
