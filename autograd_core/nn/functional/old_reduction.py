"""What `reduction` was called before: `size_average` and `reduce`, which programs of those years still pass."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any


def with_old_reduction(loss: Callable[..., Any]) -> Callable[..., Any]:
    """A loss, or the `__init__` of one, that takes `size_average=` and `reduce=` too, and warns of them.

    Where either is given they decide, and not `reduction`.
    """

    @functools.wraps(loss)
    def taking_both(*args, size_average: bool | None = None, reduce: bool | None = None, **named):
        if size_average is not None or reduce is not None:
            named["reduction"] = meant = reduction(size_average is not False, reduce is not False)
            warnings.warn(
                f"size_average and reduce args will be deprecated, please use reduction='{meant}' instead.",
                stacklevel=2,
            )
        return loss(*args, **named)

    return taking_both


def reduction(size_average: bool, reduce: bool) -> str:
    """The word for both.

    >>> reduction(size_average=False, reduce=True)
    'sum'
    """
    if not reduce:
        return "none"
    return "mean" if size_average else "sum"
