"""The tensor itself: storage, flags, gradients, and what Python asks of it."""

import gc
import weakref

import numpy as np
import pytest
import torch

import autograd_core as ac


def leaf(T, values=(1.0, 2.0)):
    return T.tensor(values, requires_grad=True)


# -- values out


@pytest.mark.parametrize("value", [3, 2.5, True, [1, 2], [[1.5], [2.0]], [], [[]], [True, False]])
def test_item_and_tolist_give_python_values(T, value):
    t = T.tensor(value)
    assert t.tolist() == value
    if not isinstance(value, list):
        assert t.item() == value and type(t.item()) is type(value)


@pytest.mark.parametrize("shape", [(0,), (2,), (2, 3)])
def test_item_needs_one_element(T, shape):
    with pytest.raises(RuntimeError, match="cannot be converted to Scalar"):
        T.zeros(*shape).item()


def test_item_takes_the_only_element_of_any_shape(T):
    assert T.full((1, 1, 1), 2.0).item() == 2.0


def test_conversion_to_numbers(T):
    assert (float(T.tensor(2)), int(T.tensor(2.7)), int(T.tensor([[3]]))) == (2.0, 2, 3)
    assert isinstance(float(T.tensor(2)), float) and isinstance(int(T.tensor(2.0)), int)
    for convert in (float, int):
        with pytest.raises(ValueError, match="only one element tensors can be converted to Python scalars"):
            convert(T.ones(2))


@pytest.mark.parametrize(
    ("value", "truth"), [(0.0, False), (0.5, True), (False, False), ([[3]], True), (float("nan"), True)]
)
def test_truth_of_one_element(T, value, truth):
    assert bool(T.tensor(value)) is truth


@pytest.mark.parametrize(
    ("shape", "words"), [((0,), "no values"), ((2,), "more than one value"), ((2, 0), "no values")]
)
def test_truth_of_several_is_refused(T, shape, words):
    with pytest.raises(RuntimeError, match=f"Boolean value of Tensor with {words}"):
        bool(T.ones(*shape))


def test_an_integer_tensor_is_an_index(T):
    assert [10, 20, 30][T.tensor(1)] == 20 and list(range(T.tensor([3]))) == [0, 1, 2]
    for bad in (T.tensor(1.0), T.tensor([1, 2])):
        with pytest.raises(TypeError, match="only integer tensors of a single element can be converted to an index"):
            [10, 20, 30][bad]


def test_len_and_iteration(T):
    t = T.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert len(t) == 2 and [row.tolist() for row in t] == [[1.0, 2.0], [3.0, 4.0]]
    a, b = T.tensor([5, 6])
    assert (a.item(), b.item()) == (5, 6) and list(T.zeros(0)) == []
    with pytest.raises(TypeError, match=r"len\(\) of a 0-d tensor"):
        len(T.tensor(1.0))
    with pytest.raises(TypeError, match="iteration over a 0-d tensor"):
        iter(T.tensor(1.0))


def test_iteration_is_recorded(T):
    x = leaf(T)
    a, b = x
    (a * 3 + b * 5).backward()
    assert x.grad.tolist() == [3.0, 5.0]


def test_contains(T):
    t = T.tensor([1.0, 2.0])
    assert 2.0 in t and T.tensor(1.0) in t and 3 not in t
    assert 1 not in T.zeros(0)


@pytest.mark.parametrize("value", ["text", [1.0], None])
def test_contains_refuses_what_is_no_number(T, value):
    with pytest.raises(RuntimeError, match=r"Tensor\.__contains__ only supports Tensor or scalar"):
        value in T.ones(2)  # noqa: B015


def test_tensors_are_hashed_by_identity(T):
    a, b = T.ones(2), T.ones(2)
    assert len({a, b, a}) == 2 and hash(a) == id(a)


