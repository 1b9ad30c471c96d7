"""Tools beside the engine: `checkpoint` computes values again in the backward, `data` makes batches of examples."""

from . import checkpoint, data

__all__ = ["checkpoint", "data"]
