"""Why a gradient is zero: asked of the pass itself where it can still be run by hand, or of the log."""

from __future__ import annotations

import numpy as np

from ..reading import grad_of, reader_of, require_tensor
from .answers import Cause, Verdict
from .causes import cause
from .log import current_log
from .sweep import Zeros, zeros_of

POSSIBLE = ("relu", "clamp", "mask", "times-zero", "not-chosen", "not-selected", "step", "saturated", "flat",
            "normalized", "cancels", "underflow", "hook", "custom", "zeroed")  # fmt: skip
UNSEEN = ("hook", "custom", "cancels")  # by the user's code, or between passes


def why_zero(tensor, loss=None) -> Verdict:
    """Why `tensor.grad` is zero, in all entries or in some; no cause if no entry is zero.

    Takes a tensor of this package or of PyTorch. From the tensor alone it lists what is possible. With the `loss`,
    as long as its graph is not released, or inside `watch()`, it runs the pass by hand and names the ops that turned
    a cotangent into zero. Hooks do not run, and nothing is stored.

    Raises TypeError for anything but a tensor.

    >>> import autograd_core as ac
    >>> w = ac.tensor([-1.0, -2.0], requires_grad=True)
    >>> loss = ac.relu(w).sum()
    >>> loss.backward(retain_graph=True)
    >>> ac.explain.why_zero(w, loss).kinds
    ('relu',)
    """
    require_tensor(tensor, "why_zero")
    question = f"Why is .grad of this tensor of shape {list(tensor.shape)} zero?"
    gradient = grad_of(tensor)
    if gradient is None:
        return Verdict(question, (cause("none"),))
    mask = reader_of(gradient).cotangent(gradient) == 0
    if not mask.any():
        return Verdict(question, (), ("No entry is zero.",))
    share = f"{int(mask.sum())} of {tensor.numel()} entries are zero."
    found = _shown(tensor, gradient, loss)
    if found:
        return Verdict(question, found, (share,))
    return Verdict(question, tuple(cause(kind) for kind in POSSIBLE), (share, "Possible causes:"))


def _shown(tensor, gradient, loss) -> tuple[Cause, ...]:
    log = current_log()
    if loss is not None:
        require_tensor(loss, "why_zero")
        found = zeros_of([loss], [], {0: tensor}).get(0) if tensor.requires_grad else None
        if found and found.causes:
            return _with_hooks(found, gradient)
    if log is None:
        return ()
    zeroed = log.last(log.number(gradient), "zero_")
    number = log.number(tensor)
    latest = next((p for p in reversed(log.passes) if p.ended and number in p.stored), None)
    if zeroed is not None and (latest is None or zeroed[0] >= latest.time):
        return (cause("zeroed", zeroed[1].line),)
    found = latest.zeros.get(number) if latest is not None else None
    return _with_hooks(found, gradient) if found and found.causes else ()


def _with_hooks(found: Zeros, gradient) -> tuple[Cause, ...]:
    """The causes found by hand; where they do not cover every zero, also what a pass by hand does not see."""
    unexplained = np.asarray(reader_of(gradient).cotangent(gradient) == 0) & ~found.mask
    return (*found.causes, *map(cause, UNSEEN)) if unexplained.any() else found.causes