def test_numpy_shares_memory(T):
    t = T.zeros(2)
    t.numpy()[0] = 5.0
    assert t.tolist() == [5.0, 0.0]
    assert np.asarray(t).dtype == np.float32 and np.asarray(t, np.float64).dtype == np.float64


def test_numpy_refuses_a_tensor_that_requires_gradients(T):
    for get in (lambda t: t.numpy(), np.asarray):
        with pytest.raises(RuntimeError, match=r"Can't call numpy\(\) on Tensor that requires grad"):
            get(leaf(T))
    assert leaf(T).detach().numpy().tolist() == [1.0, 2.0]


# -- shape and memory


def test_shape_facts(T):
    t = T.zeros(2, 3, 4, dtype=T.float64)
    assert t.shape == t.size() == (2, 3, 4) and t.shape.numel() == t.numel() == 24
    assert (t.ndim, t.dim(), t.size(1), t.size(-1), t.element_size()) == (3, 3, 3, 4, 8)
    assert t.stride() == (12, 4, 1) and t.stride(-1) == 1 and str(t.device) == "cpu"
    assert t.is_contiguous() and not t.transpose(0, 1).is_contiguous() and t.is_floating_point()
    assert not T.zeros(2, dtype=T.int64).is_floating_point()


def test_a_program_may_have_any_number_of_shapes(T):
    x = T.ones(1)
    for n in range(2500):
        assert x.expand(n).shape == (n,) and type(x.expand(n).shape) is type(x.shape)


@pytest.mark.parametrize("dim", [3, -4])
def test_size_of_an_axis_that_is_not_there(T, dim):
    for ask in (T.zeros(2, 3, 4).size, T.zeros(2, 3, 4).stride):
        with pytest.raises(
            IndexError, match=rf"Dimension out of range \(expected to be in range of \[-3, 2\], but got {dim}\)"
        ):
            ask(dim)


def test_views_start_at_the_same_memory(T):
    t = T.zeros(3)
    assert t.data_ptr() == t.view(3, 1).data_ptr() == t.detach().data_ptr() != t.clone().data_ptr()
    assert t[1:].data_ptr() == t.data_ptr() + 4


# -- requires_grad, is_leaf, grad_fn


def test_flags_of_leaves_and_results(T):
    x, c = leaf(T), T.ones(2)
    y = x * c
    flags = [(t.requires_grad, t.is_leaf, t.grad_fn is None) for t in (x, c, y, c * 2, y.detach(), y > 1)]
    assert flags == [(True, True, True), (False, True, True), (True, False, False)] + [(False, True, True)] * 3


def test_only_leaves_change_their_flag(T):
    y = leaf(T) * 2
    with pytest.raises(RuntimeError, match=r"you can only change requires_grad flags of leaf variables\..*detach\(\)"):
        y.requires_grad = False
    with pytest.raises(RuntimeError):
        y.requires_grad_(False)
    with pytest.raises(RuntimeError, match="you can only change requires_grad flags of leaf variables"):
        y.requires_grad = True
    assert y.requires_grad_() is y and y.grad_fn is not None


def test_switching_the_flag_of_a_leaf(T):
    x = T.ones(2)
    assert x.requires_grad_() is x and x.requires_grad
    (x * 2).sum().backward()
    x.requires_grad = False
    assert x.grad.tolist() == [2.0, 2.0] and not (x * 2).requires_grad
    x.requires_grad = True
    (x * 3).sum().backward()
    assert x.grad.tolist() == [5.0, 5.0]


def test_the_flag_must_be_a_bool(T):
    x = T.ones(2)
    with pytest.raises(RuntimeError, match="requires_grad must be a bool"):
        x.requires_grad = 1
    with pytest.raises(TypeError, match=r"argument 'requires_grad'.* must be bool, not str"):
        x.requires_grad_("yes")
    assert not x.requires_grad


# -- data and detach


def test_detach_shares_memory_and_version(T):
    x = leaf(T)
    d = x.detach()
    assert not d.requires_grad and d.is_leaf and d.data_ptr() == x.data_ptr()
    d.mul_(10.0)
    assert x.tolist() == [10.0, 20.0] and x._version == d._version == 1


