"""Optimizers: `torch.optim`."""

from ..names import on_demand

# The modules, and the names that each has to show. They are imported when one of these is first asked for.
HOMES = {
    ".": "lr_scheduler swa_utils",
    ".adadelta": "Adadelta",
    ".adafactor": "Adafactor",
    ".adagrad": "Adagrad",
    ".adam": "Adam",
    ".adamax": "Adamax",
    ".adamw": "AdamW",
    ".asgd": "ASGD",
    ".lbfgs": "LBFGS",
    ".muon": "Muon",
    ".nadam": "NAdam",
    ".optimizer": "Optimizer",
    ".radam": "RAdam",
    ".rmsprop": "RMSprop",
    ".rprop": "Rprop",
    ".sgd": "SGD",
    ".sparse_adam": "SparseAdam",
}
__getattr__, __dir__, __all__ = on_demand(__name__, HOMES)
