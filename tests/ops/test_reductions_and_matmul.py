"""Reductions, scans, selections, matrix products: errors, corners and what is saved, where a sample cannot say it."""

import math
from operator import attrgetter

import numpy as np
import pytest
import torch

import autograd_core as ac
from autograd_core.nn import functional as F

FAILURES = {
    "mean of ints": (lambda T: T.arange(4).mean(), "could not infer output dtype"),
    "var of ints": (lambda T: T.arange(4).var(), "std and var only support floating point"),
    "norm of ints": (lambda T: T.arange(4).norm(), "Expected a floating point"),
    "softmax without an axis": (lambda T: T.ones(2).softmax(), r"softmax\(\) missing .*dim"),
    "cumsum without an axis": (lambda T: T.cumsum(T.ones(2)), "cumsum"),
    "an axis given twice": (lambda T: T.ones(2, 2).sum(0, dim=1), r"sum\(\) got multiple values for argument 'dim'"),
    "axis beside dim": (lambda T: T.ones(2, 2).sum(dim=0, axis=0), r"sum\(\) got an unexpected.*'axis'"),
    "axis after dim": (lambda T: T.ones(2, 2).var(0, axis=0), "var"),
    "axis of a p-norm": (lambda T: T.norm(T.ones(2, 2), axis=0), r"norm\(\) got an unexpected keyword argument 'axis'"),
    "an unknown argument": (lambda T: T.ones(2).softmax(0, foo=2), r"softmax\(\) got an unexpected.*'foo'"),
    "softmax of ints": (lambda T: T.softmax(T.arange(4), 0), "not implemented for"),
    "dim out of range": (lambda T: T.ones(2, 3).sum(2), "Dimension out of range"),
    "dim twice": (lambda T: T.ones(2, 3).sum((0, 0)), "appears multiple times"),
    "max of nothing": (lambda T: T.zeros(0).max(), "dim"),
    "max along nothing": (lambda T: T.zeros(0, 2).max(0), "non-zero size"),
    "amax of nothing": (lambda T: T.zeros(0).amax(), "dim"),
    "amin along nothing": (lambda T: T.zeros(2, 0).amin(1), "non-zero size"),
    "argmax of nothing": (lambda T: T.zeros(0).argmax(), "dim"),
    "median along nothing": (lambda T: T.zeros(0, 2).median(0), "non-zero size"),
    "inf norm of nothing": (lambda T: T.zeros(0).norm(math.inf), "does not have an identity"),
    "unknown norm": (lambda T: T.ones(2).norm("foo"), "not supported"),
    "matrix norm of a vector": (lambda T: T.linalg.norm(T.ones(2), "fro"), "matrix|2 dimensions"),
    "topk too many": (lambda T: T.ones(3).topk(5), "selected index k out of range"),
    "mm shapes": (lambda T: T.ones(2, 3) @ T.ones(2, 3), r"cannot be multiplied \(2x3 and 2x3\)"),
    "mm ranks": (lambda T: T.mm(T.ones(3), T.ones(3)), "matrix|2-D"),
    "mm dtypes": (lambda T: T.ones(2, 2) @ T.ones(2, 2).double(), "same dtype"),
    "mv shapes": (lambda T: T.ones(2, 3) @ T.ones(2), r"size mismatch.*2x3"),
    "dot shapes": (lambda T: T.ones(2) @ T.ones(3), "inconsistent tensor size"),
    "dot ranks": (lambda T: T.dot(T.ones(2, 2), T.ones(2)), "1-?D"),
    "bmm shapes": (lambda T: T.ones(2, 2, 3) @ T.ones(2, 2, 3), r"\[2, 2, 3\]|\[2, 3\]"),
    "bmm batches": (lambda T: T.bmm(T.ones(2, 3, 3), T.ones(1, 3, 3)), "batch"),
    "batches do not broadcast": (lambda T: T.ones(3, 2, 3) @ T.ones(2, 3, 3), "3"),
    "matmul of a scalar": (lambda T: T.ones(()) @ T.ones(3), "at least 1D"),
    "outer of a matrix": (lambda T: T.outer(T.ones(2, 2), T.ones(2)), "1-?D"),
    "linear shapes": (lambda T: T.nn.functional.linear(T.ones(2, 3), T.ones(2, 2)), "cannot be multiplied"),
    "linear bias": (lambda T: T.nn.functional.linear(T.ones(2, 3), T.ones(2, 3), T.ones(3)), "2"),
    "linear dtypes": (lambda T: T.nn.functional.linear(T.ones(2, 3), T.ones(2, 3).double()), "same dtype"),
    "einsum sizes": (lambda T: T.einsum("ij,jk", T.ones(2, 3), T.ones(4, 3)), "does not broadcast"),
    "einsum unknown result": (lambda T: T.einsum("ij->ik", T.ones(2, 3)), "does not appear"),
    "einsum result twice": (lambda T: T.einsum("ij->ii", T.ones(2, 2)), "more than once"),
    "einsum rank": (lambda T: T.einsum("ij", T.ones(2)), "does not match the number of dimensions"),
    "einsum operands": (lambda T: T.einsum("ij,jk", T.ones(2, 3)), "fewer operands"),
    "einsum diagonal": (lambda T: T.einsum("ii->i", T.ones(2, 3)), "the sizes don't match"),
}


