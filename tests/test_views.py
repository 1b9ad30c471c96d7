"""Views share memory and version with their base, in PyTorch's sense; and what is no view shares nothing."""

import numpy as np
import pytest
import torch

import autograd_core as ac

ENGINES = pytest.mark.parametrize("T", [torch, ac], ids=["torch", "autograd_core"])

VIEWS = {
    "view": lambda x: x.view(3, 2),
    "reshape": lambda x: x.reshape(-1),
    "flatten": lambda x: x.flatten(),
    "unflatten": lambda x: x.unflatten(1, (3, 1)),
    "transpose": lambda x: x.transpose(0, 1),
    "T": lambda x: x.T,
    "permute": lambda x: x.permute(1, 0),
    "unsqueeze": lambda x: x.unsqueeze(0),
    "squeeze": lambda x: x.squeeze(),
    "select": lambda x: x[0],
    "element": lambda x: x[0, 0],
    "slice": lambda x: x[:, ::2],
    "Ellipsis": lambda x: x[...],
    "None": lambda x: x[None],
    "narrow": lambda x: x.narrow(1, 0, 2),
    "diagonal": lambda x: x.diagonal(),
    "detach": lambda x: x.detach(),
}
COPIES = {
    "clone": lambda x: x.clone(),
    "index list": lambda x: x[[0, 1]],
    "mask": lambda x: x[x > -9],
    "reshape of a transpose": lambda x: x.T.reshape(-1),
    "contiguous of a transpose": lambda x: x.T.contiguous(),
    "flip": lambda x: x.flip(0),
    "roll": lambda x: x.roll(1),
    "repeat": lambda x: x.repeat(1, 1),
    "to": lambda x: x.to(x.dtype, copy=True),
    "cat": lambda x: x.flip(0).flip(0),
}


def base(T):
    return T.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], dtype=T.float64)


@ENGINES
@pytest.mark.parametrize("make", VIEWS.values(), ids=VIEWS)
def test_a_view_shares_memory_and_version(T, make):
    x = base(T)
    v = make(x)
    v.zero_()
    assert x[0, 0].item() == 0.0
    assert x._version == v._version == 1


@ENGINES
@pytest.mark.parametrize("make", COPIES.values(), ids=COPIES)
def test_a_copy_shares_nothing(T, make):
    x = base(T)
    copy = make(x)
    copy.zero_()
    assert x.tolist() == base(T).tolist()
    assert x._version == 0


@pytest.mark.parametrize(
    "make", [v for k, v in VIEWS.items() if k != "detach"], ids=[k for k in VIEWS if k != "detach"]
)
def test_a_write_through_a_view_has_the_gradients_of_torch(make):
    found = []
    for T in (torch, ac):
        x, w = base(T).requires_grad_(), T.tensor(3.0, dtype=T.float64, requires_grad=True)
        h = x * x
        make(h).mul_(w)
        (h * h).sum().backward()
        found.append((x.grad.tolist(), w.grad.item()))
    np.testing.assert_allclose(found[0][0], found[1][0], rtol=1e-12)
    np.testing.assert_allclose(found[0][1], found[1][1], rtol=1e-12)


@ENGINES
def test_a_view_made_before_a_write_to_its_base_has_the_history_of_the_write(T):
    x, w = base(T).requires_grad_(), T.tensor(3.0, dtype=T.float64, requires_grad=True)
    h = x * 1.0
    row = h[1]
    h.mul_(w)
    row.sum().backward()
    assert w.grad.item() == 15.0
    assert x.grad.tolist() == [[0.0, 0.0, 0.0], [3.0, 3.0, 3.0]]


@ENGINES
def test_views_of_views(T):
    x = base(T).requires_grad_()
    h = x * 1.0
    h.T[1:][0].mul_(10.0)
    h.sum().backward()
    assert x.grad.tolist() == [[1.0, 10.0, 1.0], [1.0, 10.0, 1.0]]


@ENGINES
@pytest.mark.parametrize(
    "make",
    [
        lambda x: x.split(1)[0],
        lambda x: x.split([1, 1])[0],
        lambda x: x.chunk(2)[0],
        lambda x: x.unbind()[0],
        lambda x: next(iter(x)),
    ],
    ids=["split", "split list", "chunk", "unbind", "iteration"],
)
def test_one_of_several_views_refuses_a_recorded_write(T, make):
    x = base(T).requires_grad_()
    h = x * 1.0
    part = make(h)
    before = h.tolist()
    with pytest.raises(RuntimeError, match="multiple views"):
        part.mul_(2.0)
    assert h.tolist() == before
    assert h._version == 0


@ENGINES
def test_one_of_several_views_of_an_untracked_tensor_can_be_written(T):
    x = base(T)
    x.unbind(1)[1].zero_()
    for row in x:
        row.add_(1.0)
    assert x.tolist() == [[2.0, 1.0, 4.0], [5.0, 1.0, 7.0]]


