"""Views share memory and version with their base, in PyTorch's sense; and what is no view shares nothing."""

import tracemalloc

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
@pytest.mark.parametrize(
    ("shape", "index"), [((3,), slice(1)), ((1, 3), slice(1)), ((3, 2), slice(1)), ((3,), slice(2))]
)
def test_a_slice_may_be_scaled_where_it_lies(T, shape, index):
    """``h[:1] *= v`` writes what lies there already back, as an assignment; axes of length 1 may be lost on the way."""
    x = T.ones(shape, requires_grad=True)
    h = x * 1
    h[index] *= 5.0
    h.sum().backward()
    assert h[index].flatten().tolist() == [5.0] * h[index].numel()
    assert x.grad.tolist() == h.tolist()


@ENGINES
def test_an_expanded_view_refuses_writes(T):
    with pytest.raises(RuntimeError, match="single memory location"):
        T.zeros(3).expand(2, 3).add_(1.0)


READ_FIRST = {
    "fill_": (lambda T, h: h.fill_(h[2]), [3.0] * 4),
    "masked_fill_": (lambda T, h: h.masked_fill_(h > 2.5, h[0]), [1.0, 2.0, 1.0, 1.0]),
    "index_fill_": (lambda T, h: h.index_fill_(0, T.tensor([0]), h[3]), [4.0, 2.0, 3.0, 4.0]),
    "masked_scatter_": (lambda T, h: h.masked_scatter_(h > 2.5, h[:2]), [1.0, 2.0, 1.0, 2.0]),
}


@ENGINES
@pytest.mark.parametrize("name", READ_FIRST)
def test_a_value_may_lie_where_it_is_written_if_it_is_read_before(T, name):
    write, expected = READ_FIRST[name]
    x = T.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
    h = x * 1
    write(T, h)
    (h * T.arange(4.0)).sum().backward()
    counts = {1.0: 0, 2.0: 1, 3.0: 2, 4.0: 3}
    gradient = [0.0] * 4
    for k, value in enumerate(expected):
        gradient[counts[value]] += k
    assert h.tolist() == expected and x.grad.tolist() == gradient


@ENGINES
@pytest.mark.parametrize(
    "write",
    [lambda h: h.add_(h[0]), lambda h: h.clamp_(h[0]), lambda h: h[1:].copy_(h[:-1])],
    ids=["add", "clamp", "copy"],
)
def test_an_operand_in_part_of_what_is_written_is_refused(T, write):
    h = T.arange(4.0)
    with pytest.raises(RuntimeError, match="single memory location"):
        write(h)
    assert h.tolist() == [0.0, 1.0, 2.0, 3.0]


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


def test_a_tensor_of_bytes_is_a_mask_with_a_warning(T):
    x = T.tensor([[1.0, 2.0], [3.0, 4.0]])
    with pytest.warns(UserWarning, match="indexing with dtype torch.uint8 is now deprecated"):
        assert x[T.tensor([1, 0], dtype=T.uint8)].tolist() == [[1.0, 2.0]]
    with pytest.raises(IndexError, match="tensors used as indices must be long, int, byte or bool tensors"):
        x[T.tensor([1, 0], dtype=T.int16)]


@pytest.mark.parametrize(
    ("key", "read"),
    [
        ([[0, 1], [1, 0]], [2.0, 3.0]),
        ([(0, 1), range(2)], [1.0, 4.0]),
        ([0, slice(None)], [1.0, 2.0]),
        ([Ellipsis, 0], [1.0, 3.0]),
        ([None, 0], [[1.0, 2.0]]),
        ([[1]], [[3.0, 4.0]]),
    ],
)
def test_a_list_of_parts_is_read_as_a_tuple_with_a_warning(T, key, read):
    x, y = T.tensor([[1.0, 2.0], [3.0, 4.0]]), T.tensor([[1.0, 2.0], [3.0, 4.0]])
    with pytest.warns(UserWarning, match="Using a non-tuple sequence for multidimensional indexing is deprecated"):
        assert x[key].tolist() == read
    with pytest.warns(UserWarning, match="Using a non-tuple sequence"):
        x[key] = 9.0
    y[tuple(key)] = 9.0
    assert T.equal(x, y)


