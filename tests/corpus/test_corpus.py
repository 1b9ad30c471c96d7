"""Every case of the corpus, on PyTorch and here, against the values that PyTorch gave."""

import json

import pytest

import autograd_core as ac
from tests.corpus.corpus import EXPECTED, differences, load, run

CASES = load()
RESULTS = json.loads(EXPECTED.read_text(encoding="utf-8"))

# Where this engine answers otherwise, why, and the entries of its answer that differ.
DEVIATIONS = {
    "numpy_array_as_operand": (
        "A NumPy array beside a tensor is an operand like any other, on either side.",
        {"left": "ok", "right": "ok"},
    ),
    "running_statistics_change_before_backward": (
        "Running statistics count versions when BatchNorm updates them, so a stale graph raises. PyTorch returns a "
        "wrong gradient.",
        {"result": "raises:RuntimeError:modified by an inplace operation", "x.grad": None},
    ),
    "inference_tensors": (
        "A write that is refused changes nothing. PyTorch writes first and raises then.",
        {"w.grad": [3.0, 3.0]},
    ),
    "storage_swapped": (
        "A saved leaf is the value it had. PyTorch saves the tensor, and so sees the memory that `.data` got since.",
        {"data_same_shape": ["ok", [6.0]]},
    ),
}

# What the package does not provide, and how asking for it ends.
ABSENT = {
    "sparse_embedding_gradient": ("sparse gradients", NotImplementedError),
    "complex_gradients": ("complex dtypes", TypeError),
}


def test_every_case_has_an_expected_result_and_every_exception_a_case():
    assert CASES.keys() == RESULTS.keys()
    assert CASES.keys() >= DEVIATIONS.keys() | ABSENT.keys()


def test_deviations_stay_few():
    assert not [name for name in DEVIATIONS if CASES[name].parity == "must"]
    assert len([name for name in DEVIATIONS if CASES[name].parity == "should"]) <= 2


@pytest.mark.parametrize("name", CASES)
def test_case(name, T):
    case, expected = CASES[name], RESULTS[name]
    if T is ac and name in ABSENT:
        with pytest.raises(ABSENT[name][1]):
            run(case, T)
        return
    if T is ac and name in DEVIATIONS:
        expected = expected | DEVIATIONS[name][1]
    found = differences(run(case, T), expected)
    assert not found, "\n".join([case.__doc__ or name, *found])
