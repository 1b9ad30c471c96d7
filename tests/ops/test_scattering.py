"""Placing by an index where PyTorch's gradient is no yardstick, and what is refused."""

import numpy as np
import pytest

import autograd_core as ac
from autograd_core.autograd import gradcheck, gradgradcheck


def tensors(*shapes):
    rng = np.random.default_rng(5)
    return [ac.from_numpy(rng.uniform(0.5, 2.0, shape)).requires_grad_() for shape in shapes]


@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("reduce", ["sum", "prod", "mean", "amax", "amin"])
def test_a_source_larger_than_the_index_has_gradient_zero_where_it_is_not_used(reduce, include_self):
    index = ac.tensor([[1, 1], [0, 1]])

    def f(x, src):
        return ac.scatter_reduce(x, 0, index, src, reduce, include_self=include_self)

    x, src = tensors((2, 3), (3, 2))
    assert gradcheck(f, (x, src)) and gradgradcheck(f, (x, src))
    f(x, src).sum().backward()
    assert not src.grad[2].any()


@pytest.mark.parametrize("place", [((2,), (2,), 1), ((2, 2), (3, 1), 0)])
def test_as_strided_scatter_drops_the_gradient_of_what_it_overwrites(place):
    def f(x, src):
        return ac.as_strided_scatter(x, src, *place)

    x, src = tensors((2, 3), place[0])
    assert gradcheck(f, (x, src)) and gradgradcheck(f, (x, src))


def test_a_product_with_several_zeros_can_be_differentiated_once():
    src = ac.tensor([0.0, 0.0, 3.0], requires_grad=True)
    out = ac.scatter_reduce(ac.ones(1), 0, ac.tensor([0, 0, 0]), src, "prod")
    (g,) = ac.autograd.grad(out, src, ac.ones(1, requires_grad=True), create_graph=True)
    assert g.tolist() == [0.0, 0.0, 0.0]
    with pytest.raises(RuntimeError, match="Double backward"):
        g.sum().backward()


@pytest.mark.parametrize("reduce", ["add", "multiply"])
def test_scatter_that_reduces_has_no_backward(reduce):
    x = ac.ones(2, requires_grad=True)
    out = ac.scatter(x, 0, ac.tensor([0, 0]), ac.tensor([2.0, 3.0]), reduce=reduce)
    assert out.tolist() == [6.0, 1.0]
    with pytest.raises(RuntimeError, match="scatter_add, or scatter_reduce"):
        out.sum().backward()


@pytest.mark.parametrize(
    "write",
    [
        lambda x: x.index_fill_(0, ac.tensor([0, 9]), 1.0),
        lambda x: x.index_copy_(0, ac.tensor([0]), ac.ones(3)),
        lambda x: x.put_(ac.tensor([0, 9]), ac.ones(2)),
        lambda x: x.scatter_reduce_(0, ac.tensor([0]), ac.ones(1), "median"),
        lambda x: x.index_reduce_(0, ac.tensor([0]), ac.ones(1), "sum"),
        lambda x: x.scatter_(0, ac.tensor([0]), ac.ones(1), reduce="max"),
    ],
)
def test_a_placing_that_is_refused_changes_nothing(write):
    x = ac.zeros(3)
    with pytest.raises((RuntimeError, IndexError)):
        write(x)
    assert x.tolist() == [0.0, 0.0, 0.0] and x._version == 0
