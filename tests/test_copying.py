"""Copies made by `copy`, `deepcopy` and `pickle`: new leaves, as PyTorch makes them."""

import copy
import io
import pickle

import numpy as np
import pytest

import autograd_core as ac


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


def test_parts_of_one_memory_stay_parts_of_one_memory(T):
    whole = T.arange(6.0).reshape(2, 3)
    a, b = copy.deepcopy([whole, whole.t()[1:]])
    a.mul_(2)
    assert b.tolist() == [[2.0, 8.0], [4.0, 10.0]] and b.stride() == whole.t().stride()
    assert whole.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]


def test_strided_views_of_one_memory_stay_so_too(T):
    x = T.arange(6.0)
    whole, rows, every_other = copy.deepcopy([x, x.as_strided((2, 2), (3, 1), 1), x.as_strided((3,), (2,), 0)])
    every_other.fill_(9.0)
    rows[1, 0] = -1.0
    assert (whole.tolist(), rows.tolist()) == ([9.0, 1.0, 9.0, 3.0, -1.0, 5.0], [[1.0, 9.0], [-1.0, 5.0]])
    assert x.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]


@pytest.mark.parametrize(
    "make",
    [
        lambda T: T.zeros(0, 3),
        lambda T: T.tensor(3.0),
        lambda T: T.arange(24.0).reshape(2, 3, 4).permute(1, 2, 0)[1:, ::2],
        lambda T: T.arange(3.0).expand(2, 3),
        lambda T: T.tensor([True, False]),
    ],
)
def test_a_deep_copy_lies_in_memory_as_the_original(T, make):
    x = make(T)
    y = copy.deepcopy(x)
    assert (y.tolist(), y.stride(), y.dtype) == (x.tolist(), x.stride(), x.dtype)


def test_the_deep_copy_of_a_parameter_has_no_gradient(T):
    layer = T.nn.Linear(2, 1)
    layer(T.ones(1, 2)).sum().backward()
    twin = copy.deepcopy(layer)
    assert twin.weight.grad is None and layer.weight.grad is not None and twin.weight.requires_grad


def test_shared_parameters_stay_shared(T):
    layer = T.nn.Linear(2, 2)
    twin = copy.deepcopy(T.nn.Sequential(layer, layer))
    assert twin[0] is twin[1] and len(list(twin.parameters())) == 2


def test_results_become_leaves_when_pickled_or_shallowly_copied(T):
    y = T.ones(2, requires_grad=True) * 2
    for z in (by_pickle(y), copy.copy(y)):
        assert z.is_leaf and z.requires_grad and z.tolist() == [2.0, 2.0]
    assert copy.copy(y).data_ptr() == y.data_ptr()


def test_a_deep_copy_has_no_hooks_and_other_copies_no_gradient(T):
    x = T.ones(2, requires_grad=True)
    x.register_hook(lambda g: g * 2)
    y = copy.deepcopy(x)
    (y * 3).sum().backward()
    assert y.grad.tolist() == [3.0, 3.0]
    y.grad = T.ones(2)
    assert copy.copy(y).grad is None and by_pickle(y).grad is None


def test_a_view_can_be_pickled(T):
    part = by_pickle(T.arange(6.0)[::2])
    assert part.tolist() == [0.0, 2.0, 4.0]


def test_a_normal_copy_of_an_inference_tensor(T):
    with T.inference_mode():
        x = T.ones(2)
    assert not copy.deepcopy(x).is_inference()


def test_what_comes_from_a_pickle_or_a_file_has_numpys_own_dtype():
    array = pickle.loads(pickle.dumps(np.ones(2, np.float16)))
    file = io.BytesIO()
    ac.save(ac.ones(2, dtype=ac.float16), file)
    file.seek(0)
    assert array.dtype is not np.dtype(np.float16)  # else there is nothing to see
    for x in (ac.from_numpy(array), by_pickle(ac.ones(2, dtype=ac.float16)), ac.load(file)):
        assert x.numpy().dtype is np.dtype(np.float16)
    assert np.shares_memory(ac.from_numpy(array).numpy(), array)
