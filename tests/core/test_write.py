"""Writes in place: values, versions and gradients as in PyTorch, and nothing changed by a write that is refused."""

import numpy as np
import pytest
import torch

import autograd_core as ac

ENGINES = pytest.mark.parametrize("T", [torch, ac], ids=["torch", "autograd_core"])
BOTH = (torch, ac)


def leaf(T, data):
    return T.tensor(data, dtype=T.float64, requires_grad=True)


def add(h, v):
    h += v


def subtract(h, v):
    h -= v


def multiply(h, v):
    h *= v


def divide(h, v):
    h /= v


def power(h, v):
    h **= v


def part(h, v):
    h[0] *= v


def picked(h, v):
    h[[0, 1]] -= v


def masked(h, v):
    h[h > 3] = 0.0
    h += v


def row(h, v):
    h[1] = v * v


def nested(h, v):
    h[1][0] = v


def twice(h, v):
    h *= v
    h[0] += h[1].clone() * v


OPERATIONS = [add, subtract, multiply, divide, power, part, picked, masked, row, nested, twice]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda f: f.__name__)
def test_values_versions_and_gradients_are_those_of_torch(operation):
    found = []
    for T in BOTH:
        x, v = leaf(T, [[1.0, 2.0], [3.0, 4.0]]), leaf(T, 1.5)
        h = x * 1.0
        operation(h, v)
        value, version = h.tolist(), h._version
        (h * h).sum().backward()
        found.append((value, version, x.grad.tolist(), v.grad.item()))
    (value, version, gx, gv), (ac_value, ac_version, ac_gx, ac_gv) = found
    np.testing.assert_allclose(ac_value, value, rtol=1e-12)
    assert ac_version == version
    np.testing.assert_allclose(ac_gx, gx, rtol=1e-12)
    np.testing.assert_allclose(ac_gv, gv, rtol=1e-12)


INTEGERS = {
    "//": (lambda x: x.__ifloordiv__(2), [3, 2, 0, -1]),
    "%": (lambda x: x.__imod__(4), [3, 0, 1, 3]),
    "&": (lambda x: x.__iand__(5), [5, 4, 1, 5]),
    "|": (lambda x: x.__ior__(1), [7, 5, 1, -1]),
    "^": (lambda x: x.__ixor__(1), [6, 5, 0, -2]),
}


@ENGINES
@pytest.mark.parametrize(("operation", "wanted"), INTEGERS.values(), ids=INTEGERS)
def test_integer_operators_write_into_the_tensor(T, operation, wanted):
    x = T.tensor([7, 4, 1, -1])
    y = operation(x)
    assert y is x
    assert x.tolist() == wanted
    assert x._version == 1


@ENGINES
def test_an_integer_tensor_does_not_take_a_quotient(T):
    x = T.tensor([4, 2])
    with pytest.raises(RuntimeError, match="can't be cast"):
        x /= 2
    assert x.tolist() == [4, 2]
    assert x._version == 0


@ENGINES
def test_a_leaf_refuses_recorded_writes_and_takes_them_under_no_grad(T):
    w = leaf(T, [1.0, 2.0])
    for write in (
        lambda: w.add_(1.0),
        lambda: w.__setitem__([0], 1.0),
        lambda: w.index_put_((T.tensor([0]),), T.ones((), dtype=T.float64)),
    ):
        with pytest.raises(
            RuntimeError, match="leaf Variable that requires grad is being used in an in-place operation"
        ):
            write()
    assert w.tolist() == [1.0, 2.0]
    assert w._version == 0
    with T.no_grad():
        w -= 0.5
        w[[0]] = 9.0
    assert w.tolist() == [9.0, 1.5]
    assert w.is_leaf


@ENGINES
def test_an_overwritten_index_is_noticed(T):
    x, i = leaf(T, [1.0, 2.0, 3.0]), T.tensor([0, 1])
    y = x[i].sum()
    i[0] = 2
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()
    assert x.grad is None


@ENGINES
def test_an_overwritten_mask_is_noticed(T):
    x, mask = leaf(T, [1.0, 2.0, 3.0]), T.tensor([True, False, True])
    y = x.masked_fill(mask, 0.0).sum()
    mask[0] = False
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


@ENGINES
def test_reading_before_and_after_a_write_to_the_same_place(T):
    x = leaf(T, [2.0, 3.0])
    h = x * 1.0
    first = h[0].clone()
    h[0] = h[1].clone() * first
    (first + h.sum()).backward()
    assert x.grad.tolist() == [1.0 + 3.0, 1.0 + 2.0]


@ENGINES
@pytest.mark.parametrize(
    "write",
    [
        lambda T, x: x.__setitem__(0, T.ones(2, dtype=T.float64)),
        lambda T, x: x.__setitem__([0], T.ones(2, dtype=T.float64)),
        lambda T, x: x.__setitem__(x > 1, T.ones(9, dtype=T.float64)),
    ],
    ids=["row", "list", "mask"],
)
def test_a_value_that_does_not_fit_is_refused(T, write):
    x = T.tensor([[1.0, 2.0, 3.0]], dtype=T.float64)
    with pytest.raises(RuntimeError, match=r"expand|broadcast|match"):
        write(T, x)
    assert x.tolist() == [[1.0, 2.0, 3.0]]
    assert x._version == 0