def test_a_write_through_detach_is_noticed(T):
    x = leaf(T)
    y = (x * x).sum()
    x.detach().zero_()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_a_write_through_data_is_not(T):
    x = leaf(T)
    y = (x * x).sum()
    x.data.zero_()
    assert x._version == 0 and x.data._version == 0
    y.backward()
    assert x.grad.tolist() == [0.0, 0.0]


def test_detach_in_place_cuts_the_history(T):
    x = leaf(T)
    y = x * 2
    assert y.detach_() is y and y.is_leaf and not y.requires_grad and y.grad_fn is None
    with pytest.raises(RuntimeError, match="Can't detach views in-place"):
        (x * 2)[:1].detach_()


def test_data_may_be_replaced(T):
    x = leaf(T)
    x.data = T.tensor([5.0, 6.0, 7.0])
    assert x.tolist() == [5.0, 6.0, 7.0] and x.requires_grad and x.is_leaf
    (x * 2).sum().backward()
    assert x.grad.tolist() == [2.0, 2.0, 2.0]


def test_replacing_the_data_of_a_result_keeps_its_history(T):
    x = leaf(T)
    y = x * 3
    y.data = T.tensor([100.0, 200.0])
    (y * y).sum().backward()
    assert x.grad.tolist() == [600.0, 1200.0]


def test_data_must_be_a_tensor_of_floats(T):
    x = leaf(T)
    with pytest.raises(TypeError, match="Variable data has to be a tensor, but got list"):
        x.data = [1.0]
    with pytest.raises(RuntimeError):
        x.data = T.tensor([1, 2])
    assert x.tolist() == [1.0, 2.0]


# -- grad


def test_grad_can_be_set_and_cleared(T):
    x = leaf(T)
    assert x.grad is None
    x.grad = T.tensor([5.0, 6.0])
    (x * 2).sum().backward()
    assert x.grad.tolist() == [7.0, 8.0]
    x.grad = None
    assert x.grad is None
    x.grad = T.ones(2)
    del x.grad
    assert x.grad is None


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda T, x: [1.0, 2.0], TypeError),
        (lambda T, x: T.ones(3), RuntimeError),
        (lambda T, x: T.ones(2, dtype=T.float64), RuntimeError),
        (lambda T, x: x, RuntimeError),
    ],
    ids=["list", "shape", "dtype", "itself"],
)
def test_grad_refuses_what_does_not_fit(T, make, error):
    x = leaf(T)
    with pytest.raises(error):
        x.grad = make(T, x)
    assert x.grad is None


def test_reading_grad_of_a_non_leaf_warns(T):
    y = leaf(T) * 2
    with pytest.warns(UserWarning, match=r"\.grad attribute of a Tensor that is not a leaf Tensor is being accessed"):
        assert y.grad is None


def test_retain_grad(T):
    x = leaf(T)
    y = x * 2
    assert not y.retains_grad
    y.retain_grad()
    y.retain_grad()
    (y * y).sum().backward()
    assert y.retains_grad and y.grad.tolist() == [4.0, 8.0] and x.grad.tolist() == [8.0, 16.0]


def test_retain_grad_on_leaves_and_constants(T):
    x = leaf(T)
    x.retain_grad()
    assert not x.retains_grad
    with pytest.raises(RuntimeError, match="can't retain_grad on Tensor that has requires_grad=False"):
        T.ones(2).retain_grad()


def test_retained_gradients_accumulate(T):
    x = leaf(T)
    y = x * 2
    y.retain_grad()
    loss = y.sum()
    loss.backward(retain_graph=True)
    loss.backward()
    assert y.grad.tolist() == [2.0, 2.0]


