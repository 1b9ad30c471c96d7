"""Tools beside the engine: `checkpoint` computes values again in the backward, `data` makes batches of examples."""

from ..names import facade
from . import checkpoint, data

__all__ = ["checkpoint", "data"]
__getattr__, __dir__ = facade(__name__, __all__)