@ENGINES
def test_a_view_of_a_leaf_refuses_a_recorded_write(T):
    x = base(T).requires_grad_()
    with pytest.raises(RuntimeError, match="view of a leaf"):
        x[:, 0::2] = 1.0
    with pytest.raises(RuntimeError, match="leaf Variable"):
        x[...] = 1.0
    with T.no_grad():
        x[:, 0::2] = 1.0
    assert x.tolist() == [[1.0, 2.0, 1.0], [1.0, 5.0, 1.0]]


@ENGINES
def test_an_expanded_view_refuses_writes(T):
    with pytest.raises(RuntimeError, match="single memory location"):
        T.zeros(3).expand(2, 3).add_(1.0)


@ENGINES
def test_view_needs_memory_in_order_and_says_what_to_do(T):
    with pytest.raises(RuntimeError, match="reshape"):
        base(T).T.view(-1)


@ENGINES
def test_a_single_element_stays_a_view(T):
    x = base(T)
    element = x[1, 2]
    element.fill_(7.0)
    assert x[1].tolist() == [4.0, 5.0, 7.0]
    assert element.shape == ()


def test_reversing_the_axes_of_a_vector_warns():
    with pytest.warns(UserWarning, match="T"):
        assert ac.arange(3.0).T.tolist() == [0.0, 1.0, 2.0]


@pytest.mark.parametrize("key", [(slice(None, None, -1),), (slice(None, None, 0),)], ids=["negative", "zero"])
@ENGINES
def test_a_slice_steps_forward(T, key):
    with pytest.raises(ValueError, match="step"):
        base(T)[key]


BAD_KEYS = {
    "beyond": (lambda T: 2, "index 2 is out of bounds for dimension 0 with size 2"),
    "beyond, second": (lambda T: (0, -4), "index -4 is out of bounds for dimension 1 with size 3"),
    "too many": (lambda T: (0, 0, 0), "too many indices for tensor of dimension 2"),
    "float": (lambda T: 1.5, "only integers"),
    "float tensor": (lambda T: T.tensor(1.5), "tensors used as indices"),
    "position beyond": (lambda T: [0, 5], "index 5 is out of bounds"),
    "short mask": (lambda T: [True, False, True], "shape of the mask"),
    "unequal lengths": (lambda T: ([0, 1], [0, 1, 2]), "shape mismatch: indexing"),
}


@ENGINES
@pytest.mark.parametrize(("key", "words"), BAD_KEYS.values(), ids=BAD_KEYS)
def test_a_bad_key_is_an_index_error(T, key, words):
    with pytest.raises(IndexError, match=words):
        base(T)[key(T)]


@ENGINES
def test_a_scalar_has_nothing_to_index_or_iterate(T):
    with pytest.raises(IndexError, match="0-dim"):
        T.tensor(1.0)[0]
    with pytest.raises(TypeError, match="0-d tensor"):
        iter(T.tensor(1.0))


def test_an_index_that_could_be_a_mask_or_positions_is_refused():
    with pytest.raises(IndexError, match="bool"):
        base(ac)[ac.tensor([1, 0], dtype=ac.uint8)]


NAMES = {
    "x[0]": lambda x: x[0],
    "x[0, :]": lambda x: x[0, :],
    "x[0, 1:]": lambda x: x[0, 1:],
    "x[1:, 0]": lambda x: x[1:, 0],
    "x[:, 1:]": lambda x: x[:, 1:],
    "x[None]": lambda x: x[None],
    "x[:, None]": lambda x: x[:, None],
    "x[[0]]": lambda x: x[[0]],
    "gather": lambda x: x.gather(1, x.argmax(1, keepdim=True)),
    "split": lambda x: x.split(1)[0],
    "unbind": lambda x: x.unbind()[0],
    "to": lambda x: x.float(),
}


@pytest.mark.parametrize("make", NAMES.values(), ids=NAMES)
def test_grad_fn_has_the_name_that_torch_prints(make):
    names = [make(base(T).requires_grad_()).grad_fn.name() for T in (torch, ac)]
    assert names[0] == names[1]


@ENGINES
def test_a_view_that_retains_its_gradient_does_so_for_its_new_value(T):
    x = T.ones(2, requires_grad=True)
    y = x * 2
    first, second = y[0], y[1]
    first.retain_grad()
    second.retain_grad()
    y.mul_(3)
    second.mul_(5)
    (y.sum() + 7 * first).backward()
    assert first.grad.item() == 7.0 and second.grad is None
    assert x.grad.tolist() == [48.0, 30.0]


@ENGINES
def test_copies_of_expanded_and_joins_of_transposed_tensors_are_row_major(T):
    wide, turned = T.ones(3).expand(2, 3), T.ones(2, 3).t()
    for copy in (wide.clone(), wide.to(T.float64), T.cat([turned, turned]), T.stack([turned, turned])):
        assert copy.view(-1).data_ptr() == copy.data_ptr()
    assert turned.clone().stride() == turned.stride()