NUMPY_NAMES = [
    *("sum", "mean", "prod", "amax", "amin", "max", "min", "median", "argmax", "argmin", "std", "var", "any", "all"),
    *("logsumexp", "linalg.norm", "linalg.vector_norm"),
]


@pytest.mark.parametrize("name", NUMPY_NAMES)
def test_reductions_take_numpy_s_axis_and_keepdims(T, name):
    x = T.tensor([[1.0, 5.0], [7.0, 3.0]])
    reduce = attrgetter(name)(T)
    for got, wanted in zip(reduce(x, axis=1, keepdims=True), reduce(x, dim=1, keepdim=True), strict=True):
        assert T.equal(got, wanted)


@pytest.mark.parametrize("name", ["cumsum", "softmax", "squeeze", "sort", "unbind"])
def test_other_ops_along_an_axis_take_axis_too(T, name):
    for got, wanted in zip(*(getattr(T.ones(2, 2), name)(**{dim: 1}) for dim in ("axis", "dim")), strict=True):
        assert T.equal(got, wanted)


def test_on_arrays_too_an_error_names_the_op():
    with pytest.raises(TypeError, match=r"^softmax\(\) missing required argument: 'dim'$"):
        ac.softmax(np.ones(2))
    with pytest.raises(TypeError, match=r"^sum\(\) got an unexpected keyword argument 'foo'$"):
        ac.sum(np.ones(2), foo=1)


@pytest.mark.parametrize("name", FAILURES)
def test_error_has_the_type_and_the_words_of_torch(name):
    call, words = FAILURES[name]
    with pytest.raises(Exception, match=words) as wanted:
        call(torch)
    with pytest.raises(type(wanted.value), match=words):
        call(ac)


def test_product_with_a_number_says_what_to_do():
    with pytest.raises(TypeError, match=r"multiply by a number with \*"):
        ac.matmul(ac.ones(2), 3)


@pytest.mark.parametrize("f", ["var", "std"])
def test_spread_of_one_element_is_nan_with_a_warning(f):
    x = ac.tensor([2.0], requires_grad=True)
    with np.errstate(invalid="ignore"):
        with pytest.warns(UserWarning, match="degrees of freedom"):
            out = getattr(x, f)()
        (g,) = ac.autograd.grad(out, x)
    assert np.isnan([out.item(), g.item()]).all()


@pytest.mark.parametrize("ord", [2, 3])
def test_second_derivative_of_a_norm_at_zero_is_that_of_torch(ord):
    def second(T):
        x = T.zeros(2, requires_grad=True)
        (g,) = T.autograd.grad(x.norm(ord), x, create_graph=True)
        (h,) = T.autograd.grad(g.sum(), x)
        return h.numpy()

    with np.errstate(invalid="ignore", divide="ignore"):
        np.testing.assert_array_equal(second(ac), second(torch))


def test_largest_of_nans_gets_nan():
    x = ac.tensor([1.0, math.nan], requires_grad=True)
    with np.errstate(invalid="ignore"):
        x.amax(0).backward()
    assert np.isnan(x.grad.numpy()).all()


