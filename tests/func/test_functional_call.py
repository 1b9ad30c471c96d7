"""Modules as functions of their parameters, and functions linearized at a point."""

import pytest

import autograd_core as ac


@pytest.fixture
def layer(T):
    return T.nn.Linear(2, 1)


def given(T):
    return {"weight": T.tensor([[1.0, 2.0]]), "bias": T.tensor([5.0])}


def test_a_module_is_called_with_other_tensors(T, layer):
    x, before = T.tensor([3.0, 4.0]), [p.tolist() for p in layer.parameters()]
    call = T.func.functional_call
    assert call(layer, given(T), x).tolist() == call(layer, given(T), (x,)).tolist() == [16.0]
    assert call(layer, given(T), kwargs={"input": x}).tolist() == [16.0]
    assert call(layer, [{"weight": given(T)["weight"]}, {"bias": given(T)["bias"]}], x).tolist() == [16.0]
    assert call(layer, {"unknown": x}, x).tolist() == layer(x).tolist()
    gradient = T.func.grad(lambda params: call(layer, params, x).sum())(given(T))
    assert {name: g.tolist() for name, g in gradient.items()} == {"weight": [[3.0, 4.0]], "bias": [1.0]}
    assert [p.tolist() for p in layer.parameters()] == before
    assert all(p.grad is None for p in layer.parameters())


def test_a_module_is_as_before_where_the_call_raises(T, layer):
    weight = layer.weight
    with pytest.raises(RuntimeError):
        T.func.functional_call(layer, given(T), T.ones(7))
    assert layer.weight is weight


def test_what_a_call_with_other_tensors_refuses(T, layer):
    call, x = T.func.functional_call, T.ones(2)
    with pytest.raises(ValueError, match="Expected parameter_and_buffer_dicts to be a dict"):
        call(layer, 3, x)
    with pytest.raises(ValueError, match="appeared in multiple dictionaries"):
        call(layer, [given(T), given(T)], x)
    with pytest.raises(TypeError, match="is not an instance of"):
        call(layer, {"weight": 3.0}, x)
    with pytest.raises(RuntimeError, match=r"Missing key\(s\): 'bias'"):
        call(layer, {"weight": given(T)["weight"]}, x, strict=True)
    with pytest.raises(RuntimeError, match=r"Unexpected key\(s\): 'nope'"):
        call(layer, {**given(T), "nope": x}, x, strict=True)


def test_a_tensor_under_two_names_is_replaced_under_both(T):
    net = T.nn.Sequential(T.nn.Linear(1, 1, bias=False), T.nn.Linear(1, 1, bias=False))
    net[1].weight = net[0].weight
    three, two, x = T.tensor([[3.0]]), T.tensor([[2.0]]), T.ones(1)
    assert T.func.functional_call(net, {"0.weight": three}, x).tolist() == [9.0]
    both = {"0.weight": three, "1.weight": two}
    assert T.func.functional_call(net, both, x, tie_weights=False).tolist() == [6.0]
    with pytest.raises(ValueError, match="multiple values for keys"):
        T.func.functional_call(net, both, x)


def test_a_buffer_that_is_given_is_the_one_that_is_written(T):
    norm = T.nn.BatchNorm1d(1)
    params = {name: t.detach().clone() for name, t in [*norm.named_parameters(), *norm.named_buffers()]}
    T.func.functional_call(norm, params, T.tensor([[1.0], [3.0]]))
    assert norm.running_mean.tolist() == [0.0]
    assert params["running_mean"].tolist() == pytest.approx([0.2])


@pytest.mark.filterwarnings("ignore")
def test_linearize(T):
    x, count = T.tensor([1.0, 2.0]), [0]

    def f(tree):
        count[0] += 1
        return tree["x"] ** 3, {"sum": tree["x"].sum() * tree["y"]}

    primal = {"x": x, "y": T.tensor(5.0)}
    output, push = T.func.linearize(f, primal)
    assert (output[0].tolist(), output[1]["sum"].tolist()) == ([1.0, 8.0], 15.0)
    for k in (1.0, 2.0):
        cubes, rest = push({"x": k * T.ones(2), "y": T.tensor(k)})
        assert (cubes.tolist(), rest["sum"].tolist()) == ([3.0 * k, 12.0 * k], 13.0 * k)
    if T is ac:  # PyTorch traces it once more
        assert count == [1]
    with pytest.raises(RuntimeError):
        push({"x": T.ones(3), "y": T.tensor(1.0)})
    with pytest.raises(RuntimeError):
        push(x)


def test_chunks_of_a_jacobian(T):
    x = T.tensor([1.0, 2.0, 3.0])
    assert (
        T.func.jacrev(lambda x: x * x.sum(), chunk_size=2)(x).tolist()
        == T.func.jacrev(lambda x: x * x.sum())(x).tolist()
    )
    with pytest.raises(ValueError, match="`chunk_size` should be greater than 0"):
        T.func.jacrev(lambda x: x, chunk_size=0)
