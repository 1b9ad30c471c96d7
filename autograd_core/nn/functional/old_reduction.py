"""What `reduction` was called before: `size_average` and `reduce`, which programs of those years still pass."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any


def with_old_reduction(loss: Callable[..., Any]) -> Callable[..., Any]:
    """A loss, or the `__init__` of one, that takes `size_average` and `reduce` too, and warns of them.

    Where either is given they decide, and not `reduction`. In the signature of the loss a `*` stands where PyTorch has
    `size_average`, and what follows may be given by position as well; `reduce` comes before `reduction`.
    """
    shown = _with_both(inspect.signature(loss))
    names = list(shown.parameters)
    n = names.index("size_average")

    @functools.wraps(loss)
    def taking_both(*args, size_average: bool | None = None, reduce: bool | None = None, **named):
        if len(args) > n:
            late = shown.bind(*args, **named).arguments
            size_average, reduce = late.pop("size_average", size_average), late.pop("reduce", reduce)
            args, named = (), late
        if size_average is not None or reduce is not None:
            named["reduction"] = meant = reduction(size_average is not False, reduce is not False)
            warnings.warn(
                f"size_average and reduce args will be deprecated, please use reduction='{meant}' instead.",
                stacklevel=2,
            )
        return loss(*args, **named)

    taking_both.__signature__ = shown  # type: ignore[attr-defined]
    return taking_both


def _with_both(shown: inspect.Signature) -> inspect.Signature:
    """A signature with the two, each in its place, and without keywords that cannot be given otherwise."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [p.replace(kind=kind) for p in shown.parameters.values()]
    first = next(i for i, p in enumerate(shown.parameters.values()) if p.kind is p.KEYWORD_ONLY)
    parameters.insert(first, inspect.Parameter("size_average", kind, default=None))
    at = next(i for i, p in enumerate(parameters) if p.name == "reduction")
    parameters.insert(at, inspect.Parameter("reduce", kind, default=None))
    return shown.replace(parameters=parameters)


def reduction(size_average: bool, reduce: bool) -> str:
    """The word for both.

    >>> reduction(size_average=False, reduce=True)
    'sum'
    """
    if not reduce:
        return "none"
    return "mean" if size_average else "sum"
