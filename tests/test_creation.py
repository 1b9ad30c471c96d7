"""Making tensors: values, dtypes, shapes and errors as PyTorch's, in both libraries from one source."""

import numpy as np
import pytest
import torch

import autograd_core as ac
from tests.ops.harness import assert_same

CALLS = {
    "tensor of a float": lambda T: T.tensor(1.5),
    "tensor of an int": lambda T: T.tensor(3),
    "tensor of a bool": lambda T: T.tensor(True),
    "tensor of mixed numbers": lambda T: T.tensor([[1, 2.5], [True, 4]]),
    "tensor of nothing": lambda T: T.tensor([]),
    "tensor of float64 array": lambda T: T.tensor(np.array([1.0, 2.0])),
    "tensor of int32 array": lambda T: T.tensor(np.array([1, 2], np.int32)),
    "tensor of a float32 scalar": lambda T: T.tensor(np.float32(1.5)),
    "tensor of a float64 scalar": lambda T: T.tensor(np.float64(1.5)),
    "tensor of an int64 scalar": lambda T: T.tensor(np.int64(2)),
    "tensor of a list of tensors": lambda T: T.tensor([T.tensor(1.0), T.tensor(2.0)]),
    "tensor of nested lists with tensors": lambda T: T.tensor([[T.tensor(1.0), 2.0], [3.0, T.tensor(4.0)]]),
    "tensor with a dtype": lambda T: T.tensor([1, 2], dtype=T.float64),
    "tensor floats to int": lambda T: T.tensor([1.7, -1.7], dtype=T.int64),
    "as_tensor of a list": lambda T: T.as_tensor([1.0, 2.0]),
    "as_tensor with a dtype": lambda T: T.as_tensor(np.array([1.0, 2.0]), dtype=T.float32),
    "from_numpy": lambda T: T.from_numpy(np.array([[1.0, 2.0]])),
    "zeros of sizes": lambda T: T.zeros(2, 3),
    "zeros of a tuple": lambda T: T.zeros((2, 3), dtype=T.int64),
    "zeros 0-d": lambda T: T.zeros(()),
    "zeros of a size": lambda T: T.zeros(T.ones(2, 3).shape),
    "ones bool": lambda T: T.ones(2, dtype=T.bool),
    "full of an int": lambda T: T.full((2, 2), 7),
    "full of a float": lambda T: T.full((2,), 0.5),
    "full of a bool": lambda T: T.full((2,), True),
    "full with a dtype": lambda T: T.full((2,), 1, dtype=T.float64),
    "eye": lambda T: T.eye(3),
    "eye oblong": lambda T: T.eye(2, 3, dtype=T.int64),
    "arange(5)": lambda T: T.arange(5),
    "arange(2.5)": lambda T: T.arange(2.5),
    "arange(1, 7, 2)": lambda T: T.arange(1, 7, 2),
    "arange(7, 1, -2)": lambda T: T.arange(7, 1, -2),
    "arange(0, 1, 0.1)": lambda T: T.arange(0, 1, 0.1, dtype=T.float64),
    "arange(0)": lambda T: T.arange(0),
    "arange with a dtype": lambda T: T.arange(3, dtype=T.float64),
    "linspace": lambda T: T.linspace(-2, 2, 7, dtype=T.float64),
    "linspace of one": lambda T: T.linspace(3, 5, 1),
    "linspace of none": lambda T: T.linspace(3, 5, 0),
    "zeros_like": lambda T: T.zeros_like(T.tensor([1, 2])),
    "ones_like": lambda T: T.ones_like(T.tensor([[1.5]])),
    "full_like": lambda T: T.full_like(T.tensor([1, 2]), 7),
    "zeros_like with a dtype": lambda T: T.zeros_like(T.tensor([1, 2]), dtype=T.float64),
    "new_zeros": lambda T: T.tensor([1, 2]).new_zeros(2, 3),
    "new_ones": lambda T: T.tensor([1.0]).new_ones((3,)),
    "new_full": lambda T: T.tensor([1.0]).new_full((3,), 7),
    "new_tensor": lambda T: T.tensor([1.0], dtype=T.float64).new_tensor([1, 2]),
}


@pytest.mark.parametrize("name", CALLS)
def test_values_are_those_of_torch(name):
    got, wanted = CALLS[name](ac), CALLS[name](torch)
    assert_same([got], [wanted], name)
    assert not got.requires_grad and got.is_leaf


