"""Element types and promotion, against PyTorch's own answers."""

import copy
import itertools
import pickle

import numpy as np
import pytest
import torch

import autograd_core as ac
from autograd_core.core import dtypes

NAMES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"]
FORMS = {"vector": (2,), "0-d": (), "matrix": (1, 2)}


def operand(T, name, form):
    return T.ones(FORMS[form], dtype=getattr(T, name))


def name_of(dtype):
    return str(dtype).rpartition(".")[2]


@pytest.mark.parametrize(("a_form", "b_form"), list(itertools.product(FORMS, FORMS)))
def test_two_tensors_promote_as_in_torch(a_form, b_form):
    for a, b in itertools.product(NAMES, NAMES):
        expected = torch.result_type(operand(torch, a, a_form), operand(torch, b, b_form))
        found = dtypes.result_type(operand(ac, a, a_form).numpy(), operand(ac, b, b_form).numpy())
        assert found.name == name_of(expected), f"{a} {a_form} with {b} {b_form}"


@pytest.mark.parametrize("number", [True, 3, 2.5])
@pytest.mark.parametrize("form", FORMS)
def test_a_number_promotes_as_in_torch(form, number):
    for name in NAMES:
        expected = torch.result_type(operand(torch, name, form), number)
        assert dtypes.result_type(operand(ac, name, form).numpy(), number).name == name_of(expected), name


@pytest.mark.parametrize("op", ["add", "mul", "truediv", "floordiv", "pow", "lt"])
@pytest.mark.parametrize("forms", [("vector", "vector"), ("vector", "0-d"), ("0-d", "vector"), ("0-d", "0-d")])
def test_the_result_of_an_op_has_torchs_dtype(op, forms):
    method = f"__{op}__"
    for a, b in itertools.product(NAMES, NAMES):
        if a == b == "bool" and op in ("floordiv", "pow"):
            continue  # PyTorch has no such kernel
        expected = getattr(operand(torch, a, forms[0]), method)(operand(torch, b, forms[1]))
        found = getattr(operand(ac, a, forms[0]), method)(operand(ac, b, forms[1]))
        assert name_of(found.dtype) == name_of(expected.dtype), f"{a} {op} {b}"
        assert found.tolist() == expected.tolist()


@pytest.mark.parametrize("number", [True, 2, 2.5])
@pytest.mark.parametrize("op", ["add", "radd", "mul", "truediv", "rtruediv", "rsub", "pow", "rpow"])
@pytest.mark.parametrize("form", ["vector", "0-d"])
def test_an_op_with_a_number_has_torchs_dtype(op, number, form):
    for name in NAMES:
        if (op == "rsub" and (name == "bool" or number is True)) or (op in ("pow", "rpow") and name == "bool"):
            continue  # PyTorch refuses
        expected = getattr(operand(torch, name, form), f"__{op}__")(number)
        found = getattr(operand(ac, name, form), f"__{op}__")(number)
        assert name_of(found.dtype) == name_of(expected.dtype), f"{op} of {name} and {number}"
        np.testing.assert_allclose(found.tolist(), expected.tolist(), rtol=1e-3)


def test_a_gradient_has_the_dtype_of_its_input(T):
    x = T.ones(2, dtype=T.float32, requires_grad=True)
    y = T.ones(2, dtype=T.float64, requires_grad=True)
    s = T.tensor(2.0, dtype=T.float64, requires_grad=True)
    ((x * y).sum() + (x * s).sum()).backward()
    assert [t.grad.dtype for t in (x, y, s)] == [T.float32, T.float64, T.float64]
    assert (x * s).dtype is T.float32 and (x * y).dtype is T.float64


def test_three_operands_promote_together():
    vector, scalar = np.ones(2, np.float16), np.float64(1.0)
    assert dtypes.result_type(vector, scalar, 2) == np.float16
    assert dtypes.result_type(np.ones(2, np.int32), np.array(1, np.int64), 2.0) == np.float32