def test_a_list_of_numbers_is_one_part(T):
    x = T.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert x[[1, 0]].tolist() == [[3.0, 4.0], [1.0, 2.0]] and x[[True, False]].tolist() == [[1.0, 2.0]]


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


# -- what a view is


@ENGINES
def test_base_and_is_view(T):
    x = base(T).requires_grad_()
    assert x._base is None and not x._is_view()
    for v in (x[0], x[0][1:], x.view(6), x.T, x.expand(1, 2, 3), x.unbind()[1], x.as_strided((2,), (1,))):
        assert v._is_view() and v._base is x
    for copy in (x.detach(), x.data, x[0].detach(), x.clone(), x[[0]]):
        assert not copy._is_view() and copy._base is None


@ENGINES
def test_a_view_of_a_detached_tensor_shares_the_version(T):
    h = base(T).requires_grad_() * 1.0
    d = h.detach()
    v = d[0]
    v.mul_(2.0)
    assert v._base is d and h._version == v._version == 1
    assert h.tolist()[0] == [2.0, 4.0, 6.0]


@ENGINES
def test_a_base_that_starts_to_require_gradients_takes_its_views_with_it(T):
    b = base(T)
    v = b[0]
    b.requires_grad_()
    assert v.requires_grad and v.is_leaf and v.grad_fn is None
    assert (v * 2).requires_grad
    with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad"):
        v.mul_(2.0)
    with T.no_grad():
        v.mul_(2.0)
    assert v.grad_fn is not None
    v.sum().backward()
    assert b.grad.tolist() == [[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]]


@ENGINES
def test_a_view_of_a_constant_can_be_a_leaf_of_its_own(T):
    b = base(T)
    v = b[0].requires_grad_()
    assert (b.requires_grad, v.requires_grad, v.is_leaf, v._is_view()) == (False, True, True, True)
    with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad"):
        v.mul_(2.0)
    (v * v).sum().backward()
    assert v.grad.tolist() == [2.0, 4.0, 6.0] and b.grad is None
    b.mul_(T.tensor(2.0, dtype=T.float64, requires_grad=True))
    assert b.requires_grad and not v.is_leaf


@ENGINES
def test_detach_in_place_is_refused_for_views(T):
    y = base(T).requires_grad_() * 2
    for v in (y[0], base(T)[0]):
        with pytest.raises(RuntimeError, match="Can't detach views in-place"):
            v.detach_()
    y.detach_()
    assert not y.requires_grad and y.is_leaf and y._version == 0


# -- writes that are refused


@ENGINES
@pytest.mark.parametrize("make", [lambda h: h.unbind()[0], lambda h: h.unbind()[0][:1]], ids=["output", "view of it"])
def test_one_of_several_views_is_lost_when_its_base_is_written(T, make):
    h = base(T).requires_grad_() * 1.0
    part = make(h)
    h.mul_(2.0)
    with pytest.raises(RuntimeError, match="base or another view of its base has been modified inplace"):
        part * 2
    assert part.tolist()[0] == 2.0


@ENGINES
def test_a_view_made_under_no_grad_refuses_to_be_tracked(T):
    x = base(T).requires_grad_()
    h = x * 1.0
    with T.no_grad():
        of_leaf, of_result, of_constant = x[0], h[0], base(T)[0]
    for v in (of_leaf, of_result):
        with pytest.raises(RuntimeError, match="created in no_grad mode"):
            v.mul_(2.0)
    of_constant.mul_(2.0)
    with pytest.raises(RuntimeError, match="created in no_grad mode"):
        of_constant.mul_(x[0])
    h.mul_(2.0)
    with pytest.raises(RuntimeError, match="created in no_grad mode"):
        _ = of_result.grad_fn


@ENGINES
def test_filling_an_expanded_view_is_no_matter_of_order(T):
    x = base(T)
    x[0].expand(2, 3).fill_(7.0)
    x[1].expand(2, 3).zero_()
    assert x.tolist() == [[7.0] * 3, [0.0] * 3]
    for write in (lambda v: v.copy_(T.ones(2, 3)), lambda v: v.mul_(2.0), lambda v: v.exp_()):
        with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
            write(x[0].expand(2, 3))


def test_filling_an_expanded_view_is_refused_while_it_is_recorded():
    h = base(ac).requires_grad_() * 1.0  # PyTorch fills it, and raises in the backward pass
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        h[0].expand(2, 3).fill_(1.0)
    assert h[0].tolist() == [1.0, 2.0, 3.0] and h._version == 0


