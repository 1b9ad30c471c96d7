"""Tools beside the engine: `checkpoint` computes values again in the backward instead of keeping them."""

from . import checkpoint

__all__ = ["checkpoint"]
