"""What programs ask about the libraries behind PyTorch: none is behind this package, whose arithmetic is NumPy's."""

from ..names import facade
from . import cuda, cudnn, mps

__all__ = ["cuda", "cudnn", "mps"]
__getattr__, __dir__ = facade(__name__, __all__)