OVERLAPS = {
    "a number inside": lambda y: y.mul_(y[:1]),
    "an element inside": lambda y: y.add_(y[2]),
    "shifted": lambda y: y[1:].mul_(y[:-1]),
    "transposed": lambda y: y.view(2, 2).mul_(y.view(2, 2).T),
    "copied over itself": lambda y: y[1:].copy_(y[:-1]),
    "assigned over itself": lambda y: y.__setitem__(slice(1, None), y[:-1]),
    "index_put": lambda y: y.__setitem__([0, 1], y[2:]),
    "clamp": lambda y: y.clamp_(y[:1]),
}
APART = {
    "the tensor itself": lambda y: y.mul_(y),
    "the same view": lambda y: y[:2].mul_(y[:2]),
    "the same memory": lambda y: y.mul_(y.view(4)),
    "side by side": lambda y: y[:2].mul_(y[2:]),
    "interleaved": lambda y: y[::2].mul_(y[1::2]),
    "a copy": lambda y: y.mul_(y.flip(0)),
    "filled with an element": lambda y: y.fill_(y[2]),
    "masked with an element": lambda y: y.masked_fill_(y > 1, y[0]),
}


@ENGINES
@pytest.mark.parametrize("write", OVERLAPS.values(), ids=OVERLAPS)
def test_an_operand_in_the_memory_that_is_written_is_refused(T, write):
    y = T.tensor([1.0, 2.0, 3.0, 4.0])
    with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to tensor"):
        write(y)
    assert y.tolist() == [1.0, 2.0, 3.0, 4.0] and y._version == 0


@pytest.mark.parametrize("write", APART.values(), ids=APART)
def test_an_operand_beside_the_memory_that_is_written_is_fine(write):
    results = []
    for T in (torch, ac):
        y = T.tensor([1.0, 2.0, 3.0, 4.0])
        write(y)
        results.append((y.tolist(), y._version))
    assert results[0] == results[1]


# -- inference mode


def made_in_inference_mode(T):
    with T.inference_mode():
        return base(T)


REFUSED_OUTSIDE = {
    "saved": (lambda T, a: a * base(T).requires_grad_(), "Inference tensors cannot be saved for backward"),
    "written": (lambda T, a: a.add_(1), "Inplace update to inference tensor outside InferenceMode"),
    "written through a view": (lambda T, a: a[0].add_(1), "Inplace update to inference tensor outside InferenceMode"),
    "requires_grad_": (lambda T, a: a.requires_grad_(), "Setting requires_grad=True on inference tensor outside"),
    "_version": (lambda T, a: a._version, "Inference tensors do not track version counter"),
    "saved by a write": (lambda T, a: (base(T).requires_grad_() * 1).mul_(a), "cannot be saved for backward"),
}


@ENGINES
@pytest.mark.parametrize(("use", "words"), REFUSED_OUTSIDE.values(), ids=REFUSED_OUTSIDE)
def test_what_an_inference_tensor_refuses_outside(T, use, words):
    with pytest.raises(RuntimeError, match=words):
        use(T, made_in_inference_mode(T))


@ENGINES
def test_what_an_inference_tensor_may_do_outside(T):
    a, x = made_in_inference_mode(T), base(T).requires_grad_()
    assert a[0].is_inference() and not a[0]._is_view()
    assert a.detach().is_inference() and a.data.is_inference() and not a.clone().is_inference()
    assert not (a * 2).is_inference()
    (x + a).sum().backward()  # add saves nothing
    (x * 1).copy_(a).sum().backward()
    (x * a.clone()).sum().backward()
    assert x.grad.tolist() == [[2.0, 3.0, 4.0], [5.0, 6.0, 7.0]]
    with T.inference_mode():
        a.add_(1)
        a[0].mul_(2)
        assert a.requires_grad_().requires_grad
    assert a.tolist()[0] == [4.0, 6.0, 8.0]


@ENGINES
def test_nothing_is_recorded_in_inference_mode_even_with_grad_enabled(T):
    x = base(T).requires_grad_()
    with T.inference_mode(), T.enable_grad():
        y = x * 2
    assert not y.requires_grad and y.is_inference()
    with T.inference_mode(), T.inference_mode(False):
        y = x * 2
    assert y.requires_grad and not y.is_inference()


