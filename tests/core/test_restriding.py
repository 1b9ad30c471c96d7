"""In-place forms of view ops, other sizes, and the memory that tensors lie in: on both engines."""

import pytest
import torch

import autograd_core as ac

FORMS = {
    "t_": lambda x: x.t_(),
    "transpose_": lambda x: x.transpose_(0, 1),
    "swapaxes_": lambda x: x.swapaxes_(axis0=0, axis1=1),
    "swapdims_": lambda x: x.swapdims_(-1, 0),
    "unsqueeze_": lambda x: x.unsqueeze_(1),
    "squeeze_": lambda x: x.unsqueeze_(0).squeeze_(0),
    "as_strided_": lambda x: x.as_strided_((2, 2), (2, 1), 1),
}


@pytest.mark.parametrize("form", FORMS)
def test_gradients_flow_through_a_tensor_that_is_seen_otherwise(T, form):
    w = T.arange(6.0).reshape(2, 3).requires_grad_()
    y = w * 2
    assert FORMS[form](y) is y and y._version >= 1
    (y * T.arange(1.0, 1.0 + y.numel()).reshape(y.shape)).sum().backward()
    z = w.detach().clone().requires_grad_()
    u = FORMS[form](z * 2) if form != "as_strided_" else (z * 2).as_strided((2, 2), (2, 1), 1)
    (u * T.arange(1.0, 1.0 + u.numel()).reshape(u.shape)).sum().backward()
    assert w.grad.tolist() == z.grad.tolist() and y.tolist() == u.tolist()


@pytest.mark.parametrize("form", FORMS)
def test_a_view_that_is_seen_otherwise_stays_a_view(T, form):
    w = T.arange(6.0).reshape(2, 3).requires_grad_()
    base = w * 1
    v = FORMS[form](base.view(2, 3))
    assert v._base is base
    v.mul_(3)
    base.sum().backward()
    expected = [[1.0, 3.0, 3.0], [3.0, 3.0, 1.0]] if form == "as_strided_" else [[3.0] * 3] * 2
    assert w.grad.tolist() == expected


def test_a_leaf_is_seen_otherwise_only_while_nothing_is_recorded(T):
    w = T.ones(2, 3, requires_grad=True)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place operation"):
        w.t_()
    assert w.shape == (2, 3)
    with T.no_grad():
        w.t_()
    (w * 2).sum().backward()
    assert w.grad.shape == (3, 2)


def test_a_view_made_before_says_that_it_has_no_history():
    y = ac.ones(2, 3, requires_grad=True) * 1
    row = y[0]
    y.t_()
    assert y[0].tolist() == [1.0, 1.0]
    with pytest.raises(RuntimeError, match="given another shape in place"):
        row.sum().backward()


def test_a_tensor_takes_another_size(T):
    x = T.arange(6.0)
    assert x.resize_(2, 2) is x and x.tolist() == [[0.0, 1.0], [2.0, 3.0]]
    assert T.arange(6.0)[2:].resize_(2).tolist() == [2.0, 3.0]
    assert T.arange(2.0).resize_((3,))[:2].tolist() == [0.0, 1.0] and x.resize_as_(T.ones(4)).shape == (4,)
    with pytest.raises(RuntimeError, match="cannot resize variables that require grad"):
        T.ones(2, requires_grad=True).resize_(3)
    with pytest.raises(RuntimeError, match="overflow"):
        T.empty(()).resize_([2**20, 2**20, 2**20, 2**20])


def test_views_share_a_storage(T):
    x = T.arange(6.0).reshape(2, 3)
    a, b = x.untyped_storage(), x[1].untyped_storage()
    assert a.data_ptr() == b.data_ptr() == x.data_ptr() and a.nbytes() == len(b) == 24
    assert x.clone().untyped_storage().data_ptr() != a.data_ptr()


@pytest.mark.filterwarnings("ignore:TypedStorage is deprecated")
def test_a_storage_has_the_elements(T):
    x = T.arange(6.0)
    kept = x[2:].storage()
    assert (kept.tolist(), len(kept), kept[1]) == ([0.0, 1.0, 2.0, 3.0, 4.0, 5.0], 6, 1.0)
    y = T.empty(0)
    y.set_(x.storage(), 1, (2, 2), (1, 1))
    assert y.tolist() == [[1.0, 2.0], [2.0, 3.0]]
    y[0, 0] = 9.0
    assert x[1].item() == 9.0


def test_bytes_may_be_read_as_another_dtype(T):
    x = T.ones(2, 2, requires_grad=True)
    bits = x.view(T.int32)
    assert bits.tolist() == [[1065353216] * 2] * 2 and not bits.requires_grad and bits.data_ptr() == x.data_ptr()
    assert x.view(T.uint8).shape == (2, 8) and x.view(dtype=T.float64).shape == (2, 1)
    with pytest.raises(RuntimeError, match=r"self.size\(-1\) must be divisible by 2"):
        T.ones(3).view(T.float64)
    with pytest.raises(RuntimeError, match=r"self.stride\(-1\) must be 1"):
        T.ones(2, 3).T.view(T.uint8)


def test_an_inference_tensor_keeps_its_shape_outside_of_its_mode(T):
    with T.inference_mode():
        x = T.ones(2, 3)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode"):
        x.t_()
    assert T is torch or x.shape == (2, 3)  # PyTorch turns it, then raises


def test_inference_mode_resizes_what_requires_gradients(T):
    x = T.ones(4, requires_grad=True)
    with pytest.raises(RuntimeError, match="cannot resize variables that require grad"):
        x.resize_(2, 2)
    with T.inference_mode():
        assert x.resize_(2, 2).requires_grad
        assert T.ones(1, 2, 3, requires_grad=True).resize_as_(T.ones(1, 2)).shape == (1, 2)
    (x * 2).sum().backward()
    assert x.grad.tolist() == [[2.0, 2.0], [2.0, 2.0]]