@pytest.mark.parametrize("name", NAMES)
def test_a_dtype_tells_about_itself(name):
    ours, theirs = getattr(ac, name), getattr(torch, name)
    assert repr(ours) == repr(theirs).replace("torch", "autograd_core")
    assert (ours.itemsize, ours.is_floating_point) == (theirs.itemsize, theirs.is_floating_point)
    assert pickle.loads(pickle.dumps(ours)) is ours and copy.deepcopy(ours) is ours


@pytest.mark.parametrize("alias", ["half", "float", "double", "short", "int", "long"])
def test_aliases_are_the_types_themselves(alias):
    assert name_of(getattr(ac, alias)) == name_of(getattr(torch, alias))


@pytest.mark.parametrize("name", ["byte", "char", "short", "int", "long", "bool", "half", "float", "double"])
def test_a_tensor_is_converted_by_the_name_of_a_type(T, name):
    x = T.tensor([1.0, 2.0], requires_grad=True)
    made = getattr(x, name)()
    assert made.tolist() == [1, 2 if name != "bool" else 1] and getattr(made, name)() is made
    assert made.requires_grad is (name in ("half", "float", "double"))


def test_the_default_dtype_decides_what_floats_become(T, default_dtype):
    T.set_default_dtype(T.float64)
    assert T.get_default_dtype() is T.float64
    assert T.tensor(1.5).dtype is T.float64 and T.zeros(2).dtype is T.float64
    assert (T.tensor([1, 2]) / 2).dtype is T.float64 and (T.tensor([1]) * 0.5).dtype is T.float64
    assert repr(T.tensor(1.5)) == "tensor(1.5000)"
    assert "float32" in repr(T.tensor(1.5, dtype=T.float32))


def test_the_default_dtype_must_float(T):
    with pytest.raises(TypeError, match="only floating-point types are supported as the default type"):
        T.set_default_dtype(T.int64)
    assert T.get_default_dtype() is T.float32


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (np.float64, "float64"),
        (np.dtype("int32"), "int32"),
        (ac.int8, "int8"),
    ],
)
def test_numpy_types_mean_dtypes_too(given, meant):
    assert dtypes.as_dtype(given).name == meant


@pytest.mark.parametrize(("given", "meant"), [(bool, "bool"), (int, "int64"), (float, "float64")])
def test_the_number_types_of_python_mean_dtypes(T, given, meant):
    wanted = getattr(T, meant)
    assert T.zeros(1, dtype=given).dtype is wanted and T.tensor([1], dtype=given).dtype is wanted
    assert T.tensor([1]).to(given).dtype is wanted and T.tensor([1]).sum(dtype=given).dtype is wanted


@pytest.mark.parametrize("given", ["float32", "float", 3, object])
def test_a_name_is_no_dtype(T, given):
    for make in (T.zeros, T.ones, T.rand, T.tensor):
        with pytest.raises(TypeError, match="dtype"):
            make(1, dtype=given)
    with pytest.raises(TypeError, match="only floating-point types are supported as the default type"):
        T.set_default_dtype(given)


@pytest.mark.parametrize("given", [complex, "float32", np.uint16, object, None, 3])
def test_what_is_no_dtype_is_refused_by_name(given):
    with pytest.raises(TypeError, match=r"is not a dtype of autograd_core; it has ac.bool, .*ac.float64"):
        dtypes.as_dtype(given)


# -- dtypes that can only be named

ONLY_NAMED = [
    *("bfloat16", "uint16", "uint32", "uint64", "complex32", "complex64", "complex128", "chalf", "cfloat", "cdouble"),
]


