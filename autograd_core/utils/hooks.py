"""What takes a hook away again, where PyTorch's programs import it from."""

from ..autograd.hooks import RemovableHandle
from ..names import facade

__all__ = ["RemovableHandle"]
__getattr__, __dir__ = facade(__name__, __all__)