@ENGINES
@pytest.mark.parametrize("value", [[1.0, 2.0], None, "a", np.ones(2)], ids=["list", "None", "str", "array"])
def test_only_numbers_and_tensors_are_assigned(T, value):
    with pytest.raises(TypeError, match="can't assign"):
        T.zeros(3, 2)[0] = value


@ENGINES
def test_a_row_can_be_assigned_from_another_dtype(T):
    x = T.zeros(2, dtype=T.float32)
    x[:1] = T.tensor([1.5], dtype=T.float64)
    x[1] = 2
    assert x.tolist() == [1.5, 2.0]
    with pytest.raises(RuntimeError, match="dtypes match"):
        x[[0]] = T.tensor([1.5], dtype=T.float64)


@ENGINES
def test_repeated_positions_accumulate_in_the_gradient(T):
    x = leaf(T, [1.0, 2.0, 3.0])
    x[[2, 2, 0]].sum().backward()
    assert x.grad.tolist() == [1.0, 0.0, 2.0]


BAD = {
    "gather beyond": (
        lambda T, x: x.gather(1, T.tensor([[5]])),
        RuntimeError,
        "index 5 is out of bounds for dimension 1 with size 3",
    ),
    "gather negative": (lambda T, x: x.gather(1, T.tensor([[-1]])), RuntimeError, "index -1 is out of bounds"),
    "gather ranks": (lambda T, x: x.gather(1, T.tensor([0])), RuntimeError, "same number of dimensions"),
    "gather shape": (lambda T, x: x.gather(0, T.tensor([[0, 1, 0, 0]])), RuntimeError, "no larger than"),
    "gather float": (lambda T, x: x.gather(1, T.tensor([[0.0]])), RuntimeError, "index"),
    "gather axis": (lambda T, x: x.gather(2, T.tensor([[0]])), IndexError, "Dimension out of range"),
    "scatter dtype": (lambda T, x: x.scatter(1, T.tensor([[0]]), T.zeros(1, 1).float()), RuntimeError, "dtype"),
    "scatter short": (lambda T, x: x.scatter(1, T.tensor([[0, 1]]), x[:1, :1]), RuntimeError, "Expected index"),
    "index_select matrix": (lambda T, x: x.index_select(0, T.tensor([[0]])), IndexError, "vector"),
    "index_select beyond": (lambda T, x: x.index_select(0, T.tensor([2])), IndexError, "out of"),
    "index_add length": (lambda T, x: x.index_add(0, T.tensor([0]), x), RuntimeError, "indices"),
    "index_add beyond": (lambda T, x: x.index_add(0, T.tensor([0, 5]), x), RuntimeError, "out of bounds"),
    "masked_fill mask": (lambda T, x: x.masked_fill(T.tensor([1, 0, 1]), 1.0), RuntimeError, "boolean mask"),
    "masked_fill value": (lambda T, x: x.masked_fill(x > 0, T.ones(1)), RuntimeError, "0-dimensional"),
    "masked_scatter short": (lambda T, x: x.masked_scatter(x > -9, x[0]), RuntimeError, "source"),
    "index_put dtype": (lambda T, x: x.index_put((T.tensor([0]),), T.zeros(3).float()), RuntimeError, "dtypes match"),
    "index_put shape": (lambda T, x: x.index_put((T.tensor([0]),), x[0, :2]), RuntimeError, "shape mismatch"),
    "take_along_dim ranks": (
        lambda T, x: T.take_along_dim(x, T.tensor([0]), 1),
        RuntimeError,
        "same number of dimensions",
    ),
    "cat nothing": (lambda T, x: T.cat([]), ValueError, "non-empty"),
    "stack nothing": (lambda T, x: T.stack([]), RuntimeError, "non-empty"),
    "cat scalar": (lambda T, x: T.cat([x, x[0, 0]]), RuntimeError, "zero-dimensional"),
    "cat ranks": (lambda T, x: T.cat([x, x[0]]), RuntimeError, "same number of dimensions"),
    "cat shapes": (lambda T, x: T.cat([x, x[:, :2]]), RuntimeError, "must match except in dimension 0"),
    "cat tensor": (lambda T, x: T.cat(x), TypeError, "tuple"),
    "stack shapes": (lambda T, x: T.stack([x, x[0]]), RuntimeError, "equal size"),
    "split zero": (lambda T, x: x.split(0), RuntimeError, "split_size"),
    "split sum": (lambda T, x: x.split([1, 2]), RuntimeError, "sum exactly to 2"),
    "chunk zero": (lambda T, x: x.chunk(0), RuntimeError, "greater than 0"),
    "unbind scalar": (lambda T, x: x[0, 0].unbind(), IndexError, "no dimensions"),
    "narrow": (lambda T, x: x.narrow(0, 1, 5), RuntimeError, "start"),
    "select": (lambda T, x: x.select(0, 2), IndexError, "index 2"),
    "repeat": (lambda T, x: x.repeat(2), RuntimeError, "repeat dims"),
    "roll": (lambda T, x: x.roll((1, 2), (0,)), RuntimeError, "must align"),
    "flip": (lambda T, x: x.flip(0, 0), RuntimeError, "multiple times"),
    "diagonal": (lambda T, x: x.diagonal(0, 1, 1), RuntimeError, "identical"),
    "diag": (lambda T, x: x[None].diag(), RuntimeError, "1D or 2D"),
    "mT": (lambda T, x: x[0].mT, RuntimeError, "matrices"),
    "t": (lambda T, x: x[None].t(), RuntimeError, "<= 2"),
    "unflatten": (lambda T, x: x.unflatten(1, (2, 2)), RuntimeError, "multiply up"),
    "sum_to_size": (lambda T, x: x.sum_to_size(4), RuntimeError, "not expandable"),
    "expand": (lambda T, x: x.expand(3, 3), RuntimeError, "expanded size"),
    "view": (lambda T, x: x.view(4), RuntimeError, "invalid for input of size 6"),
    "pad odd": (lambda T, x: T.nn.functional.pad(x, (1,)), RuntimeError, "divisible by 2"),
    "pad long": (lambda T, x: T.nn.functional.pad(x, (1,) * 6), RuntimeError, "two times the input dimension"),
    "pad reflect": (
        lambda T, x: T.nn.functional.pad(x, (3, 1), mode="reflect"),
        RuntimeError,
        "less than the corresponding",
    ),
    "pad circular": (
        lambda T, x: T.nn.functional.pad(x, (4, 1), mode="circular"),
        RuntimeError,
        "wrapping around more than once",
    ),
    "pad mode": (lambda T, x: T.nn.functional.pad(x, (1, 1), mode="mirror"), NotImplementedError, "mirror"),
    "pad too much": (lambda T, x: T.nn.functional.pad(x, (-2, -2)), RuntimeError, "pad|narrow"),
    "to nothing": (lambda T, x: x.to({}), TypeError, "to\\("),
}


