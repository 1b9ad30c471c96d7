"""A tensor without axes takes 0 and -1 for a dimension, and no other."""

import pytest

CALLS = {
    "transpose": lambda x, dim: x.transpose(dim, 0),
    "swapaxes": lambda x, dim: x.swapaxes(0, dim),
    "flatten": lambda x, dim: x.flatten(dim),
    "flatten, end": lambda x, dim: x.flatten(0, dim),
    "sum": lambda x, dim: x.sum(dim),
    "cumsum": lambda x, dim: x.cumsum(dim),
    "softmax": lambda x, dim: x.softmax(dim),
    "squeeze": lambda x, dim: x.squeeze(dim),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_scalar_has_one_dimension_to_name(T, call):
    x = T.tensor(2.0)
    assert call(x, 0).tolist() == call(x, -1).tolist()
    for dim in (1, -2):
        with pytest.raises(IndexError, match="Dimension out of range"):
            call(x, dim)


def test_rolling_a_scalar_along_a_dimension_is_refused(T):
    assert T.tensor(2.0).roll(1).item() == 2.0
    with pytest.raises(IndexError, match="has no dimensions"):
        T.tensor(2.0).roll(1, 0)
