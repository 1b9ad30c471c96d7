"""Optimizers: `torch.optim`."""

import importlib

from ..names import facade
from . import lr_scheduler, optimizer
from .adadelta import Adadelta
from .adafactor import Adafactor
from .adagrad import Adagrad
from .adam import Adam
from .adamax import Adamax
from .adamw import AdamW
from .asgd import ASGD
from .lbfgs import LBFGS
from .muon import Muon
from .nadam import NAdam
from .optimizer import Optimizer
from .radam import RAdam
from .rmsprop import RMSprop
from .rprop import Rprop
from .sgd import SGD
from .sparse_adam import SparseAdam

__all__ = [
    *("ASGD", "LBFGS", "SGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "Muon", "NAdam"),
    *("Optimizer", "RAdam", "RMSprop", "Rprop", "SparseAdam", "lr_scheduler", "swa_utils"),
]
_missing, __dir__ = facade(__name__, __all__)


def __getattr__(name: str):
    if name == "swa_utils":  # imports modules of layers, which an optimizer does without
        return importlib.import_module(f".{name}", __name__)
    return _missing(name)