@pytest.mark.parametrize("name", [*NAMES, *ONLY_NAMED])
def test_a_dtype_says_what_it_is_as_in_torch(name):
    def answers(dtype):
        kinds = (dtype.is_floating_point, dtype.is_complex, dtype.is_signed, dtype.itemsize)
        return (name_of(dtype), name_of(dtype.to_real()), *kinds)

    ours = getattr(ac, name)
    assert answers(ours) == answers(getattr(torch, name))
    assert [ours == getattr(ac, other) for other in NAMES] == [name == other for other in NAMES]
    assert pickle.loads(pickle.dumps(ours)) is ours and copy.deepcopy(ours) is ours
    assert len({ours, ac.float32}) == 1 + (name != "float32")
    with pytest.raises(AttributeError, match="has no attribute 'fields'"):
        ours.fields  # noqa: B018


MAKING = {
    "zeros": lambda dtype: ac.zeros(2, dtype=dtype),
    "tensor": lambda dtype: ac.tensor([1.0], dtype=dtype),
    "as_tensor": lambda dtype: ac.as_tensor(np.ones(2), dtype=dtype),
    "arange": lambda dtype: ac.arange(3, dtype=dtype),
    "rand": lambda dtype: ac.rand(2, dtype=dtype),
    "ones_like": lambda dtype: ac.ones_like(ac.ones(2), dtype=dtype),
    "new_zeros": lambda dtype: ac.ones(2).new_zeros(2, dtype=dtype),
    "to": lambda dtype: ac.ones(2).to(dtype),
    "to with a device": lambda dtype: ac.ones(2).to("cpu", dtype),
    "type": lambda dtype: ac.ones(2).type(dtype),
    "view": lambda dtype: ac.ones(2).view(dtype),
    "sum": lambda dtype: ac.ones(2).sum(dtype=dtype),
    "softmax": lambda dtype: ac.nn.functional.softmax(ac.ones(2), 0, dtype=dtype),
    "a layer": lambda dtype: ac.nn.Linear(2, 2, dtype=dtype),
}


@pytest.mark.parametrize("way", MAKING)
@pytest.mark.parametrize(
    ("name", "remedy"),
    [("bfloat16", "float32 or .*float16"), ("complex64", "float32, for real and imaginary"), ("uint32", "int64")],
)
def test_no_tensor_is_made_of_a_dtype_that_can_only_be_named(way, name, remedy):
    with pytest.raises(NotImplementedError, match=rf"no tensor of autograd_core\.{name} can be made.*{remedy}"):
        MAKING[way](getattr(ac, name))


def test_a_dtype_that_can_only_be_named_is_no_default(default_dtype):
    net = ac.nn.Linear(2, 2)
    for call in (lambda: ac.set_default_dtype(ac.bfloat16), lambda: net.bfloat16(), lambda: ac.ones(1).bfloat16()):
        with pytest.raises(NotImplementedError, match="bfloat16"):
            call()
    with pytest.raises(TypeError, match="only floating-point types"):
        ac.set_default_dtype(ac.complex64)
    assert ac.get_default_dtype() is ac.float32 and net.weight.dtype is ac.float32


# -- Python numbers that a type does not hold

STORED = {
    "tensor": lambda T, n, dtype: T.tensor(n, dtype=dtype),
    "tensor of a list": lambda T, n, dtype: T.tensor([0, n], dtype=dtype),
    "as_tensor": lambda T, n, dtype: T.as_tensor(n, dtype=dtype),
    "new_tensor": lambda T, n, dtype: T.zeros(2, dtype=dtype).new_tensor(n),
    "full": lambda T, n, dtype: T.full((2,), n, dtype=dtype),
    "full_like": lambda T, n, dtype: T.full_like(T.zeros(2, dtype=dtype), n),
    "new_full": lambda T, n, dtype: T.zeros(2, dtype=dtype).new_full((2,), n),
    "fill_": lambda T, n, dtype: T.zeros(2, dtype=dtype).fill_(n),
    "masked_fill": lambda T, n, dtype: T.zeros(2, dtype=dtype).masked_fill(T.tensor([True, False]), n),
    "index_fill": lambda T, n, dtype: T.zeros(2, dtype=dtype).index_fill(0, T.tensor([0]), n),
    "scatter": lambda T, n, dtype: T.zeros(2, dtype=dtype).scatter(0, T.tensor([0]), n),
    "a write of an element": lambda T, n, dtype: T.zeros(2, dtype=dtype).__setitem__(0, n),
    "where": lambda T, n, dtype: T.where(T.tensor([True, False]), n, T.zeros(2, dtype=dtype)),
    "clamp": lambda T, n, dtype: T.zeros(2, dtype=dtype).clamp(max=n),
}
NUMBERS = [-(2**70), -(2**63) - 1, -301, -256, -255, -1, 0, 127, 128, 255, 300, 2**63 - 1, 2**63, 2**64, 2**70]
FLOATS = [-1.5, 2.5, 300.5, 1e30, float("inf"), float("nan")]


