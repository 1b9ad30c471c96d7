"""What tensors and nodes of both engines show alike: `grad`, `next_functions`, the name of an AccumulateGrad."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any


def grad_of(tensor):
    """`.grad`, without the warning that a non-leaf gives."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tensor.grad


def is_parameter(tensor) -> bool:
    """Whether this is an `nn.Parameter`, which requires gradients unless that was switched off."""
    return "Parameter" in {kind.__name__ for kind in type(tensor).__mro__}


def is_accumulator(node) -> bool:
    """Whether a node is where gradients are stored, and not an op."""
    return type(node).__name__ == "AccumulateGrad"


def in_order(nodes: Iterable) -> list:
    """All nodes reachable from `nodes`, each before those it was computed from. No recursion."""
    finished: list = []
    seen: set = set()
    stack: list[tuple[Any, bool]] = [(node, False) for node in nodes]
    while stack:
        node, done = stack.pop()
        if done:
            finished.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack += [(above, False) for above, _ in node.next_functions if above is not None and above not in seen]
    return finished[::-1]
