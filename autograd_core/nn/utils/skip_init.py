"""Layers without initial values, for those that get others at once."""

from __future__ import annotations

import inspect

from ...ops.making.generator import get_rng_state, set_rng_state
from ..module import Module


def skip_init(module_cls: type[Module], *args, **kwargs) -> Module:
    """`module_cls(*args, **kwargs)` with parameters and buffers whose values are undefined.

    RuntimeError for a class that is no Module, or whose constructor takes no `device`.

    >>> import autograd_core as ac
    >>> ac.nn.utils.skip_init(ac.nn.Linear, 5, 1)
    Linear(in_features=5, out_features=1, bias=True)
    """
    if not (isinstance(module_cls, type) and issubclass(module_cls, Module)):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    device, state = kwargs.pop("device", "cpu"), get_rng_state()
    module = module_cls(*args, **kwargs)
    set_rng_state(state)  # as if nothing had been drawn
    return module.to_empty(device=device)