def outcome(call, *args):
    try:
        result = call(*args)
    except Exception as error:
        return type(error)
    return None if result is None else (name_of(result.dtype), result.tolist())


@pytest.mark.parametrize("name", ["uint8", "int8", "int32", "int64"])
@pytest.mark.parametrize("way", STORED)
def test_a_number_is_stored_or_refused_as_in_torch(way, name):
    floats = [] if way in ("where", "clamp") else FLOATS  # those promote
    # A write of an element refuses what int64 does not hold with a ValueError in torch, and as fill_ does here.
    ints = [n for n in NUMBERS if way != "a write of an element" or -(2**63) <= n < 2**63]
    for number in ints + floats:
        ours, theirs = (outcome(STORED[way], T, number, getattr(T, name)) for T in (ac, torch))
        assert ours == theirs, number


@pytest.mark.parametrize("way", ["masked_fill", "index_fill"])
@pytest.mark.parametrize("number", [float("nan"), float("inf"), 1e30, 2.5])
def test_a_value_in_a_tensor_is_stored_or_refused_as_in_torch(way, number):
    def call(T):
        return STORED[way](T, T.tensor(number), T.int64)

    assert outcome(call, ac) == outcome(call, torch)


@pytest.mark.parametrize("way", ["full", "fill_", "masked_fill", "clamp", "scatter"])
@pytest.mark.parametrize("name", ["float16", "float32"])
def test_a_float_that_a_type_does_not_hold_is_refused(T, way, name):
    with pytest.raises(RuntimeError, match=r"value cannot be converted to type .* without overflow"):
        STORED[way](T, 1e300, getattr(T, name))


def test_a_refusal_names_the_number_the_type_and_its_range():
    with pytest.raises(RuntimeError, match=r"type uint8 without overflow: 300 is not within 0 to 255; use a dtype"):
        ac.tensor([1, 300, 7], dtype=ac.uint8)


@pytest.mark.parametrize("op", ["add", "radd", "sub", "rsub", "mul", "rmul", "and", "or", "xor"])
@pytest.mark.parametrize("name", ["uint8", "int8", "int32", "int64"])
def test_integer_arithmetic_with_a_number_is_modular_as_in_torch(op, name):
    for number in NUMBERS:
        operands = (T.tensor([3, 7], dtype=getattr(T, name)) for T in (ac, torch))
        ours, theirs = (outcome(getattr(operand, f"__{op}__"), number) for operand in operands)
        assert ours == theirs, number


def test_only_real_numbers_are_computed_with():
    with pytest.raises(TypeError, match="real numbers"):
        dtypes.result_type(np.ones(2), 1j)
    for make in (lambda: ac.tensor([1j]), lambda: ac.ones(2) * 1j, lambda: ac.ones(2) * np.array([1j, 2j])):
        with pytest.raises(TypeError, match="complex"):
            make()


def test_only_floats_require_gradients(T):
    for name in NAMES:
        dtype = getattr(T, name)
        if dtype.is_floating_point:
            assert T.ones(2, dtype=dtype, requires_grad=True).requires_grad
        else:
            with pytest.raises(RuntimeError, match="can require gradients"):
                T.ones(2, dtype=dtype, requires_grad=True)
            with pytest.raises(RuntimeError):
                T.ones(2, dtype=dtype).requires_grad_()
