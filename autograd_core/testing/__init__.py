"""Comparing tensors with each other, as PyTorch's `testing` does."""

import sys

from ..moved import moved_name
from ..names import missing
from .closeness import assert_allclose, assert_close

__all__ = ["assert_allclose", "assert_close"]


def __getattr__(name: str):
    if (found := moved_name(__name__, name)) is not None:
        return found
    raise missing(sys.modules[__name__], "ac.testing", name)


def __dir__() -> list[str]:
    return __all__