@ENGINES
def test_normal_tensors_in_inference_mode(T):
    x = base(T).requires_grad_()
    h = x * 1.0
    with T.inference_mode():
        h.mul_(2)
        v = h[0]
        assert not h.detach().is_inference() and not v.is_inference() and v._is_view()
    assert h._version == 1 and h.requires_grad
    with pytest.raises(RuntimeError, match="created in inference mode and is being modified inplace in normal mode"):
        v.mul_(2)
    assert v.requires_grad and v.is_leaf


# -- as_strided and set_

STRIDED = {
    "diagonal": lambda h: h.as_strided((2,), (4,)),
    "sliding": lambda h: h.as_strided((4, 3), (1, 1)),
    "offset": lambda h: h.as_strided((2, 2), (2, 1), 1),
    "of a view": lambda h: h[1].as_strided((2,), (1,)),
    "of a view, before it": lambda h: h[1].as_strided((2,), (2,), 0),
    "of a transpose": lambda h: h.T.as_strided((3,), (1,), 2),
    "of an expanded tensor": lambda h: h[0].expand(2, 3).as_strided((2, 2), (1, 1)),
    "empty": lambda h: h.as_strided((0, 2), (1, 1)),
    "one element": lambda h: h.as_strided((), (), 4),
    "in two steps": lambda h: h.as_strided((5,), (1,), 1).as_strided((2, 2), (2, 1), 1),
}


@pytest.mark.parametrize("make", STRIDED.values(), ids=STRIDED)
def test_as_strided_is_that_of_torch_in_any_order(make):
    found = []
    for T in (torch, ac):
        x = base(T).requires_grad_()
        v = make(x * x)
        (g,) = T.autograd.grad((v**3).sum(), x, create_graph=True)
        (gg,) = T.autograd.grad((g * g).sum(), x)
        found.append((v.tolist(), v.stride(), v.storage_offset(), g.tolist(), gg.tolist()))
    assert found[0][1:3] == found[1][1:3]
    for ours, theirs in zip(found[1], found[0]):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)


@pytest.mark.parametrize("name", ["diagonal", "offset", "of a view", "of a transpose", "one element", "in two steps"])
def test_a_write_through_as_strided_has_the_gradients_of_torch(name):
    found = []
    for T in (torch, ac):
        x = base(T).requires_grad_()
        h = x * x
        sibling = h[0]
        STRIDED[name](h).mul_(T.tensor(3.0, dtype=T.float64))
        ((h * h).sum() + sibling.sum()).backward()
        found.append((h.tolist(), h._version, x.grad.tolist()))
    assert found[0] == found[1]


@ENGINES
@pytest.mark.parametrize(
    ("size", "stride", "offset", "words"),
    [
        ((3, 3), (1, 2), None, "out of bounds for storage of size 48"),
        ((2,), (1,), 5, "out of bounds"),
        ((2,), (-1,), 3, "Negative strides"),
        ((2,), (1, 1), None, "mismatch in length of strides"),
        ((2,), (1,), -1, "invalid storage offset -1"),
    ],
)
def test_as_strided_stays_in_the_memory(T, size, stride, offset, words):
    with pytest.raises(RuntimeError, match=words):
        base(T).as_strided(size, stride, offset)


@ENGINES
def test_set_replaces_the_memory_and_counts_as_a_write(T):
    x, source = T.tensor([3.0]), T.tensor([5.0, 6.0])
    v = x[:]
    assert x.set_(source) is x and x._version == 1 and source._version == 0
    x.add_(1)
    assert source.tolist() == x.tolist() == [6.0, 7.0] and v.tolist() == [3.0]
    assert (x._version, source._version, v._version) == (2, 0, 2)
    assert x.set_().shape == (0,)
    with pytest.raises(RuntimeError, match="Could not set tensor of type"):
        x.set_(T.tensor([1]))


@ENGINES
def test_set_and_history(T):
    w, five = T.tensor([3.0], requires_grad=True), T.tensor([5.0])
    y = (w * w).sum()
    with pytest.raises(RuntimeError, match="leaf Variable that requires grad"):
        w.set_(five)
    with T.no_grad():
        w.set_(T.ones(2))
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()
    (w * 2).sum().backward()
    assert w.grad.tolist() == [2.0, 2.0]
    h = w * 1
    h.set_(five)
    assert h.requires_grad and h.grad_fn.name().endswith("NotImplemented")
    with pytest.raises(RuntimeError, match="derivative for set_ is not implemented"):
        h.sum().backward()


