"""Comparing what two engines return when it is nested: tuples, lists and dicts of tensors."""

import numpy as np


def assert_same(ours, theirs, rtol=1e-9, atol=1e-12, path="result"):
    """The same containers with the same keys, and tensors of the same shape, dtype and, but for rounding, values."""
    if isinstance(theirs, dict):
        assert list(ours) == list(theirs), path
        for key in theirs:
            assert_same(ours[key], theirs[key], rtol, atol, f"{path}[{key!r}]")
    elif isinstance(theirs, (list, tuple)):
        assert type(ours).__name__ == type(theirs).__name__ and len(ours) == len(theirs), path
        for i, (a, b) in enumerate(zip(ours, theirs)):
            assert_same(a, b, rtol, atol, f"{path}[{i}]")
    elif hasattr(theirs, "detach"):
        assert str(ours.dtype).split(".")[-1] == str(theirs.dtype).split(".")[-1], path
        np.testing.assert_allclose(ours.detach().numpy(), theirs.detach().numpy(), rtol, atol, err_msg=path)
    else:
        assert ours == theirs, path
