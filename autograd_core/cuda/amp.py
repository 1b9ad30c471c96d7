"""The older names of `ac.amp`: for CUDA, and so disabled."""

import functools

from .. import amp
from ..names import facade

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd"]
__getattr__, __dir__ = facade(__name__, __all__)


class autocast(amp.autocast):
    """`ac.amp.autocast("cuda")`."""

    def __init__(self, enabled: bool = True, dtype=None, cache_enabled: bool = True):
        super().__init__("cuda", dtype, enabled, cache_enabled)


class GradScaler(amp.GradScaler):
    """`ac.amp.GradScaler("cuda")`."""

    def __init__(
        self,
        init_scale: float = 65536.0,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ):
        super().__init__("cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled)


custom_fwd = functools.partial(amp.custom_fwd, device_type="cuda")
custom_bwd = functools.partial(amp.custom_bwd, device_type="cuda")
