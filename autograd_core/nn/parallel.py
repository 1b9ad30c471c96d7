"""Data parallelism over devices, of which there is one."""

from __future__ import annotations

from ..names import facade
from .module import Module

__all__ = ["DataParallel", "DistributedDataParallel"]
__getattr__, __dir__ = facade(__name__, __all__)


class DataParallel(Module):
    """A module that calls another one, as PyTorch's does where there is no GPU: nothing is split.

    Names in the `state_dict` begin with "module.", as those of PyTorch.

    >>> import autograd_core as ac
    >>> net = ac.nn.DataParallel(ac.nn.Linear(2, 1))
    >>> net(ac.ones(3, 2)).shape, list(net.state_dict())
    (Size([3, 1]), ['module.weight', 'module.bias'])
    """

    def __init__(self, module: Module, device_ids=None, output_device=None, dim: int = 0):
        super().__init__()
        self.module, self.dim = module, dim
        self.device_ids: list = []

    def forward(self, *inputs, **kwargs):
        """What the module computes."""
        return self.module(*inputs, **kwargs)


class DistributedDataParallel(Module):
    """ValueError: it needs a group of processes, and there is one process.

    >>> import autograd_core as ac
    >>> ac.nn.parallel.DistributedDataParallel(ac.nn.Linear(2, 1))
    Traceback (most recent call last):
    ValueError: Default process group has not been initialized, and cannot be: ...
    """

    def __init__(self, module: Module, *args, **kwargs) -> None:
        raise ValueError(
            "Default process group has not been initialized, and cannot be: autograd_core works in one process. Train "
            "the module itself"
        )
