"""The mode in which the runtime calls the ops of this package: recording, whatever `ac.no_grad()` is around.

Whether an operation is recorded is decided by the flags of tensors and the depths of guards: what is not to be recorded
gets inputs without history.
"""

from __future__ import annotations

from collections.abc import Callable

from ..core.modes import RECORDING, current_mode, set_mode


def in_own_mode(compute: Callable, *args):
    """`compute(*args)` in a mode that records and makes ordinary tensors; anomaly mode and observers stay."""
    outside = current_mode()
    if outside is RECORDING:
        return compute(*args)
    set_mode(RECORDING if outside.plain else outside.but(grad=True, inference=False))
    try:
        return compute(*args)
    finally:
        set_mode(outside)
