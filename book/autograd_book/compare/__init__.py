"""One program on several engines, the results side by side."""

from autograd_core.names import facade

from .programs import Comparison, compare, contrast, raises, warns

__all__ = ["Comparison", "compare", "contrast", "raises", "warns"]
__getattr__, __dir__ = facade(__name__, __all__)
