"""A printed tensor is PyTorch's text, but for the name of the module."""

import numpy as np
import pytest
import torch

import autograd_core as ac
from autograd_core.core.printing import tensor_text

VALUES = {
    "0-d": 3.0,
    "0-d fraction": 0.1,
    "0-d integer": 7,
    "0-d bool": True,
    "whole floats": [1.0, 2.0, 30.0],
    "fractions": [0.5, 1.25, 3.14159265],
    "negative": [-1.0, 2.0],
    "negative fractions": [[-1.5, 2.25], [100.125, -0.0]],
    "zeros": [0.0, 0.0],
    "negative zero": [-0.0, 1.0],
    "wide range": [1.0, 1e-3, 1e4],
    "tiny": [1e-5, 2e-5],
    "tiny and whole": [1.0, 1e-5],
    "large": [1e9, 2e9],
    "large whole": [123456789.0, 1.0],
    "ratio of a thousand": [1000.0, 1.0, 0.5],
    "ratio over a thousand": [1001.0, 1.0, 0.5],
    "huge": [1e30, -1e-30],
    "integers": [1, -20, 300],
    "integer matrix": [[1, 2], [3, 40000]],
    "bools": [True, False],
    "bool matrix": [[True, False], [False, False]],
    "nan": [float("nan"), 1.0],
    "inf": [float("inf"), -float("inf"), 1.5],
    "all nan": [float("nan"), float("nan")],
    "nan whole": [float("nan"), 1.0, 20.0],
    "empty": [],
    "column": [[1.0], [2.0]],
    "cube": [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.5]]],
}


def same_text(array, requires_grad=False):
    """Compare the text of one tensor on both engines. A dtype is longer here, so a line may break before it."""
    theirs, ours = (T.from_numpy(array.copy()).requires_grad_(requires_grad) for T in (torch, ac))
    expected = repr(theirs)
    if "dtype=" in expected:
        assert " ".join(repr(ours).split()) == " ".join(expected.replace("torch.", "autograd_core.").split())
        shown = [f"dtype={theirs.dtype}"] + ["requires_grad=True"] * requires_grad
        assert tensor_text(array, shown) == expected
    else:
        assert repr(ours) == str(ours) == expected


@pytest.mark.parametrize("name", VALUES)
def test_values(name):
    expected = repr(torch.tensor(VALUES[name]))
    assert repr(ac.tensor(VALUES[name])) == expected


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "uint8", "int16", "int32", "int64", "bool"])
@pytest.mark.parametrize("shape", [(), (1,), (3,), (0,), (0, 3), (2, 0), (2, 3), (1, 1), (2, 1, 2), (30,), (3, 20)])
def test_every_dtype_and_shape(dtype, shape, rng):
    array = np.asarray(rng.normal(scale=10, size=shape)).astype(np.int8 if dtype == "uint8" else dtype).astype(dtype)
    same_text(array)
    if array.dtype.kind == "f":
        same_text(array, requires_grad=True)


@pytest.mark.parametrize("shape", [(1000,), (1001,), (7, 143), (11, 100), (1, 2000), (2000, 1), (5, 5, 41), (7, 7, 21)])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "bool"])
def test_large_tensors_show_their_corners(shape, dtype, rng):
    same_text((rng.normal(size=shape) * 10).astype(dtype))


@pytest.mark.parametrize("exponent", range(-8, 12))
def test_magnitudes(exponent, rng):
    for dtype in ("float32", "float64"):
        same_text((rng.normal(size=6) * 10.0**exponent).astype(dtype))
        same_text(np.round(rng.normal(size=6) * 10.0**exponent).astype(dtype))


def test_lines_break_where_torchs_do(rng):
    for n in range(1, 40):
        same_text(rng.normal(size=n), requires_grad=bool(n % 2))
        same_text(rng.integers(-(10 ** rng.integers(1, 6)), 10**4, size=(2, n)))


@pytest.mark.parametrize("n", range(1, 25))
def test_suffixes_that_do_not_fit_go_to_a_line_of_their_own(n):
    def texts(T):
        x = T.ones(n, requires_grad=True)
        return repr(x), repr(x * 2.5), repr((x * 2.5).sum()), repr(T.zeros(0, n))

    assert texts(ac) == texts(torch)


def test_a_result_shows_its_grad_fn(T):
    x = T.tensor([1.0, 2.0], requires_grad=True)
    assert repr(x) == "tensor([1., 2.], requires_grad=True)"
    assert repr(x * x) == "tensor([1., 4.], grad_fn=<MulBackward0>)"
    assert repr(x.exp().sum()) == "tensor(10.1073, grad_fn=<SumBackward0>)"
    assert repr(x.detach()) == "tensor([1., 2.])"


def test_a_non_default_dtype_is_shown(T):
    assert repr(T.ones(2, dtype=T.float64)) == f"tensor([1., 1.], dtype={T.__name__}.float64)"
    assert repr(T.ones(2, dtype=T.int32)) == f"tensor([1, 1], dtype={T.__name__}.int32)"
    assert repr(T.zeros(0, dtype=T.int64)) == f"tensor([], dtype={T.__name__}.int64)"
    assert repr(T.zeros(0, dtype=T.bool)) == f"tensor([], dtype={T.__name__}.bool)"


def test_a_parameter_says_so(T):
    assert repr(T.nn.Parameter(T.ones(2))) == "Parameter containing:\ntensor([1., 1.], requires_grad=True)"


def test_formatting(T):
    assert f"{T.tensor(1.23456):.2f}" == "1.23" and f"{T.tensor(3):>4}" == "   3"
    assert f"{T.tensor([1.5])}" == "tensor([1.5000])"
    assert f"{T.tensor(2.5)}" == format(T.tensor(2.5))


def test_a_shape_prints_as_a_size(T):
    assert repr(T.ones(2, 3).shape) == {"torch": "torch.Size([2, 3])"}.get(T.__name__, "Size([2, 3])")


def test_an_option_that_is_no_option_is_refused_at_once():
    wrong = {
        TypeError: [
            *({"precision": value} for value in (object(), "a", 2.5, True)),
            *({"edgeitems": value} for value in ("a", 1.5)),
            *({"threshold": "a"}, {"linewidth": "a"}, {"sci_mode": "a"}, {"sci_mode": 3}),
        ],
        ValueError: [{"precision": -1}, {"edgeitems": -1}, {"profile": "long"}],
    }
    before = repr(ac.arange(3.0) / 7)
    for kind, options in wrong.items():
        for option in options:
            with pytest.raises(kind, match="set_printoptions"):
                ac.set_printoptions(**option)
    assert repr(ac.arange(3.0) / 7) == before
