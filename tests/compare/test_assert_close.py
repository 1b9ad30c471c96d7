"""assert_close: the tolerances and refusals of torch, and what its message says."""

import numpy as np
import pytest
import torch

import autograd_core as ac

LIBRARIES = pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])


def differ(T, actual, expected, **settings):
    """The message for two values that are not close."""
    with pytest.raises(AssertionError) as error:
        T.testing.assert_close(actual, expected, **settings)
    return str(error.value)


@LIBRARIES
@pytest.mark.parametrize(
    "dtype, rtol, atol", [("float16", 1e-3, 1e-5), ("float32", 1.3e-6, 1e-5), ("float64", 1e-7, 1e-7)]
)
def test_tolerances_follow_the_dtype(T, dtype, rtol, atol):
    expected = T.tensor([64.0], dtype=getattr(T, dtype))
    allowed = atol + rtol * 64
    step = float(np.spacing(np.array(64, dtype)))
    T.testing.assert_close(expected + max(0.9 * allowed - step, 0), expected)
    differ(T, expected + 1.1 * allowed + step, expected)


@LIBRARIES
def test_shapes_dtypes_and_strides(T):
    assert "shape" in differ(T, T.ones(2), T.ones(2, 1))
    assert "dtype" in differ(T, T.ones(2), T.ones(2, dtype=T.float64))
    T.testing.assert_close(T.ones(2), T.ones(2, dtype=T.float64), check_dtype=False)
    T.testing.assert_close(T.ones(2, 3).T, T.ones(3, 2))
    assert "stride" in differ(T, T.ones(2, 3).T, T.ones(3, 2), check_stride=True)


@LIBRARIES
def test_nan_and_infinity(T):
    nan, inf = T.tensor([float("nan")]), T.tensor([float("inf")])
    differ(T, nan, nan)
    T.testing.assert_close(nan, nan, equal_nan=True)
    T.testing.assert_close(inf, inf)
    differ(T, inf, -inf)
    differ(T, inf, T.ones(1))


@LIBRARIES
def test_integers_and_bools_must_be_equal(T):
    big = 2**60
    T.testing.assert_close(T.tensor([big]), T.tensor([big]))
    assert "not equal" in differ(T, T.tensor([big]), T.tensor([big + 1]))
    differ(T, T.tensor([True]), T.tensor([False]))


@LIBRARIES
def test_numbers_arrays_sequences_and_mappings(T):
    T.testing.assert_close(1.0, 1.0 + 1e-9)
    assert "Scalars" in differ(T, 1.0, 1.1)
    T.testing.assert_close([T.ones(1), 2.0], [T.ones(1), 2.0])
    T.testing.assert_close({"a": T.ones(1)}, {"a": T.ones(1)})
    assert "length" in differ(T, [1.0], [1.0, 2.0])
    assert "keys" in differ(T, {"a": 1.0}, {"b": 1.0})
    assert "[1]" in differ(T, [T.ones(1), T.ones(2)], [T.ones(1), T.zeros(2)])
    with pytest.raises(TypeError, match="No comparison pair"):
        T.testing.assert_close("a", "a")


@LIBRARIES
def test_the_message_counts_and_finds_the_greatest_differences(T):
    actual, expected = T.tensor([[1.0, 2.0], [30.0, 0.5]]), T.tensor([[1.0, 2.0], [20.0, 0.1]])
    message = differ(T, actual, expected)
    assert "Mismatched elements: 2 / 4 (50.0%)" in message
    assert "Greatest absolute difference: 10.0 at index (1, 0)" in message
    assert (
        "Greatest relative difference: 4.0 at index (1, 1)" in message
        or "Greatest relative difference: 3.99" in message
    )
    assert differ(T, actual, expected, msg="mine") == "mine"
    assert differ(T, actual, expected, msg=lambda text: "mine: " + text).startswith("mine: Tensor-likes")


def test_the_message_shows_the_values_of_the_worst_entry():
    message = differ(ac, ac.tensor([1.0, float("nan")]), ac.tensor([5.0, 2.0]))
    assert "Worst entry: actual nan, expected 2.0 at index (1,)" in message


@LIBRARIES
def test_tolerances_come_in_pairs(T):
    with pytest.raises(ValueError, match="Both"):
        T.testing.assert_close(T.ones(1), T.ones(1), rtol=1e-3)
    T.testing.assert_close(T.ones(1), T.ones(1) + 0.01, rtol=0.1, atol=0.0)


# -- its elder, assert_allclose


@LIBRARIES
@pytest.mark.parametrize(
    "dtype, rtol, atol", [("float16", 1e-3, 1e-3), ("float32", 1e-4, 1e-5), ("float64", 1e-5, 1e-8), ("int64", 0, 0)]
)
def test_the_elder_takes_wider_tolerances(T, dtype, rtol, atol):
    expected = T.tensor([64], dtype=getattr(T, dtype))
    allowed = atol + rtol * 64
    step = 0.0 if dtype == "int64" else float(np.spacing(np.array(64, dtype)))
    with pytest.warns(FutureWarning, match=r"assert_allclose\(\)` is deprecated"):
        T.testing.assert_allclose(expected + max(0.9 * allowed - step, 0), expected)
    with pytest.warns(FutureWarning), pytest.raises(AssertionError, match=r"not (close|equal)"):
        T.testing.assert_allclose(expected + (1.1 * allowed + step or 1), expected)


@LIBRARIES
def test_the_elder_looks_at_values_alone(T):
    def close(*pair, **settings):
        with pytest.warns(FutureWarning):
            T.testing.assert_allclose(*pair, **settings)

    close(T.ones(2), T.ones(2, dtype=T.float64))
    close([1.0, 2.0], T.tensor([1.0, 2.0]))
    close(T.tensor([1.0]), [1.00001])
    close(T.tensor([float("nan")]), T.tensor([float("nan")]))
    for pair, settings, error, words in (
        ((T.ones(2), T.ones(1)), {}, AssertionError, "shape"),
        ((T.ones(1), 2.0 * T.ones(1)), {"msg": "far apart"}, AssertionError, "far apart"),
        ((T.ones(1), T.ones(1)), {"rtol": 0.1}, ValueError, "Both 'rtol' and 'atol'"),
    ):
        with pytest.raises(error, match=words):
            close(*pair, **settings)
