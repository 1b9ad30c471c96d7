"""Attributes of a user's own on tensors, subclasses of Tensor, and shapes as values: on both engines."""

import copy
import operator
import pickle

import numpy as np
import pytest
import torch

import autograd_core as ac


class TorchTagged(torch.Tensor):
    pass


class Tagged(ac.Tensor):
    pass


class Narrower(Tagged):
    pass


class Unrelated(ac.Tensor):
    pass


@pytest.fixture
def kind(T):
    return TorchTagged if T is torch else Tagged


def test_a_tensor_takes_attributes_and_copies_keep_them(T):
    x, p = T.zeros(2), T.nn.Parameter(T.zeros(2))
    x.note, p.no_decay = ["a"], True
    assert copy.copy(p).no_decay and pickle.loads(pickle.dumps(p)).no_decay
    deep = copy.deepcopy(x)
    assert deep.note == ["a"] and deep.note is not x.note and copy.copy(x).note is x.note
    assert x.requires_grad_() is x and x.note == ["a"]
    assert not hasattr(x.detach(), "note") and not hasattr(x * 2, "note")


def test_a_deep_copy_of_a_parameter_keeps_them_too():  # PyTorch drops them
    p = ac.nn.Parameter(ac.zeros(2))
    p.no_decay = True
    assert copy.deepcopy(p).no_decay
    layer = ac.nn.Linear(2, 1)
    layer.weight.no_decay = True
    assert copy.deepcopy(layer).weight.no_decay


def test_what_a_tensor_says_of_itself_cannot_be_set(T):
    x = T.zeros(2)
    for name in ("shape", "dtype", "ndim", "device", "is_leaf", "is_cuda"):
        with pytest.raises(AttributeError):
            setattr(x, name, None)


OPS = {
    "arithmetic": lambda T, x: x + 1,
    "swapped": lambda T, x: T.ones(2) * x,
    "reduction": lambda T, x: x.sum(),
    "two results": lambda T, x: x.max(0)[0],
    "several views": lambda T, x: x.split(1)[0],
    "index": lambda T, x: x[0],
    "mask": lambda T, x: x[x > 1],
    "comparison": lambda T, x: x == 1,
    "positions": lambda T, x: x.argmax(),
    "joined": lambda T, x: T.cat([T.ones(2), x]),
    "stacked": lambda T, x: T.stack((x, x)),
    "contracted": lambda T, x: T.einsum("i,i->", x, x),
    "converted": lambda T, x: x.double(),
    "a view of a view": lambda T, x: x.reshape(1, 2).T,
    "composed": lambda T, x: T.nn.functional.linear(x, T.ones(2, 2)),
    "detached": lambda T, x: x.detach(),
    "data": lambda T, x: x.data,
    "copied": lambda T, x: copy.copy(x),
    "iterated": lambda T, x: next(iter(x)),
}


@pytest.mark.parametrize("tracked", [False, True])
@pytest.mark.parametrize("op", OPS)
def test_an_op_on_a_subclass_makes_the_subclass(T, kind, op, tracked):
    x = kind([1.0, 2.0])
    x.requires_grad_(tracked)
    assert type(x) is kind and type(OPS[op](T, x)) is kind


def test_gradients_flow_through_a_subclass(T, kind):
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x.as_subclass(kind)
    (y * y).sum().backward()
    assert type(y) is kind and type(x.grad) is T.Tensor and x.grad.tolist() == [2.0, 4.0]
    leaf = T.Tensor._make_subclass(kind, T.ones(2), True)
    assert type(leaf) is kind and leaf.is_leaf and repr(leaf) == f"{kind.__name__}([1., 1.], requires_grad=True)"


def test_of_a_class_and_its_own_subclass_the_narrower_comes_out():
    x, y = Tagged([1.0]), Narrower([2.0])
    assert type(x + y) is type(y + x) is Narrower
    with pytest.raises(TypeError, match=r"no implementation found.*Tagged, Unrelated.*as_subclass"):
        ac.add(x, Unrelated([1.0]))


def test_ops_on_a_parameter_make_tensors(T):
    class Weight(T.nn.Parameter):
        pass

    w = Weight(T.ones(2))
    assert [type(w + 1), type(w.data), type(copy.deepcopy(w))] == [T.Tensor, T.Tensor, Weight]


def test_a_subclass_survives_copies_with_its_attributes():
    x = Tagged([1.0])
    x.tag = "a"
    for twin in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert type(twin) is Tagged and twin.tag == "a"


def test_a_protocol_that_is_not_called_is_refused():
    with pytest.raises(TypeError, match="__torch_function__"):
        type("Logging", (ac.Tensor,), {"__torch_function__": classmethod(lambda *_: None)})


def test_a_part_of_a_size_is_a_size(T):
    size = T.zeros(2, 3, 4).shape
    parts = [size[1:], size[:0], size[::-1], size + T.Size([5]), size * 2, 2 * size, T.zeros(2).size() + size]
    assert {type(part) for part in parts} == {T.Size}
    assert [part.numel() for part in parts] == [12, 1, 24, 120, 576, 576, 48]
    assert (size[0], size[-1], tuple(size), size == (2, 3, 4)) == (2, 4, (2, 3, 4), True)
    assert pickle.loads(pickle.dumps(size)) == size and T.Size([np.int64(2)]) == (2,)
    with pytest.raises(TypeError):
        T.Size([2.5])
    with pytest.raises(TypeError):
        operator.add(size, [1])


def test_a_list_is_repeated_by_an_integer_tensor(T):
    assert [0] * T.tensor(3) == T.tensor(3) * [0] == [0, 0, 0] and (1, 2) * T.tensor(2) == (1, 2, 1, 2)
    with pytest.raises(TypeError, match="only integer tensors of a single element can be converted to an index"):
        [0] * T.ones(2)


def test_a_tensor_is_reversed_and_keeps_its_items(T):
    x = T.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert reversed(x).tolist() == [[3.0, 4.0], [1.0, 2.0]] and reversed(T.tensor(1.0)).item() == 1.0
    with pytest.raises(TypeError, match="Tensor does not support deleting items"):
        del x[0]
