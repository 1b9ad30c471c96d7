"""Containers: lists and dicts of modules and parameters, in both libraries."""

import pytest
import torch

import autograd_core as ac

LIBRARIES = pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])


def three(T):
    return T.nn.ReLU(), T.nn.Tanh(), T.nn.Sigmoid()


@LIBRARIES
@pytest.mark.parametrize("kind", ["Sequential", "ModuleList"])
def test_a_list_of_modules_is_changed_like_a_list(T, kind):
    a, b, c = three(T)
    held = T.nn.Sequential(a, b) if kind == "Sequential" else T.nn.ModuleList([a, b])
    assert held.append(c) is held and list(held) == [a, b, c]
    held.insert(1, c)
    assert list(held) == [a, c, b, c] and [name for name, _ in held.named_children()] == ["0", "1", "2"]
    del held[1]
    assert list(held) == [a, b, c] and held.pop(-1) is c
    held.extend([c, a])
    assert list(held) == [a, b, c, a] and len(held) == 4 and c in held
    held[0] = c
    held[-1] = b
    assert list(held) == [c, b, c, b] and held[-2] is c
    assert type(held[1:3]).__name__ == kind and list(held[1:3]) == [b, c]
    assert list(held + held[:1]) == [c, b, c, b, c]
    del held[1:3]
    assert list(held) == [c, b]
    with pytest.raises(IndexError):
        held[5]
    with pytest.raises(TypeError, match="is not a Module subclass"):
        held.append(lambda x: x)
    assert len(held) == 2


@LIBRARIES
def test_a_sequence_with_names(T):
    from collections import OrderedDict

    net = T.nn.Sequential(OrderedDict(first=T.nn.Linear(2, 3), then=T.nn.Tanh()))
    assert list(net.state_dict()) == ["first.weight", "first.bias"] and net.then is net[1]
    assert [name for name, _ in net[1:].named_children()] == ["then"]
    assert net(T.ones(1, 2)).shape == (1, 3)
    with pytest.raises(KeyError, match="already exists"):
        T.nn.Sequential(OrderedDict(forward=T.nn.Tanh()))


def test_a_list_of_modules_prints_like_that_of_torch():
    def make(T):
        layer = T.nn.Sequential(T.nn.Linear(2, 2), T.nn.ReLU())
        return T.nn.ModuleList([T.nn.Tanh(), T.nn.Tanh(), layer, layer, T.nn.Tanh()])

    assert repr(make(ac)) == repr(make(torch))
    assert repr(ac.nn.ModuleList()) == repr(torch.nn.ModuleList())


@LIBRARIES
def test_a_list_of_modules_is_registered_and_not_called(T):
    class Model(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = T.nn.ModuleList(T.nn.Linear(2, 2) for _ in range(2))

    assert [name for name, _ in Model().named_parameters()] == [
        f"layers.{k}.{what}" for k in range(2) for what in ("weight", "bias")
    ]
    with pytest.raises(NotImplementedError, match="ModuleList"):
        Model().layers(T.ones(2))


@LIBRARIES
def test_a_dict_of_modules(T):
    a, b, c = three(T)
    held = T.nn.ModuleDict({"a": a, "b": b})
    held["c"] = c
    assert list(held) == list(held.keys()) == ["a", "b", "c"] and list(held.values()) == [a, b, c]
    assert held["b"] is b and "b" in held and "d" not in held and len(held) == 3
    assert [name for name, _ in held.named_children()] == ["a", "b", "c"]
    held.update([("d", a), ("a", b)])
    assert dict(held.items()) == {"a": b, "b": b, "c": c, "d": a}
    assert held.pop("d") is a
    del held["b"]
    assert list(held) == ["a", "c"]
    with pytest.raises(KeyError):
        held["nothing"]
    with pytest.raises(KeyError):
        del held["training"]
    with pytest.raises(KeyError, match="already exists"):
        held["forward"] = a
    with pytest.raises(KeyError, match=r"contain"):
        held["a.b"] = a
    with pytest.raises(TypeError, match="is not a Module"):
        held["e"] = 3
    held.clear()
    assert len(held) == 0 and len({held, held}) == 1 and held != T.nn.ModuleDict()


@LIBRARIES
def test_a_list_of_parameters(T):
    held = T.nn.ParameterList([T.nn.Parameter(T.ones(2)), T.zeros(3)])
    held.append(T.ones(1))
    assert [type(p).__name__ for p in held] == ["Parameter"] * 3
    assert list(held.state_dict()) == ["0", "1", "2"] and len(list(held.parameters())) == 3
    held[1] = T.ones(4)
    assert [p.shape[0] for p in held] == [2, 4, 1] and held[-1].tolist() == [1.0]
    assert [p.shape[0] for p in held[1:]] == [4, 1] and len(held) == 3
    held.extend([T.ones(5)])
    assert len(held) == 4
    sum(p.sum() for p in held).backward()
    assert held[3].grad.tolist() == [1.0] * 5


@LIBRARIES
def test_containers_of_parameters_keep_other_values_beside_them(T):
    held = T.nn.ParameterList([T.ones(2), "a", T.nn.Linear(1, 1)])
    assert held[1] == "a" and len(held) == 3 and list(held.state_dict()) == ["0", "2.weight", "2.bias"]
    named = T.nn.ParameterDict({"w": T.ones(2), "none": None})
    assert list(named) == ["none", "w"] and named["none"] is None and list(named.state_dict()) == ["w"]
    for made in (held, named):
        with pytest.raises(RuntimeError, match="should not be called"):
            made(T.ones(2))


@LIBRARIES
def test_a_dict_of_parameters(T):
    held = T.nn.ParameterDict({"scale": T.ones(2)})
    held["shift"] = T.nn.Parameter(T.zeros(2))
    assert list(held) == ["scale", "shift"] == [name for name, _ in held.named_parameters()]
    assert held.get("none") is None and held.pop("scale").tolist() == [1.0, 1.0]
    held.update({"shift": T.ones(3)})
    assert held["shift"].shape == (3,) and held.shift.requires_grad and list(held.state_dict()) == ["shift"]
