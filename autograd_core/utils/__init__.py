"""Tools beside the engine: `checkpoint` computes values again in the backward, `data` makes batches of examples, and
`tensorboard` records a training."""

from ..names import facade
from . import _pytree, checkpoint, data, hooks, model_zoo, tensorboard

__all__ = ["_pytree", "checkpoint", "data", "hooks", "model_zoo", "tensorboard"]
__getattr__, __dir__ = facade(__name__, __all__)