def test_results_with_indices_are_named():
    for result in (ac.ones(2).max(0), ac.ones(2).sort(), ac.ones(2).topk(1), ac.ones(2).median(0)):
        assert result._fields == ("values", "indices")
        assert not result.indices.requires_grad


def test_gradient_of_a_selection_follows_an_index_overwritten_later_no_more():
    x = ac.tensor([1.0, 3.0], requires_grad=True)
    values, indices = x.sort(descending=True)
    with ac.no_grad():
        indices.zero_()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        values.sum().backward()


@pytest.mark.parametrize("order", [1, 2, 3])
def test_product_with_zeros_has_derivatives_of_any_order(order):
    def derivative(T):
        x = T.tensor([0.0, 2.0, 0.0, 3.0], dtype=T.float64, requires_grad=True)
        weights = T.tensor([1.0, 2.0, 3.0, 4.0], dtype=T.float64)
        y = x.prod() + (x.cumprod(0) * weights).sum()
        for _ in range(order):
            (y,) = T.autograd.grad((y * weights).sum() if y.ndim else y, x, create_graph=True)
        return y.detach().numpy()

    np.testing.assert_allclose(derivative(ac), derivative(torch), rtol=1e-12)


SAVED = {
    "sum": (lambda T, x: x.sum(), []),
    "mean": (lambda T, x: x.mean(0), []),
    "cumsum": (lambda T, x: x.cumsum(0), []),
    "prod": (lambda T, x: x.prod(), ["result", "self"]),
    "cumprod": (lambda T, x: x.cumprod(0), ["result", "self"]),
    "var": (lambda T, x: x.var(), ["self"]),
    "std": (lambda T, x: x.std(), ["result", "self"]),
    "amax": (lambda T, x: x.amax(), ["result", "self"]),
    "max": (lambda T, x: x.max(), ["result", "self"]),
    "max dim": (lambda T, x: x.max(0)[0], ["indices"]),
    "median": (lambda T, x: x.median(), ["result", "self"]),
    "median dim": (lambda T, x: x.median(0)[0], ["indices"]),
    "sort": (lambda T, x: x.sort()[0], ["indices"]),
    "topk": (lambda T, x: x.topk(1)[0], ["indices"]),
    "logsumexp": (lambda T, x: x.logsumexp(0), ["result", "self"]),
    "norm": (lambda T, x: x.norm(), ["result", "self"]),
    "softmax": (lambda T, x: x.softmax(0), ["result"]),
    "log_softmax": (lambda T, x: x.log_softmax(0), ["result"]),
    "mm": (lambda T, x: x @ T.ones(2, 3), ["mat2"]),
    "mm right": (lambda T, x: T.ones(3, 2) @ x, ["self"]),
    "mv": (lambda T, x: x @ T.ones(2), ["vec"]),
    "dot": (lambda T, x: x[0].dot(x[1]), ["self", "tensor"]),
}
OUR_NAMES = {"self": "x", "result": "out"}


@pytest.mark.parametrize("name", SAVED)
def test_saves_what_torch_saves_under_the_same_node_name(name):
    f, names = SAVED[name]
    theirs, ours = (f(T, T.ones(2, 2, requires_grad=True)).grad_fn for T in (torch, ac))
    held = [s for s in names if isinstance(getattr(theirs, "_saved_" + s), torch.Tensor)]
    assert held == names
    assert sorted(ours.plan.saved_names) == sorted(OUR_NAMES.get(s, s) for s in names)
    assert ours.name().rstrip("01") == theirs.name().rstrip("01")


def test_linear_saves_only_what_the_wanted_gradients_need():
    x, weight, bias = ac.ones(2, 3), ac.ones(4, 3), ac.ones(4)
    saved = {}
    for name, tensor in {"x": x, "weight": weight, "bias": bias}.items():
        tensor.requires_grad_()
        saved[name] = F.linear(x, weight, bias).grad_fn.plan.saved_names
        tensor.requires_grad_(False)
    assert saved == {"x": ("weight",), "weight": ("x",), "bias": ()}
