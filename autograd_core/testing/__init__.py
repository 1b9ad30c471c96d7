"""Comparing results: engines with each other (`compare`) and tensors with each other (`assert_close`)."""

from ..names import facade
from ._comparison import assert_close
from .compare import Comparison, compare, contrast, raises, warns

__all__ = ["Comparison", "assert_close", "compare", "contrast", "raises", "warns"]
__getattr__, __dir__ = facade(__name__, __all__)