ERRORS = {
    "a negative length": lambda T: T.zeros(2, -1),
    "a length that is no integer": lambda T: T.zeros(2.0),
    "an int that int8 cannot hold": lambda T: T.tensor([1, 300], dtype=T.int8),
    "an int that uint8 cannot hold": lambda T: T.tensor(256, dtype=T.uint8),
    "requires_grad with ints": lambda T: T.zeros(2, dtype=T.int64, requires_grad=True),
    "ragged lists": lambda T: T.tensor([[1.0], [1.0, 2.0]]),
    "text": lambda T: T.tensor("text"),
    "arange without a step": lambda T: T.arange(1, 2, 0),
    "arange the wrong way": lambda T: T.arange(2, 1),
    "linspace of a negative number": lambda T: T.linspace(0, 1, -1),
    "eye of a negative size": lambda T: T.eye(-1),
    "from_numpy of a list": lambda T: T.from_numpy([1.0]),
    "tril of a vector": lambda T: T.tril(T.ones(3)),
    "randint of an empty range": lambda T: T.randint(3, 3, (2,)),
    "rand of ints": lambda T: T.rand(2, dtype=T.int64),
    "a negative std": lambda T: T.empty(2).normal_(0, -1),
    "an inverted range": lambda T: T.empty(2).uniform_(1, 0),
    "a probability above 1": lambda T: T.bernoulli(T.tensor([2.0])),
    "random numbers into a leaf": lambda T: T.zeros(2, requires_grad=True).normal_(),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_of_torch_s_type(name):
    with pytest.raises(Exception) as wanted:
        ERRORS[name](torch)
    with pytest.raises(type(wanted.value)):
        ERRORS[name](ac)


FACTORIES = {
    "tensor": lambda T, flag: T.tensor([1.0], requires_grad=flag),
    "zeros": lambda T, flag: T.zeros(2, requires_grad=flag),
    "ones_like": lambda T, flag: T.ones_like(T.zeros(2), requires_grad=flag),
    "full": lambda T, flag: T.full((2,), 1.0, requires_grad=flag),
    "eye": lambda T, flag: T.eye(2, requires_grad=flag),
    "arange": lambda T, flag: T.arange(2.0, requires_grad=flag),
    "linspace": lambda T, flag: T.linspace(0, 1, 2, requires_grad=flag),
    "rand": lambda T, flag: T.rand(2, requires_grad=flag),
    "new_tensor": lambda T, flag: T.zeros(1).new_tensor([1.0], requires_grad=flag),
    "Parameter": lambda T, flag: T.nn.Parameter(T.zeros(1), requires_grad=flag),
}


@pytest.mark.parametrize("flag", ["yes", 1, np.True_])
@pytest.mark.parametrize("name", FACTORIES)
def test_requires_grad_is_a_bool(T, name, flag):
    with pytest.raises(TypeError):
        FACTORIES[name](T, flag)


def test_a_flag_that_is_no_bool_is_named():
    with pytest.raises(TypeError, match=r"tensor\(\): argument 'requires_grad' must be bool, not str \('yes'\)"):
        ac.tensor(1.0, requires_grad="yes")


@pytest.mark.parametrize("size", [2.5, (2.5,), "2", True, [None]])
def test_a_size_is_made_of_ints(T, size):
    with pytest.raises(TypeError, match=r"ones\(\): argument 'size'.* must be tuple of ints"):
        T.ones(size)


def test_a_0_d_integer_tensor_is_a_size(T):
    assert T.ones(T.tensor(2)).shape == (2,)


def test_copying_a_tensor_by_tensor_warns(T):
    x = T.tensor([1.0], requires_grad=True)
    for copy in (T.tensor, x.new_tensor):
        with pytest.warns(UserWarning, match=r"recommended to use sourceTensor.detach\(\).clone\(\)") as caught:
            y = copy(x)
        assert caught[0].filename == __file__
        assert y.is_leaf and not y.requires_grad and y.data_ptr() != x.data_ptr()


def test_complex_data_is_refused():
    for data in (1 + 2j, [1j], np.array([1j])):
        with pytest.raises(TypeError, match=r"real|complex"):
            ac.tensor(data)


def test_another_device_is_refused():
    for make in (ac.zeros, ac.rand):
        assert make(2, device="cpu").device == ac.device("cpu")
        with pytest.raises(AssertionError, match=r"CUDA.*CPU"):
            make(2, device="cuda")


def test_requires_grad_holds_under_no_grad():
    with ac.no_grad():
        assert all(t.requires_grad for t in (ac.zeros(2, requires_grad=True), ac.tensor(1.0, requires_grad=True)))


def test_tensor_copies_and_from_numpy_shares():
    array = np.zeros(2)
    copied, shared, also_shared = ac.tensor(array), ac.from_numpy(array), ac.as_tensor(array)
    array[0] = 5.0
    assert (copied.tolist(), shared.tolist(), also_shared.tolist()) == ([0.0, 0.0], [5.0, 0.0], [5.0, 0.0])


def test_the_default_dtype_is_used():
    ac.set_default_dtype(ac.float64)
    try:
        assert {t.dtype for t in (ac.zeros(1), ac.tensor(1.0), ac.arange(1.0), ac.rand(1), ac.eye(1))} == {ac.float64}
    finally:
        ac.set_default_dtype(ac.float32)


DRAWS = {
    "rand": lambda: ac.rand(1000),
    "randn": lambda: ac.randn(1000, dtype=ac.float64),
    "rand_like": lambda: ac.rand_like(ac.zeros(1000, dtype=ac.float64)),
    "randn_like": lambda: ac.randn_like(ac.zeros(1000)),
    "randint": lambda: ac.randint(2, 5, (1000,)),
    "randperm": lambda: ac.randperm(1000),
    "bernoulli": lambda: ac.bernoulli(ac.full((1000,), 0.3)),
    "normal_": lambda: ac.empty(1000).normal_(3.0, 2.0),
    "uniform_": lambda: ac.empty(1000).uniform_(-1, 1),
    "bernoulli_": lambda: ac.empty(1000).bernoulli_(0.3),
}


@pytest.mark.parametrize("name", DRAWS)
def test_a_seed_repeats_the_numbers(name):
    ac.manual_seed(7)
    first, second = DRAWS[name](), DRAWS[name]()
    ac.manual_seed(7)
    assert ac.equal(first, DRAWS[name]()) and not ac.equal(first, second)


def test_random_numbers_have_the_right_moments():
    ac.manual_seed(11)
    moments = {
        name: (values.mean(), values.std())
        for name, values in ((n, draw()._array.astype(float)) for n, draw in DRAWS.items() if n != "randperm")
    }
    wanted = {
        "rand": (0.5, 12**-0.5), "randn": (0.0, 1.0), "rand_like": (0.5, 12**-0.5), "randn_like": (0.0, 1.0),
        "randint": (3.0, (2 / 3) ** 0.5), "bernoulli": (0.3, 0.21**0.5), "normal_": (3.0, 2.0),
        "uniform_": (0.0, 3**-0.5), "bernoulli_": (0.3, 0.21**0.5),
    }  # fmt: skip
    for name, (mean, std) in wanted.items():
        # five standard errors of the mean of 1000; the seed is fixed, so this cannot fail by chance
        assert abs(moments[name][0] - mean) < 5 * std / 1000**0.5, name
        assert abs(moments[name][1] - std) < 0.15 * std, name


def test_integers_stay_in_their_range():
    assert set(ac.randint(2, 5, (1000,)).tolist()) == {2, 3, 4}
    assert sorted(ac.randperm(10).tolist()) == list(range(10))
    assert ac.randint(3, (2, 2)).shape == (2, 2) and ac.randint(high=1, size=(2,)).tolist() == [0, 0]


def test_random_methods_end_the_history():
    x = ac.ones(2, requires_grad=True)
    (h := x * 2).normal_()
    h.sum().backward()
    assert x.grad.tolist() == [0.0, 0.0]


def test_the_values_of_a_tensor_of_pytorch_are_taken():
    theirs = torch.tensor([1.0, 2.0], requires_grad=True)
    ours = ac.tensor(theirs)
    assert ours.tolist() == [1.0, 2.0] and ours.dtype is ac.float32 and not ours.requires_grad
    with pytest.raises(TypeError, match=r"must be Tensor, not torch\.Tensor; wrap it in ac\.tensor"):
        ac.relu(theirs)


def test_an_empty_size_is_the_shape_of_a_number_and_an_empty_list_is_no_data(T):
    assert T.ones(2).new(T.Size([])).shape == T.Tensor(T.Size([])).shape == ()
    assert T.ones(2).new([]).shape == T.Tensor([]).shape == T.Tensor(()).shape == (0,)


def test_asarray_shares_or_copies_as_it_is_told(T):
    array = np.array([1.0, 2.0])
    for made, shares in ((T.asarray(array), True), (T.asarray(array, copy=True), False), (T.asarray([1, 2]), False)):
        assert isinstance(made, T.Tensor) and np.shares_memory(made.numpy(), array) is shares
    assert T.asarray(array, dtype=T.float32).dtype is T.float32 and T.asarray(array, copy=False).dtype is T.float64
    with pytest.raises(ValueError, match="can't alias arbitrary sequence into a tensor"):
        T.asarray([1, 2], copy=False)
    with pytest.raises(ValueError, match="can't alias tensor with dtype"):
        T.asarray(array, dtype=T.float32, copy=False)
    with pytest.raises(RuntimeError, match="can require gradients"):
        T.asarray([1], requires_grad=True)


def test_asarray_of_a_tensor_keeps_its_history_unless_told(T):
    w = T.tensor([1.0, 2.0], requires_grad=True)
    assert T.asarray(w, requires_grad=True) is w and T.asarray(w, requires_grad=False).grad_fn is None
    assert not T.asarray(w, requires_grad=False).requires_grad
    made = T.asarray(w, dtype=T.float64, requires_grad=True)
    assert made.dtype is T.float64 and made.is_leaf
    assert T.asarray(T.ones(2), copy=True, requires_grad=True).is_leaf


def test_one_number_is_zero_or_not(T):
    assert T.tensor([2]).is_nonzero() and not T.zeros(1, 1).is_nonzero()
    with pytest.raises(RuntimeError):
        T.ones(2).is_nonzero()


def test_there_is_no_range_of_bools(T):
    for make in (lambda: T.arange(0, 2, dtype=T.bool), lambda: T.linspace(0, 1, 3, dtype=T.bool)):
        with pytest.raises(NotImplementedError, match="not implemented for"):
            make()
