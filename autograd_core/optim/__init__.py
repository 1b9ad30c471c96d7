"""Optimizers: `torch.optim`."""

from ..names import facade
from .adam import Adam
from .optimizer import Optimizer
from .sgd import SGD

__all__ = ["SGD", "Adam", "Optimizer"]
__getattr__, __dir__ = facade(__name__, __all__)
