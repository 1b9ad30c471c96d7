"""The graph as one sees it: nodes, edges, names, order, positions."""

import inspect

import pytest
import torch

import autograd_core as ac
from autograd_core.core.graph import Leaf, Node, Output, index_of, node_of, schedule
from autograd_core.core.tensor import edge_of


def names(node):
    """The graph below a node, as nested names; PyTorch writes `torch::autograd::AccumulateGrad`."""
    return node.name().rpartition("::")[2], [names(n) if n is not None else None for n, _ in node.next_functions]


PROGRAMS = {
    "chain": lambda T, x, w: (x * 2).exp().sin(),
    "constants have no edge": lambda T, x, w: x * T.ones(2) + 3.0,
    "same tensor twice": lambda T, x, w: x * x,
    "two leaves": lambda T, x, w: (x * w - w).tanh(),
    "detached": lambda T, x, w: x * w.detach(),
    "no grad inside": lambda T, x, w: x * _silent(T, w),
}


def _silent(T, w):
    with T.no_grad():
        return w.exp()


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_leaves_torchs_graph(name):
    graphs = []
    for T in (torch, ac):
        x, w = (T.tensor([1.0, 2.0], requires_grad=True) for _ in range(2))
        graphs.append(names(PROGRAMS[name](T, x, w).grad_fn))
    assert graphs[0] == graphs[1]


def test_a_leaf_is_reached_through_accumulate_grad(T):
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * T.ones(2)
    (leaf, number), constant = y.grad_fn.next_functions
    assert leaf.name().endswith("AccumulateGrad") and number == 0 and leaf.variable is x
    assert constant == (None, 0) and leaf.next_functions == ()
    assert "AccumulateGrad object at 0x" in repr(leaf) and "MulBackward0 object at 0x" in repr(y.grad_fn)


def test_outputs_of_one_op_are_numbered(T):
    x = T.tensor([3.0, 1.0, 2.0], requires_grad=True)
    a, b, c = x.unbind(0)
    assert [t.output_nr for t in (a, b, c, x)] == [0, 1, 2, 0]
    assert a.grad_fn is b.grad_fn is c.grad_fn
    assert (c * 2).grad_fn.next_functions[0] == (c.grad_fn, 2)


def test_an_output_without_gradient_has_no_node(T):
    values, indices = T.tensor([3.0, 1.0], requires_grad=True).sort()
    assert values.requires_grad and not indices.requires_grad and indices.grad_fn is None


def test_a_tensor_keeps_one_node(T):
    y = T.tensor([1.0], requires_grad=True) * 2
    assert y.grad_fn is y.grad_fn


def test_edges_stand_for_nodes_leaves_and_outputs():
    x = ac.tensor([3.0, 1.0], requires_grad=True)
    y, (a, b) = x * 2, x.unbind(0)
    assert type(edge_of(x)) is Leaf and edge_of(x).tensor is x and node_of(edge_of(x)) is None
    assert isinstance(edge_of(y), Node) and node_of(edge_of(y)) is y.grad_fn and index_of(edge_of(y)) == 0
    assert type(edge_of(b)) is Output and index_of(edge_of(b)) == 1
    assert edge_of(b) == Output(b.grad_fn, 1) != edge_of(a) and len({edge_of(b), Output(b.grad_fn, 1)}) == 1
    assert node_of(None) is None and edge_of(ac.ones(2)) is None


def test_edges_know_shape_and_dtype():
    x = ac.ones(2, 3, dtype=ac.float64, requires_grad=True)
    for t in (x, x.sum(0), x.unbind(1)[2]):
        assert edge_of(t).shape == t.shape and edge_of(t).dtype == t.dtype.numpy


def test_the_schedule_is_newest_first_and_visits_once():
    x = ac.tensor(1.0, requires_grad=True)
    a = x * 2
    b = a.exp()
    c = a.sin()
    d = b + c + a
    unrelated = x * 5
    nodes = schedule([edge_of(d)])
    assert len(nodes) == len(set(nodes)) == 5 and unrelated.grad_fn not in nodes
    assert [n.seq for n in nodes] == sorted((n.seq for n in nodes), reverse=True)
    assert nodes[-3:] == [c.grad_fn, b.grad_fn, a.grad_fn]


def test_the_schedule_of_several_roots_and_of_a_leaf():
    x = ac.tensor(1.0, requires_grad=True)
    a, b = x * 2, x * 3
    assert schedule([edge_of(a), edge_of(b), edge_of(a)]) == [b.grad_fn, a.grad_fn]
    assert schedule([edge_of(x)]) == []


def test_a_node_says_which_line_recorded_it():
    x = ac.tensor([1.0], requires_grad=True)
    y, line = x.exp(), inspect.currentframe().f_lineno
    assert y.grad_fn.position == f"{__file__}:{line}: y, line = x.exp(), inspect.currentframe().f_lineno"


def test_the_line_is_the_users_also_below_package_code():
    x = ac.tensor([1.0, 2.0], requires_grad=True)
    values, line = x.sort().values, inspect.currentframe().f_lineno
    assert values.grad_fn.position.startswith(f"{__file__}:{line}")
    linear = ac.nn.Linear(2, 1)
    out, line = linear(x), inspect.currentframe().f_lineno
    assert out.grad_fn.position.startswith(f"{__file__}:{line}")


def test_a_write_is_recorded_at_its_line():
    x = ac.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    y.mul_(3.0)
    line = inspect.currentframe().f_lineno - 1
    assert y.grad_fn.position.startswith(f"{__file__}:{line}")
