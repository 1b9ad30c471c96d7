"""What programs ask about how PyTorch was built: without CUDA, ROCm and XPU, and not for debugging."""

from .names import facade

__all__ = ["cuda", "debug", "hip", "xpu"]
__getattr__, __dir__ = facade(__name__, __all__)

cuda = hip = xpu = None
debug = False
