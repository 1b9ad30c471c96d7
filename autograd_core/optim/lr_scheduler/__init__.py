"""Schedules of the learning rate: `torch.optim.lr_scheduler`."""

from ...names import on_demand

# The modules, and the names that each has to show. They are imported when one of these is first asked for.
HOMES = {
    ".combined": "ChainedScheduler SequentialLR",
    ".cosine": "CosineAnnealingLR CosineAnnealingWarmRestarts",
    ".cyclic": "CyclicLR",
    ".decay": "ConstantLR ExponentialLR LambdaLR LinearLR MultiStepLR MultiplicativeLR PolynomialLR StepLR",
    ".one_cycle": "OneCycleLR",
    ".plateau": "ReduceLROnPlateau",
    ".scheduler": "EPOCH_DEPRECATION_WARNING LRScheduler _LRScheduler",
}
__getattr__, __dir__, __all__ = on_demand(__name__, HOMES)
