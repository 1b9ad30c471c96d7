"""Mixed precision, as scripts ask for it on a GPU: there is none, so that it is disabled, as in PyTorch without one.

Ops compute in the dtype of their operands. What would change that, `autocast("cpu")`, is refused.
"""

from __future__ import annotations

import warnings
from contextlib import ContextDecorator

from .core.device import device as device_type_of
from .names import facade

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]
__getattr__, __dir__ = facade(__name__, __all__)


class autocast(ContextDecorator):
    """A `with` block, or a decorator, in which nothing changes: `autocast("cuda")` warns that it is disabled.

    RuntimeError for a device that PyTorch does not know. NotImplementedError for "cpu", unless `enabled=False`.

    >>> import autograd_core as ac
    >>> with ac.autocast("cpu", enabled=False):
    ...     ac.ones(2).dtype
    autograd_core.float32
    """

    def __init__(self, device_type: str, dtype=None, enabled: bool = True, cache_enabled: bool | None = None):
        self.device = device_type_of(device_type).type
        if enabled and self.device == "cpu":
            raise NotImplementedError(
                "autocast on the CPU is not implemented: ops compute in the dtype of their operands. Pass "
                "enabled=False, or convert the module and its inputs with .half()"
            )
        if enabled:
            words = f"User provided device_type of '{self.device}', but it is not available. Disabling autocast."
            warnings.warn(words, stacklevel=2)

    def __enter__(self) -> autocast:
        return self

    def __exit__(self, *exception) -> None:
        """Nothing has changed."""


class GradScaler:
    """Scales a loss so that gradients in half precision do not vanish: without a GPU it is disabled, and warns.

    Disabled, `scale` returns what it is given and `step` calls the optimizer. NotImplementedError for "cpu", unless
    `enabled=False`.

    >>> import autograd_core as ac
    >>> w = ac.nn.Parameter(ac.tensor([1.0]))
    >>> optimizer, scaler = ac.optim.SGD([w], lr=0.5), ac.amp.GradScaler(enabled=False)
    >>> scaler.scale(w.sum()).backward()
    >>> scaler.step(optimizer); scaler.update(); w
    Parameter containing:
    tensor([0.5000], requires_grad=True)
    """

    def __init__(
        self,
        device: str = "cuda",
        init_scale: float = 65536.0,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ):
        name = device_type_of(device).type
        if enabled and name == "cpu":
            raise NotImplementedError(
                "GradScaler on the CPU is not implemented: multiply the loss, divide the gradients"
            )
        if enabled:
            warnings.warn(f"GradScaler is enabled, but {name} is not available. Disabling.", stacklevel=2)

    def scale(self, outputs):
        """The outputs as they are."""
        return outputs

    def unscale_(self, optimizer) -> None:
        """Nothing: no gradient is scaled."""

    def step(self, optimizer, *args, **kwargs):
        """A step of the optimizer."""
        return optimizer.step(*args, **kwargs)

    def update(self, new_scale=None) -> None:
        """Nothing: there is no scale."""

    def get_scale(self) -> float:
        """1."""
        return 1.0

    def is_enabled(self) -> bool:
        """False."""
        return False

    def state_dict(self) -> dict:
        """An empty dict, as of any that is disabled."""
        return {}

    def load_state_dict(self, state_dict: dict) -> None:
        """Nothing: there is no state."""


def custom_fwd(fwd=None, *, device_type: str, cast_inputs=None):
    """The `forward` of a `Function` itself, with or without arguments: there is no mixed precision to leave."""
    _check_type("custom_fwd", device_type)
    return fwd if fwd is not None else lambda fwd: fwd


def custom_bwd(bwd=None, *, device_type: str):
    """The `backward` of a `Function` itself, with or without arguments."""
    _check_type("custom_bwd", device_type)
    return bwd if bwd is not None else lambda bwd: bwd


def _check_type(name: str, device_type) -> None:
    if not isinstance(device_type, str):
        raise ValueError(f"{name}: Expected `device_type` of type `str`, got: `{type(device_type)}`")


def is_autocast_available(device_type: str) -> bool:
    """False. RuntimeError for a device that PyTorch does not know.

    >>> import autograd_core as ac
    >>> ac.amp.is_autocast_available("cuda")
    False
    """
    device_type_of(device_type)
    return False


def is_autocast_enabled(device_type: str = "cuda") -> bool:
    """False: nothing is computed in mixed precision. RuntimeError for a device that PyTorch does not know.

    >>> import autograd_core as ac
    >>> ac.is_autocast_enabled()
    False
    """
    device_type_of(device_type)
    return False
