"""How far apart two values are, in words."""

import math

import numpy as np
import pytest

from autograd_book.check.verdict import difference

ONE = np.float32(1)


@pytest.mark.parametrize(
    ("yours", "reference", "words"),
    [
        (2, 2, "0"),
        (3, 2, "1"),
        (1 + 2**-52, 1.0, "1 ulp"),
        (np.nextafter(ONE, np.float32(2)), ONE, "1 ulp"),
        (1.0 + 2**-22, ONE, "2 ulp"),  # of the less precise dtype
        ([1.0, 2.5], np.array([1.0, 2.0]), "0.5"),
        (1e-9, 0.0, "1e-09"),
        (math.nan, math.nan, "0"),
        (math.inf, math.inf, "0"),
        (math.inf, 1.0, "inf"),
        (math.nan, 1.0, "nan"),
        (True, False, ""),
        (None, 0.0, ""),
        ("a", "b", ""),
        ([1.0], [1.0, 2.0], ""),
        ([[1.0], [1.0, 2.0]], 1.0, ""),
        (np.zeros(0), np.zeros(0), ""),
    ],
)
def test_difference(yours, reference, words):
    assert difference(yours, reference) == words