def test_an_assignment_to_data_leaves_version_history_and_saved_values():
    w = ac.tensor([3.0], requires_grad=True)
    y = (w * w).sum()
    w.data = ac.tensor([5.0])
    assert w._version == 0 and w.is_leaf
    y.backward()
    assert w.grad.tolist() == [6.0]  # PyTorch has saved the tensor itself, and answers 10


# -- large tensors


def test_a_write_to_a_part_makes_no_whole_copy():
    x = ac.ones(1000, 1000)
    writes = {
        "row": lambda: x.__setitem__(3, ac.ones(1000)),
        "number": lambda: x.__setitem__(3, 1.0),
        "positions": lambda: x.__setitem__([3, 5], ac.ones(1000)),
        "add": lambda: x.add_(1.0),
        "exp": lambda: x.zero_().exp_(),
        "fill": lambda: x.fill_(2.0),
    }
    for name, write in writes.items():
        tracemalloc.start()
        write()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 200_000, name


@ENGINES
def test_a_base_detached_in_place_and_written_cuts_its_views_off(T):
    x = base(T).requires_grad_()
    y = x * 2
    v, other = y[0], y[1]
    y.detach_()
    other.sum().backward()
    assert x.grad.tolist() == [[0.0] * 3, [2.0] * 3]
    y.add_(1.0)
    assert v.requires_grad and not v.is_leaf and not y.requires_grad
    v.sum().backward()
    assert x.grad.tolist() == [[0.0] * 3, [2.0] * 3]


@ENGINES
def test_the_history_of_a_write_through_a_view_is_walked_once(T):
    x = base(T).requires_grad_()
    h = x.clone()
    h[0] = 0.0
    h.sum().backward(retain_graph=True)
    h.sum().backward()
    with pytest.raises(RuntimeError, match="second time"):
        h.sum().backward()
    assert x.grad.tolist() == [[0.0, 0.0, 0.0], [2.0, 2.0, 2.0]]


@ENGINES
def test_a_view_of_a_leaf_still_refuses_writes_after_the_leaf_was_detached(T):
    x = base(T).requires_grad_()
    row = x[0]
    x.detach_()
    with pytest.raises(RuntimeError, match="view of a leaf"):
        row.add_(1.0)
    assert x.tolist() == base(T).tolist()


@ENGINES
def test_the_grad_of_a_view_that_cannot_follow_a_write_can_be_read(T):
    y = base(T).requires_grad_() * 1
    with T.no_grad():
        row = y[0]
    y.mul_(2.0)
    assert row.grad is None and not row.retains_grad
    with pytest.raises(RuntimeError, match="no_grad mode"):
        row.sum()


@ENGINES
def test_a_write_through_a_view_is_released_by_the_first_backward(T):
    y = base(T).requires_grad_() + 1
    y[0] = 0.0
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    with pytest.raises(RuntimeError, match="second time"):
        y.sum().backward()


@ENGINES
def test_a_reshape_that_copies_gives_no_view(T):
    with T.no_grad():
        copy = (base(T).requires_grad_() * 1).T.reshape(-1)
    assert not copy._is_view()
    assert copy.add_(T.ones(6, dtype=T.float64, requires_grad=True)).requires_grad
    tracked = (base(T).requires_grad_() * 1).T.reshape(-1)
    assert not tracked._is_view() and tracked.grad_fn.name() == "UnsafeViewBackward0"


@ENGINES
def test_a_view_added_to_itself_retains_nothing_of_its_old_value(T):
    h = base(T).requires_grad_() * 1.0
    v = h.view(6)
    v.retain_grad()
    v.add_(v)
    h.backward(T.ones_like(h))
    assert v.grad is None


@ENGINES
def test_a_write_through_a_view_of_a_view_passes_the_view_between_by(T):
    h = base(T).requires_grad_() * 1.0
    v = h.view(6)
    v.retain_grad()
    v[0] = 0.0
    h.backward(T.ones_like(h))
    assert v.grad is None
