"""Tools beside the engine: `checkpoint` computes values again in the backward, `data` makes batches of examples, and
`tensorboard`, imported when first used, records a training with the package of that name."""

import importlib

from ..names import facade
from . import _pytree, checkpoint, data, hooks, model_zoo

__all__ = ["_pytree", "checkpoint", "data", "hooks", "model_zoo"]
_missing, __dir__ = facade(__name__, [*__all__, "tensorboard"])


def __getattr__(name: str):
    return importlib.import_module(f"{__name__}.tensorboard") if name == "tensorboard" else _missing(name)