@ENGINES
@pytest.mark.parametrize(("call", "error", "words"), BAD.values(), ids=BAD)
def test_a_bad_argument_raises_the_type_that_torch_raises(T, call, error, words):
    x = T.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], dtype=T.float64)
    with pytest.raises(error, match=words):
        call(T, x)


def test_another_device_is_refused():
    with pytest.raises(AssertionError, match="cuda"):
        ac.ones(2).to("cuda")


@ENGINES
def test_to_returns_the_tensor_itself_when_nothing_changes(T):
    x = T.ones(2)
    assert x.to(T.float32) is x
    assert x.to("cpu") is x
    assert x.float() is x
    assert x.cpu() is x
    assert x.type_as(T.zeros(1)) is x
    assert x.to(T.float32, copy=True) is not x


def test_copy_does_not_drop_leading_axes(T):
    x = T.zeros(3)
    with pytest.raises(RuntimeError, match=r"\[1, 3\]"):
        x.copy_(T.ones(1, 3))
    assert x.tolist() == [0.0, 0.0, 0.0]


@ENGINES
@pytest.mark.parametrize(
    ("write", "error"),
    [
        (lambda T, h: h.__setitem__([0, 9], 1.0), IndexError),
        (lambda T, h: h.__setitem__([0, 1], T.ones(3, dtype=T.float64)), RuntimeError),
        (lambda T, h: h.copy_(T.ones(2)), RuntimeError),
        (lambda T, h: h.fill_(T.ones(2)), RuntimeError),
        (lambda T, h: h.mul_(T.ones(2, 3)), RuntimeError),
    ],
    ids=["position", "number of values", "copy", "fill", "mul"],
)
def test_a_recorded_write_that_is_refused_changes_nothing(T, write, error):
    h = leaf(T, [1.0, 2.0, 3.0]) * 1
    node = h.grad_fn
    with pytest.raises(error):
        write(T, h)
    assert h.tolist() == [1.0, 2.0, 3.0] and h._version == 0 and h.grad_fn is node


def test_an_accumulation_that_is_refused_changes_nothing():
    x = ac.tensor([1.0, 2.0, 3.0])  # PyTorch has added at position 0 by the time it raises
    with pytest.raises(IndexError):
        x.index_put_((ac.tensor([0, 9]),), ac.ones(2), accumulate=True)
    assert x.tolist() == [1.0, 2.0, 3.0] and x._version == 0


@pytest.mark.parametrize("name", ac.ops.IN_PLACE_FUNCTIONS)
def test_functions_write_in_place_as_the_methods_of_their_names(name):
    assert callable(getattr(torch, name))
    assert getattr(ac, name) is getattr(ac.Tensor, name)


def test_a_function_that_writes_returns_what_it_wrote_to(T):
    x = T.tensor([-1.0, 4.0])
    assert T.relu_(x) is x and x.tolist() == [0.0, 4.0]
    assert T.sqrt_(x) is T.clamp_(x, max=1.5) is x and x.tolist() == [0.0, 1.5]
