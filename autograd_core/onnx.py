"""What programs ask about exports to ONNX, of which there are none."""

from .names import facade

__all__ = ["is_in_onnx_export"]
__getattr__, __dir__ = facade(__name__, __all__)


def is_in_onnx_export() -> bool:
    """False: nothing is exported.

    >>> import autograd_core as ac
    >>> ac.onnx.is_in_onnx_export()
    False
    """
    return False