def test_a_retained_gradient_is_not_shared():
    x = leaf(ac)
    y = x * 1.0
    z = y + 0.0
    y.retain_grad()
    z.retain_grad()
    z.sum().backward()
    arrays = [t.grad.numpy() for t in (x, y, z)]
    assert not any(np.shares_memory(arrays[i], arrays[j]) for i, j in ((0, 1), (0, 2), (1, 2)))


def test_retaining_follows_a_write(T):
    x = leaf(T)
    y = x * 2
    y.retain_grad()
    y.mul_(3.0)
    y.sum().backward()
    assert y.grad.tolist() == [1.0, 1.0] and x.grad.tolist() == [6.0, 6.0]


def test_the_gradient_of_a_dead_tensor_is_dropped():
    x, w = leaf(ac), leaf(ac)
    y = (x + w).sum()
    gone = weakref.ref(x)
    del x
    gc.collect()
    assert gone() is None
    y.backward()
    assert w.grad.tolist() == [1.0, 1.0]


# -- Tensor and Parameter as classes


def test_tensor_as_a_constructor(T):
    assert T.Tensor([1, 2]).dtype is T.float32 and T.Tensor([1, 2]).tolist() == [1.0, 2.0]
    assert T.Tensor().shape == (0,)
    assert isinstance(T.ones(2), T.Tensor)


def test_a_parameter_is_a_leaf_that_requires_gradients(T):
    p = T.nn.Parameter(T.ones(2))
    assert isinstance(p, T.Tensor) and p.requires_grad and p.is_leaf
    assert not T.nn.Parameter(T.ones(2), requires_grad=False).requires_grad
    assert not isinstance(p * 2, T.nn.Parameter)
    source = T.ones(2)
    assert T.nn.Parameter(source).data_ptr() == source.data_ptr()


def test_a_parameter_computes_like_a_tensor(T):
    p, x = T.nn.Parameter(T.tensor([1.0, 2.0])), T.tensor([3.0, 4.0])
    (p * x + x * p - p / 2).sum().backward()
    assert p.grad.tolist() == [5.5, 7.5]


# -- arithmetic with foreigners


@pytest.mark.parametrize("op", ["+", "-", "*", "/", "@", "<", "**"])
@pytest.mark.parametrize("foreigner", [None, "text", object()], ids=["None", "str", "object"])
def test_a_foreign_operand_is_a_type_error(T, op, foreigner):
    with pytest.raises(TypeError):
        eval(f"t {op} f", {"t": T.ones(2), "f": foreigner})
    with pytest.raises(TypeError):
        eval(f"f {op} t", {"t": T.ones(2), "f": foreigner})


def test_equality_with_a_foreigner_is_false(T):
    assert (T.ones(2) == None) is False  # noqa: E711
    assert (T.ones(2) != None) is True  # noqa: E711
    assert (T.ones(2) == "text") is False


def test_a_class_of_the_users_may_answer(T):
    class Answer:
        def __radd__(self, other):
            return "answered"

    assert T.ones(2) + Answer() == "answered"


@pytest.mark.parametrize("shapes", [((2,), (3,)), ((2, 3), (2,)), ((2, 3), (3, 2)), ((4, 1, 2), (3, 3))])
def test_shapes_that_do_not_broadcast(T, shapes):
    a, b = (T.ones(*shape) for shape in shapes)
    for f in (lambda: a + b, lambda: a * b, lambda: T.maximum(a, b)):
        with pytest.raises(
            RuntimeError, match=r"The size of tensor a \(\d\) must match the size of tensor b \(\d\) at non-singleton"
        ):
            f()


def test_both_engines_name_the_same_sizes():
    for shapes in [((2,), (3,)), ((2, 3), (2,)), ((2, 3), (3, 2)), ((4, 1, 2), (3, 3)), ((5, 1), (4, 6, 1))]:
        texts = []
        for T in (torch, ac):
            with pytest.raises(RuntimeError) as caught:
                T.add(*(T.ones(*shape) for shape in shapes))
            texts.append(str(caught.value))
        assert texts[0] in texts[1]
