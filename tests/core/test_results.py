"""`out=`: results written into tensors of the caller's, on both engines."""

import pytest
import torch

import autograd_core as ac

CALLS = {
    "an elementwise op": lambda T, x, out: T.exp(x, out=out),
    "two operands": lambda T, x, out: T.mul(x, x, out=out),
    "a number": lambda T, x, out: T.pow(x, 2, out=out),
    "a composition": lambda T, x, out: T.add(x, x, alpha=3, out=out),
    "a difference": lambda T, x, out: T.sub(x, 1, out=out),
    "along an axis": lambda T, x, out: T.cumsum(x, 0, out=out),
    "a softmax": lambda T, x, out: T.softmax(x, dim=0, out=out),
    "joined": lambda T, x, out: T.cat([x[:1], x[1:]], out=out),
    "picked": lambda T, x, out: T.gather(x, 0, T.tensor([0, 1, 1]), out=out),
    "a product": lambda T, x, out: T.addmv(x, T.eye(3), x, out=out),
    "bounds": lambda T, x, out: T.clamp(x, min=0.5, out=out),
    "a choice": lambda T, x, out: T.where(x > 1, x, T.zeros(3), out=out),
    "matmul": lambda T, x, out: T.matmul(T.eye(3), x, out=out),
    "a quotient": lambda T, x, out: T.div(x, 2, out=out),
    "a factory": lambda T, x, out: T.arange(3, out=out),
    "zeros": lambda T, x, out: T.zeros(3, out=out),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_result_is_written_into_out(T, call):
    x = T.tensor([0.5, 1.0, 2.0])
    expected, out = CALLS[call](T, x, None), T.full((3,), 7.0)
    version, address = out._version, out.data_ptr()
    assert CALLS[call](T, x, out) is out
    assert T.equal(out, expected.to(T.float32)) and out.data_ptr() == address and out._version > version


def test_out_has_several_tensors_where_the_op_has_several_results(T):
    values, places = T.empty(2), T.empty(2, dtype=T.int64)
    result = T.topk(T.tensor([1.0, 3.0, 2.0]), 2, out=(values, places))
    assert result.values is values and (values.tolist(), places.tolist()) == ([3.0, 2.0], [1, 2])
    result = T.max(T.tensor([[1.0, 3.0]]), 1, out=(values[:1], places[:1]))
    assert values.tolist() == [3.0, 2.0]


def test_out_takes_the_shape_of_the_result(T):
    x = T.tensor([1.0, 4.0])
    out = T.empty(0)
    T.sqrt(x, out=out)
    assert out.tolist() == [1.0, 2.0]
    with pytest.warns(UserWarning, match="An output with one or more elements was resized"):
        T.sum(x, 0, out=out)
    assert out.shape == () and out.item() == 5.0


def test_out_takes_part_in_no_gradient(T):
    x, out = T.tensor([1.0], requires_grad=True), T.tensor([7.0])
    for call in (lambda: T.exp(x, out=out), lambda: T.exp(out, out=x), lambda: T.add(x, x, out=out)):
        with pytest.raises(RuntimeError, match="don't support automatic differentiation, but one of the arguments req"):
            call()
    assert (out.item(), x.item()) == (7.0, 1.0)
    with T.no_grad():
        assert T.mul(x, 3, out=out).item() == 3.0


def test_out_takes_what_its_dtype_can(T):
    x = T.tensor([1, 2])
    assert T.add(x, x, out=T.empty(2)).tolist() == [2.0, 4.0]
    with pytest.raises(RuntimeError, match="can't be cast to the desired output type"):
        T.sqrt(x, out=T.empty(2, dtype=T.int64))


def test_out_is_given_by_its_name(T):
    x, y = T.ones(2), T.full((2,), 7.0)
    for call in (lambda: T.exp(x, y), lambda: T.mul(x, x, y), lambda: T.exp(x, out=3)):
        with pytest.raises(TypeError):
            call()
    assert y.tolist() == [7.0, 7.0]


def test_help_shows_out():
    assert str(ac.exp.__signature__) == "(input, *, out=None)"


def test_out_is_no_inference_tensor_outside_of_its_mode(T):
    with T.inference_mode():
        kept = T.zeros(2)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode"):
        T.exp(T.ones(2), out=kept)
    assert T is torch or kept.tolist() == [0.0, 0.0]  # PyTorch writes, then raises
    with T.inference_mode():
        assert T.add(kept, 1.0, out=kept) is kept


def test_out_keeps_no_tangent(T):
    forward_ad = T.autograd.forward_ad
    with forward_ad.dual_level():
        dual, plain = forward_ad.make_dual(T.ones(2), T.ones(2)), T.zeros(2)
        for x, out in ((plain, dual), (dual, plain)):
            with pytest.raises(RuntimeError, match="out= function"):
                T.exp(x, out=out)
    assert T is torch or plain.tolist() == [0.0, 0.0]  # PyTorch writes, then raises


def test_a_gradient_is_named_before_an_inference_tensor(T):
    x = T.ones(2, requires_grad=True)
    with T.inference_mode():
        out = T.zeros(2)
    with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
        T.mul(x, x, out=out)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor"):
        T.mul(x.detach(), x.detach(), out=out)
