"""The limits of dtypes, as PyTorch gives them."""

import pytest
import torch

import autograd_core as ac

FLOATS = ("float16", "bfloat16", "float32", "float64")
INTEGERS = ("uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64")


@pytest.mark.parametrize("name", FLOATS)
def test_floats_have_the_limits_of_torch(name):
    ours, theirs = ac.finfo(getattr(ac, name)), torch.finfo(getattr(torch, name))
    for limit in ("bits", "min", "max", "eps", "tiny", "smallest_normal", "resolution", "dtype"):
        assert getattr(ours, limit) == getattr(theirs, limit), limit
    assert repr(ours) == repr(theirs)
    assert [ours == ac.finfo(getattr(ac, other)) for other in FLOATS] == [other == name for other in FLOATS]


@pytest.mark.parametrize("name", INTEGERS)
def test_integers_have_the_limits_of_torch(name):
    ours, theirs = ac.iinfo(getattr(ac, name)), torch.iinfo(getattr(torch, name))
    for limit in ("bits", "min", "max", "dtype"):
        assert getattr(ours, limit) == getattr(theirs, limit), limit
    assert repr(ours) == repr(theirs) and ours == ac.iinfo(getattr(ac, name))


def test_a_complex_dtype_has_the_limits_of_its_parts(T):
    for name in ("complex32", "complex64", "complex128"):
        dtype = getattr(T, name)
        assert T.finfo(dtype) == T.finfo(dtype.to_real())
        with pytest.raises(TypeError, match=r"requires an integer input type"):
            T.iinfo(dtype)


def test_the_default_dtype_is_meant_without_one(T, default_dtype):
    assert T.finfo().bits == 32 and T.finfo(float).bits == 64
    T.set_default_dtype(T.float64)
    assert T.finfo().bits == 64


REFUSALS = {
    "an integer": (lambda T: T.finfo(T.int32), "requires a floating point input type. Use torch.iinfo"),
    "a float": (lambda T: T.iinfo(T.float32), "requires an integer input type. Use torch.finfo"),
    "a bool": (lambda T: T.iinfo(T.bool), "bool is not supported by"),
    "nothing": (lambda T: T.iinfo(), "missing 1 required positional argument"),
    "no dtype": (lambda T: T.finfo(3), "3"),
    "a key": (lambda T: hash(T.finfo(T.float32)), "unhashable type"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_another_dtype_is_refused(name):
    call, words = REFUSALS[name]
    with pytest.raises(TypeError):
        call(torch)
    with pytest.raises(TypeError) as error:
        call(ac)
    assert words in str(error.value)
